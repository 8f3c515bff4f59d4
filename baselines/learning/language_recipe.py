"""What a trainer of language models is told: how to learn (TrainerRecipe), and examples to learn from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from mmgames.agents.token_replies import Messages, TokenPrompt, picture_hash, pictures_in
from mmgames.baselines.learning.recipes import from_one_up, one_of
from mmgames.baselines.learning.rollout_advantages import group_advantages, role_advantages, turn_advantages
from mmgames.baselines.learning.spo_advantages import RoleBaselines
from mmgames.baselines.models.local_weights import Reader
from mmgames.errors import MmgamesError, unknown
from mmgames.running.rollouts import Decision, Mark

PRECISIONS = ("float32", "bfloat16")
ADVANTAGES: dict[str, Callable[[Sequence[Decision], RoleBaselines], np.ndarray]] = {
    "group": lambda decisions, baselines: group_advantages(decisions),
    "turn": lambda decisions, baselines: turn_advantages(decisions),
    "role": lambda decisions, baselines: role_advantages(decisions),
    "baseline": role_advantages,
}
"""Against episodes of the same start; the same turn of those; the role's other decisions; what it usually gets."""
WEIGHINGS = ("reply", "token")
LEARNED_MARKS: tuple[Mark, ...] = ("cut off", "refused", "replaced")


@dataclass(frozen=True)
class Example:
    """A question and the reply that is to be learned.

    `messages` are those of a chat. Where they only say that there is a picture, `{"type": "image"}`, it is the next one
    of `pictures`.
    """

    messages: Messages
    reply: str
    pictures: tuple[Image.Image, ...] = ()

    @staticmethod
    def from_row(row: Mapping[str, Any]) -> Example:
        """A row of a data set with `messages`, the reply being the last of them, and `images` or `pictures`."""
        *asked, last = row["messages"]
        if last["role"] != "assistant":
            raise MmgamesError(
                f"A row's last message is the reply to learn, of the assistant, not of {last['role']!r}."
            )
        said = last["content"]
        reply = said if isinstance(said, str) else "".join(part["text"] for part in said if part["type"] == "text")
        return Example(asked, reply, tuple(row.get("images") or row.get("pictures") or ()))

    def tokens(self, reader: Reader) -> list[int]:
        """The reply as a model would have written it."""
        return reader.tokens(self.reply)

    def prompt(self) -> TokenPrompt:
        left = list(self.pictures)

        def part(one: dict[str, Any]) -> dict[str, Any]:
            if one["type"] != "image" or one.get("image") is not None:
                return one
            if not left:
                raise MmgamesError(f"An example has more places for pictures than its {len(self.pictures)} pictures.")
            return {"type": "image", "image": left.pop(0)}

        messages = [
            one if isinstance(one["content"], str) else {**one, "content": [part(each) for each in one["content"]]}
            for one in self.messages
        ]
        if left:
            raise MmgamesError(f"An example has {len(left)} more pictures than its messages have places for them.")
        return TokenPrompt(messages, (), tuple(map(picture_hash, pictures_in(messages))), 0)


@dataclass(frozen=True)
class TrainerRecipe:
    """Everything that decides how is learned; the model, the data and `seed` do the rest."""

    rate: float = 1e-6
    steps: int = 100
    """Updates by examples, unless `sft` is told another number."""
    batch: int = 4
    """How many replies are read at once: what has to fit into memory."""
    accumulation: int = 1
    """Of so many batches an update by examples is made. One of rollouts is made of all of them, however many."""
    warmup: int = 0
    """So many first updates have a smaller rate."""
    weight_decay: float = 0.0
    largest_gradient: float = 1.0
    """A gradient that is longer is shortened to this."""
    kl: float = 0.04
    """How much the divergence from the frozen reference costs; 0 does without it."""
    clip: float | None = 0.2
    """How far probabilities may move from where a reply was drawn before it counts no further; None is REINFORCE."""
    epochs: int = 1
    """How many updates are made from the same rollouts."""
    advantages: str = "group"
    """group, turn, role or baseline: see ADVANTAGES."""
    learned_marks: str = "cut off,refused,replaced"
    """What is marked with these alone is learned from, too: a model that knows no form yet has nothing else."""
    refusal_cost: float = 1.0
    """What a reply that was no move pays, in points of the game; 0 where it has lost by it (on_illegal="lose")."""
    weigh: str = "reply"
    """What counts alike in an update of rollouts: every reply, or every token."""
    lora: int | None = None
    """The rank of adapters (LoRA) beside weights that stay as they are; None: all weights learn."""
    lora_scale: float = 2.0
    """What adapters add is multiplied by this."""
    lora_targets: str = "all-linear"
    """The layers that get adapters, as peft takes them: one name, or several with commas."""
    checkpointing: bool = False
    """Whether layers are computed again for the gradient, which takes time and saves memory."""
    precision: str = "float32"
    """What the model computes in: float32, bfloat16."""
    save_every: int = 10
    """After so many updates all is saved, and at the end of `sft`."""
    tensorboard: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        from_one_up(self, "language trainer", "steps", "batch", "accumulation", "epochs", "save_every")
        if self.lora is not None:
            from_one_up(self, "language trainer", "lora")
        known = {"precision": PRECISIONS, "advantages": ADVANTAGES, "weigh": WEIGHINGS}
        one_of(self, "the language trainer", known)
        for mark in self.learned_marks.split(","):
            if mark not in ("", *LEARNED_MARKS):
                raise unknown("mark", mark, "the language trainer", LEARNED_MARKS)
        for name in ("rate", "kl", "warmup", "refusal_cost", "weight_decay", "largest_gradient"):
            if not getattr(self, name) >= 0:
                raise MmgamesError(f"language trainer: {name}={getattr(self, name)!r} is below 0.")

    @property
    def marks_learned(self) -> tuple[Mark, ...]:
        return tuple(mark for mark in LEARNED_MARKS if mark in self.learned_marks.split(","))
