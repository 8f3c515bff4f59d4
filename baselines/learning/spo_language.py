"""Iterative-SPO over a language model that tells the log-probabilities of what it said: the `hf` agent, or one like it.

    from mmgames.baselines.models.hf import HuggingFace
    from mmgames.baselines.learning.spo_language import LanguageTraining
    model = HuggingFace("Qwen/Qwen2.5-VL-3B-Instruct", temperature=1.0, logprobs=True, size=320, max_tokens=128)
    training = LanguageTraining(model, batch=16)
    for _ in range(100):
        print(training.iterate())
    model.weights.model.save_pretrained("spy-player")

The model sits in every seat. A reply is worth what its clue or its vote is worth (`spo_advantages.py`), all
its tokens alike. `training.decisions` are those of the last iteration, in the form that `mmgames.wrappers.trl` writes
for trainers of one's own, with a column for the advantage.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from mmgames.baselines.learning.spo_advantages import (
    RoleBaselines,
    StageSwitch,
    clue_advantages,
    kl_divergence,
    vote_advantages,
    votes_of,
)
from mmgames.baselines.learning.spy_rounds import GAME, spy_game, start_rounds
from mmgames.baselines.models.hf import HuggingFace
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.errors import MmgamesError
from mmgames.text.refusals import Illegal


class LanguageTraining:
    """A model that plays Spy against itself and learns from it, one update of its weights an iteration.

    `optimizer(parameters)` makes the optimizer. The reference that a penalty keeps the model near to is a copy of it at
    the beginning; `kl=0` does without the copy.
    """

    def __init__(
        self,
        model: HuggingFace,
        *,
        batch: int = 8,
        rate: float = 1e-6,
        kl: float = 0.04,
        roles: bool = True,
        seed: int = 0,
        optimizer: Callable[..., torch.optim.Optimizer] | None = None,
        **options: Any,
    ) -> None:
        if not model.logprobs or not model.temperature:
            raise MmgamesError("A model that learns has to draw its replies and tell how likely they were: "
                               "use temperature=1.0 and logprobs=True.")  # fmt: skip
        self.model, self.batch, self.kl = model, batch, kl
        self.game = spy_game(**options)
        self.observer = Observer(registry.load(GAME), self.game, **model.style)
        self.reference = self._frozen() if kl else None
        make = optimizer or torch.optim.AdamW
        self.optimizer = make(model.weights.model.parameters(), lr=rate)
        self.rng = np.random.default_rng([seed, 4])
        self.switch, self.baselines = StageSwitch(), RoleBaselines() if roles else None
        self.decisions: list[dict[str, Any]] = []
        self.iteration = 0

    def _frozen(self) -> HuggingFace:
        weights = self.model.weights
        other = copy.copy(self.model)
        other._given = type(weights)(copy.deepcopy(weights.model).requires_grad_(False), weights.processor)
        return other

    def iterate(self) -> dict[str, float]:
        """Play a batch of rounds, learn from the clues or from the votes, and see which stage comes next."""
        rounds = start_rounds(self.game, self.batch, self.rng)
        self.decisions = [decision for number, live in enumerate(rounds) for decision in self._play(number, live)]
        stage = self.switch.stage
        mine = [decision for decision in self.decisions if decision["stage"] == ("clue" if stage == "clue" else "vote")]
        where = [(decision["episode"], self.game.seats.index(decision["seat"])) for decision in mine]
        if stage == "clue":
            advantages = clue_advantages(self.game, rounds, where, self.baselines)
        else:
            advantages = vote_advantages(self.game, rounds, where)
        for decision, advantage in zip(mine, advantages.tolist(), strict=True):
            decision["advantage"] = advantage
        told = self._update(mine)
        went = votes_of(self.game, rounds)
        self.switch.update(went["accuracy"], went["abstention"])
        self.iteration += 1
        return {"steps": float(self.iteration), "stage": float(stage == "clue"), **went, **told}

    def _play(self, number: int, live: LiveGame) -> list[dict[str, Any]]:
        """One round, the model in every seat; what each seat was shown and said."""
        players = [self.model.fresh() for _ in self.game.seats]
        made: list[dict[str, Any]] = []
        while live.movers:
            moves = {}
            for seat in live.movers:
                view = live.view(seat)
                seen = self.observer.observe(view)
                players[seat].draw_with(self.rng)
                messages = players[seat].messages(seen)
                reply = players[seat].answer(seen)
                move = live.check(seat, reply)
                if isinstance(move, Illegal):  # it has said something all the same, and learns from what that came to
                    move = live.check(seat, live.sample(seat, self.rng))
                moves[seat] = move
                made.append(
                    {
                        "env": GAME, "episode": number, "seed": number, "seat": self.game.seats[seat],
                        "move": sum(row["seat"] == self.game.seats[seat] for row in made), "stage": view.stage,
                        "text": seen.get("text", ""), "picture": seen.get("rgb"), "reply": reply,
                        "messages": messages, "tokens": players[seat].last_call["tokens"],
                    }
                )  # fmt: skip
            live.play(moves)
        returns = self.game.returns(live.state)
        for row in made:
            row["reward"] = float(returns[self.game.seats.index(row["seat"])])
        return made

    def _update(self, decisions: list[dict[str, Any]]) -> dict[str, float]:
        self.optimizer.zero_grad(set_to_none=True)
        losses, moved = [], []
        for decision in decisions:
            log_probs = self.model.log_probabilities(decision["messages"], decision["tokens"])
            penalty = torch.zeros((), device=log_probs.device)
            if self.reference is not None:
                with torch.no_grad():
                    reference = self.reference.log_probabilities(decision["messages"], decision["tokens"])
                penalty = kl_divergence(log_probs, reference).mean()
            loss = (self.kl * penalty - decision["advantage"] * log_probs.mean()) / len(decisions)
            if not torch.isfinite(loss):
                raise MmgamesError("spo: the losses are no numbers any more; try a smaller rate.")
            loss.backward()
            losses.append(float(loss.detach()))
            moved.append(float(penalty.detach()))
        torch.nn.utils.clip_grad_norm_(self.model.weights.model.parameters(), 1.0)
        self.optimizer.step()
        return {"loss": sum(losses), "divergence": float(np.mean(moved))}
