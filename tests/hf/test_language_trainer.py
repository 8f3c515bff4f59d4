"""The trainer of language models: what learns, in which precision, from how much at once, and how it goes on.

Tiny models with random weights learn; nothing is downloaded.
"""

import copy
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

import mmgames
from mmgames.baselines.learning.language_trainer import CHECKPOINT, Example, LanguageTrainer, TrainerRecipe
from mmgames.baselines.learning.rollout_advantages import learned_from
from mmgames.baselines.learning.rollouts import log_probabilities, play
from mmgames.baselines.learning.strength import Strength
from mmgames.baselines.learning.training_log import read_log
from mmgames.baselines.models import small_vision_model
from mmgames.baselines.models.hf import HuggingFace
from mmgames.errors import MmgamesError
from mmgames.running.rollouts import Decision, Rollouts
from tests.cases import cases
from tests.hf.models import drawn
from tests.refusing import refused

ROOT = Path(__file__).parent.parent.parent
SHORT = {"on_illegal": "random", "max_steps": 2}
PLAYER = {"size": 64, "max_tokens": 4, "reasoning": "direct"}


def tiny(kind: str = "llava", dtype: Any = None) -> tuple[Any, Any]:
    model, processor = drawn(kind)
    return model.to(dtype or torch.float32), processor


def examples(count: int = 4) -> list[Example]:
    """Names of colours, of different lengths."""
    names = ("red", "b", "dark green", "no colour")
    colours = ("red", "blue", "green", "grey")
    made = []
    for number in range(count):
        content = [{"type": "image"}, {"type": "text", "text": "What colour is it?"}]
        picture = Image.new("RGB", (32, 32), colours[number % 4])
        made.append(Example([{"role": "user", "content": content}], names[number % 4], (picture,)))
    return made


def trainer(folder: Path, kind: str = "llava", dtype: Any = None, **settings: Any) -> LanguageTrainer:
    return LanguageTrainer(*tiny(kind, dtype), TrainerRecipe(**{"rate": 1e-3, **settings}), folder)


def played(learner: LanguageTrainer, episodes: int = 3, marked: bool = True) -> Rollouts:
    """Rollouts of a game. A model with random weights makes no moves: its marks are taken away unless `marked`."""
    observe = "rgb" if learner.weights.sees else "text"
    rollouts = play("KuhnPoker", learner.player(observe=observe, **PLAYER), episodes, [5] * episodes, **SHORT)
    if marked:
        return rollouts
    return replace(
        rollouts,
        decisions=[
            replace(one, marks=(), reward=worth, reward_to_go=worth)
            for one in rollouts.decisions
            for worth in [float((2 * one.episode + one.turn) % 3)]
        ],
    )


def weights_of(learner: LanguageTrainer) -> dict[str, Any]:
    return {name: part.detach().clone() for name, part in learner.model.named_parameters()}


def same(first: dict[str, Any], second: dict[str, Any]) -> bool:
    return first.keys() == second.keys() and all(value.equal(second[name]) for name, value in first.items())


def likelihoods(player: HuggingFace, decisions: Sequence[Decision]) -> list[float]:
    with torch.no_grad():
        return [float(one.sum()) for one in log_probabilities(player, decisions)]


def test_examples_are_learned_by_heart_from_their_pictures(tmp_path: Path) -> None:
    learner = trainer(tmp_path, rate=1e-2)
    known = examples()
    learner.sft(known, steps=60)
    log = read_log(tmp_path / "log.csv")
    assert log[0]["sft/loss"] > 3 and log[-1]["sft/loss"] < 0.1 and len(log) == 60
    replies = learner.player(temperature=0.0, max_tokens=12).complete_batch([one.prompt() for one in known])
    assert [reply.text for reply in replies] == [one.reply for one in known]  # type: ignore[union-attr]
    assert {reply.finish for reply in replies} == {"stop"}  # type: ignore[union-attr]


def test_small_steps_are_kept_whatever_the_model_computes_in(tmp_path: Path) -> None:
    def matrices(model: Any) -> list[Any]:
        return [part.detach().clone() for name, part in model.named_parameters() if "_proj" in name]

    def moved(before: list[Any], after: list[Any]) -> float:
        pairs = [*zip(before, after, strict=True)]
        return sum(int((new != old).sum()) for old, new in pairs) / sum(old.numel() for old, _ in pairs)

    learner = trainer(tmp_path, "text", torch.bfloat16, rate=1e-6, precision="bfloat16", largest_gradient=1e9)
    assert {part.dtype for part in learner.model.parameters()} == {torch.float32}
    question = [{"role": "user", "content": bytes(range(32, 127)).decode() * 2}]
    said = [Example(question, "".join(map(chr, range(32, 127))) * 2)]
    begun = matrices(learner.model)
    learner.sft(said, steps=1)
    assert moved(begun, matrices(learner.model)) > 0.8
    plain, reader = tiny("text", torch.bfloat16)
    begun = matrices(plain)
    optimizer = torch.optim.AdamW(plain.parameters(), lr=1e-6, weight_decay=0.0)
    ids = reader(said[0].reply, return_tensors="pt")["input_ids"]
    plain(input_ids=ids, labels=ids).loss.backward()
    optimizer.step()
    assert moved(begun, matrices(plain)) < 0.1


@pytest.mark.parametrize("weigh", ["reply", "token"])
def test_how_much_is_read_at_once_changes_nothing(tmp_path: Path, weigh: str) -> None:
    found = []
    for batch, accumulation in ((4, 1), (1, 4), (2, 2)):
        how = {"batch": batch, "accumulation": accumulation, "weigh": weigh, "rate": 1e-2}
        learner = trainer(tmp_path / str(batch), **how)
        learner.sft(examples(), steps=2)
        learner.improve(played(learner, 2, marked=False))
        found.append(weights_of(learner))
    for other in found[1:]:
        for name, value in found[0].items():
            assert torch.allclose(value, other[name], rtol=0, atol=2e-5), name


def test_layers_that_are_computed_again_keep_less_and_learn_the_same(tmp_path: Path) -> None:
    kept, found = [], []
    for checkpointing in (False, True):
        learner = trainer(tmp_path / str(checkpointing), checkpointing=checkpointing)
        numbers: list[int] = []

        def keep(value: Any, into: list[int] = numbers) -> Any:
            into.append(value.numel())
            return value

        with torch.autograd.graph.saved_tensors_hooks(keep, lambda value: value):
            learner.sft(examples(), steps=2)
        kept.append(sum(numbers))
        found.append(weights_of(learner))
        assert not learner.model.training
    assert kept[1] < 0.7 * kept[0] and same(*found)


@pytest.mark.parametrize("lora", [None, 2])
def test_a_run_that_goes_on_is_the_run_that_was_never_stopped(tmp_path: Path, lora: int | None) -> None:
    recipe = TrainerRecipe(
        rate=1e-2, batch=3, lora=lora, epochs=2, advantages="baseline", save_every=1, warmup=3, seed=4
    )

    def run(folder: Path, upto: tuple[int, int]) -> LanguageTrainer:
        learner = LanguageTrainer.resume(folder, *tiny(), recipe)
        learner.sft(examples(7 % 5 + 3), steps=upto[0])
        for _ in learner.remaining(upto[1]):
            learner.improve(played(learner, marked=False))
        return learner

    whole = run(tmp_path / "whole", (5, 2))
    for upto in ((2, 0), (5, 0), (5, 1), (5, 2)):
        last = run(tmp_path / "parts", upto)
    assert same(weights_of(whole), weights_of(last))
    assert (tmp_path / "whole" / CHECKPOINT).read_bytes() == (tmp_path / "parts" / CHECKPOINT).read_bytes()
    assert (tmp_path / "whole" / "log.csv").read_text() == (tmp_path / "parts" / "log.csv").read_text()
    assert whole.updates == {"sft": 5, "improve": 4} and whole.baselines.means


def test_runs_that_are_killed_end_with_the_same_bits() -> None:
    """`--kills 50` kills more often; a run takes many kills."""
    line = [sys.executable, "-m", "benchmarks.kill_training", "--kills", "2", "--steps", "3"]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["kills"] == 2 and found["runs_with_the_same_bits"] == found["runs"] >= 1


def test_what_was_worth_more_becomes_likelier_and_divergence_costs(tmp_path: Path) -> None:
    for clip in (0.2, None):
        learner = trainer(tmp_path / str(clip), clip=clip, lora=2, rate=1e-2)
        rollouts = played(learner, 2, marked=False)
        good, bad = rollouts.decisions[:2]
        player = learner.player(**PLAYER)
        before = likelihoods(player, [good, bad])
        told = [learner.improve([good, bad], [1.0, -1.0]) for _ in range(3)]
        after = likelihoods(player, [good, bad])
        assert after[0] > before[0] and after[1] < before[1]
        assert likelihoods(learner.reference_player(**PLAYER), [good, bad]) == pytest.approx(before, abs=1e-4)
        assert told[0]["kl"] == pytest.approx(0.0, abs=1e-6) and told[2]["kl"] > told[1]["kl"] > 0
    found = []
    for kl in (0.0, 50.0):
        learner = trainer(tmp_path / str(kl), "text", kl=kl, rate=1e-2, clip=None)
        learner.freeze_reference()
        rollouts = played(learner, 2, marked=False)
        for _ in range(4):
            learner.improve(rollouts, np.ones(len(rollouts.decisions)))
        now = likelihoods(learner.player(observe="text"), rollouts.decisions)
        then = likelihoods(learner.reference_player(observe="text"), rollouts.decisions)
        found.append(np.abs(np.subtract(now, then)).sum())
    assert found[1] < 0.5 * found[0]


@pytest.mark.parametrize("advantages", ["group", "turn", "role", "baseline"])
def test_every_kind_of_advantage_moves_the_model_and_marked_decisions_do_not(tmp_path: Path, advantages: str) -> None:
    learner = trainer(tmp_path, "text", advantages=advantages, learned_marks="")
    begun = weights_of(learner)
    marked = played(learner)
    assert all(one.marks for one in marked.decisions)
    told = learner.improve(marked)
    assert same(begun, weights_of(learner))
    assert told["learned"] == 0 and told["refused"] + told["cut_off"] >= 1 and told["reply_tokens"] > 1
    told = learner.improve(played(learner, marked=False))
    assert not same(begun, weights_of(learner)) and told["learned"] > 0 and learner.updates["improve"] == 2


def test_refused_replies_are_learned_from_and_pay(tmp_path: Path) -> None:
    learner = trainer(tmp_path / "own", "text", kl=0.0, clip=None)
    refused_ones = played(learner).decisions
    assert {one.marks for one in refused_ones} == {("cut off", "refused", "replaced")}
    before = likelihoods(learner.player(**PLAYER), refused_ones)
    for _ in range(5):
        told = learner.improve(refused_ones, [-1.0] * len(refused_ones))
    assert told["learned"] == len(refused_ones) and told["refused"] == 1.0
    assert all(
        now < then for now, then in zip(likelihoods(learner.player(**PLAYER), refused_ones), before, strict=True)
    )
    one, two = (replace(one, episode=3, seat=0, turn=turn, reward=2.0, reward_to_go=4.0 - 2 * turn)
                for turn, one in enumerate(refused_ones[:2]))  # fmt: skip
    said = replace(one, marks=(), refused=None)
    paid = learned_from([said, two], ("cut off", "refused", "replaced"), 1.5)
    assert [(each.reward, each.reward_to_go, each.marks) for each in paid] == [(2.0, 2.5, ()), (0.5, 0.5, ())]
    assert learned_from([said, two], ("refused",), 1.5) == [said, two], "replaced and cut off as well"


def test_a_model_that_knows_no_form_finds_it(tmp_path: Path) -> None:
    """Its weights are random, and of its words two are moves."""
    env = mmgames.aec_env("KuhnPoker", observe=("text",))
    env.reset(seed=0)
    prompts = [env.observe(env.agent_selection)["text"]]
    built = small_vision_model.build(prompts, names=("<PASS>", "<BET>"), width=64, layers=1, eye_width=64, eye_layers=1)
    learner = LanguageTrainer(*built, TrainerRecipe(rate=1e-3, batch=64, kl=0.0, advantages="role"), tmp_path)
    player = learner.player(observe="text", max_tokens=1, reasoning="direct")
    told = [
        learner.improve(play("KuhnPoker", player, 32, [number] * 32, on_illegal="random"))["refused"]
        for number in learner.remaining(12)
    ]
    assert told[0] > 0.9 and told[-1] < 0.6, told


def test_adapters_learn_beside_weights_that_stay_and_are_read_again(tmp_path: Path) -> None:
    learner = trainer(tmp_path / "run", lora=2, dtype=torch.bfloat16, precision="bfloat16")
    begun = weights_of(learner)
    learner.sft(examples(), steps=2)
    after = weights_of(learner)
    changed = {name for name, value in after.items() if not value.equal(begun[name])}
    assert changed and all("lora" in name for name in changed)
    assert {value.dtype for name, value in after.items() if "lora" in name} == {torch.float32}
    assert {value.dtype for name, value in after.items() if "lora" not in name} == {torch.bfloat16}
    assert (tmp_path / "run" / CHECKPOINT).stat().st_size < 12 * sum(
        value.numel() for name, value in after.items() if "lora" in name
    ) + 20_000
    learner.export(tmp_path / "model")
    again, processor = tiny(dtype=torch.bfloat16)
    again.load_adapter(str(tmp_path / "model"))
    loaded = {name: part.detach() for name, part in again.named_parameters()}
    assert all(loaded[name].float().equal(after[name].float().to(loaded[name].dtype).float()) for name in changed)
    other, processor = tiny(dtype=torch.bfloat16)
    with torch.no_grad():
        other.get_input_embeddings().weight += 1
    refused(lambda: LanguageTrainer.resume(tmp_path / "run", other, processor), "frozen")
    processor.tokenizer.add_tokens(["a word that was not there"])
    refused(lambda: LanguageTrainer.resume(tmp_path / "run", tiny(dtype=torch.bfloat16)[0], processor), "frozen")


def test_rollouts_begin_with_a_fresh_optimiser_and_rows_of_data_sets_are_examples(tmp_path: Path) -> None:
    learner = trainer(tmp_path, batch=2)
    learner.sft(examples(2), steps=3)
    learner.improve([], stage="clues")
    assert not learner.optimizer.state
    learner.sft(examples(2), steps=1, stage="again")
    learner.improve([], stage="votes")
    assert learner.optimizer.state
    picture = Image.new("RGB", (8, 8))
    asked = {"role": "user", "content": [{"type": "image", "text": None}, {"type": "text", "text": "?"}]}
    answer = {"role": "assistant", "content": [{"type": "text", "text": "A1"}]}
    one = Example.from_row({"messages": [asked, answer], "images": [picture]})
    assert one.reply == "A1" and one.prompt().check_pictures() == [picture]
    refused(lambda: Example.from_row({"messages": [answer, asked]}), "last message")
    refused(lambda: Example([asked], "A1").prompt(), "more places")
    refused(lambda: Example([asked], "A1", (picture, picture)).prompt(), "1 more pictures")


def test_tensorboard_is_told_rewards_lengths_refusals_and_divergence(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    learner = trainer(tmp_path, "text", tensorboard=True)
    learner.sft([replace(one, messages=[{"role": "user", "content": "?"}], pictures=()) for one in examples()], 2)
    learner.improve(played(learner, 2))
    strength = Strength("KuhnPoker")
    found = strength.follow(learner, observe="text", max_tokens=2)
    assert found.startswith("beside random ") and "against its start" in found and strength.spent > 0
    assert strength.follow(learner) == "", "measuring takes its share of the time and no more"
    assert read_log(tmp_path / "log.csv")[-1]["strength"] == pytest.approx(learner.log[-1]["strength"])
    learner.close()
    events = EventAccumulator(str(tmp_path))
    events.Reload()
    told = set(events.Tags()["scalars"])
    assert {f"improve/{name}" for name in ("reward", "reply_tokens", "refused", "cut_off", "kl")} <= told
    assert [event.step for event in events.Scalars("sft/loss")] == [1, 2]


def test_what_cannot_be_is_said_in_a_sentence(tmp_path: Path) -> None:
    for settings, said in cases(__file__)["no settings"]:
        refused(lambda settings=settings: TrainerRecipe(**settings), said)
    refused(lambda: LanguageTrainer.resume(tmp_path, *tiny("text")), "nothing to go on from")
    learner = trainer(tmp_path, "text")
    with pytest.raises(MmgamesError, match="no reference yet"), learner.as_reference():
        pass
    refused(lambda: learner.sft([]), "no examples")
    words = [replace(one, messages=[{"role": "user", "content": "?"}], pictures=()) for one in examples()]
    learner.sft(words, steps=1)
    refused(lambda: learner.sft(words[:3], steps=2), "began with 4 examples")
    refused(lambda: trainer(tmp_path, "text"), "resume")
    refused(lambda: LanguageTrainer.resume(tmp_path, *tiny("text"), replace(learner.recipe, rate=1.0)), "settings")
    refused(lambda: learner.improve(played(learner, 1), [1.0]), "advantages for")
    greedy = play("KuhnPoker", learner.player(observe="text", **PLAYER | {"temperature": 0}), 1, **SHORT)
    refused(lambda: learner.improve(greedy), "temperature 0")
    begun = copy.deepcopy(weights_of(learner))
    with pytest.raises(MmgamesError, match="no numbers any more"):
        rollouts = played(learner, 1, marked=False)
        learner.improve(rollouts, [float("nan")] * len(rollouts.decisions))
    assert same(begun, weights_of(learner)) and asdict(learner.recipe)["rate"] == 1e-3
    whole = (tmp_path / CHECKPOINT).read_bytes()
    (tmp_path / CHECKPOINT).write_bytes(whole[: len(whole) // 2])
    refused(lambda: LanguageTrainer.resume(tmp_path, *tiny("text")), "damaged")
