"""Local models of transformers in the seats of our games: tiny ones with random weights, made here, nothing downloaded.

Needs torch: `make hf` makes a virtual environment for it and runs this.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import mmgames
from mmgames.agents.token_replies import TokenPrompt
from mmgames.baselines.models import hf
from mmgames.baselines.models.hf import HuggingFace
from mmgames.baselines.models.local_weights import WaitingReplies
from mmgames.errors import MmgamesError
from mmgames.running.journal import Budget, BudgetSpent
from tests.hf.models import KINDS, drawn, text_alone
from tests.refusing import refused


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A tiny model of each kind on disk, as a download would lie there."""
    found = {}
    for kind in KINDS:
        found[kind] = tmp_path_factory.mktemp(kind)
        for part in drawn(kind):
            part.save_pretrained(found[kind])
    return found


def seen(kind: str, **more: Any) -> dict[str, Any]:
    return {"size": 64, "max_tokens": 6, **({"observe": "text"} if kind == "text" else {}), **more}


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_in_a_folder_plays_by_name(kind: str, folders: dict[str, Path]) -> None:
    options = ",".join(f"{name}={value}" for name, value in seen(kind).items())
    result = mmgames.match("TicTacToe", [f"hf:{folders[kind]},{options}", "random"], 1, on_illegal="random")
    (record,) = result.episodes
    assert record["failed"] is None and record["replies"]
    assert 2 * record["illegal"][0] == len(record["replies"]), "it babbles, is asked again, and babbles"


@pytest.mark.parametrize("kind", ["llava", "gemma"])
def test_it_sees_the_picture_and_tells_how_likely_its_reply_was(kind: str, folders: dict[str, Path]) -> None:
    agent = HuggingFace(str(folders[kind]), **seen(kind, logprobs=True))
    picture = np.zeros((64, 64, 3), np.uint8)
    dark = agent.messages({"text": "Look!", "rgb": picture})
    light = agent.messages({"text": "Look!", "rgb": picture + 255})
    reply = agent.complete(dark)
    told = agent.last_call
    assert len(told["logprobs"]) == len(told["tokens"]) == told["tokens_out"] <= 6 and told["tokens_in"] > 10
    again = agent.log_probabilities(dark, told["tokens"])
    assert again.requires_grad and again.tolist() == pytest.approx(told["logprobs"], abs=1e-4)
    assert agent.log_probabilities(light, told["tokens"]).tolist() != pytest.approx(told["logprobs"], abs=1e-6)
    assert (told["finish"] == "stop") == (told["tokens_out"] < 6)
    assert isinstance(reply, str) and len(agent.log_probabilities(dark, "Action: B2")) == len("Action: B2") + 1


def test_what_is_drawn_depends_on_the_episode_alone(folders: dict[str, Path], tmp_path: Path) -> None:
    agent = HuggingFace(
        str(folders["llava"]), **seen("llava", temperature=1.0, top_p=0.95, max_tokens=4, observe="rgb")
    )

    def played(**how: Any) -> list[list[str]]:
        result = mmgames.match("CoinDilemma", agent, 3, on_illegal="random", max_steps=2, **how)
        return [[one["reply"] for one in row["replies"]] for row in result.episodes]

    alone = played()
    assert len({tuple(replies) for replies in alone}) == 3, "episodes are drawn apart"
    torch.manual_seed(99)
    assert played(concurrency=3) == alone
    out = tmp_path / "torn.jsonl"
    with pytest.raises(BudgetSpent):
        played(out=out, budget=Budget(calls=7))
    assert played(out=out) == alone, "and a run that was cut short goes on with the same draws"


def test_replies_that_are_asked_for_at_the_same_moment_are_written_together(folders: dict[str, Path]) -> None:
    sizes: list[int] = []

    class Counting(HuggingFace):
        def complete_batch(self, prompts: Any) -> Any:
            sizes.append(len(prompts))
            return super().complete_batch(prompts)

    how = seen("llava", temperature=1.0, max_tokens=4, observe="rgb", batch=3, logprobs=True)
    agent = Counting(str(folders["llava"]), **how)

    def played(concurrency: int) -> list[list[str]]:
        result = mmgames.match("CoinDilemma", agent, 6, on_illegal="random", max_steps=3, concurrency=concurrency)
        return [[one["reply"] for one in row["replies"]] for row in result.episodes]

    alone = played(1)
    assert set(sizes) == {1} and len(sizes) == 72, "each question is asked again"
    sizes.clear()
    assert played(6) == alone, "who else is in a batch changes nothing"
    assert 1 < max(sizes) <= 3 and sum(sizes) == 72
    assert agent.describe()["batch"] == 3
    refused(lambda: HuggingFace("none", batch=0), "batch=0")


def test_what_cannot_be_is_said_in_a_sentence_to_all_of_a_batch(folders: dict[str, Path], tmp_path: Path) -> None:
    refused(lambda: HuggingFace(str(tmp_path)).answer({"text": "Move!"}), r"cannot be loaded")
    with pytest.raises(MmgamesError, match="takes no images; use observe=text"):
        HuggingFace(str(folders["text"])).answer({"text": "Look!", "rgb": np.zeros((64, 64, 3), np.uint8)})
    for wrong in ({"temperature": -1}, {"top_p": 0}, {"max_tokens": 0}, {"observe": "sound"}):
        refused(lambda wrong=wrong: HuggingFace("any", **wrong))
    model, reader = text_alone()
    reader.chat_template = None
    with pytest.raises(MmgamesError, match="no chat template"):
        HuggingFace("own", weights=(model, reader), observe="text").answer({"text": "Move!"})
    assert hf.load(str(folders["text"])) is hf.load(str(folders["text"])), "loaded once"
    waiting, prompt = WaitingReplies(), TokenPrompt([], (), (), 0)

    def write(prompts: Any) -> Any:
        raise MmgamesError("There is no room.")

    for _ in range(2):
        refused(lambda: waiting.reply(prompt, "greedy", 8, write), "no room")
