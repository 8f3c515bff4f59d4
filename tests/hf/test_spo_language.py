"""Iterative-SPO moves the weights of a tiny vision-language model, and what it plays can be written for trainers."""

# ruff: noqa: E402 - torch may be missing

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from mmgames.baselines.learning.spo_language import LanguageTraining
from mmgames.baselines.learning.spy_rounds import start_rounds
from mmgames.baselines.models.hf import HuggingFace
from mmgames.errors import MmgamesError
from mmgames.wrappers.trl import write_rollouts
from tests.hf.models import llava


def player(**options: object) -> HuggingFace:
    torch.manual_seed(0)
    settings = {"temperature": 1.0, "logprobs": True, "size": 64, "max_tokens": 4, **options}
    model, processor = llava()
    # A model with random weights may write the sign for a picture, of which there is none; a trained one does not.
    model.generation_config.suppress_tokens = [model.config.image_token_id]
    return HuggingFace("tiny", weights=(model, processor), **settings)  # type: ignore[arg-type]


def test_ten_updates_of_a_tiny_model_that_sees(tmp_path: Path) -> None:
    model = player()
    training = LanguageTraining(model, batch=1, rate=1e-3, civilians=2, clue_rounds=1, instances=2)
    training.switch.shortest = training.switch.longest = 5  # both stages
    before = {name: value.clone() for name, value in model.weights.model.state_dict().items()}
    told = [training.iterate() for _ in range(10)]
    assert [entry["stage"] for entry in told] == [0.0] * 5 + [1.0] * 5
    assert all(np.isfinite(value) for entry in told for value in entry.values())
    moved = [name for name, value in model.weights.model.state_dict().items() if not value.equal(before[name])]
    assert moved and all(torch.isfinite(value).all() for value in model.weights.model.state_dict().values())
    clues = [decision for decision in training.decisions if decision["stage"] == "clue"]
    assert len(clues) == 3 and all("advantage" in decision for decision in clues)
    assert write_rollouts(tmp_path / "rows", clues) == 3
    rows = [json.loads(line) for line in (tmp_path / "rows" / "rows.jsonl").read_text().splitlines()]
    assert [row["advantage"] for row in rows] == [decision["advantage"] for decision in clues]
    assert all(len(row["images"]) == 1 for row in rows)


def test_what_was_worth_more_becomes_more_likely() -> None:
    model = player()
    training = LanguageTraining(model, batch=1, rate=1e-2, kl=0.0, civilians=2, clue_rounds=1, instances=2)
    good = training._play(0, start_rounds(training.game, 1, training.rng)[0])[0]
    good["advantage"] = 1.0
    with torch.no_grad():
        before = model.log_probabilities(good["messages"], good["tokens"]).mean()
    training._update([good])
    with torch.no_grad():
        assert model.log_probabilities(good["messages"], good["tokens"]).mean() > before


def test_a_model_that_does_not_draw_cannot_learn() -> None:
    with pytest.raises(MmgamesError, match="logprobs=True"):
        LanguageTraining(player(logprobs=False))
