"""What a run would take: calls, tokens and money, counted on a few episodes in which nobody is asked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mmgames.agents.answering import SEEN
from mmgames.agents.base import Agent
from mmgames.agents.finding import find_agent
from mmgames.agents.identity import agent_name, fresh_agent
from mmgames.errors import MmgamesError
from mmgames.running.journal import Budget, offline
from mmgames.suites.entries import Players, SuiteEntry
from mmgames.suites.results import unplayed
from mmgames.suites.suite import Suite

FEW = 3
"""So many episodes of each game are played to count."""
CHARACTERS_PER_TOKEN = 4.0
"""Of English prose; a rule of thumb that holds within a tenth for the prompts of these games."""


@dataclass
class CallCounts:
    calls: float = 0
    tokens_in: float = 0
    tokens_out: float = 0
    money: float = 0

    @property
    def cost(self) -> float | None:
        """The money, where all prices are known."""
        return None if math.isnan(self.money) else self.money

    def add(self, other: CallCounts, times: float = 1.0) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + times * value)


class StandIn(Agent):
    """Stands in a model's place: it makes the model's prompts, counts them, and asks nobody.

    It moves at random, or, if it is not `legal`, never says what is a move; it talks where one talks, and answers
    questions wrongly, so that as many tries are made as there may be.
    """

    def __init__(
        self, model: Agent, counts: CallCounts, reply_tokens: int, price: tuple[float, float] | None, legal: bool
    ) -> None:
        self.legal = legal
        self.may_be_asked_again = not legal
        self.name = agent_name(model)
        self.answering = model
        self.style = {**SEEN, **model.style}
        self.counts, self.reply_tokens, self.price = counts, reply_tokens, price

    def fresh(self) -> StandIn:
        own = fresh_agent(self.answering) if self.answering.can_answer else Agent()
        return StandIn(own, self.counts, self.reply_tokens, self.price, self.legal)

    def describe(self) -> None:
        return None

    def begin(self, game: Any, seat: int) -> None:
        self.answering.begin(game, seat)

    def forget(self) -> None:
        self.answering.forget()

    def act(self, turn: Any) -> Any:
        style = dict(self.style)
        self._count(turn.observe(style.pop("observe"), **style))
        return "I see." if turn.game.spec.actions == "text" or not self.legal else turn.sample()

    def answer(self, observation: dict[str, Any]) -> str:
        self._count(observation)
        return ""

    def _count(self, observation: dict[str, Any]) -> None:
        if "rgb" in observation:  # how many pictures there are is all that counts, and a dot is soon encoded
            observation = {**observation, "rgb": observation["rgb"][..., :1, :1, :]}
        requests = self.answering.requests_per_answer
        tokens_in = requests * prompt_tokens(self.answering.messages(observation), self.style["size"])
        tokens_out = requests * self.reply_tokens
        price = self.price or (math.nan, math.nan)  # which no sum makes a price of
        money = (tokens_in * price[0] + tokens_out * price[1]) / 1e6
        self.counts.add(CallCounts(requests, tokens_in, tokens_out, money))
        self.answering.recall(observation, "x" * int(self.reply_tokens * CHARACTERS_PER_TOKEN))


def prompt_tokens(messages: Sequence[Any], size: int) -> float:
    """How many tokens messages are, about: four characters of text to one, and pictures as GPT-4o counts them."""
    picture = 85 + 170 * math.ceil(size / 512) ** 2
    tokens = 0.0
    for message in messages:
        content = message["content"]
        parts = [{"text": content}] if isinstance(content, str) else content
        tokens += sum(len(part["text"]) / CHARACTERS_PER_TOKEN if "text" in part else picture for part in parts)
    return tokens


def estimate_calls(
    suite: Suite,
    entries: Sequence[SuiteEntry],
    players: Players,
    episodes: int,
    seed: int,
    budget: Budget,
    reply_tokens: int,
    legal: bool = True,
    **options: Any,
) -> dict[str, CallCounts]:
    """What each of these entries of a suite would take, by its name, if all replies were `legal` moves, or none.

    `options` are set on their environments. Agents that ask no model take nothing, unless none of the players does:
    then all of them are taken for models.
    """
    found: dict[str, CallCounts] = {}
    few = min(FEW, episodes)
    for entry in entries:
        counts = CallCounts()
        with offline():
            own = stand_ins(entry, players, counts, reply_tokens, budget, legal)
        others = [{"environment": one.id, "variant": one.variant} for one in entries if one.key != entry.key]
        row = suite.evaluate(own, few, seed, only=[entry.id], left_out=others, **options)["rows"][0]
        played = min(few, entry.most or few)
        once = row["episodes"] < played  # a policy is asked for once, however many episodes
        whole = CallCounts()
        whole.add(counts, 1.0 if once else min(episodes, entry.most or episodes) / played)
        found["/".join(filter(None, entry.key))] = whole
    return found


def stand_ins(
    entry: SuiteEntry, players: Players, counts: CallCounts, reply_tokens: int, budget: Budget, legal: bool
) -> Players:
    """The players of an entry with stand-ins where models are."""
    each = players if isinstance(players, tuple) else (players,)
    agents = [_found(player, entry) for player in each]
    asking = [agent is not None and agent.only_answers for agent in agents]
    own: list[Any] = []
    for player, agent, asks in zip(each, agents, asking, strict=True):
        model = agent if agent is not None and asks else Agent()
        price = budget.price(model.model)
        if price is None:
            budget.refuse_unpriced(model.model)
        stands = StandIn(model, counts, reply_tokens, price, legal)
        own.append(stands if asks or not any(asking) else player)
    return tuple(own) if isinstance(players, tuple) else own[0]


def _found(player: Any, entry: SuiteEntry) -> Agent | None:
    """The agent that a player is; None for one that only the suite knows, such as `oracle`."""
    try:
        return find_agent(player, unplayed.game_of(entry.id))
    except MmgamesError:
        if not isinstance(player, str) or ":" in player:
            raise
        return None
