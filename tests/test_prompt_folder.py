"""Folders of prompts: a file for each game, stage and role, and one command for a whole suite."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from mmgames import suites, tasks
from mmgames.agents.prompt_template import STAGES, Scene, read_prompts
from mmgames.baselines.models.conversation import Conversation
from mmgames.cli import main
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError, RunStopped
from mmgames.running.matches import match
from mmgames.tasks.env import TaskEnv
from tests.chat_server import serving, words
from tests.refusing import refused
from tests.test_prompt_template import Model

EXAMPLES = Path(__file__).parent.parent / "examples" / "prompts"


def folder(tmp_path, **files):
    for name, text in files.items():
        (tmp_path / f"{name.replace('_', '.')}.txt").write_text(text)
    return str(tmp_path)


def test_the_most_particular_file_counts(tmp_path):
    names = ("default", "vote", "Spy", "Spy_vote", "Spy_spy", "Spy_clue_spy", "expert")
    prompts = read_prompts(folder(tmp_path, **{name: f"{name} {{{{text}}}}" for name in names}))

    def chosen(*scene):
        return prompts.at(Scene(*scene)).user.split()[0]

    assert chosen("Spy", "clue", "spy") == "Spy_clue_spy"
    assert chosen("Spy", "over", "spy") == "Spy_spy"
    assert chosen("Spy", "vote", "civilian") == "Spy_vote"
    assert chosen("Spy", "clue", "civilian") == "Spy"
    assert chosen("WirePuzzle", "play", "expert") == "expert"
    assert chosen("Other", "vote", "x") == "vote" and chosen("Chess") == chosen() == "default"


def test_a_stage_is_what_tasks_and_games_call_it():
    assert {spec.kind for spec in tasks.specs.values()} <= set(STAGES)
    rng = np.random.default_rng(0)
    for id, spec in registry.specs.items():
        if not registry.why_missing(spec):
            loaded = registry.load(id)
            live = LiveGame(loaded, loaded.game())
            live.start(rng)
            assert all(Turn(live, seat, rng).standing[0] in STAGES for seat in live.movers), id


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "holds no prompts"),
        ({"Spy_votee": "{{text}}"}, "Unknown game, stage or role 'votee'"),
        ({"Spy": "{{texts}}"}, "Unknown place 'texts'"),
        ({"Spy": "no place"}, "Spy.txt has no place in its user's message"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(tmp_path, files, said):
    refused(lambda: Model("x", prompt=folder(tmp_path, **files)), said)


def test_seat_round_history_and_what_is_legal_have_places(tmp_path):
    text = "{{game}} {{seat}} {{round}} [{{history}}] {{legal_actions}}"
    model = Model('{"action": "<UP>"}', prompt=folder(tmp_path, CoinDilemma=text), observe="text", history=2)
    match("CoinDilemma", (model, "random"), 2, 1, max_steps=3)
    told = [messages[0]["content"].split("]")[0] for messages in model.shown]
    once = '{"action": "<UP>"}'
    rounds = ["CoinDilemma red 1 [", f"CoinDilemma red 2 [{once}", f"CoinDilemma red 3 [{once}\n\n{once}"]
    assert told == rounds * 2, "an episode begins anew"
    assert all("<STAY>, <RIGHT>" in messages[0]["content"] for messages in model.shown)


def test_a_folder_is_part_of_what_an_agent_is(tmp_path):
    one, two = (tmp_path / name for name in ("one", "two"))
    for path, text in ((one, "{{text}}"), (two, "{{text}}!")):
        path.mkdir()
        folder(path, default="{{text}}", vote=text)
    described = [Model("x", prompt=str(path)).describe()["prompt"] for path in (one, two, one)]
    assert described[0] == described[2] != described[1]
    (tmp_path / "file.txt").write_text("{{text}}")
    with pytest.raises(MmgamesError, match="leave system= out"):
        Model("x", prompt=folder(two, play="[system]\nBe brief.\n[user]\n{{text}}"), system="Hello.")
    with pytest.raises(RunStopped, match=r"has no prompt for TicTacToe.play.x: there is no TicTacToe.play.x.txt"):
        match("TicTacToe", (Model("A1", prompt=folder(tmp_path, vote="{{text}}")), "random"), 1, 1)


@pytest.mark.parametrize("name", [path.name for path in sorted(EXAMPLES.iterdir())])
def test_the_example_of_a_suite_shows_all_that_its_entries_show(name):
    """What no file needs to show is how pictures are read and, where a box is asked for, how else one might answer."""
    prompts, suite = read_prompts(EXAMPLES / name), suites.find(name)
    used = set()
    for entry in suite.entries:
        task = None if entry.id in registry.specs else tasks.find(entry.id)
        if registry.why_missing(registry.find(entry.id if task is None else task.game)):
            continue
        if task is not None:
            own = {key: value for key, value in entry.options.items() if key in task.options()}
            shown = [(Scene(task.name.partition("-")[0], task.kind), TaskEnv(entry.id, **own).reset(seed=1)[0]["text"])]
        else:
            loaded = registry.load(entry.id)
            live = LiveGame(loaded, loaded.game(**{k: v for k, v in entry.options.items() if k in loaded.spec.options}))
            live.start(np.random.default_rng(0))
            turns = [Turn(live, seat, np.random.default_rng(0)) for seat in range(len(live.game.seats))]
            shown = [(Scene(loaded.spec.name, *turn.standing, turn.role), turn.words(True)) for turn in turns]
        for scene, text in shown:
            template = prompts.at(scene)
            used.add(repr(template))
            written = f"{template.system_message({'text': text})}\n{''.join(template.user_texts({'text': text}))}"
            assert "{{" not in written
            parts = re.split(r"^## (.+)\n", text, flags=re.M)[1:]
            for title, body in zip(parts[::2], parts[1::2], strict=True):
                if title not in ("Picture", "Pictures") and (title != "Answer" or "\\boxed" not in written):
                    assert body.strip() in written, (scene, title)
    later = {"vision-zero": 1}.get(name, 0)  # votes come after the clues
    assert len(used) == len(prompts.templates) - later, "every file has its use"


def test_clues_and_votes_in_a_box_are_read_and_nothing_beside_them_is_heard():
    thoughts = "My picture has a red ball; I must not say where."

    shown = []

    class Player(Conversation):
        name = "player"

        def complete(self, messages):
            shown.append(messages)
            text = "\n".join(words(message) for message in messages)
            vote = re.search(r"one of: (player_\d)", text)
            return f"{thoughts} \\boxed{{{vote[1] if vote else 'There is a ball.'}}}"

    result = match("Spy", Player(prompt=str(EXAMPLES / "vision-zero"), size=64), 1, 3, civilians=2, clue_rounds=1)
    heard = [said["words"] if isinstance(said, dict) else said for said in result.episodes[0]["clues"]]
    assert "There is a ball." in json.dumps(heard) and thoughts not in json.dumps(heard)
    assert not any("must not say" in words(message) for messages in shown for message in messages)
    assert result.episodes[0]["illegal"] == [0, 0, 0] and "asked_again" not in result.episodes[0]
    seats = {re.search(r"You are (player_\d)", words(messages[0]))[1] for messages in shown}
    assert seats == {"player_1", "player_2", "player_3"}


def test_one_command_runs_a_suite_with_its_folder(tmp_path, capsys):
    def reply(request, number):
        text = "\n".join(words(message) for message in request["messages"])
        return "Answer: B" if "Answer: B" in text else "Movement: B2"

    with serving(reply) as server:
        agent = f"chat:tiny,base_url={server.url},observe=text,prompt={EXAMPLES / 'lvlm-playground'}"
        command = ["eval", "lvlm-playground", "--agent", agent, "--episodes", "2", "--json", "--reading", "released"]
        command += [word for kind in ("Ask", "Rule") for word in ("--only", f"TicTacToe-{kind}")]
        assert main(command) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["missing"] for row in rows] == [0, 0, 0] and all(row["raw"] is not None for row in rows)
