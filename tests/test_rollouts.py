"""Played rounds as rows for trainers, and environments as GRPO plays them; tests/trl shows them to TRL itself."""

import json

import numpy as np
import pytest
from PIL import Image

from mmgames.wrappers.trl import environment_factory, rollouts, write_rollouts
from tests.refusing import refused

SPY = "mmgames/Spy-v0"
CHARTS = {"pictures": "chart"}


@pytest.fixture(scope="module")
def decisions():
    return list(rollouts(SPY, "consistency", 2, seed=5, size=64, **CHARTS))


def test_every_decision_of_a_round_is_there_with_its_seats_reward(decisions, tmp_path):
    assert len(decisions) == 2 * (10 + 4)
    for episode in (0, 1):
        mine = [row for row in decisions if row["episode"] == episode]
        record = mine[0]["record"]
        names = [f"player_{number}" for number in range(1, 6)]
        paid = dict(zip(names, np.add(record["clue_rewards"], record["vote_rewards"]), strict=True))
        assert all(row["reward"] == pytest.approx(paid[row["seat"]]) for row in mine)
        assert [row["reply"] for row in mine[:10]] == [clue["words"] for clue in record["clues"]]
        for seat in names:
            own = [row["move"] for row in mine if row["seat"] == seat]
            assert own == list(range(2 if seat in record["spies"] else 3))
    found = list(rollouts("mmgames/TicTacToe-v0", "random", 1, observe=("text",)))
    write_rollouts(tmp_path / "rows", found)
    row = json.loads((tmp_path / "rows" / "rows.jsonl").read_text("utf-8").splitlines()[0])
    assert "images" not in row and json.loads(row["messages"][1]["content"][0]["text"])["action"]
    refused(lambda: write_rollouts(tmp_path / "rows", found), "rows")
    refused(lambda: write_rollouts(tmp_path / "other", found, "dpo"), "'dpo'")


@pytest.mark.parametrize("form", ["sft", "kto"])
def test_rows_have_as_many_image_parts_as_images(tmp_path, decisions, form):
    assert write_rollouts(tmp_path / form, decisions, form) == len(decisions)
    rows = [json.loads(line) for line in (tmp_path / form / "rows.jsonl").read_text("utf-8").splitlines()]
    for row, decision in zip(rows, decisions, strict=True):
        messages = row["messages"] if form == "sft" else row["prompt"] + row["completion"]
        parts = [part for message in messages for part in message["content"]]
        assert sum(part["type"] == "image" for part in parts) == len(row["images"]) == 1
        assert [message["role"] for message in messages] == ["user", "assistant"]
        assert parts[1]["text"] == decision["text"] and parts[-1]["text"] == decision["reply"]
        with Image.open(tmp_path / form / row["images"][0]) as picture:
            assert np.array_equal(np.asarray(picture), decision["picture"])
        assert row["reward"] == decision["reward"]
        assert form == "sft" or row["label"] == (decision["reward"] > 0)
    assert len(list((tmp_path / form / "pictures").iterdir())) == 4  # an original and a changed one for each round


def test_a_seat_plays_a_round_as_grpo_does_each_time_the_same():
    env = environment_factory(SPY, others="consistency", spy="player_1", **CHARTS)()
    for seed, vote, low, high in ((1, "player_1", 0.5, 1.5), (1, "N/A", -1, 0), (2, "player_1", 0.5, 1.5)):
        prompt = env.reset(prompt="", seed=seed, seat="player_2")
        assert "player_2" in prompt and "`reply`" in prompt
        assert env.get_reward() == -1  # nothing is finished yet
        assert "> " in env.reply("The title is long.")
        env.reply("There are labels.")
        assert "It is over." in env.reply(vote) and low < env.get_reward() < high
        before = env.get_reward()
        assert "nothing more" in env.reply("player_3") and env.get_reward() == before
    env = environment_factory("mmgames/TicTacToe-v0", others="random")()
    env.reset(seed=0)
    assert "not" in env.reply("the middle, please") and env.get_reward() == -1
    for _ in range(5):
        legal = env._env.unwrapped.live.loaded.words.names(env._env.unwrapped.live.view(0))
        if env._over:
            break
        env.reply(json.dumps({"action": next(iter(legal.values()))}))
    assert env._over and env.get_reward() in (-1, 0, 1)
    make = environment_factory(SPY, observe=("rgb", "text"), size=64, **CHARTS)
    one, other = (make().reset(seed=9) for _ in range(2))
    assert [part["type"] for part in one] == ["image", "text"]
    assert one[1] == other[1] and one[0]["image"].tobytes() == other[0]["image"].tobytes()
