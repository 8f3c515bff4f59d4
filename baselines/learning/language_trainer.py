"""A language model learns from examples and from what it has played: SFT, GRPO and REINFORCE, in one file.

    from mmgames.baselines.learning.language_trainer import LanguageTrainer, TrainerRecipe
    trainer = LanguageTrainer(model, processor, TrainerRecipe(rate=1e-5, lora=16, precision="bfloat16"), "runs/mine")
    trainer.sft(examples, steps=200)
    player = trainer.player(temperature=1.0, max_tokens=128)
    for number in trainer.remaining(100):
        trainer.improve(play("TicTacToe", player, 64, seed=[8 * number + start for start in range(8)] * 8))
    trainer.export("runs/mine/model")

`model` and `processor` are those of transformers. All weights that learn are float32, whatever the model computes in:
bfloat16 loses small steps. After a kill the same program with `LanguageTrainer.resume` in place of the class goes on
from the last save; on the CPU it ends with the same bits.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Self, cast

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from mmgames.baselines.learning import checkpoint_files
from mmgames.baselines.learning.action_distributions import clipped_gain
from mmgames.baselines.learning.language_recipe import ADVANTAGES, Example, TrainerRecipe
from mmgames.baselines.learning.rollout_advantages import learned_from
from mmgames.baselines.learning.spo_advantages import RoleBaselines, kl_divergence
from mmgames.baselines.learning.training_log import read_log, tensorboard_log, write_log
from mmgames.baselines.models.hf import HuggingFace
from mmgames.baselines.models.local_weights import Weights
from mmgames.baselines.models.token_batches import EncodedPrompt, encode, encode_answered, read_replies
from mmgames.core.whole_files import replacing
from mmgames.errors import MmgamesError, needs_extra
from mmgames.running.rollouts import Decision, Rollouts

__all__ = ("Example", "LanguageTrainer", "TrainerRecipe")
CHECKPOINT, KIND = "training.safetensors", "language-trainer-1"
STRAIGHT_FROM = 3.0
"""See `kl_divergence`: of some ten thousand tokens of an update, one may have fallen by twenty nats."""


class LanguageTrainer:
    """A model that learns, its optimiser, and the folder that both are saved in."""

    def __init__(self, model: Any, processor: Any, recipe: TrainerRecipe, folder: str | Path) -> None:
        self.recipe, self.folder = recipe, Path(folder)
        if (self.folder / CHECKPOINT).exists():
            raise MmgamesError(f"{str(self.folder)!r} holds a run already; go on with LanguageTrainer.resume.")
        self._build(model, processor)

    @classmethod
    def resume(cls, folder: str | Path, model: Any, processor: Any, recipe: TrainerRecipe | None = None) -> Self:
        """Go on from the last save, with the model as it was given the first time; without a save, begin.

        A `recipe` has to be given to begin; where one is given to go on, it is to be the same.
        """
        path = Path(folder) / CHECKPOINT
        if not path.exists():
            if recipe is None:
                raise MmgamesError(f"There is nothing to go on from in {str(folder)!r}; give a recipe to begin.")
            return cls(model, processor, recipe, folder)
        about = _about(path)
        found = TrainerRecipe(**about["settings"])
        if recipe is not None:
            checkpoint_files.check_same_run(path, {"settings": asdict(found)}, {"settings": asdict(recipe)})
        trainer = cls.__new__(cls)
        trainer.recipe, trainer.folder = found, Path(folder)
        trainer._build(model, processor)
        trainer._restore(path, about)
        return trainer

    def _build(self, model: Any, processor: Any) -> None:
        recipe = self.recipe
        _drop_nothing(model)
        if recipe.lora is None:
            model.float()
        else:
            _add_adapters(model, recipe)
        if recipe.checkpointing:
            model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        self.weights = Weights(model, processor)
        vocabulary = sorted(self.weights.tokenizer.get_vocab().items())
        self._words = hashlib.blake2b(repr(vocabulary).encode(), digest_size=8)
        self.weights.precision = torch.bfloat16 if recipe.precision == "bfloat16" else None
        self.model = model
        self.parameters = {name: part for name, part in model.named_parameters() if part.requires_grad}
        if not self.parameters:
            raise MmgamesError("language trainer: no weight of the model learns; call requires_grad_(True) on some.")
        self.optimizer = torch.optim.AdamW(
            self.parameters.values(), lr=recipe.rate, weight_decay=recipe.weight_decay, foreach=False,
            fused=model.device.type == "cuda",
        )  # fmt: skip
        self.reference: dict[str, Tensor] | None = None
        self.baselines = RoleBaselines()
        self.updates: dict[str, int] = {}
        """How many updates each stage has made."""
        self.examples: dict[str, int] = {}
        """How many examples each stage of SFT learns from."""
        self.notes: dict[str, Any] = {}
        """What a caller wants to find again after `resume`, as JSON."""
        self.log: list[dict[str, float]] = []
        self._saved = 0
        self._open = ExitStack()
        self._board: Any = None

    @property
    def steps(self) -> int:
        """All updates so far."""
        return sum(self.updates.values())

    def player(self, **options: Any) -> HuggingFace:
        """The model as an agent for rollouts and matches; it plays as it is at that moment."""
        return HuggingFace("trainer", weights=cast(Any, self.weights), **{"temperature": 1.0, **options})

    def reference_player(self, **options: Any) -> HuggingFace:
        """The frozen reference as an agent, which shares the weights that do not learn."""
        frozen = _ReferenceWeights(self)
        return HuggingFace("reference", weights=cast(Any, frozen), **{"temperature": 1.0, **options})

    # Learning from examples

    def sft(self, examples: Sequence[Example], steps: int | None = None, stage: str = "sft") -> None:
        """Learn replies by heart until `stage` has made so many updates, those before a resume among them.

        Every example is seen once before any is seen again. `examples` may make them as they are asked for.
        """
        if not len(examples):
            raise MmgamesError("There are no examples to learn from.")
        if self.examples.setdefault(stage, len(examples)) != len(examples):
            raise MmgamesError(
                f"The stage {stage!r} began with {self.examples[stage]} examples, and these are {len(examples)}; go on "
                "with the same, or name another stage."
            )
        steps = self.recipe.steps if steps is None else steps
        while self.updates.get(stage, 0) < steps:
            chosen = [examples[place] for place in self._next(stage, len(examples))]
            read = [(encode(self.weights, one.prompt()), one.tokens(self.weights)) for one in chosen]
            read.sort(key=lambda pair: len(pair[0].ids) + len(pair[1]))  # less is filled up
            replies = [reply for _, reply in read]
            figures = self._update(partial(self._reply_loss, read), len(read))
            self._count(stage, {**figures, "reply_tokens": sum(map(len, replies)) / len(replies)})
            self.save_at_times()
        if self._saved < self.steps:
            self.save()

    def _reply_loss(self, read: list[tuple[EncodedPrompt, list[int]]], start: int, end: int) -> Tensor:
        """The share of examples `start` to `end` in the mean over all tokens of the replies."""
        prompts, replies = zip(*read[start:end], strict=True)
        found = torch.cat(read_replies(self.weights, prompts, replies))
        return -found.sum() / sum(len(reply) for _, reply in read)

    def _next(self, stage: str, count: int) -> list[int]:
        """Which examples are next: in each pass all of them once, in an order that its number and the seed settle."""
        each = self.recipe.batch * self.recipe.accumulation
        first, places = self.updates.get(stage, 0) * each, []
        number = int.from_bytes(hashlib.blake2b(stage.encode(), digest_size=4).digest())
        for turn in range(first // count, (first + each - 1) // count + 1):
            order = np.random.default_rng([self.recipe.seed, number, turn]).permutation(count)
            places += order[max(first - turn * count, 0) : first + each - turn * count].tolist()
        return places

    # Learning from rollouts

    def remaining(self, steps: int, stage: str = "improve") -> Iterator[int]:
        """The numbers of the iterations that are left until `stage` has made so many, each once it is reached."""
        while (done := self.updates.get(stage, 0) // self.recipe.epochs) < steps:
            yield done
            if self.updates.get(stage, 0) // self.recipe.epochs == done:
                raise MmgamesError(f"Nothing was learned in iteration {done} of {stage!r}; call improve in each.")
        if self._saved < self.steps:
            self.save()

    def improve(
        self,
        trajectories: Rollouts | Sequence[Decision],
        advantages: Sequence[float] | np.ndarray | None = None,
        stage: str = "improve",
        save: bool = True,
    ) -> dict[str, float]:
        """Make what was worth more likelier: an update for each epoch, of all decisions that marks leave.

        What they are worth is what the recipe says, or `advantages`, one number for each decision, refused ones too.
        The reference that a penalty keeps the model near to is what it is before the first of these updates, at which
        the optimiser begins anew. Without `save` the caller calls `save_at_times` when `notes` say how far it is.
        """
        played = trajectories.decisions if isinstance(trajectories, Rollouts) else list(trajectories)
        if any(one.written.temperature == 0 for one in played):
            raise MmgamesError("Rollouts at temperature 0 teach nothing: nothing was tried. Play with temperature=1.0.")
        decisions = learned_from(played, self.recipe.marks_learned, self.recipe.refusal_cost)
        if advantages is None:
            advantages = ADVANTAGES[self.recipe.advantages](decisions, self.baselines)
        if len(advantages) != len(decisions):
            raise MmgamesError(f"There are {len(advantages)} advantages for {len(decisions)} decisions.")
        if self.reference is None and self.recipe.kl:
            self.freeze_reference()
        if self.updates.keys() <= self.examples.keys():  # gradients of examples say nothing about the size of these
            self.optimizer.state.clear()
        pairs = [(one, float(worth)) for one, worth in zip(decisions, advantages, strict=True) if not one.marks]
        pairs.sort(key=lambda pair: len(pair[0].prompt_ids) + len(pair[0].reply_ids))  # less is filled up
        seen = _what_was_played(played)
        for _ in range(self.recipe.epochs):
            moved: list[Tensor] = []
            figures = self._update(partial(self._policy_loss, pairs, moved), len(pairs))
            divergence = float(torch.cat(moved).mean()) if moved else 0.0
            figures |= {**seen, "learned": float(len(pairs)), "kl": divergence}
            self._count(stage, figures)
        if save:
            self.save_at_times()
        return figures

    def _policy_loss(self, pairs: list[tuple[Decision, float]], moved: list[Tensor], start: int, end: int) -> Tensor:
        """The share of decisions `start` to `end` in the loss of all `pairs`."""
        some = pairs[start:end]
        prompts = encode_answered(self.weights, [(one.prompt, one.written) for one, _ in some])
        replies = [one.reply_ids for one, _ in some]
        reference: list[Tensor] = []
        if self.recipe.kl:
            with torch.no_grad(), self.as_reference():
                reference = read_replies(self.weights, prompts, replies)
        now = read_replies(self.weights, prompts, replies)
        flat = torch.cat(now)
        worth, weight = self._token_weights(pairs, start, end)
        if self.recipe.clip is None:
            gain = flat * worth
        else:
            drawn = torch.tensor([value for one, _ in some for value in one.written.log_probs], device=flat.device)
            gain = clipped_gain((flat - drawn).exp(), worth, self.recipe.clip)
        if self.recipe.kl:
            penalty = kl_divergence(flat, torch.cat(reference), STRAIGHT_FROM)
            moved.append(penalty.detach())
            gain = gain - self.recipe.kl * penalty
        return -(gain * weight).sum()

    def _token_weights(self, pairs: list[tuple[Decision, float]], start: int, end: int) -> tuple[Tensor, Tensor]:
        """For each token of the replies `start` to `end`: what it is worth, and its share in the loss of all."""
        tokens = sum(len(one.reply_ids) for one, _ in pairs)
        lengths = np.array([len(one.reply_ids) for one, _ in pairs[start:end]])
        shares = 1 / (len(pairs) * lengths) if self.recipe.weigh == "reply" else np.full(len(lengths), 1 / tokens)
        both = np.stack([[worth for _, worth in pairs[start:end]], shares]).astype(np.float32).repeat(lengths, axis=1)
        worth, weight = torch.from_numpy(both).to(self.model.device)
        return worth, weight

    def freeze_reference(self) -> None:
        """What the model is now is what a penalty keeps it near to, and what `reference_player` plays."""
        self.reference = {name: part.detach().clone() for name, part in self.parameters.items()}

    @contextmanager
    def as_reference(self) -> Iterator[None]:
        """In here the model is the frozen reference."""
        frozen = self.reference
        if frozen is None:
            raise MmgamesError("There is no reference yet; call freeze_reference() first.")
        learned = {name: part.data for name, part in self.parameters.items()}
        try:
            for name, part in self.parameters.items():
                part.data = frozen[name]
            yield
        finally:
            for name, part in self.parameters.items():
                part.data = learned[name]

    # One update

    def _update(self, loss: Callable[[int, int], Tensor], count: int) -> dict[str, float]:
        """One step of the optimiser for `count` rows; `loss(start, end)` is the share of some of them in the whole.

        As shares are of the whole, how many are read at once changes nothing but the last bits.
        """
        self.optimizer.zero_grad(set_to_none=True)
        shares: list[Tensor] = []  # as numbers only at the end: a device works on while the next is prepared
        self.model.train(self.recipe.checkpointing)  # layers are computed again in this mode alone
        try:
            for start in range(0, count, self.recipe.batch):
                share = loss(start, min(start + self.recipe.batch, count))
                share.backward()
                shares.append(share.detach())
            norm = float(torch.nn.utils.clip_grad_norm_(self.parameters.values(), self.recipe.largest_gradient))
            total = sum(map(float, shares))
        finally:
            self.model.eval()
        if not np.isfinite(total) or not np.isfinite(norm):
            self.optimizer.zero_grad(set_to_none=True)
            raise MmgamesError("language trainer: the losses are no numbers any more; what was saved last is kept.")
        rate = self.recipe.rate * min(1.0, (self.steps + 1) / (self.recipe.warmup + 1))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        if count:
            self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return {"loss": total, "gradient": norm, "rate": rate}

    def _count(self, stage: str, figures: dict[str, float]) -> None:
        """An update has been made."""
        self.updates[stage] = self.updates.get(stage, 0) + 1
        self.log.append({"steps": float(self.steps)})
        self.tell({f"{stage}/{name}": value for name, value in figures.items()})

    def tell(self, values: Mapping[str, float]) -> None:
        """Add to what the log and TensorBoard tell of the last update."""
        self.log[-1] |= values
        if self.recipe.tensorboard:
            if self._board is None:
                self._board = self._open.enter_context(tensorboard_log(self.folder, True, self.steps - 1))
            for name, value in values.items():
                self._board.add_scalar(name, value, self.steps)

    def save_at_times(self) -> None:
        """Save if `save_every` updates have been made since the last time."""
        if self.steps - self._saved >= self.recipe.save_every:
            self.save()

    # Files

    def save(self) -> None:
        """Write all that it takes to go on, and the log; a reader finds this save or the one before, never a part."""
        self.save_log()
        if self._board is not None:
            self._board.flush()
        tensors = {f"weight.{name}": part.detach() for name, part in self.parameters.items()}
        for name, part in self.parameters.items():
            tensors |= {f"adam.{key}.{name}": value for key, value in self.optimizer.state.get(part, {}).items()}
        tensors |= {f"reference.{name}": part for name, part in (self.reference or {}).items()}
        about = {
            "kind": KIND, "settings": asdict(self.recipe), "updates": self.updates, "examples": self.examples,
            "baselines": self.baselines.means, "frozen": self._frozen(), "notes": self.notes,
        }  # fmt: skip
        with replacing(self.folder / CHECKPOINT) as partial_file:
            whole = {name: value.contiguous() for name, value in tensors.items()}
            save_file(whole, partial_file, {"about": json.dumps(about)})
        self._saved = self.steps

    def save_log(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write_log(self.folder / "log.csv", self.log)

    def _restore(self, path: Path, about: dict[str, Any]) -> None:
        checkpoint_files.check_same_run(path, about, {"frozen": self._frozen()})
        try:
            with safe_open(path, "pt") as file:
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - it is no dict
            with torch.no_grad():
                for name, part in self.parameters.items():
                    part.copy_(tensors[f"weight.{name}"])
                    state = {
                        key: tensors[f"adam.{key}.{name}"].to(part.device)  # the fused one counts on the card, too
                        for key in ("step", "exp_avg", "exp_avg_sq")
                        if f"adam.{key}.{name}" in tensors
                    }
                    if state:
                        self.optimizer.state[part] = state
                if any(name.startswith("reference.") for name in tensors):
                    self.reference = {
                        name: tensors[f"reference.{name}"].to(part.device) for name, part in self.parameters.items()
                    }
        except (KeyError, RuntimeError, SafetensorError, OSError) as error:
            raise MmgamesError(f"{str(path)!r} does not fit this model, or is damaged ({error}).") from error
        self.updates, self.examples, self.notes = about["updates"], about["examples"], about["notes"]
        self.baselines.means = about["baselines"]
        self._saved = self.steps
        self.log = read_log(self.folder / "log.csv", self.steps)

    def _frozen(self) -> str:
        """A fingerprint of what is not saved: the words of the tokenizer, and the weights that do not learn."""
        found = self._words.copy()
        for name, part in self.model.named_parameters():
            if name not in self.parameters:
                found.update(name.encode() + part.detach().flatten()[:16].float().cpu().numpy().tobytes())
        return found.hexdigest()

    def export(self, folder: str | Path) -> None:
        """Write the model as transformers reads it, or its adapters, and the processor."""
        self.model.save_pretrained(folder)
        self.weights.processor.save_pretrained(folder)

    def close(self) -> None:
        self._open.close()
        self._board = None


class _ReferenceWeights(Weights):
    """The weights of a trainer, which are those of its reference while they compute."""

    def __init__(self, trainer: LanguageTrainer) -> None:
        super().__init__(trainer.model, trainer.weights.processor)
        self.trainer, self.precision, self.lock = trainer, trainer.weights.precision, trainer.weights.lock

    @contextmanager
    def computing(self) -> Iterator[None]:
        with self.trainer.as_reference(), super().computing():
            yield


def _drop_nothing(model: Any) -> None:
    """No dropout: what is learned from has to be what was written."""
    for part in model.modules():
        if isinstance(part, torch.nn.Dropout):
            part.p = 0.0
        for name in ("dropout", "attention_dropout"):
            if isinstance(getattr(part, name, None), float):
                setattr(part, name, 0.0)


def _add_adapters(model: Any, recipe: TrainerRecipe) -> None:
    with needs_extra("LoRA", "lora"):
        import peft
    targets = recipe.lora_targets.split(",")
    config = peft.LoraConfig(
        r=recipe.lora, lora_alpha=recipe.lora_scale * cast(int, recipe.lora), lora_dropout=0.0,
        target_modules=targets[0] if targets == ["all-linear"] else targets,
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(recipe.seed)
        model.add_adapter(config)
    for part in model.parameters():
        if part.requires_grad:
            part.data = part.data.float()


def _about(path: Path) -> dict[str, Any]:
    try:
        with safe_open(path, "pt") as file:
            about: dict[str, Any] = json.loads((file.metadata() or {})["about"])
        if about["kind"] != KIND:
            raise KeyError(about["kind"])
    except (SafetensorError, OSError, KeyError, ValueError) as error:
        raise MmgamesError(f"{str(path)!r} is no save of this trainer, or a damaged one ({error}).") from error
    return about


def _what_was_played(decisions: Sequence[Decision]) -> dict[str, float]:
    """What the log tells of rollouts: how episodes paid, how long replies were, how many were no moves."""
    first: dict[tuple[str, int, int], float] = {}
    for one in decisions:
        first.setdefault((one.env, one.episode, one.seat), one.reward_to_go)
    many = max(1, len(decisions))
    return {
        "reward": float(np.mean([*first.values()])) if first else 0.0,
        "reply_tokens": sum(len(one.reply_ids) for one in decisions) / many,
        "refused": sum(one.refused is not None for one in decisions) / many,
        "cut_off": sum("cut off" in one.marks for one in decisions) / many,
    }
