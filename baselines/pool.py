"""A pool of agents, of whom one is drawn for each episode: in single environments, matches and batches alike.

others="pool:optimum|2*random|ippo:policy.npz"     # random plays half of the episodes
others=Pool(["optimum", my_agent], weights=[1, 3])
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from mmgames.agents.base import Agent, AgentLike, BatchPlayer
from mmgames.core.game import Game, Seat
from mmgames.core.turn import Turn
from mmgames.envs.batch_agents import any_batch_player, as_streams, memory_of
from mmgames.errors import MmgamesError
from mmgames.kernels import batch

NOT_DRAWN = -1
_WEIGHTED = re.compile(r"\s*([-+\w.]+)\s*\*\s*(.*)", re.S)


class Pool(Agent):
    """Draws one of its members for each episode: `pool:optimum|2*random|ippo:policy.npz`, with a weight before a name.

    In Python `members` is a list of names and objects, beside `weights`. A member whose options have a comma between
    them stands in brackets: `pool:random|[ippo:policy.npz,greedy=True]`. The draw comes from the seat's own stream, so
    the seed decides it.
    """

    def __init__(self, members: str | Sequence[str | AgentLike] = "", weights: Sequence[float] | None = None) -> None:
        if not isinstance(members, str | list | tuple):
            raise MmgamesError(
                f"pool: members={members!r} are no agents; write 'pool:optimum|2*random', or give a list."
            )
        named, weighted = _read(members) if isinstance(members, str) else (list(members), [1.0] * len(members))
        if isinstance(members, str) and weights is not None:
            raise MmgamesError(
                "pool: weights= is for a list of members; in a text a weight stands before its name: 2*random."
            )
        given = weighted if weights is None else list(weights)
        if not named or "" in named:
            raise MmgamesError("pool: it names nobody, or leaves out a name; write 'pool:optimum|2*random'.")
        if len(given) != len(named):
            raise MmgamesError(f"pool: there are {len(given)} weights for {len(named)} members; give one for each.")
        for member, weight in zip(named, given, strict=True):
            if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < math.inf:
                raise MmgamesError(
                    f"pool: the weight {weight!r} of {member!r} is out of range; it is a number above 0."
                )
        self.members, self.weights = members, weights
        self.named: list[str | AgentLike] = named
        self.shares: list[float] = [float(weight) for weight in given]
        self.agents: list[Agent] = []
        """Its members, once they are found for a game."""
        self.drawn: Agent | None = None
        """Who plays this episode; nobody yet until the first turn."""
        self._place: tuple[Game, Seat] | None = None

    def find_members(self, find: Callable[[str | AgentLike], Agent]) -> None:
        self.agents = [find(member) for member in self.named]

    def chances(self) -> np.ndarray:
        """How likely each member is to be drawn."""
        return np.array(self.shares) / sum(self.shares)

    def draw(self, fractions: Any, arrays: Any = np) -> Any:
        """The numbers of members for random numbers from [0, 1); `arrays` is the module of these."""
        up_to = arrays.cumsum(arrays.asarray(self.chances()))
        return arrays.minimum(arrays.searchsorted(up_to, fractions, side="right"), len(up_to) - 1)

    def walk(self) -> Iterator[Agent]:
        """Itself, all its members, and those of the pools among them."""
        yield self
        for agent in self.agents:
            yield from agent.walk() if isinstance(agent, Pool) else (agent,)

    def check(self) -> None:
        """Refuse to start an episode for which nobody could be drawn."""
        for agent in self.walk():
            if isinstance(agent, Pool):
                agent.chances()

    # One episode

    def begin(self, game: Game, seat: Seat) -> None:
        self.check()
        self.drawn, self._place = None, (game, seat)

    def act(self, turn: Turn) -> Any:
        if self._place is None or self._place[0] is not turn.game:
            self.begin(turn.game, turn.seat)
        if self.drawn is None:
            self.drawn = self.agents[int(self.draw(np.array([turn.rng.random()]))[0])]
            self.drawn.begin(turn.game, turn.seat)
        return self.drawn.act(turn)

    def end(self, view: Any) -> None:
        if self.drawn is not None and self.drawn.hears_of_ends:
            self.drawn.end(view)

    def close(self) -> None:
        for agent in self.agents:
            agent.close()

    # Many episodes at once

    def batch_player(self, env: Any, seat: Seat) -> PoolPlayer:
        return PoolPlayer(self, env, seat)

    def describe(self) -> Any:
        return {
            "members": [one if isinstance(one, str) else type(one).__name__ for one in self.named],
            "weights": self.shares,
        }


class PoolPlayer:
    """Plays a seat of many episodes, each with the member that is drawn for it. A pool may grow meanwhile."""

    def __init__(self, pool: Pool, env: Any, seat: Seat) -> None:
        self.pool, self.env, self.seat = pool, env, seat
        self.players: list[BatchPlayer] = []
        self.drawn = env.xp.full(env.num_envs, NOT_DRAWN, np.int64)
        self.which = env.xp.arange(env.num_envs)
        self._meet()

    def _meet(self) -> None:
        for agent in self.pool.agents[len(self.players) :]:
            self.players.append(any_batch_player(agent, self.env, self.seat))

    def memory(self) -> dict[str, np.ndarray]:
        self._meet()
        kept = {"drawn": self.drawn}
        for number, player in enumerate(self.players):
            kept |= {f"{number}.{name}": array for name, array in memory_of(player).items()}
        return kept

    def choose(self, which: np.ndarray) -> None:
        self.which = which

    def forget(self, which: np.ndarray) -> None:
        if which.any():
            self.pool.check()
        self.drawn[which] = NOT_DRAWN
        for player in self.players:
            player.forget(which)

    def act(self, seen: dict[str, np.ndarray], rows: np.ndarray, masks: np.ndarray, draws: np.ndarray) -> np.ndarray:
        # Two numbers for each that was given: one draws the member, if need be, the other is the member's own.
        xp, loops, streams = self.env.xp, self.env.threads, as_streams(draws)
        fractions, onward, everywhere = xp.empty_like(draws), xp.empty_like(draws), xp.ones(len(draws), np.bool_)
        for into in (fractions, onward):
            loops.run(batch.fractions, everywhere, streams, into, count=len(draws))
        drawn = self.drawn[self.which]
        new = drawn == NOT_DRAWN
        if new.any():
            self._meet()
            drawn[new] = self.pool.draw(fractions[new], xp)
            self.drawn[self.which] = drawn
        actions, which = xp.zeros(len(draws), np.int64), self.which
        for number in xp.unique(drawn).tolist():
            part = xp.flatnonzero(drawn == number)
            player = self.players[number]
            player.choose(which[part])
            shown = {key: array[part] for key, array in seen.items()}
            actions[part] = player.act(shown, loops.take(rows, part), masks[part], onward[part])
        return actions


def _read(text: str) -> tuple[list[Any], list[Any]]:
    """The members of `a|2*b|[c:x,y]`, and their weights."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "{[") - (sign in "}]")
        if sign == "|" and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    names, weights = [], []
    for part in parts if text.strip() else ():
        found = _WEIGHTED.fullmatch(part)
        weight, name = (found[1], found[2]) if found else ("1", part)
        try:
            weights.append(float(weight))
        except ValueError:
            raise MmgamesError(f"pool: the weight {weight!r} of {name!r} is no number; write 2*random.") from None
        name = name.strip()
        names.append(name[1:-1] if name.startswith("[") and name.endswith("]") else name)
    return names, weights
