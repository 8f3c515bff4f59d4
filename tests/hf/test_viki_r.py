"""VIKI-R at the smallest size, and its small model from nothing: what is asked, learned, measured and gone on with."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import gymnasium
import numpy as np
import pytest
import torch
from PIL import Image

from benchmarks.viki_r import page
from mmgames.agents.token_replies import TokenPrompt, picture_hash
from mmgames.baselines.learning import viki_questions, viki_r
from mmgames.baselines.learning.viki_prompts import Prompts, messages
from mmgames.baselines.models import small_vision_model
from mmgames.baselines.models.hf import HuggingFace
from mmgames.baselines.models.local_weights import Weights
from mmgames.baselines.models.small_vision_model import build
from mmgames.baselines.models.token_batches import encode
from mmgames.embodied._questions.kitchen import Judged
from mmgames.embodied._world import generator
from tests.hf import models
from tests.refusing import refused

TINY = viki_r.Settings(
    width=64, layers=1, batch=8, accumulation=1, questions=4, group=4, epochs=1, tasks=4, max_tokens=90,
    sft_rate=1e-2, look_seconds=0.01, sft_seconds=0.01, grpo_seconds=0.01,
)  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drawn")
    viki_questions.draw(folder, {"train": 12, "test": 2}, size=64, seed=0)
    return folder


@pytest.fixture(autouse=True)
def few_updates(monkeypatch):
    monkeypatch.setattr(viki_r, "UPDATES", 2)


def test_drawn_questions_are_those_of_the_environment_and_a_look_names_the_robots(data):
    asked = viki_questions.read(data, "test")
    for level, name in viki_questions.LEVELS.items():
        env = gymnasium.make(f"mmgames/{name}-v0", actions="text", size=64, reasoning="cot", split="test").unwrapped
        for one in asked.of(level):
            question = env.source.about(generator.generate(one.task["seed"], "test"))
            assert one.text == question.text
            assert np.array_equal(asked.pictures[one.picture], question.pictures[0])
    drawn = viki_questions.read(data, "test")
    for look, one in zip(drawn.looks().questions, drawn.of("L1"), strict=True):
        robots = [told.split() for told in look.reply(True).split(", ")]
        assert robots == [[robot.name, robot.type] for robot in generator.generate(one.task["seed"], "test").robots]
        assert (look.text, look.picture) == (viki_questions.LOOK, one.picture)


def test_drawn_answers_earn_everything_and_long_plans_by_the_penalty(data):
    asker = viki_questions.Asker("train", 64)
    for one in viki_questions.read(data, "train").questions:
        for reasons in (True, False):
            assert asker.judge(one, one.reply(reasons)).score == 1.0
        assert asker.judge(one, "I do not know").score == 0.0
        assert asker.judge(one, "<think></think><answer>[]</answer>").score == pytest.approx(0.1)
    long = Judged(True, 0.0, None, {"valid": True, "extra_steps": 2})
    assert viki_r.reward(long, penalty=True) == pytest.approx(0.1)
    assert viki_r.reward(long, penalty=False) == pytest.approx(1.0)
    assert viki_r.reward(Judged(True, 0.0, None, {"valid": False}), penalty=False) == pytest.approx(0.1)
    assert viki_r.reward(Judged(False, 1.0), penalty=True) == pytest.approx(0.9)


def test_prompts_made_ahead_are_those_that_agents_of_any_kind_read(data):
    drawn = viki_questions.read(data, "train", 2)
    model, processor = build([one.text for one in drawn.questions], width=64, layers=1, eye_layers=1, pixels=64)
    weights = Weights(model, processor)
    agent = HuggingFace("small", weights=(model, processor), size=64, reasoning="cot")
    for place, ready in enumerate(Prompts(weights, drawn)):
        one = drawn.questions[place]
        picture = drawn.pictures[one.picture]
        seen = agent.messages({"text": one.text, "rgb": picture})
        hashes = (picture_hash(Image.fromarray(picture)),)
        fresh, ahead = encode(weights, TokenPrompt(seen, (), hashes, 0)), encode(weights, ready)
        assert fresh.ids == ahead.ids
        torch.testing.assert_close(fresh.pictures["pixel_values"][0], ahead.pictures["pixel_values"][0])
    drawn = viki_questions.read(data, "train", 1)
    prompts = Prompts(Weights(*models.gemma()), drawn)
    assert prompts[0].messages == messages(drawn.questions[0].text, prompts[0].check_pictures()[0])


def test_answers_are_learned_and_a_run_goes_on(data, tmp_path):
    settings = replace(TINY, method="sft", tasks=1, batch=2, look_seconds=0.0, sft_seconds=1e9)
    run = viki_r.Run(data, tmp_path / "run", settings, "cpu")
    assert not run.learn(0.1)
    again = viki_r.Run(data, tmp_path / "run", settings, "cpu")
    assert again.trainer.updates["sft"] == run.trainer.updates["sft"] > 0
    again.trainer.sft(again.prompts.examples(False), 60)
    assert again.trainer.log[-1]["sft/loss"] < 0.05 < run.trainer.log[0]["sft/loss"]
    assert again._score(again.drawn, "L2")["accuracy"] == 1.0
    refused(lambda: viki_r.Run(data, tmp_path / "run", replace(settings, seed=1), "cpu"), "other settings")


def test_grpo_makes_what_is_paid_likelier_and_bad_input_is_said(data, tmp_path, monkeypatch, capsys):
    settings = replace(TINY, method="zero", tasks=2, group=8, max_tokens=2, grpo_rate=3e-2)
    run = viki_r.Run(data, tmp_path / "run", settings, "cpu")
    monkeypatch.setattr(run.asker, "judge", lambda asked, reply: Judged(False, float("e" in reply)))
    for _ in range(24):
        run._rollouts()
    paid = [entry["grpo/paid"] for entry in run.trainer.log]
    assert np.mean(paid[-4:]) > np.mean(paid[:4]) + 0.2 > 0.2
    refused(lambda: viki_r.Settings(method="ppo"), "none of sft, zero")
    refused(lambda: viki_r.Settings(group=1), "compared with each other")
    assert viki_r.main(["draw", str(data), "--rows", "1", "--size", "96"]) == 1
    assert "take another folder" in capsys.readouterr().err
    refused(lambda: page.read(tmp_path), "train some first")


@pytest.mark.parametrize("method", ("zero", "sft+grpo"))
def test_each_method_learns_measures_and_is_on_the_page(data, tmp_path, method):
    run = viki_r.Run(data, tmp_path / "runs" / "one", replace(TINY, method=method, max_tokens=8), "cpu")
    assert run.learn(100)
    assert (run.trainer.updates.get("sft", 0) > 0) == (method != "zero")
    assert run.trainer.updates["grpo"] > 0 and run.trainer.updates["look"] > 0
    results = run.finish()
    assert results["measured"].keys() == {"L1-test", "L2-test"}
    assert results["before"].keys() == (set() if method == "zero" else {"L1-test", "L2-test"})
    assert json.loads((tmp_path / "runs" / "one" / "results.json").read_text()) == results
    page.write(tmp_path / "runs", tmp_path / "page.md")
    written = (tmp_path / "page.md").read_text()
    assert (page.REASONS in written) == (method == "sft+grpo")
    assert page.METHODS[method] in written and "*Qwen2.5-VL-3B-Instruct + VIKI-R*" in written
    agent = HuggingFace(str(tmp_path / "runs" / "one" / "model"), size=64, max_tokens=4, device="cpu")
    env = gymnasium.make("mmgames/VikiKitchen-Activate-v0", actions="text", size=64, reasoning="cot")
    assert isinstance(agent.answer(env.reset(seed=0)[0]), str)


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paths")
    viki_questions.draw(folder, {"train": 3, "test": 2, "ood": 1}, size=64, seed=0, paths=True)
    return folder


def test_paths_are_asked_as_in_their_environment_and_have_a_page(paths, tmp_path):
    drawn = viki_questions.read(paths, "test")
    asker, worst = viki_questions.Asker("test", 64), 734
    env = gymnasium.make(
        "mmgames/VikiKitchen-Trace-v0", actions="text", size=64, reasoning="cot", split="test"
    ).unwrapped
    model, processor = build([one.text for one in drawn.questions], width=64, layers=1, eye_layers=1, pixels=64)
    agent = HuggingFace("small", weights=(model, processor), size=64, reasoning="cot")
    for one, look, ready in zip(drawn.of("L3"), drawn.looks().questions, Prompts(agent.weights, drawn), strict=True):
        question = env.source.about(generator.generate(one.task["seed"], "test"))
        assert one.text == question.text and one.answer == question.answer
        assert look.text == viki_questions.LOOK_AT_ENDS and look.reply(False) == viki_questions.ends(one.answer)
        prompt = TokenPrompt(
            agent.messages({"text": one.text, "rgb": question.pictures[0]}),
            (),
            (picture_hash(Image.fromarray(question.pictures[0])),),
            0,
        )
        seen, ahead = (encode(agent.weights, asked).pictures["pixel_values"][0] for asked in (prompt, ready))
        torch.testing.assert_close(seen, ahead)
        right, unread = asker.judge(one, one.reply(True)), asker.judge(one, "Around the table.")
        assert right.score == pytest.approx(1) and right.remarks["rmse"] == pytest.approx(0)
        assert unread.score == 0 and round(unread.remarks["frechet"]) == worst
    run = viki_r.Run(paths, tmp_path / "runs" / "one", replace(TINY, max_tokens=8), "cpu")
    assert run.learn(10_000)
    results = run.finish()
    assert results["measured"].keys() == {"L3-test", "L3-ood"} == results["before"].keys()
    assert results["measured"]["L3-test"]["questions"] == 2 and results["updates"]["grpo"] > 0
    page.write_paths(tmp_path / "runs", paths, tmp_path / "page.md")
    written = (tmp_path / "page.md").read_text()
    assert "who does not look" in written and "--sft-rate 0.01" in written and "VIKI-R-Zero* |  | 80.36" in written


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


def test_no_letter_is_lost_and_the_words_are_the_same_in_every_process(texts, drawn):
    reader = small_vision_model.tokenizer(texts, viki_questions.NAMES)
    for text in (*texts, "Früchte: 12 apples…\n\tfür R1!", "kitchen work areas  "):
        assert reader.decode(reader(text)["input_ids"]) == text
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


def test_the_weights_are_those_of_the_seed_and_what_is_too_large_is_said(texts):
    one, again, other = (small_vision_model.build(texts, **SIZES, seed=seed)[0].state_dict() for seed in (0, 0, 1))
    assert all(one[name].equal(again[name]) for name in one)
    assert not all(one[name].equal(other[name]) for name in one)
    refused(lambda: small_vision_model.build(texts, width=1024), "at most 20,000,000 weights")
    refused(lambda: small_vision_model.build(texts, pixels=100), "patches")


def test_a_folder_plays_and_reads_what_was_drawn(texts, drawn, tmp_path):
    model, processor = small_vision_model.build(texts, names=viki_questions.NAMES, **SIZES)
    assert small_vision_model.weight_count(model) < small_vision_model.MOST_WEIGHTS
    small_vision_model.save(model, processor, tmp_path / "small")
    agent = HuggingFace(str(tmp_path / "small"), size=64, reasoning="cot", max_tokens=4, device="cpu")
    env = gymnasium.make("mmgames/VikiKitchen-Plan-v0", actions="text", size=64, reasoning="cot")
    observation, _ = env.reset(seed=0)
    assert isinstance(agent.answer(observation), str)
    assert agent.last_call["tokens_in"] < 300
