"""Iterative-SPO moves the weights of a tiny model that sees, goes on where it was, and its rows can be written."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from mmgames.baselines.learning.iterative_spo import SpoRecipe
from mmgames.baselines.learning.language_trainer import CHECKPOINT, LanguageTrainer, TrainerRecipe
from mmgames.baselines.learning.rollouts import play
from mmgames.baselines.learning.spo_advantages import RoleBaselines, clue_advantages
from mmgames.baselines.learning.spo_language import LanguageTraining, ended, scripted_examples
from mmgames.baselines.learning.spy_rounds import GAME
from mmgames.baselines.learning.training_log import read_log
from mmgames.wrappers.trl import write_rollouts
from tests.hf.models import llava
from tests.refusing import refused

TABLE = {"civilians": 2, "clue_rounds": 1, "silence": "heard"}
WARM = 15
STAGES = {"batch": 2, "pool": 2, "shortest": 1, "longest": 1, "evaluate": 2, "rounds": 6}


def learner(folder: Path, **settings: Any) -> LanguageTrainer:
    torch.manual_seed(0)
    recipe = TrainerRecipe(**{"rate": 1e-2, "save_every": 1, "batch": 8, **settings})
    return LanguageTrainer.resume(folder, *llava(), recipe)


def training(folder: Path, iterations: int = 2, **settings: Any) -> LanguageTraining:
    recipe = SpoRecipe(**{**STAGES, "iterations": iterations, "held_out": 2, **settings})
    return LanguageTraining(learner(folder), recipe, player={"size": 64, "max_tokens": 4}, **TABLE)


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose model has learned to say a number to everything: its votes are valid, and its replies end."""
    made = training(tmp_path_factory.mktemp("warm") / "run")
    known = scripted_examples(made.player, 1, **TABLE)
    made.trainer.sft([replace(one, reply=str(place % 3 + 1)) for place, one in enumerate(known)], steps=WARM)
    return made.trainer.folder


def test_both_stages_move_the_model_and_a_run_that_goes_on_is_the_same(warm: Path, tmp_path: Path) -> None:
    for name in ("whole", "parts"):
        shutil.copytree(warm, tmp_path / name)
    whole = training(tmp_path / "whole")
    begun = {name: part.detach().clone() for name, part in whole.trainer.parameters.items()}
    whole.run()
    assert any(not part.equal(begun[name]) for name, part in whole.trainer.parameters.items())
    assert whole.trainer.updates == {"sft": WARM, "decision": 1, "clue": 1}
    assert whole.trainer.baselines.means.keys() == {"spy", "civilian"}
    log = read_log(tmp_path / "whole" / "log.csv")[WARM:]
    assert log[0]["decision/learned"] > 0 and log[1]["clue/learned"] > 0
    assert [row["spo/stage"] for row in log] == [0.0, 1.0] and all(row["spo/switched_by"] for row in log)
    assert ["spo/win_rate" in row for row in log] == [False, True]
    assert all(np.isfinite(value) for row in log for value in row.values())
    assert all(1 <= row["spo/clue_tokens"] <= 4 for row in log)
    training(tmp_path / "parts").iterate()
    training(tmp_path / "parts").run()
    assert (tmp_path / "whole" / CHECKPOINT).read_bytes() == (tmp_path / "parts" / CHECKPOINT).read_bytes()
    assert (tmp_path / "whole" / "log.csv").read_text() == (tmp_path / "parts" / "log.csv").read_text()
    refused(lambda: training(tmp_path / "parts", batch=3), "was made with spo")


def test_what_decisions_are_worth_is_what_the_small_policy_learns_from(warm: Path, tmp_path: Path) -> None:
    shutil.copytree(warm, tmp_path / "run")
    made = training(tmp_path / "run", stages="clue", held_out=0)
    assert made.trainer.reference is None, "the reference is what the model is after its warm-up"
    seeds = np.random.default_rng([0, 4, 0]).integers(2**62, size=2).tolist()
    played = play(GAME, made.player, 2, seeds, **made.options)
    made.iterate()
    rounds = [ended(record) for record in played.records]
    where = [(one.episode, one.seat) for one in played.decisions if one.turn < 3]
    assert len(where) == len(made.decisions) == 6
    assert made.advantages == pytest.approx(clue_advantages(made.game, rounds, where, RoleBaselines()))
    assert max(map(abs, made.advantages)) > 0.01 and made.trainer.reference


def test_decisions_can_be_written_with_what_they_were_worth(tmp_path: Path) -> None:
    made = training(tmp_path / "run", stages="clue", held_out=0)
    made.iterate()
    assert write_rollouts(tmp_path / "rows", made.rows()) == 6
    written = [json.loads(line) for line in (tmp_path / "rows" / "rows.jsonl").read_text().splitlines()]
    assert [row["advantage"] for row in written] == made.advantages
    assert all(len(row["images"]) == 1 for row in written)


def test_scripted_rounds_are_examples_in_the_words_that_the_model_is_asked_in(tmp_path: Path) -> None:
    made = training(tmp_path)
    known = scripted_examples(made.player, 2, **TABLE)
    assert len(known) == 2 * (3 + 2) and known == scripted_examples(made.player, 2, **TABLE)
    votes = [one.reply for place, one in enumerate(known) if place % 5 > 2]
    assert all(vote == "N/A" or vote.startswith("player_") for vote in votes)
    played = play(GAME, made.player, 1, 0, **TABLE)
    assert known[0].prompt().messages[0].keys() == played.decisions[0].prompt.messages[0].keys()
    losses = []
    for steps in (1, 4):
        made.trainer.sft(known, steps=steps)
        losses.append(made.trainer.log[-1]["sft/loss"])
    assert losses[1] < losses[0]


def test_what_cannot_be_is_said_in_a_sentence(tmp_path: Path) -> None:
    refused(lambda: LanguageTraining(learner(tmp_path), SpoRecipe(), player={"temperature": 0.0}), "temperature")
    refused(lambda: LanguageTraining(learner(tmp_path), SpoRecipe(), judge="observer"), "judge")
