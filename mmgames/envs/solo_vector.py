"""The batched face for one seat: agents play the other seats of thousands of episodes."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space

from mmgames.agents.base import Agent
from mmgames.agents.finding import Others, find_seat, seat_agents
from mmgames.core.constants import ILLEGAL_REWARD, SEAT_OPTIONS
from mmgames.core.game import Seat
from mmgames.envs.batch_agents import BatchAgents
from mmgames.envs.batch_base import BatchBase
from mmgames.envs.options import BATCH_KEYS, BATCH_OPTIONS
from mmgames.envs.vector import BatchedEnv
from mmgames.errors import MmgamesError
from mmgames.kernels import batch


class SoloVectorEnv(BatchBase, gymnasium.vector.VectorEnv):  # type: ignore[misc]
    """One seat of many episodes (`gym.make_vec`): {features, action_mask}; compiled or learned agents play the others.

    Each row is the decision process of `gym.make`: after your action the others take their turns until it is yours
    again or the episode is over, and so they do at its beginning. Rewards add up meanwhile. An illegal action ends its
    episode with reward -1 and `info["illegal"]` [env] says so; with `illegal="error"` it raises. The three modes of
    resetting and `statistics=` are those of BatchedEnv; `info["final_obs"]` holds one observation for each episode that
    ended, as in Gymnasium's own vector environments.
    """

    own_options = (*SEAT_OPTIONS, *BATCH_OPTIONS)
    saved = (*BatchBase.saved, "_paid", "_agent_streams")

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
        places = [batch.ANY_LEGAL] * len(rules.seats)
        agents = seat_agents(others, rules, rest)
        asked = any(agent.can_play_batches for agent in agents.values())
        for other, agent in agents.items() if not asked else ():
            if not agent.has_policy:
                raise MmgamesError(
                    f"{rules.spec.id}: {agent.class_name} has no compiled policy for the batched face; "
                    "use gym.make_vec(…, vectorization_mode='sync') with it."
                )
            if (policy := agent.compiled_policy) is not None:
                if policy not in self._policies:
                    self._policies.append(policy)
                places[other] = self._policies.index(policy)
        if len(self._policies) > batch.MOST_POLICIES:
            raise MmgamesError(
                f"{rules.spec.id}: others= names {len(self._policies)} different agents; the batched face takes "
                f"{batch.MOST_POLICIES} at the most."
            )
        self._policies += [None] * (batch.MOST_POLICIES - len(self._policies))
        xp = self.xp
        self._places = xp.array(places)
        self._agent_streams = xp.zeros(n, np.uint64)
        self._paid = xp.zeros(n)
        self._rewards = xp.zeros(n, np.float32)
        self._offends = xp.zeros(n, np.bool_)
        self._no_actions = xp.zeros(n, np.int64)
        self._look_for([self.seat])
        self._other_seats = OtherSeats(self, agents) if asked else None

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start all episodes, or those of `options={"reset_mask": …}`. `seed` is a number or a list of numbers."""
        return self._start(seed, options, ("agents", self._agent_streams))

    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        return self._advance(actions)

    def save(self) -> dict[str, np.ndarray]:
        kept = {} if self._other_seats is None else self._other_seats.memory()
        return {**super().save(), **{f"others.{name}": self.threads.to_host(array) for name, array in kept.items()}}

    def restore(self, saved: Mapping[str, np.ndarray]) -> tuple[Any, dict[str, Any]]:
        kept = {} if self._other_seats is None else self._other_seats.memory()
        theirs = {f"others.{name}": array for name, array in kept.items()}
        if missing := [name for name in theirs if name not in saved]:
            raise MmgamesError(
                f"{self.game.spec.id}: what was saved does not tell {missing[0]!r}, as these agents need."
            )
        went_on = super().restore({name: array for name, array in saved.items() if name not in theirs})
        for name, array in theirs.items():
            self.threads.write(array, saved[name])
        return went_on

    def _play(self, which: np.ndarray, restart: bool, actions: np.ndarray, rewards: np.ndarray) -> None:
        if self._other_seats is not None:
            self._other_seats.play(which, restart, actions, rewards)
            return
        self._run(
            batch.one_seat_states,
            *(which, restart, actions, rewards),
            *(self._paid, self._places, *self._policies, self._agent_streams),
        )

    def _shape(self, seen: np.ndarray) -> np.ndarray:
        return seen[:, 0]

    def _as_final(self, observation: Any, over: np.ndarray) -> np.ndarray:
        """One observation each, as Gymnasium has it."""
        final = np.full(self.num_envs, None, object)
        for row in self.xp.flatnonzero(over).tolist():
            final[row] = observation[row] if self.flat else {key: seen[row] for key, seen in observation.items()}
        return final

    def close_extras(self, **kwargs: Any) -> None:
        self.threads.end()


class OtherSeats:
    """The agents in the other seats of a SoloVectorEnv, where one of them has no compiled policy: they are asked
    between the steps."""

    def __init__(self, solo: SoloVectorEnv, agents: Mapping[Seat, Agent]) -> None:
        self.solo = solo
        env = self.env = BatchedEnv(
            solo.game.spec.id, solo.num_envs, observe=BATCH_KEYS, copy=False, max_steps=solo.max_steps,
            threads=solo._threads, device=solo.device, **solo.game.options,
        )  # fmt: skip
        # One batch under two faces: what one steps, the other shows.
        for name in ("states", "_streams", "_steps", "_terminated", "_truncated"):
            setattr(env, name, getattr(solo, name))
        env._begun = True
        self.agents = BatchAgents(env, agents, streams=solo._agent_streams)
        self.early = env.xp.zeros(solo.num_envs, np.bool_)  # the others have ended these before this seat's first turn

    def memory(self) -> dict[str, np.ndarray]:
        return {"early": self.early, **self.agents.memory()}

    def play(self, which: np.ndarray, restart: bool, actions: np.ndarray, rewards: np.ndarray) -> None:
        """As `batch.one_seat_states`: the others play until it is this seat's turn again."""
        solo, env, me = self.solo, self.env, self.solo.seat
        over = env._terminated | env._truncated
        fresh = which & (over | restart)
        rewards[which] = 0.0
        env._offends[which] = False
        if fresh.any():
            env._play(fresh, True, env._no_actions, env._no_rewards)
            self.agents.forget(fresh)
        stepped = which & ~fresh
        ended = stepped & self.early
        self.early[which] = False
        joint = env.xp.zeros((env.num_envs, len(env.seats)), np.int64)
        joint[:, me] = actions
        pending = (stepped & ~ended) | (fresh & ~env._masks[:, me].any(axis=1))
        while pending.any():
            self.agents.act({"features": env._features, "action_mask": env._masks}, joint, ~pending)
            env._play(pending, False, joint, env._rewards)
            pending = pending & ~(env._terminated | env._truncated) & ~env._masks[:, me].any(axis=1)
        env._terminated |= ended
        totals = env.xp.empty((env.num_envs, len(env.seats)))
        env._threaded(batch.sum_states, env.kernel.returns, env.states, totals)
        solo._paid[fresh] = 0.0
        offends = env._offends[:, me]
        paid = stepped & ~offends
        rewards[paid] = (totals[:, me] - solo._paid)[paid]
        rewards[stepped & offends] = ILLEGAL_REWARD
        solo._paid[paid] = totals[paid, me]
        self.early |= fresh & (env._terminated | env._truncated)
        env._terminated[fresh] = env._truncated[fresh] = False
        solo._offends[which] = offends[which]
        if solo.copy:
            solo._features, solo._masks = np.empty_like(solo._features), np.ones_like(solo._masks)
        solo._look(solo._looking, solo._features, solo._masks)
        solo._update_planes_and_pictures(which)
