"""The batched face plays the same rules as the game, thousands of rows at a time."""

import io
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from mmgames.agents.finding import known_agents, make_agent
from mmgames.core import registry
from mmgames.core.game import CHANCE
from mmgames.core.observation import SIZES
from mmgames.core.spec import GameSpec
from mmgames.envs.vector import BatchedEnv
from mmgames.errors import IllegalAction, MmgamesError
from mmgames.kernels.batch import GOLDEN
from mmgames.kernels.kernel import below, scramble
from mmgames.kernels.kernel_game import ask
from mmgames.testing.playing import digest
from mmgames.testing.records import any_legal


def dice(noise: Any) -> Any:
    """A generator that draws exactly this noise, so that a single game can follow a row."""
    return SimpleNamespace(bit_generator=SimpleNamespace(random_raw=lambda: int(noise)))


def comes_to(game: Any, state: Any, wanted: Any, rng: Any) -> bool:
    """Whether a state is the wanted one, or becomes it by some outcome of chance."""
    if game.movers(state) != (CHANCE,):
        return state == wanted
    outcomes = [outcome for outcome, _ in game.chance(state)]
    return any(comes_to(game, game.play(state, {CHANCE: outcome}, rng), wanted, rng) for outcome in outcomes)


def test_rows_follow_the_single_game(batched_spec: GameSpec) -> None:
    """Each row, replayed through `play`, `returns`, `features` and `names`, gives what the batched face gave."""
    rows = 4
    env = BatchedEnv(batched_spec.id, rows)
    loaded = registry.load(batched_spec.id)
    game, seats = env.game, range(len(env.seats))
    observation, _ = env.reset(seed=31)
    restarts = 0
    for _ in range(2 * batched_spec.length + 5 if batched_spec.length <= 60 else 120):
        before, streams, over = env.states.copy(), env._streams.copy(), env._terminated.copy()
        actions = env.random_actions()
        observation, rewards, terminated, truncated, _ = env.step(actions)
        assert not truncated.any()
        for i in range(rows):
            now, noise = game.state_of(env.states, i), dice(scramble(streams[i]))
            if over[i]:
                restarts += 1
                assert not rewards[i].any() and not any(game.returns(now))
            else:
                was = game.state_of(before, i)
                moves = {seat: int(actions[i, seat]) for seat in game.movers(was)}
                assert comes_to(game, game.play(was, moves, noise), now, noise)
                assert rewards[i] == pytest.approx(np.subtract(game.returns(now), game.returns(was)))
            assert terminated[i] == (game.movers(now) == ())
            for seat in seats:
                view = game.view(now, seat)
                assert np.array_equal(observation["features"][i, seat], loaded.picture.features(view))
                mask = observation["action_mask"][i, seat]
                assert terminated[i] or np.flatnonzero(mask).tolist() == sorted(loaded.words.names(view))
    assert restarts or batched_spec.length > 60


def test_planes_and_global_states_are_those_of_the_single_game(batched_spec: GameSpec) -> None:
    loaded, rows = registry.load(batched_spec.id), 3
    planes = ("planes",) if hasattr(loaded.picture, "planes") else ()
    env = BatchedEnv(batched_spec.id, rows, observe=("state", *planes))
    observation, _ = env.reset(seed=12)
    for _ in range(40):
        for i in range(rows):
            views = [env.game.view(env.game.state_of(env.states, i), seat) for seat in range(len(env.seats))]
            known = np.concatenate([loaded.picture.features(view) for view in views])
            assert np.array_equal(observation["state"][i], known)
            for seat, view in enumerate(views) if planes else ():
                assert np.array_equal(observation["planes"][i, seat], loaded.picture.planes(view))  # type: ignore[attr-defined]
        assert np.array_equal(env.state(), observation["state"])
        observation, *_ = env.step(env.random_actions())


@pytest.mark.parametrize("copies", [True, False])
@pytest.mark.parametrize(("size", "steps"), [(SIZES[0], 110), (84, 40), (200, 40)])
def test_pictures_of_rows_are_those_of_the_single_game(
    batched_spec: GameSpec, size: int, steps: int, copies: bool
) -> None:
    """Pixel by pixel, also where a buffer is kept and only what changes is drawn; at the smallest size into the next
    episodes."""
    picture, rows = registry.load(batched_spec.id).picture, 4
    if not hasattr(picture, "sprites"):
        with pytest.raises(MmgamesError, match="observation 'rgb'"):
            BatchedEnv(batched_spec.id, rows, observe="rgb")
        return
    env = BatchedEnv(batched_spec.id, rows, observe="rgb", size=size, copy=copies)
    observation, _ = env.reset(seed=9)
    seen: list[tuple[np.ndarray, str]] = []
    for _ in range(steps):
        assert observation["rgb"].shape[2:] == env.single_observation_space["rgb"].shape  # type: ignore[index]
        for i in range(rows):
            state = env.game.state_of(env.states, i)
            for seat in range(len(env.seats)):
                assert np.array_equal(observation["rgb"][i, seat], picture.draw(env.game.view(state, seat), size))
        seen.append((observation["rgb"], digest(observation["rgb"])))
        observation, *_ = env.step(env.random_actions())
    assert len({known for _, known in seen}) > 20
    if copies:
        assert all(digest(shown) == known for shown, known in seen)


def ending(env: Any, most: int = 400) -> tuple:
    """Random legal play until a step ends an episode; what that step gave."""
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=5)
    for _ in range(most):
        given = env.step(any_legal(info["action_mask"], rng))
        if (given[2] | given[3]).any():
            return given
        info = given[4]
    raise AssertionError("no episode has ended")


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("ours", [True, False], ids=["ours", "gymnasium"])
def test_batches_pass_the_checks_of_a_sync_vector_env(batched_spec: GameSpec, mode: AutoresetMode, ours: bool) -> None:
    """The same checks for our rows and for as many single environments that Gymnasium steps one after another."""
    options: dict[str, Any] = {"num_envs": 3, "observe": ("features", "action_mask"), "max_steps": 12}
    if ours:
        options["autoreset_mode"] = mode
    else:
        options |= {"vectorization_mode": "sync", "vector_kwargs": {"autoreset_mode": mode}}
    env: Any = gymnasium.make_vec(batched_spec.id, **options)
    single = gymnasium.make(batched_spec.id, observe=("features", "action_mask"))
    assert env.metadata["autoreset_mode"] == mode
    assert env.single_observation_space == single.observation_space
    assert env.single_action_space == single.action_space
    assert env.observation_space == batch_space(single.observation_space, 3)
    firsts = [env.reset(seed=seed)[0] for seed in (4, [4, 5, 6], [4, 4, 4])]
    assert digest(firsts[0]) == digest(firsts[1])
    assert len({digest({key: seen[i] for key, seen in firsts[2].items()}) for i in range(3)}) == 1

    observation, rewards, terminated, truncated, info = ending(env)
    over = terminated | truncated
    assert observation in env.observation_space
    assert rewards.shape == terminated.shape == truncated.shape == (3,)
    assert rewards.dtype.kind == "f" and terminated.dtype == truncated.dtype == np.bool_
    assert np.array_equal(info["action_mask"], observation["action_mask"]) and info["_action_mask"].all()
    assert ("final_obs" in info) == (mode == AutoresetMode.SAME_STEP)
    rng, mask = np.random.default_rng(2), info["action_mask"]
    if mode == AutoresetMode.SAME_STEP:
        assert np.array_equal(info["_final_obs"], over) and np.array_equal(info["_final_info"], over)
        for final, ended in zip(info["final_obs"], over, strict=True):
            assert final in env.single_observation_space if ended else final is None
        assert mask.any(axis=1).all(), "every row is at a new turn"
        final = info["final_info"]["action_mask"][over]
        assert np.array_equal(final, [seen["action_mask"] for seen in info["final_obs"][over]])
    elif mode == AutoresetMode.NEXT_STEP:
        _, rewards, terminated, truncated, info = env.step(any_legal(mask, rng))
        assert not rewards[over].any() and not (terminated | truncated)[over].any()
    else:
        with pytest.raises((MmgamesError, AssertionError)):
            env.step(any_legal(mask, rng))
        after, info = env.reset(options={"reset_mask": over.copy()})
        for key, seen in after.items():
            assert np.array_equal(seen[~over], observation[key][~over])
        env.step(any_legal(after["action_mask"], rng))
    env.close()


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_a_saved_batch_goes_on_bit_by_bit(batched_spec: GameSpec, mode: AutoresetMode) -> None:
    makers: tuple[Any, ...] = (
        lambda: BatchedEnv(batched_spec.id, 4, autoreset_mode=mode, statistics=True),
        lambda: gymnasium.make_vec(batched_spec.id, num_envs=4, autoreset_mode=mode, statistics=True).unwrapped,
    )
    for new in makers:
        env: Any = new()
        _, info = env.reset(seed=3)
        rng = np.random.default_rng(3)
        for _ in range(7):
            *_, info = env.step(any_legal(info["action_mask"], rng))
        file = io.BytesIO()
        np.savez(file, **env.save())
        stories = []
        for going_on in (env, new()):
            file.seek(0)
            observation, info = going_on.restore(np.load(file))
            rng, seen = np.random.default_rng(4), [digest(observation, info)]
            for _ in range(30):
                given = going_on.step(any_legal(info["action_mask"], rng))
                info = given[-1]
                seen.append(digest(given))
            stories.append(seen)
        assert stories[0] == stories[1] and len(set(stories[0])) > 1


class Follower:
    """One row of `gym.make_vec`, played again through the Game contract with the same noise."""

    def __init__(self, env: Any, i: int) -> None:
        self.game, self.seat, self.kernel, self.most = env.game, env.seat, env.kernel, env.max_steps or 10**9
        self.stream, self.agent_stream = int(env._streams[i]), int(env._agent_streams[i])

    def noise(self, agent: bool = False) -> Any:
        name = "agent_stream" if agent else "stream"
        now = getattr(self, name)
        setattr(self, name, (now + int(GOLDEN)) % 2**64)
        return np.uint64(scramble(np.uint64(now)))

    def settled(self, state: Any) -> Any:
        while self.game.movers(state) == (CHANCE,):
            draw = (int(self.noise()) >> 11) * 2.0**-53
            for outcome, probability in self.game.chance(state):  # noqa: B007 - the last takes the rounding
                if draw < probability:
                    break
                draw -= probability
            state = self.game.play(state, {CHANCE: outcome}, dice(0))
        return state

    def start(self) -> Any:
        self.state, self.steps, self.paid = self.settled(self.game.start(dice(self.noise()))), 0, 0.0
        self.others_move()

    def choose(self, seat: int) -> int:
        out, noise = np.empty(self.kernel.moves_capacity, np.int64), self.noise(agent=True)
        if self.kernel.moves is None:
            return int(below(noise, self.kernel.num_actions))
        return int(out[below(noise, ask(self.kernel.moves, self.state, seat, out))])

    def play(self, moves: dict[int, int]) -> None:
        moves |= {seat: self.choose(seat) for seat in self.game.movers(self.state) if seat != self.seat}
        self.state = self.settled(self.game.play(self.state, moves, dice(self.noise())))
        self.steps += 1

    def others_move(self) -> None:
        while self.steps < self.most and self.game.movers(self.state) and self.seat not in self.game.movers(self.state):
            self.play({})

    def step(self, action: int) -> tuple[float, bool, bool]:
        if self.game.movers(self.state) and self.steps < self.most:
            self.play({self.seat: action})
            self.others_move()
        total = self.game.returns(self.state)[self.seat]
        reward, self.paid = total - self.paid, total
        over = not self.game.movers(self.state)
        return reward, over, not over and self.steps >= self.most


@pytest.mark.parametrize("max_steps", [None, 7])
def test_one_seat_meets_the_decisions_of_the_single_game(batched_spec: GameSpec, max_steps: int | None) -> None:
    """The others play until it is this seat's turn again, at the beginning too; rewards add up meanwhile."""
    seat = len(registry.load(batched_spec.id).game().seats) - 1
    env: Any = gymnasium.make_vec(batched_spec.id, num_envs=3, seat=seat, max_steps=max_steps).unwrapped
    env.reset(seed=3)
    env._streams[:], env._agent_streams[:] = np.arange(3) + 5, np.arange(3) + 50
    followers = [Follower(env, i) for i in range(3)]
    observation, _ = env.reset()
    for follower in followers:
        follower.start()
    rng, ended, ends = np.random.default_rng(3), np.zeros(3, bool), 0
    for _ in range(60):
        for i, follower in enumerate(followers):
            state = env.game.state_of(env.states, i)
            assert state == follower.state
            assert np.array_equal(observation["features"][i], env.kernel.features_of(state, seat))
            assert ended[i] or observation["action_mask"][i].any(), "it is this seat's turn"
        actions = any_legal(observation["action_mask"], rng)
        observation, rewards, terminated, truncated, _ = env.step(actions)
        for i, follower in enumerate(followers):
            expected = (0.0, False, False)
            if ended[i]:
                follower.start()
            else:
                expected = follower.step(int(actions[i]))
            assert (rewards[i], terminated[i], truncated[i]) == pytest.approx(expected)
        ended = terminated | truncated
        ends += int(ended.sum())
    assert ends or (batched_spec.length > 60 and max_steps is None)


def test_rows_start_where_a_game_can_start(batched_spec: GameSpec) -> None:
    env = BatchedEnv(batched_spec.id, 12)
    masks = env.reset(seed=4)[0]["action_mask"]
    for state in (env.game.state_of(env.states, i) for i in range(env.num_envs)):
        assert env.game.movers(state) not in ((), (CHANCE,))
        assert not any(env.game.returns(state))
    # What is drawn shows at the start or, where all play alike, later.
    for _ in range(0 if batched_spec.chance == "none" else 40):
        if (env.states != env.states[0]).any():
            break
        masks = env.step(masks.argmax(axis=-1))[0]["action_mask"]
    assert (batched_spec.chance == "none") == bool((env.states == env.states[0]).all())


def test_an_illegal_action_ends_its_row_and_costs_only_the_offender(batched_spec: GameSpec) -> None:
    env = BatchedEnv(batched_spec.id, 3)
    masks = env.reset(seed=6)[0]["action_mask"]
    actions = any_legal(masks, np.random.default_rng(6))
    forbidden = np.argwhere((masks == 0) & masks.any(axis=-1, keepdims=True))
    assert len(forbidden) == 0 or env.kernel.moves is not None
    for row, seat, action in forbidden[:1]:  # none where everybody may always do everything
        actions[row, seat] = action
        strict = BatchedEnv(batched_spec.id, 3, illegal="error")
        strict.reset(seed=6)
        with pytest.raises(IllegalAction, match=f"{action} is not legal .* episode {row}"):
            strict.step(actions)
        _, rewards, terminated, _, info = env.step(actions)
        assert terminated.tolist() == [i == row for i in range(3)]
        assert np.argwhere(info["illegal"]).tolist() == [[row, seat]]
        assert rewards[row].tolist() == [-1.0 if other == seat else 0.0 for other in range(len(env.seats))]


def test_what_was_returned_stays_as_it_was(batched_spec: GameSpec) -> None:
    env = BatchedEnv(batched_spec.id, 4)
    first, _ = env.reset(seed=1)
    kept = digest(first)
    actions = np.zeros((4, len(env.seats)), int)
    second = env.step(actions)
    kept_second = digest(second)
    env.step(actions)
    assert (digest(first), digest(second)) == (kept, kept_second)


def test_one_seat_of_many_episodes_is_what_gymnasium_expects(batched_spec: GameSpec) -> None:
    histories = []
    for env in (gymnasium.make_vec(batched_spec.id, num_envs=6) for _ in range(2)):
        observation, _ = env.reset(seed=8)
        assert observation in env.observation_space
        env.action_space.seed(8)
        seen = [digest(observation)]
        for _ in range(20):
            observation, rewards, terminated, truncated, _ = env.step(env.action_space.sample())
            assert observation in env.observation_space
            assert rewards.shape == terminated.shape == truncated.shape == (6,)
            seen.append(digest(observation, rewards, terminated))
        histories.append(seen)
        env.close()
    assert histories[0] == histories[1]


def test_every_compiled_agent_plays_every_seat(batched_spec: GameSpec) -> None:
    for name in (*batched_spec.agents.known, "random"):
        assert name in known_agents(batched_spec)
        compiled = make_agent(name, batched_spec).has_policy
        for seat in batched_spec.seats if compiled else ():
            env = gymnasium.make_vec(batched_spec.id, num_envs=2, seat=seat, others=name)
            observation, _ = env.reset(seed=2)
            rng = np.random.default_rng(2)
            for _ in range(2):
                observation, *_ = env.step(any_legal(observation["action_mask"], rng))
            assert observation in env.observation_space
            env.close()
