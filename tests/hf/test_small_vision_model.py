"""A small model from nothing: its tokenizer loses no letter, and its folder plays as any other."""

import os
import subprocess
import sys

import gymnasium
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from mmgames.baselines.learning import viki_questions
from mmgames.baselines.models import small_vision_model
from mmgames.baselines.models.hf import HuggingFace
from mmgames.errors import MmgamesError

SIZES = {"width": 64, "layers": 1, "eye_width": 64, "eye_layers": 1, "pixels": 64}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drawn")
    viki_questions.draw(folder, {"train": 30, "ood": 3}, size=64, seed=0)
    return folder


@pytest.fixture(scope="module")
def texts(drawn):
    asked = viki_questions.read(drawn, "train").questions
    return [text for one in asked for text in (one.text, one.reply(True))]


def test_no_letter_is_lost(texts):
    reader = small_vision_model.tokenizer(texts, viki_questions.NAMES)
    for text in (*texts, "Früchte: 12 apples…\n\tfür R1!", "kitchen work areas  "):
        assert reader.decode(reader(text)["input_ids"]) == text


def test_the_words_are_the_same_in_every_process(drawn):
    """Or a run that goes on would read its own tokens as others."""
    program = (
        "import sys; from mmgames.baselines.learning import viki_questions as asked;"
        "from mmgames.baselines.models.small_vision_model import tokenizer;"
        "texts = [one.reply(True) for one in asked.read(sys.argv[1], 'train').questions];"
        "print(sorted(tokenizer(texts, asked.NAMES).get_vocab().items()))"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", program, drawn], env={**os.environ, "PYTHONHASHSEED": seed},
            check=True, capture_output=True, text=True,
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert told[0] == told[1] != ""


def test_the_weights_are_those_of_the_seed(texts):
    one, again, other = (small_vision_model.build(texts, **SIZES, seed=seed)[0].state_dict() for seed in (0, 0, 1))
    assert all(one[name].equal(again[name]) for name in one)
    assert not all(one[name].equal(other[name]) for name in one)


def test_a_folder_plays_and_reads_what_was_drawn(texts, drawn, tmp_path):
    model, processor = small_vision_model.build(texts, names=viki_questions.NAMES, **SIZES)
    assert small_vision_model.weight_count(model) < small_vision_model.MOST_WEIGHTS
    small_vision_model.save(model, processor, tmp_path / "small")
    agent = HuggingFace(str(tmp_path / "small"), size=64, reasoning="cot", max_tokens=4, device="cpu")
    env = gymnasium.make("mmgames/VikiKitchen-Plan-v0", actions="text", size=64, reasoning="cot")
    observation, _ = env.reset(seed=0)
    assert isinstance(agent.answer(observation), str)
    assert agent.last_call["tokens_in"] < 300


def test_what_is_too_large_is_said(texts):
    with pytest.raises(MmgamesError, match="at most 15,000,000 weights"):
        small_vision_model.build(texts, width=1024)
    with pytest.raises(MmgamesError, match="patches"):
        small_vision_model.build(texts, pixels=100)
