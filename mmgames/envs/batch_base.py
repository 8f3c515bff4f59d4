"""What both batched faces share: the states of many episodes, their random streams, observations and threads."""

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from mmgames.core import registry
from mmgames.core.constants import ILLEGAL_REWARD, IllegalPolicy
from mmgames.core.game import Seat
from mmgames.core.observation import check_size
from mmgames.core.seeding import row_stream
from mmgames.envs import options as checks
from mmgames.errors import IllegalAction, MmgamesError, unknown_option
from mmgames.kernels import batch
from mmgames.kernels.kernel_game import Kernel, kernel_of
from mmgames.kernels.sprites import BatchedPicture, PictureMemory, SpriteSheet

ROWS_PER_THREAD = 1024  # fewer rows than this are not worth a second thread
PICTURES_PER_THREAD = 64
SIZE = 84  # pixels: what convolutional networks are used to
Array = Any
"""An array of NumPy, or one of CuPy on a card."""
NEVER = 2**62
PENALTY = np.float32(ILLEGAL_REWARD)


class BatchBase:
    """The base of both batched faces: the states of many episodes, and the options that both take.

    It can be copied and pickled.
    """

    own_options: tuple[str, ...] = checks.BATCH_OPTIONS
    saved: tuple[str, ...] = (
        "states", "_streams", "_steps", "_terminated", "_truncated", "_returns", "_lengths", "_scored",
    )  # fmt: skip
    """The arrays that tell how things stand; all else is made of them."""
    _rewards: np.ndarray
    _offends: np.ndarray
    _drawn: Any = None  # the actions that were drawn last
    _no_actions: np.ndarray

    def __init__(
        self,
        env_id: str,
        num_envs: int = 1,
        *,
        observe: Iterable[str] | str | None = None,
        flat: bool = False,
        size: int = SIZE,
        illegal: IllegalPolicy = "penalty",
        max_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        statistics: bool = False,
        threads: int | None = None,
        copy: bool = True,
        device: str = "cpu",
        **options: Any,
    ) -> None:
        loaded = registry.load(env_id)
        where = loaded.spec.id
        if not loaded.spec.batched:
            raise MmgamesError(
                f"{where} has no compiled kernel; use gym.make_vec(…, vectorization_mode='sync') instead."
            )
        for name in options:
            if name not in loaded.spec.options:
                raise unknown_option(name, f"{where}, batched", (*loaded.spec.options, *self.own_options))
        checks.check_illegal_policy(illegal, where)
        self.num_envs = checks.at_least_one("num_envs", num_envs, where)
        self.game: Any = loaded.game(**options)
        kernel = kernel_of(self.game)
        assert kernel is not None
        self.kernel: Kernel = kernel
        self.seats = self.game.seats
        self.copy = copy
        self.illegal = illegal
        self.max_steps = None if max_steps is None else checks.at_least_one("max_steps", max_steps, where)
        self.autoreset_mode = checks.find_autoreset_mode(autoreset_mode, where)
        self.statistics = bool(statistics)
        check_size(size, where)
        self.size = int(size)
        self._loaded = loaded
        self._make_spaces(observe, bool(flat))
        threads = checks.count_processors() if threads is None else checks.at_least_one("threads", threads, where)
        self.device, self.threads = device, checks.loops_on(device, threads, where)
        n, xp = self.num_envs, self.xp
        self._threads = min(threads, max(1, n // ROWS_PER_THREAD))
        self._blank = self.threads.kept(kernel.blank.array)
        self.states = self.threads.kept(np.repeat(kernel.blank.array, n))
        self._streams = xp.zeros(n, np.uint64)
        self._steps = xp.zeros(n, np.int64)
        self._terminated = xp.zeros(n, np.bool_)
        self._truncated = xp.zeros(n, np.bool_)
        self._everywhere = xp.asarray(np.ones(n, np.bool_))
        self._all = self._everywhere.copy()  # for infos; nobody is to write into it
        if xp is np:
            self._all.setflags(write=False)
        self._scored = xp.zeros((n, len(self.seats) if kernel.sparse is not None else 0))
        self._begun = False

    @property
    def xp(self) -> Any:
        """The module of all arrays: NumPy, or CuPy on a card."""
        return self.threads.arrays

    @property
    def masked(self) -> bool:
        """Whether masks ever tell anything: not where everybody always moves and everything is legal."""
        return self.kernel.moves is not None

    def _make_spaces(self, observe: Iterable[str] | str | None, flat: bool) -> None:
        """The spaces of a seat's observations and actions, and of the global state."""
        kernel, where = self.kernel, self.game.spec.id
        known: dict[str, spaces.Space[Any]] = {
            "features": spaces.Box(-1.0, 1.0, (kernel.num_features,), np.float32),
            "action_mask": spaces.Box(0, 1, (kernel.num_actions,), np.int8),
            "state": spaces.Box(-1.0, 1.0, (len(self.seats) * kernel.num_features,), np.float32),
        }
        if kernel.planes_shape is not None:
            known["planes"] = spaces.Box(-1.0, 1.0, kernel.planes_shape, np.float32)
        drawn = ("rgb",) if hasattr(self._loaded.picture, "sprites") else ()
        self.keys = checks.check_batch_keys(observe, (*known, *drawn), where)
        if "rgb" in self.keys:
            known["rgb"] = spaces.Box(0, 255, self._sheets([0])[0].shape, np.uint8)
        self.flat = flat
        if flat and len(self.keys) != 1:
            raise MmgamesError(
                f"{where}: flat=True gives one observation as a plain array; observe= names {', '.join(self.keys)}."
            )
        self.state_space = known["state"]
        self.single_observation_space: spaces.Space[Any] = (
            known[self.keys[0]] if flat else spaces.Dict({key: known[key] for key in self.keys})
        )
        self.single_action_space = spaces.Discrete(kernel.num_actions)

    def _look_for(self, seats: Sequence[Seat]) -> None:
        """Make the arrays for the observations of these seats, and those for their rewards."""
        n, kernel, xp = self.num_envs, self.kernel, self.xp
        self._shown, self._shown_seats = xp.array(seats, np.int64), list(seats)
        # The global state needs the features of all seats; those of the shown ones come first.
        rest = [seat for seat in range(len(self.seats)) if seat not in seats] if "state" in self.keys else []
        self._looking = xp.array([*seats, *rest], np.int64)
        featured = len(self._looking) if {"features", "state"} & set(self.keys) else 0
        self._features = xp.zeros((n, featured, kernel.num_features), np.float32)
        self._masks = xp.asarray(np.ones((n, len(self._looking), kernel.num_actions), np.int8))
        sheets = kernel.planes_shape if "planes" in self.keys else None
        self._planes = xp.zeros((n, len(seats), *sheets) if sheets else (n, 0, 0, 0, 0), np.float32)
        drawn = self._sheets(seats) if "rgb" in self.keys else []
        # A buffer for each shown seat, or one for all.
        self._pictures = xp.zeros((len(drawn), n, *drawn[0].shape) if drawn else (0, n, 0, 0, 3), np.uint8)
        self._picture_memory: list[PictureMemory | None] = [None] * len(drawn)  # what is in the buffers
        self._no_rewards = xp.zeros_like(self._rewards)
        self._returns = xp.zeros_like(self._rewards)
        self._lengths = xp.zeros(n, np.int64)

    def _play(self, which: np.ndarray, restart: bool, actions: np.ndarray, rewards: np.ndarray) -> None:
        """Step or restart the rows of `which` and write what they are rewarded with."""
        raise NotImplementedError

    def _shape(self, seen: np.ndarray) -> np.ndarray:
        """Arrays [env, seat, …] as this face hands them out."""
        raise NotImplementedError

    def _start(
        self, seed: Any, options: dict[str, Any] | None, *streams: tuple[str, np.ndarray]
    ) -> tuple[Any, dict[str, Any]]:
        which = self._which(options)
        self._seed(seed, which, *streams)
        self._restart(which)
        return self._observation(), self._info()

    def _restart(self, which: np.ndarray) -> None:
        self._play(which, True, self._no_actions, self._no_rewards)
        if self.statistics:
            self._returns[which], self._lengths[which] = 0.0, 0
        if self.kernel.sparse is not None:
            self._scored[which] = 0.0

    def _advance(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One step of every row, and what the mode of resetting asks for."""
        actions = self._check(actions, self._no_actions.shape)
        told = self.statistics or self.kernel.sparse is not None or self.autoreset_mode != AutoresetMode.NEXT_STEP
        fresh: Any = self._terminated | self._truncated if told else None  # these start anew in this step
        if self.autoreset_mode == AutoresetMode.DISABLED and fresh.any():
            raise MmgamesError(
                f"{self.game.spec.id}: episode {int(fresh.argmax())} is over and nothing resets it; "
                "call reset(options={'reset_mask': terminated | truncated}) before the next step."
            )
        if self.copy:
            self._rewards = self.xp.empty_like(self._rewards)
        self._play(self._everywhere, False, actions, self._rewards)
        terminated, truncated = self._terminated, self._truncated
        if self.copy or self.autoreset_mode == AutoresetMode.SAME_STEP:  # which is about to write into them
            terminated, truncated = terminated.copy(), truncated.copy()
        over: Any = terminated | truncated if told else None
        info = self._step_info(fresh, over)
        if self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            info |= self._final(over)
            self._restart(over)
        return self._observation(), self._rewards, terminated, truncated, {**self._info(), **info}

    def _step_info(self, fresh: Array, over: Array) -> dict[str, Any]:
        """What infos tell of a step: offences, how rewards come about, and episodes that have ended."""
        info: dict[str, Any] = {}
        if self.xp is not np:  # to look would have the card wait
            info |= {"illegal": self._offends.copy() if self.copy else self._offends, "_illegal": self._all}
        elif self._offends.any():
            info["illegal"] = self._offends.copy()
            info["_illegal"] = info["illegal"].reshape(self.num_envs, -1).any(axis=1)
        if self.kernel.sparse is not None:
            now = self.xp.empty_like(self._scored)
            self._threaded(batch.sum_states, self.kernel.sparse, self.states, now)
            now[fresh] = self._scored[fresh] = 0.0
            gained = self._shape((now - self._scored)[:, self._shown]).astype(np.float32)
            self._scored = now
            info |= {"sparse": gained, "shaping": self._rewards - gained}
            info |= {"_sparse": self._all, "_shaping": self._all}
        if self.statistics:
            self._returns += self._rewards
            self._lengths += 1
            self._returns[fresh], self._lengths[fresh] = 0.0, 0
            if over.any():
                info["episode"] = {"r": self._returns.copy(), "l": self._lengths.copy(), "_r": over, "_l": over}
                info["_episode"] = over
        return info

    def _final(self, over: np.ndarray) -> dict[str, Any]:
        """What the episodes that are over end with, before they start anew."""
        observation = self._observation()
        if not self.copy:  # the buffers are about to be written again
            kept = {key: seen.copy() for key, seen in self._seen().items()}
            observation = kept[self.keys[0]] if self.flat else kept
        masks = self._shape(self._masks[:, : self._shown.size])
        info = {"action_mask": masks if self.copy else masks.copy(), "_action_mask": over}
        final = {"final_obs": self._as_final(observation, over), "final_info": info}
        return {**final, "_final_obs": over, "_final_info": over}

    def _as_final(self, observation: Any, over: np.ndarray) -> Any:
        return observation

    def _seen(self) -> dict[str, np.ndarray]:
        shown = self._shown.size
        made: dict[str, Callable[[], np.ndarray]] = {
            "features": lambda: self._shape(self._features[:, :shown]),
            "action_mask": lambda: self._shape(self._masks[:, :shown]),
            "planes": lambda: self._shape(self._planes),
            "rgb": lambda: self._shape(self._by_seat(self._pictures)),
            "state": lambda: self._joint(self._features),
        }
        return {key: made[key]() for key in self.keys}

    def _by_seat(self, buffers: Array) -> Array:
        """The pictures as [env, seat, …]; where all seats share them, the axis for the seats is made up."""
        if len(buffers) == self._shown.size:
            return self.xp.moveaxis(buffers, 0, 1)
        pictures = buffers[0]
        shape, strides = pictures.shape, pictures.strides
        return self.xp.lib.stride_tricks.as_strided(
            pictures, (shape[0], self._shown.size, *shape[1:]), (strides[0], 0, *strides[1:])
        )

    def _observation(self) -> Any:
        seen = self._seen()
        return seen[self.keys[0]] if self.flat else seen

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._shape(self._masks[:, : self._shown.size]), "_action_mask": self._all}

    def _joint(self, features: Array) -> Array:
        """The features of all seats in their order, one after the other."""
        if len(self._looking) > 1:
            features = features[:, self.xp.argsort(self._looking)]
        return features.reshape(self.num_envs, -1)

    def state(self) -> Array:
        """The global state of every episode [env, n]: what all seats know together, one's features after the other's.

        It may tell what is hidden from a seat: it is for critics while training, never for a policy.
        """
        self._demand_reset("state")
        n, kernel, seats, xp = self.num_envs, self.kernel, len(self.seats), self.xp
        features = xp.empty((n, seats, kernel.num_features), np.float32)
        masks = xp.empty((n, seats, kernel.num_actions), np.int8)
        self._look(xp.arange(seats), features, masks)
        return features.reshape(n, -1)

    def save(self) -> dict[str, Array]:
        """How all episodes stand, as arrays that numpy.savez can write; `restore` goes on from there, bit by bit."""
        self._demand_reset("save")
        kept = {name.strip("_"): self.threads.to_host(getattr(self, name)) for name in self.saved}
        return {"about": np.array(self._about()), **kept}

    def restore(self, saved: Mapping[str, Array]) -> tuple[Any, dict[str, Any]]:
        """Go on from where `save` was called, in this environment or in one that was made alike."""
        names = {name.strip("_"): name for name in self.saved}
        if set(saved) != {"about", *names} or str(saved["about"]) != self._about():
            raise MmgamesError(
                f"{self.game.spec.id}: what was saved is of another kind of batch: {saved.get('about', '?')!s}; "
                f"this one is {self._about()}."
            )
        for given, name in names.items():
            self.threads.write(getattr(self, name), saved[given])
        self._begun = True
        self._offends[...] = False
        if self.copy:
            self._features, self._masks = self.xp.empty_like(self._features), self._masks.copy()
        self._look(self._looking, self._features, self._masks)
        self._update_planes_and_pictures(self._everywhere)
        return self._observation(), self._info()

    def _about(self) -> str:
        facts = {"id": self.game.spec.id, "options": self.game.options, "num_envs": self.num_envs}
        return json.dumps({**facts, "face": type(self).__name__}, sort_keys=True, default=str)

    def _demand_reset(self, what: str) -> None:
        if not self._begun:
            raise MmgamesError(f"{self.game.spec.id}: call reset() before {what}().")

    def _seed(self, seed: Any, which: Array, *streams: tuple[str, Array]) -> None:
        """Give rows new streams: each from its own seed. A number is the first row's seed; the next rows count on."""
        if seed is None and self._begun:
            return
        n = self.num_envs
        if isinstance(seed, (int, np.integer)) and not isinstance(seed, bool):
            seed = range(int(seed), int(seed) + n)
        elif seed is None:
            first = int.from_bytes(os.urandom(8), "little")
            seed = range(first, first + n)
        seeds = list(seed) if isinstance(seed, Iterable) else [seed]
        wrong = [one for one in seeds if one is not None and (not isinstance(one, (int, np.integer)) or one < 0)]
        if wrong or len(seeds) != n:
            raise MmgamesError(
                f"{self.game.spec.id}: seed= is one whole number from 0, or a list of {n}, one for each episode "
                f"(None: go on with its random stream), not {seed!r}."
            )
        if not self._begun:
            seeds = [int.from_bytes(os.urandom(8), "little") if one is None else one for one in seeds]
        rows = [row for row in self.threads.to_host(which).nonzero()[0].tolist() if seeds[row] is not None]
        for name, into in (("game", self._streams), *streams):
            drawn = self.threads.to_host(into)
            drawn[rows] = [row_stream(int(seeds[row]), name) for row in rows]
            self.threads.write(into, drawn)
        self._begun = True

    def _which(self, options: dict[str, Any] | None) -> Array:
        """The rows that a reset is for: those of `options={"reset_mask": …}`, or all."""
        mask = (options or {}).get("reset_mask")
        if mask is None or not self._begun:
            return self._everywhere
        told = self.threads.to_host(mask)
        if told.shape != (self.num_envs,) or told.dtype != np.bool_ or not told.any():
            raise MmgamesError(
                f"{self.game.spec.id}: reset_mask is an array of {self.num_envs} booleans, at least one of them True, "
                f"not {told.dtype} of shape {told.shape}."
            )
        return self.xp.asarray(mask)

    def _check(self, actions: Array, shape: tuple[int, ...]) -> Array:
        self._demand_reset("step")
        xp, most, own = self.xp, self.kernel.num_actions, actions is self._drawn
        actions = xp.asarray(actions)
        if actions.shape != shape or actions.dtype.kind not in "iu":
            raise MmgamesError(
                f"{self.game.spec.id}: step() takes whole numbers of shape {shape}, "
                f"not {actions.dtype} of shape {actions.shape}."
            )
        actions = xp.ascontiguousarray(actions, np.int64)
        if not own and actions.view(np.uint64).max() >= most:  # what is below 0 is very large then
            raise MmgamesError(f"{self.game.spec.id}: actions must lie between 0 and {most - 1}.")
        if self.illegal == "error" and self.kernel.moves is not None:
            self._refuse(actions.reshape(self.num_envs, -1))
        if xp is not np:  # on a card what is run again with the same arrays starts sooner
            self._no_actions[...] = actions
            return self._no_actions
        return actions

    def _refuse(self, actions: Array) -> None:
        """Raise at an illegal action of a mover, before anything is played."""
        masks = self._masks[:, : self._shown.size]
        running = ~(self._terminated | self._truncated)
        moving = masks.any(axis=2) & running[:, None]
        allowed = self.xp.take_along_axis(masks, actions[..., None].astype(np.int64), axis=2)[..., 0]
        for row, place in self.xp.argwhere(moving & (allowed == 0))[:1].tolist():
            seat, action = int(self._shown[place]), int(actions[row, place])
            raise IllegalAction(
                f"{self.game.spec.id}: {action} is not legal for {self.seats[seat]} in episode {row}. "
                f"Legal: {', '.join(map(str, self.xp.flatnonzero(masks[row, place])[:12].tolist()))}."
            )

    def _run(self, loop: Any, which: Array, restart: bool, *rest: Any) -> None:
        """Step the rows with one of the loops of kernels/batch.py."""
        before = self._masks
        if self.copy and which is self._everywhere:  # the loop fills new arrays entirely, so this costs no copy
            self._features = self.xp.empty_like(self._features)
            self._masks = self.xp.empty_like(before) if self.kernel.moves is not None else before.copy()
        elif self.copy:
            self._features, self._masks = self._features.copy(), before.copy()
        k = self.kernel
        rules = (k.start, k.turn, k.moves, k.step, k.returns, k.features, k.chance)
        self._threaded(
            *(loop, *rules, k.moves_capacity, k.most_outcomes or 1),
            *(self._blank, self.states, self._streams, self._steps, self.max_steps or NEVER, which, restart),
            *(self._terminated, self._truncated, self._offends, PENALTY),
            *(self._looking, self._features, self._masks, before, *rest),
        )
        self._update_planes_and_pictures(which)

    def _look(self, seats: Array, features: Array, masks: Array) -> None:
        k = self.kernel
        self._threaded(
            batch.look_states, k.turn, k.moves, k.features, k.moves_capacity, self.states, seats, features, masks
        )

    def _update_planes_and_pictures(self, which: Array) -> None:
        """Lay out the planes of the shown seats, and draw the pictures."""
        whole, k = which is self._everywhere, self.kernel
        if "planes" in self.keys:
            if self.copy:
                self._planes = self.xp.empty_like(self._planes) if whole else self._planes.copy()
            self._threaded(
                batch.plane_states, k.features, k.planes, k.num_features, self.states, which, self._shown, self._planes
            )
        if "rgb" in self.keys:
            if self.copy:
                self._pictures = self.xp.empty_like(self._pictures) if whole else self._pictures.copy()
            threads = max(1, self.num_envs // PICTURES_PER_THREAD)
            for place, sheet in enumerate(self._sheets(self._shown_seats)):
                memory = self._picture_memory[place]
                if memory is None or self.copy:
                    memory = self._picture_memory[place] = PictureMemory(sheet, self._pictures[place], self.xp)
                sheet.draw(self.states, which, memory, self.threads, threads)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy has of a buffer of pictures is another buffer, which it draws for itself."""
        return {**self.__dict__, "_picture_memory": [None] * len(self._picture_memory)}

    def _sheets(self, seats: Sequence[Seat]) -> list[SpriteSheet]:
        """The sheets of these seats, or the one that all share."""
        made = cast(BatchedPicture, self._loaded.picture).sprites(self.game, self.size)
        return [made] if isinstance(made, SpriteSheet) else [made[seat] for seat in seats]

    def _threaded(self, loop: Any, *arguments: Any) -> None:
        """Run a kernel loop over all rows, split over the threads."""
        self.threads.run(loop, *arguments, count=self.num_envs, threads=self._threads)
