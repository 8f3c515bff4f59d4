"""The batched faces: thousands of episodes stepped by the compiled kernel of a game."""

from __future__ import annotations

import importlib
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space

from mmgames.agents.finding import Others, find_seat, seat_agents
from mmgames.core import registry
from mmgames.core.constants import SEAT_OPTIONS
from mmgames.envs.rows import OWN_OPTIONS, Rows
from mmgames.errors import MmgamesError
from mmgames.kernels import batch


class BatchedEnv(Rows):
    """All seats of `num_envs` episodes: arrays [env, seat, …], features and rewards written by the kernel.

    `autoreset_mode` is Gymnasium's. "NextStep": an episode that ended is restarted by the next step, which ignores its
    actions and pays nothing. "SameStep": it is restarted at once; `info["final_obs"]`, true in the rows of
    `info["_final_obs"]`, has what it ended with. "Disabled": you restart it with `reset(options={"reset_mask": …})`.
    `statistics=True` tells the returns and lengths of episodes that end in `info["episode"]`. `copy=False` hands out
    the internal buffers, which the next step overwrites. The results do not depend on `threads`.

    Seats that are not to move have an all-zero mask and may send anything. An illegal action of a mover ends its
    episode as it stands: reward -1 for the offender, 0 for the others, and `info["illegal"]` [env, seat] says who it
    was; with `illegal="error"` it raises. `info["action_mask"]` is there whatever is observed.
    """

    saved = (*Rows.saved, "_drawn_streams")

    def __init__(self, env_id: str, num_envs: int = 1, **options: Any) -> None:
        super().__init__(env_id, num_envs, **options)
        n, seats = self.num_envs, len(self.seats)
        self._rewards = np.zeros((n, seats), np.float32)
        self._offends = np.zeros((n, seats), np.bool_)
        self._no_actions = np.zeros((n, seats), np.int64)
        self._drawn_streams = np.zeros(n, np.uint64)
        self._look_for(range(seats))

    def reset(self, seed: Any = None, options: dict | None = None) -> tuple[Any, dict]:
        """Start all episodes, or those of `options={"reset_mask": …}`. `seed` is a number or a list of numbers."""
        return self._start(seed, options, ("draws", self._drawn_streams))

    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict]:
        """Joint actions [env, seat] -> observations, rewards [env, seat], terminated [env], truncated [env], info."""
        return self._advance(actions)

    def random_actions(self) -> np.ndarray:
        """Joint actions [env, seat]: any legal action of every mover, all with equal probability."""
        actions = np.empty_like(self._no_actions)
        self._threaded(batch.random_rows, self._masks, self._drawn_streams, actions)
        return actions

    def act(self, seat: int, policy: Any, streams: np.ndarray, actions: np.ndarray) -> None:
        """Fill in `actions[:, seat]`, all rows, with what a compiled policy chooses; None draws any legal action."""
        kernel = self.kernel
        self._threaded(
            batch.act_rows, kernel.turn, kernel.moves, policy, kernel.room, self.rows, seat, streams, actions
        )

    def close(self) -> None:
        self.threads.end()

    def _play(self, which: np.ndarray, anew: bool, actions: np.ndarray, rewards: np.ndarray) -> None:
        self._run(batch.step_rows, which, anew, actions, rewards)

    def _shape(self, seen: np.ndarray) -> np.ndarray:
        return seen


def batches_of(env_id: str) -> Any:
    """The class whose batches a game is played in: BatchedEnv, unless its simulator brings its own."""
    spec = registry.find(env_id)
    if not spec.vector:
        return BatchedEnv
    registry.load(env_id)  # says which extra is missing, if one is
    module, _, name = spec.vector.partition(":")
    return getattr(importlib.import_module(module), name)


class SoloVectorEnv(Rows, gymnasium.vector.VectorEnv):  # type: ignore[misc]
    """One seat of many episodes (`gym.make_vec`): {features, action_mask}; compiled or learned agents play the others.

    Each row is the decision process of `gym.make`: after your action the others take their turns until it is yours
    again or the episode is over, and so they do at its beginning. Rewards add up meanwhile. An illegal action ends its
    episode with reward -1 and `info["illegal"]` [env] says so; with `illegal="error"` it raises. The three modes of
    resetting and `statistics=` are those of BatchedEnv; `info["final_obs"]` holds one observation for each episode that
    ended, as in Gymnasium's own vector environments.
    """

    own_options = (*SEAT_OPTIONS, *OWN_OPTIONS)
    saved = (*Rows.saved, "_paid", "_agent_streams")

    def __init__(
        self, env_id: str, num_envs: int = 1, *, seat: str | int | None = None, others: Others = None, **options: Any
    ) -> None:
        super().__init__(env_id, num_envs, **options)
        n, rules = self.num_envs, self.game
        self.seat = find_seat(rules, seat)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        rest = [s for s in range(len(rules.seats)) if s != self.seat]
        self._policies: list[Any] = []
        self._places = np.full(len(rules.seats), batch.ANY_LEGAL)
        agents = seat_agents(others, rules, rest)
        asked = any(agent.can_play_many for agent in agents.values())
        for other, agent in agents.items() if not asked else ():
            if not agent.has_policy:
                raise MmgamesError(
                    f"{rules.spec.id}: {agent.class_name} has no compiled policy for the batched face; "
                    "use gym.make_vec(…, vectorization_mode='sync') with it."
                )
            if (policy := agent.compiled_policy) is not None:
                if policy not in self._policies:
                    self._policies.append(policy)
                self._places[other] = self._policies.index(policy)
        if len(self._policies) > batch.MOST_POLICIES:
            raise MmgamesError(
                f"{rules.spec.id}: others= names {len(self._policies)} different agents; the batched face takes "
                f"{batch.MOST_POLICIES} at the most."
            )
        self._policies += [None] * (batch.MOST_POLICIES - len(self._policies))
        self._agent_streams = np.zeros(n, np.uint64)
        self._paid = np.zeros(n)
        self._rewards = np.zeros(n, np.float32)
        self._offends = np.zeros(n, np.bool_)
        self._no_actions = np.zeros(n, np.int64)
        self._look_for([self.seat])
        self._other_seats: Any = None
        if asked:
            from mmgames.envs.batch_agents import OtherSeats

            self._other_seats = OtherSeats(self, agents)

    def reset(self, *, seed: Any = None, options: dict | None = None) -> tuple[Any, dict]:
        """Start all episodes, or those of `options={"reset_mask": …}`. `seed` is a number or a list of numbers."""
        return self._start(seed, options, ("agents", self._agent_streams))

    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict]:
        return self._advance(actions)

    def _play(self, which: np.ndarray, anew: bool, actions: np.ndarray, rewards: np.ndarray) -> None:
        if self._other_seats is not None:
            self._other_seats.play(which, anew, actions, rewards)
            return
        self._run(
            batch.one_seat_rows,
            *(which, anew, actions, rewards),
            *(self._paid, self._places, *self._policies, self._agent_streams),
        )

    def _shape(self, seen: np.ndarray) -> np.ndarray:
        return seen[:, 0]

    def _as_final(self, observation: Any, over: np.ndarray) -> np.ndarray:
        """One observation each, as Gymnasium has it."""
        final = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(over):
            final[row] = observation[row] if self.flat else {key: seen[row] for key, seen in observation.items()}
        return final

    def close_extras(self, **kwargs: Any) -> None:
        self.threads.end()
