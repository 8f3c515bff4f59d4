"""The best answer to an agent in a grid dilemma: the most that red can get for itself beside an agent that it knows.

The agent becomes a part of the world: how likely each of its moves is in each position. Going back from the last step
as in dilemma_optimum.py, red takes the move that brings it most on average over what the agent does. The agent is not
changed by what red does; it only answers to positions, so an agent that remembers has no such plan.

    python -m mmgames.baselines.search.best_answer CoinDilemma common_welfare
"""

from __future__ import annotations

import os
from functools import partial
from typing import Any

import numpy as np

from mmgames.agents.base import Agent, AgentLike, as_agent
from mmgames.agents.finding import seat_agents
from mmgames.baselines.learning.learned import NetworkPlayer, action_probs
from mmgames.baselines.search import dilemma_optimum as optimum
from mmgames.baselines.search.dilemma_optimum import GAMES, MOVED, JointPlanPlayer, numbers, positions
from mmgames.core import registry
from mmgames.core.game import Game
from mmgames.core.turn import Turn
from mmgames.envs.batch_agents import play
from mmgames.envs.vector import BatchedEnv
from mmgames.errors import MmgamesError
from mmgames.games._dilemma.rules import BLUE, CELLS, LEGAL, RED
from mmgames.games._dilemma.setup import STEPS
from mmgames.kernels.kernel import kernel, scramble
from mmgames.kernels.threads import Threads
from mmgames.text.command_line import read_arguments

DRAWS = 128  # of a compiled agent's noise, to see how likely its moves are
MOVES = np.eye(len(LEGAL), dtype=np.float32)  # a move that is sure
TOGETHER = 1 << 16  # positions for which other agents are asked at once


@kernel
def try_out(policy, states, offset, chances, first, last):
    """How often a compiled policy makes each move for blue in positions from `offset` on, over draws of its noise."""
    for i in range(first, last):
        for move in range(chances.shape[1]):
            chances[i, move] = 0.0
        for draw in range(DRAWS):
            chances[i, policy(states[i], BLUE, scramble(np.uint64((offset + i) * DRAWS + draw)))] += 1.0 / DRAWS


@kernel
def look(features, states, seen, first, last):
    """What blue sees of some positions."""
    for i in range(first, last):
        features(states[i], BLUE, seen[i])


@kernel
def answer_before(things, chances, then, worth, plan, first, last):
    """Red's best move in each position, on average over blue's; `things` ways to place all but the players."""
    for r in range(first, last):
        for b in range(CELLS):
            for thing in range(things):
                at = (r * CELLS + b) * things + thing
                best, chosen = np.float32(-1e9), 0
                for mine in range(5):
                    total = np.float32(0.0)
                    for theirs in range(5):
                        if chances[at, theirs] > 0:
                            there = (MOVED[r, mine] * CELLS + MOVED[b, theirs]) * things + thing
                            total += chances[at, theirs] * then[there]
                    if total > best:
                        best, chosen = total, mine
                worth[at] = best
                plan[at] = chosen


class MoveProbabilities:
    """How likely each move of an agent in blue's seat is in every position."""

    def __init__(self, game: Game, agent: Agent, threads: Threads, every: int = 1) -> None:
        env = BatchedEnv(game.spec.id, 1, **game.options)
        self.kernel, self.threads, self.every = env.kernel, threads, every
        self.places = next(places for kind, (_, places) in GAMES.items() if isinstance(game, kind))
        self.chances = np.full((CELLS**self.places, len(LEGAL)), 1 / len(LEGAL), np.float32)
        self.found: dict[int, tuple[np.ndarray, ...]] = {}  # where a plan has the positions
        self.player = agent.batch_player(env, BLUE) if agent.can_play_batches else None
        if self.player is not None and not isinstance(self.player, (JointPlanPlayer, NetworkPlayer)):
            raise MmgamesError(f"{agent.class_name} does not say how likely its moves are.")
        if isinstance(self.player, NetworkPlayer) and (
            self.player.hidden_state is not None or self.player.key != "features"
        ):
            raise MmgamesError("A best answer is planned to a policy that sees features and remembers nothing.")
        if self.player is None and not agent.has_policy:
            raise MmgamesError(f"{agent.class_name} has no compiled policy to plan a best answer to.")
        if self.player is None and (policy := agent.compiled_policy) is not None:
            for offset in range(0, len(self.chances), TOGETHER):
                states, part = self._states(offset, 0), self.chances[offset : offset + TOGETHER]
                threads.run(try_out, policy, states, offset, part, count=len(part), threads=threads.most)

    def at(self, step: int) -> np.ndarray:
        """Chances [position, move] at a step; they are looked up anew every `every` steps."""
        if self.player is not None and (step % self.every == self.every - 1 or step == STEPS - 1):
            self._ask(step - step % self.every)
        return self.chances

    def _ask(self, step: int) -> None:
        for offset in range(0, len(self.chances), TOGETHER):
            part = self.chances[offset : offset + TOGETHER]
            if isinstance(self.player, JointPlanPlayer):
                if offset not in self.found:
                    self.found[offset] = self.player.plan.find(self._states(offset, step))
                part[:] = MOVES[self.player.plan.moves(self.found[offset], STEPS - step)[:, BLUE]]
                continue
            assert isinstance(self.player, NetworkPlayer)
            logits = self.player.network.logits(self._seen(offset, step))
            part[:] = action_probs(logits, self.player.greedy)

    def _states(self, offset: int, step: int) -> np.ndarray:
        """Some positions, from `offset` on."""
        many = min(TOGETHER, len(self.chances) - offset)
        states = np.repeat(self.kernel.blank.array, many)
        optimum.put_on(states, optimum.cells_of(np.arange(offset, offset + many), self.places))
        states["step"] = step
        return states

    def _seen(self, offset: int, step: int) -> np.ndarray:
        """What blue sees of them."""
        states = self._states(offset, step)
        seen = np.zeros((len(states), self.kernel.num_features), np.float32)
        self.threads.run(look, self.kernel.features, states, seen, count=len(states), threads=self.threads.most)
        return seen


class BestAnswer(Agent):
    """Red's best answer to an agent in blue's seat; `worth` is what an episode brings it on average."""

    def __init__(self, game: Game, agent: AgentLike, every: int = 1) -> None:
        if not isinstance(game, tuple(GAMES)):
            known = ", ".join(kind.__name__ for kind in GAMES)
            raise MmgamesError(f"{game.spec.id}: best answers are planned for {known}.")
        optimum.check_usual(game)
        make_step, places = next(how for kind, how in GAMES.items() if isinstance(game, kind))
        threads = Threads(min(os.cpu_count() or 1, CELLS))
        probabilities, size = MoveProbabilities(game, as_agent(agent), threads, every), CELLS**places
        worth, then = np.zeros(size, np.float32), np.zeros(size, np.float32)
        self.places, self.plans = places, np.empty((STEPS, size), np.uint8)
        shared = partial(threads.run, count=CELLS, threads=threads.most)
        step_back = make_step()
        for step in range(STEPS - 1, -1, -1):
            step_back(shared, worth, 1.0, 0.0, then)
            shared(answer_before, size // CELLS**2, probabilities.at(step), then, worth, self.plans[step])
        threads.end()
        self.worth = 2 * optimum.value(worth, places)

    def batch_player(self, env: Any, seat: int) -> BestAnswerPlayer:
        self.begin(env.game, seat)
        return BestAnswerPlayer(self)

    def begin(self, game: Game, seat: int) -> None:
        if seat != RED:
            raise MmgamesError("A best answer is red's; put the agent that it answers into blue's seat.")

    def act(self, turn: Turn) -> int:
        return int(self.moves(turn.imagine().array)[0])

    def moves(self, states: np.ndarray) -> np.ndarray:
        return self.plans[np.minimum(states["step"], STEPS - 1), numbers(positions(states))].astype(np.int64)


class BestAnswerPlayer:
    """Plays a best answer in many episodes at once."""

    def __init__(self, answer: BestAnswer) -> None:
        self.answer = answer

    def choose(self, which: np.ndarray) -> None: ...

    def forget(self, which: np.ndarray) -> None: ...

    def act(self, seen: Any, states: np.ndarray, masks: np.ndarray, draws: np.ndarray) -> np.ndarray:
        return self.answer.moves(states)


def answered(game_id: str, agent: str, episodes: int, seed: int, every: int = 1) -> tuple[float, np.ndarray]:
    """What the best answer to an agent is worth, and what it got [episode] when it was played."""
    game = registry.load(registry.find(game_id).id).game()
    answer = BestAnswer(game, seat_agents(agent, game, [BLUE])[BLUE], every)
    return answer.worth, play(game_id, [answer, agent], episodes, seed=seed)[:, RED]


def main() -> None:
    args = read_arguments(__doc__, __file__)
    try:
        worth, returns = answered(args.game, args.agent, args.episodes, 0, args.every)
    except MmgamesError as error:
        raise SystemExit(str(error)) from error
    standard_error = returns.std() / len(returns) ** 0.5
    print(f"{args.game}: worth {worth:.3f} beside {args.agent}; played, {returns.mean():.3f} ± {standard_error:.3f}")


if __name__ == "__main__":
    main()
