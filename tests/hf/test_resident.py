"""The resident at the smallest size: what it is shown and learns, small files of weights, and the agent."""

import json
import os
import sys
from dataclasses import replace

import gymnasium
import numpy as np
import pytest
import torch

from benchmarks.resident import __main__ as command
from benchmarks.resident import training
from benchmarks.resident.examples import KNOWN, draw_file, entries, file_of, read_file
from mmgames.agents.finding import make_agent, shipped_model
from mmgames.agents.token_replies import TokenPrompt, picture_hash, pictures_in
from mmgames.baselines.models import quantised_weights
from mmgames.baselines.models.hf import HuggingFace
from mmgames.baselines.models.resident import Resident
from mmgames.baselines.models.token_batches import encode
from mmgames.core import registry
from mmgames.errors import MissingExtra
from mmgames.running.matches import match
from mmgames.tasks.questions import task_style
from tests.refusing import refused

TINY = training.Settings(
    only="TicTacToe-Rule,KuhnPoker", parts=2, each=4, width=64, layers=1, eye_width=64, eye_layers=1, pixels=64,
    batch=2, accumulation=2, updates=6, rate=3e-3, max_tokens=16,
)  # fmt: skip


def place(name):
    return next(at for at, entry in enumerate(entries()) if entry.name == name)


@pytest.fixture(scope="module", autouse=True)
def short_blocks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "BLOCK", 2)
        yield


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    made = training.Run(tmp_path_factory.mktemp("resident") / "run", TINY, "cpu", 1)
    assert made.learn(1e9)
    return made


def test_entries_are_those_of_all_suites_and_leave_out_what_is_kept_apart():
    names = [entry.name for entry in entries()]
    assert len(names) == len(set(names))
    games = {entry.id for entry in entries() if entry.teachers}
    assert len(games) >= 20 and {"WirePuzzle", "Spy", "TicTacToe-Rule", "Hanabi-Predict", "Cleanup"} <= set(names)
    assert any(name.startswith("VikiKitchen-Plan") for name in names)
    assert not [name for name in names for apart in KNOWN["apart"]["games"] if name.startswith(apart)]


@pytest.mark.parametrize("name", ["TicTacToe-Rule", "WirePuzzle", "KuhnPoker"])
def test_examples_are_what_a_chat_model_is_shown_and_what_counts_as_right(name, tmp_path):
    at = place(name)

    def drawn(part):
        assert draw_file(tmp_path, at, part, 6, 64, seed=0) == ""
        return read_file(file_of(tmp_path, at, part))

    rows, pictures = drawn(1)
    assert drawn(1)[0] == rows
    assert len(rows) == 6 and len(pictures) == sum(row["pictures"] for row in rows)
    assert all(row["reply"] in row["legal"] for row in rows if row["legal"])
    apart, _ = drawn(0)
    assert len(apart) == 6 and apart != rows


def test_prompts_of_files_are_those_that_the_agent_reads_itself(run, tmp_path):
    at, agent = place("TicTacToe-Rule"), Resident(str(run.folder / "model"), size=64)
    draw_file(tmp_path, at, 1, 1, 64, seed=5)
    training.write_ids(agent.weights, path := file_of(tmp_path, at, 1))
    (ready,) = training.planned(agent.weights, path)
    env = gymnasium.make(entries()[at].id, actions="text", **task_style(agent)).unwrapped
    seed = int(np.random.default_rng([5, at, 1]).integers(2**62, size=4)[0]) + KNOWN["seeds"]["first"]
    asked = agent.messages(env.reset(seed=seed)[0])
    fresh = encode(agent.weights, TokenPrompt(asked, (), tuple(map(picture_hash, pictures_in(asked))), 0))
    ahead = encode(agent.weights, ready.prompt())
    assert fresh.ids == ahead.ids
    torch.testing.assert_close(fresh.pictures["pixel_values"][0], ahead.pictures["pixel_values"][0])
    assert env.step(ready.reply)[1] == 1.0


def test_a_run_that_was_killed_ends_with_the_same_weights(run, tmp_path, monkeypatch):
    again = training.Run(tmp_path / "run", TINY, "cpu", 1)

    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(again, "_tell", killed)
    with pytest.raises(KeyboardInterrupt):
        again.learn(1e9)
    after = training.Run(tmp_path / "run", TINY, "cpu", 1)
    assert after.trainer.updates == {"sft": 2}
    assert after.learn(1e9) and after.trainer.updates == {"sft": 6}
    for name, weight in run.trainer.model.state_dict().items():
        assert torch.equal(weight, after.trainer.model.state_dict()[name]), name
    refused(lambda: training.Run(tmp_path / "run", replace(TINY, seed=1), "cpu", 1), "other settings")
    refused(lambda: training.Run(tmp_path / "new", replace(TINY, only="Tag"), "cpu", 1), "no entries Tag")
    refused(lambda: training.Run(tmp_path / "no", replace(TINY, begin="nowhere"), "cpu", 1), "no model to begin with")
    other = replace(TINY, begin=str(run.folder / "model"), pixels=32)
    refused(lambda: training.Run(tmp_path / "other", other, "cpu", 1), "sees pictures of 64 pixels")


def test_int8_weights_are_near_what_they_were_and_play_as_hf_does(run, tmp_path):
    before, kept = run.trainer.model.state_dict(), run.folder / "model"
    loaded = quantised_weights.load(kept, "cpu").model.state_dict()
    for name, weight in before.items():
        scale = weight.abs().flatten(1).amax(1) / 127 if weight.ndim > 1 else torch.zeros(len(weight))
        far = (loaded[name] - weight).abs()
        assert (far.flatten(1).amax(1) if weight.ndim > 1 else far).le(0.5001 * scale).all(), name
    numbers = sum(weight.numel() for weight in before.values())
    assert os.path.getsize(kept / quantised_weights.FILE) < 1.6 * numbers  # rows of 64 have a scale of four bytes each
    assert quantised_weights.quantised(loaded).keys() == quantised_weights.quantised(before).keys()
    played = [match("TicTacToe", [agent, "random"], 2, on_illegal="retry_random").episodes for agent in
              (Resident(str(kept), max_tokens=24), HuggingFace(str(kept), size=128, max_tokens=24))]  # fmt: skip
    assert [row["actions"] for row in played[0]] == [row["actions"] for row in played[1]]
    (kept / quantised_weights.FILE).rename(tmp_path / "away")
    (kept / quantised_weights.FILE).write_bytes(b"no weights")
    refused(lambda: quantised_weights.load(kept, "cpu"), "does not fit the model beside it, or is damaged")
    (tmp_path / "away").replace(kept / quantised_weights.FILE)


@pytest.mark.parametrize("id", ["CoinDilemma", "Cleanup", "TinyHanabi", "Overcooked", "MemoryPuzzle", "Spy", "Sudoku"])
def test_it_sits_in_every_seat_of_every_family_and_what_is_no_move_is_counted(id, run):
    agent = Resident(str(run.folder / "model"), size=64, max_tokens=4)
    options = {"turns": 1} if id == "MemoryPuzzle" else {}
    assert not match(id, agent, 1, on_illegal="retry_random", max_steps=2, **options).episodes[0]["failed"]


def test_without_weights_or_without_the_extra_it_says_what_is_missing(run, monkeypatch):
    spec = registry.find("TicTacToe")
    assert make_agent(f"resident:{run.folder / 'model'}", spec).name == f"resident:{run.folder / 'model'}"
    if shipped_model("resident") is None:
        refused(lambda: make_agent("resident", spec), "brings no weights for the agent 'resident'")
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtra, match=r"The agent 'resident' needs .*mmgames\[hf\]"):
        Resident(str(run.folder / "model"))


def test_what_is_measured_stands_on_the_card(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    told = [f"--{name.replace('_', '-')}={value}" for name, value in vars(replace(TINY, updates=2)).items()]
    assert command.main(["train", str(folder), "--device", "cpu", *told]) == 0
    further = ["train", str(tmp_path / "further"), "--device", "cpu", *told, "--begin", str(folder / "model")]
    assert command.main(further) == 0
    assert json.loads((tmp_path / "further" / "results.json").read_text())["updates"] == 4
    monkeypatch.chdir(tmp_path)
    only = ["--suite", "lvlm-playground", "--only", "TicTacToe-Rule", "--only", "Gomoku-Rule", "--episodes", "2"]
    assert command.main(["measure", str(folder), "--device", "cpu", *only]) == 0
    assert command.main(["page", str(folder)]) == 0
    card = (folder / "model" / "README.md").read_text("utf-8")
    assert "of 1 entries that were" in card and "mmgames/Gomoku-Rule-v0 (never met)" in card
    chance = {"raw": 1.0, "standard_error": 0.8}
    assert command.standing({"raw": 3.0, "standard_error": 0.6}, chance) == "no"
    assert command.standing({"raw": 3.1, "standard_error": 0.6}, chance) == "yes"
