"""What the batched faces take and do besides playing, on processors and on a card that Numba simulates."""

import copy
import importlib
import json
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import SimpleNamespace

import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames.core import registry
from mmgames.envs import batch_base
from mmgames.errors import IllegalAction, MissingExtra, MmgamesError
from mmgames.kernels import card
from mmgames.kernels.kernel import plain_python
from mmgames.kernels.records import as_plain
from tests.environments import begun
from tests.refusing import refused

TURNS, TOGETHER = "mmgames/TicTacToe-v0", "mmgames/CoinDilemma-v0"
THREADED = 2 * batch_base.ROWS_PER_THREAD


def played(env, steps: int = 6) -> list[np.ndarray]:
    seen = []
    for _ in range(steps):
        observation, rewards, *_ = env.step(env.random_actions())
        seen += [observation["features"].copy(), rewards.copy()]
    return seen


def same(ours: list[np.ndarray], theirs: list[np.ndarray]) -> bool:
    return all(np.array_equal(one, other) for one, other in zip(ours, theirs, strict=True))


@pytest.mark.parametrize("make", [mmgames.vector_env, gymnasium.make_vec])
def test_observe_chooses_the_keys_and_a_wrong_option_is_named(make):
    for keys in (("action_mask", "features"), ("features",), "action_mask"):
        env = make(TURNS, num_envs=3, observe=keys)
        asked = (keys,) if isinstance(keys, str) else keys
        observation, info = env.reset(seed=1)
        assert set(observation) == set(asked) == set(env.single_observation_space)
        assert info["action_mask"].any(), "the mask is there whatever is observed, as in single environments"
    refused(lambda: make(TURNS, num_envs=3, observe="text"), r"observation 'text' .*features, action_mask")
    with pytest.raises(MmgamesError, match=r"observation 'planes' .*features, action_mask"):
        make("mmgames/KuhnPoker-v0", num_envs=3, observe="planes")
    with pytest.raises(MmgamesError, match=r"option 'sizes' .*observe, .*illegal, max_steps, .*threads, copy"):
        make(TURNS, num_envs=2, sizes=64)
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):  # what libraries look for
        make(TURNS, num_envs=2, frameskip=4)
    with pytest.raises(MmgamesError, match=r"autoreset mode 'never' .*NextStep, SameStep, Disabled"):
        make(TURNS, num_envs=2, autoreset_mode="never")
    refused(lambda: make("mmgames/BattleOfTheColors-v0", num_envs=2, rule="paper"), r"rules.*observe")
    refused(lambda: make(TURNS, num_envs=2, illegal="forgive"), "illegal policy 'forgive'")
    for name in ("max_steps", "threads"):
        refused(partial(make, TURNS, num_envs=2, **{name: 0}), f"{name}=0 is out of range")


def test_illegal_actions_and_max_steps_end_an_episode_as_in_single_environments():
    env = begun(gymnasium.make_vec(TURNS, num_envs=4))
    env.step(np.zeros(4, int))
    _, rewards, terminated, _, info = env.step(np.array([0, 0, 0, 0]))
    assert rewards.tolist() == [-1.0] * 4 and terminated.all() and info["illegal"].all()
    strict = begun(gymnasium.make_vec(TURNS, num_envs=4, illegal="error"))
    strict.step(np.zeros(4, int))
    before = strict.unwrapped.states.copy()
    refused(lambda: strict.step(np.zeros(4, int)), "0 is not legal for x in episode 0", kind=IllegalAction)
    assert (strict.unwrapped.states == before).all(), "nothing was played"
    single = gymnasium.make(TURNS, max_steps=4, observe="action_mask", disable_env_checker=True)
    _, info = single.reset(seed=0)
    steps, truncated = 0, False
    while not truncated:
        _, _, _, truncated, info = single.step(int(info["action_mask"].argmax()))
        steps += 1
    env = gymnasium.make_vec(TURNS, num_envs=3, max_steps=4)
    observation, _ = env.reset(seed=0)
    for number in range(1, steps + 1):
        observation, _, terminated, ended, _ = env.step(observation["action_mask"].argmax(axis=1))
        assert not terminated.any() and ended.tolist() == [number == steps] * 3
    everybody = begun(mmgames.vector_env(TOGETHER, 2, max_steps=3))
    ends = [everybody.step(everybody.random_actions())[3].tolist() for _ in range(4)]
    assert ends == [[False] * 2, [False] * 2, [True] * 2, [False] * 2], "the fourth step starts anew"
    kept = (drawn := everybody.random_actions()).copy()
    assert (everybody.random_actions() != kept).any() and (drawn == kept).all(), "what was drawn stays as it was"


def test_a_list_of_seeds_gives_each_episode_its_own():
    one, several = (mmgames.vector_env(TOGETHER, 4) for _ in range(2))
    one.reset(seed=7)
    several.reset(seed=[7, 8, 9, 10])
    assert (one.states == several.states).all()
    several.reset(seed=[9, 9, 7, 7])
    assert (several.states[0] == several.states[1]).all() and (several.states[2] == one.states[0]).all()
    before = several._streams.copy()
    several.reset(seed=[None, 8, None, 8])
    assert (several.states[1] == one.states[1]).all() and (several._streams != before).all()
    for wrong in ([1, 2], [1, 2, 3, -4], "seed", 1.5, [1, 2, 3, "4"]):
        refused(partial(several.reset, seed=wrong), "seed= is one whole number from 0, or a list of 4")


@pytest.mark.parametrize("make", [mmgames.vector_env, gymnasium.make_vec])
def test_a_reset_mask_restarts_only_its_episodes(make):
    env = make(TOGETHER, num_envs=4)
    first, _ = env.reset(seed=1)
    env.step(np.zeros(env.action_space.shape if make is gymnasium.make_vec else (4, 2), int))
    rows_before = env.unwrapped.states.copy() if make is gymnasium.make_vec else env.states.copy()
    mask = np.array([True, False, False, True])
    observation, _ = env.reset(options={"reset_mask": mask})
    now = env.unwrapped.states if make is gymnasium.make_vec else env.states
    assert (now[~mask] == rows_before[~mask]).all() and not (now[mask] == rows_before[mask]).any()
    assert observation["features"].shape == first["features"].shape
    for wrong in (np.zeros(4, bool), np.ones(3, bool), np.ones(4, int)):
        refused(partial(env.reset, options={"reset_mask": wrong}), "reset_mask is an array of 4 booleans")
    env = make(TOGETHER, num_envs=3, observe="planes", flat=True)
    observation, _ = env.reset(seed=1)
    assert observation.shape[-3:] == env.single_observation_space.shape == (5, 5, 5)
    refused(lambda: make(TOGETHER, num_envs=3, flat=True), r"flat=True gives one observation .* features, action_mask")


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("id", [TURNS, TOGETHER])
def test_a_threaded_batch_can_be_copied_and_pickled(id, twin_of):
    env = begun(mmgames.vector_env(id, THREADED, threads=2), 3)
    played(env, 2)
    twin = twin_of(env)
    assert same(played(env), played(twin))


def test_a_forked_child_goes_on_with_a_threaded_batch():
    env = begun(mmgames.vector_env(TURNS, THREADED, threads=2), 3)
    played(env, 2)
    twin = copy.deepcopy(env)
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        digest = np.concatenate([seen.ravel() for seen in played(env)]).sum()
        os.write(writer, str(float(digest)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    told = float(os.read(reader, 100))
    os.close(reader)
    os.close(writer)
    assert told == float(np.concatenate([seen.ravel() for seen in played(twin)]).sum())


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not bind processes to processors")
def test_a_process_bound_to_one_processor_starts_no_threads():
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert mmgames.vector_env(TURNS, THREADED)._threads == 1
    finally:
        os.sched_setaffinity(0, allowed)
    assert mmgames.vector_env(TURNS, THREADED)._threads == min(2, len(allowed))


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_pictures_and_planes_are_made_alike_by_one_thread_and_by_two(mode):
    how = {"observe": ("rgb", "planes"), "autoreset_mode": mode}
    envs = [mmgames.vector_env(TURNS, 130, threads=n, copy=copies, **how) for n, copies in ((1, True), (2, False))]
    for env in envs:
        env.reset(seed=1)
    for _ in range(25):
        actions = envs[0].random_actions()
        one, two = (env.step(actions) for env in envs)
        assert (one[0]["rgb"] == two[0]["rgb"]).all() and (one[0]["planes"] == two[0]["planes"]).all()
        over = one[2] | one[3]
        if mode == "SameStep" and over.any():
            assert (one[4]["final_obs"]["rgb"][over] == two[4]["final_obs"]["rgb"][over]).all()
    assert one[0]["rgb"][:, 0].std(axis=0).any()


@pytest.mark.parametrize("name", ["tic_tac_toe", "_dilemma"])
def test_a_buffer_of_pictures_outlives_the_sprites_it_was_drawn_with(name):
    """As when a batch is unpickled in a new process: there no sprite has been painted yet."""
    picture = importlib.import_module(f"mmgames.games.{name}.picture")
    env = mmgames.vector_env(TURNS if name == "tic_tac_toe" else TOGETHER, 6, observe="rgb", copy=False)
    again = mmgames.vector_env(env.game.spec.id, 6, observe="rgb")
    env.reset(seed=2)
    again.reset(seed=2)
    for _ in range(20):
        getattr(picture, "_sheet" if name == "tic_tac_toe" else "sheet").cache_clear()
        actions = env.random_actions()
        anew = again.step(actions)[0]["rgb"]  # paints what is shown now, and nothing that was shown before
        assert (env.step(actions)[0]["rgb"] == anew).all()


def test_a_batch_can_be_copied_pickled_and_restored_where_it_fits():
    env = begun(mmgames.vector_env(TOGETHER, 5, observe=("rgb",), copy=False), 2)
    for _ in range(3):
        shown = env.step(env.random_actions())[0]["rgb"]
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), mmgames.vector_env(TOGETHER, 5, observe="rgb")]
    assert (twins[-1].restore(env.save())[0]["rgb"] == shown).all()
    for _ in range(3):
        actions = env.random_actions()
        shown = env.step(actions)[0]["rgb"]
        assert all((twin.step(actions)[0]["rgb"] == shown).all() for twin in twins)
    for wrong in (63, 4096, 84.0, True):
        refused(partial(mmgames.vector_env, TOGETHER, 5, observe="rgb", size=wrong), r"size=.* is out of range")
    env = mmgames.vector_env(TOGETHER, 3)
    refused(lambda: env.save(), "call reset")
    env.reset(seed=0)
    for other in (mmgames.vector_env(TOGETHER, 4), mmgames.vector_env(TURNS, 3)):
        refused(partial(other.restore, env.save()), "another kind of batch")


def test_games_with_a_kernel_are_batched_and_have_planes_if_they_are_of_cells():
    from mmgames.core import registry
    from mmgames.kernels.kernel_game import KernelGame, kernel_of

    for spec in mmgames.specs.values():
        if not registry.why_missing(spec) and issubclass(registry.load(spec.id).rules, KernelGame):
            assert spec.batched, f"{spec.id} has a kernel"
    for spec in mmgames.specs.values():
        if spec.batched and spec.information == "perfect":
            loaded = registry.load(spec.id)
            cells = kernel_of(loaded.game()).board is not None  # otherwise it is played between them
            picture = loaded.picture
            assert hasattr(picture, "sprites") and hasattr(picture, "planes") == cells, spec.id


@pytest.mark.parametrize("mode", ["next_step", "SameStep"])
def test_statistics_are_the_sums_of_rewards_and_steps(mode):
    env = begun(mmgames.vector_env(TURNS, 5, statistics=True, autoreset_mode=mode), 2)
    sums, steps, ended, ends = np.zeros((5, 2)), np.zeros(5, int), np.zeros(5, bool), 0
    for _ in range(60):
        _, rewards, terminated, truncated, info = env.step(env.random_actions())
        restarted = ended & (mode == "next_step")
        sums, steps = sums + rewards, steps + ~restarted
        ended = terminated | truncated
        assert ("episode" in info) == ended.any()
        if ended.any():
            assert (info["_episode"] == ended).all() and (info["episode"]["r"][ended] == sums[ended]).all()
            assert (info["episode"]["l"][ended] == steps[ended]).all()
        ends += int(ended.sum())
        sums[ended], steps[ended] = 0.0, 0
    assert ends > 20


@pytest.mark.parametrize("copies", [True, False])
def test_in_the_same_step_a_final_observation_comes_before_the_new_episode(copies):
    """What the next-step mode shows at the end of an episode is what the same-step mode calls final."""
    later = mmgames.vector_env(TURNS, 4, observe=("features", "state"))
    at_once = mmgames.vector_env(TURNS, 4, observe=("features", "state"), autoreset_mode="SameStep", copy=copies)
    later.reset(seed=9)
    _, info = at_once.reset(seed=9)
    ends = 0
    while not ends:
        actions = info["action_mask"].argmax(axis=2)
        shown, paid, terminated, _, _ = later.step(actions)
        observation, rewards, ended, _, info = at_once.step(actions)
        assert (paid == rewards).all() and (terminated == ended).all()
        for row in np.flatnonzero(ended):
            ends += 1
            assert all((info["final_obs"][key][row] == shown[key][row]).all() for key in shown)
            assert (observation["features"][row, 0, :18] == 0).all(), "an empty board"
            assert not info["final_info"]["action_mask"][row].any() or rewards[row].min() == -1


def test_nothing_resets_an_episode_when_that_is_disabled():
    env = begun(mmgames.vector_env(TOGETHER, 3, max_steps=2, autoreset_mode="Disabled"))
    env.step(env.random_actions())
    env.reset(options={"reset_mask": np.array([True, False, False])})
    *_, truncated, _ = env.step(env.random_actions())
    assert truncated.tolist() == [False, True, True]
    refused(lambda: env.step(env.random_actions()), "episode 1 is over and nothing resets it")
    env = gymnasium.make_vec("mmgames/KuhnPoker-v0", num_envs=6, seat=1, observe=("features", "state"))
    observation, _ = env.reset(seed=4)
    both = observation["state"].reshape(6, 2, -1)
    assert (both[:, 1] == observation["features"]).all() and both[:, 0, :3].any(axis=1).all(), "the other's card"


def test_reward_shaping_is_told_apart():
    id, rng = "mmgames/Overcooked-v0", np.random.default_rng(0)
    env = mmgames.vector_env(id, 64, starts="random")
    single = mmgames.parallel_env(id, observe="features", starts="random")
    env.reset(seed=1)
    single.reset(seed=1)
    totals = {"sparse": 0.0, "shaping": 0.0}
    for _ in range(120):
        _, rewards, _, _, info = env.step(env.random_actions())
        assert np.allclose(info["sparse"] + info["shaping"], rewards)
        assert set(np.unique(info["sparse"])) <= {0.0, 10.0, 20.0}
        totals = {name: total + info[name].sum() for name, total in totals.items()}
    assert min(totals.values()) > 0
    while single.agents:
        _, rewards, _, _, infos = single.step({role: int(rng.integers(6)) for role in single.agents})
        assert all(infos[role]["sparse"] + infos[role]["shaping"] == rewards[role] for role in rewards)
    assert "sparse" not in mmgames.vector_env(TOGETHER, 2).reset(seed=0)[1]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_gymnasiums_vector_wrappers_take_a_batch_and_count_what_it_counts(mode):
    from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

    theirs = RecordEpisodeStatistics(gymnasium.make_vec(TURNS, num_envs=5, autoreset_mode=mode))
    ours = DictInfoToList(gymnasium.make_vec(TURNS, num_envs=5, autoreset_mode=mode, statistics=True))
    _, info = theirs.reset(seed=1)
    ours.reset(seed=1)
    rng, ends = np.random.default_rng(1), 0
    for _ in range(30):
        actions = (info["action_mask"] * rng.uniform(0.5, 1.0, (5, 9))).argmax(axis=1)
        *_, info = theirs.step(actions)
        listed = ours.step(actions)[-1]
        for row in np.flatnonzero(info.get("_episode", [])):
            ends += 1
            assert listed[row]["episode"]["r"] == info["episode"]["r"][row]
            assert listed[row]["episode"]["l"] == info["episode"]["l"][row]
    assert ends > 10


KNIGHTS = "mmgames/KnightsArchersZombies-v0"
PLAY = """
import json, sys
from benchmarks.card import compare
for id, options in json.loads(sys.argv[1]):
    print(id, compare(id, 2, 4, **options), flush=True)
"""


def simulated(*cases: tuple[str, dict]) -> list[str]:
    """What differs, a line for each case; in another process, where Numba stands for a card."""
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, "-W", "ignore", "-c", PLAY, json.dumps(cases)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


def test_every_game_its_pictures_setups_and_opponents_play_the_same_bits() -> None:
    games = [spec.id for spec in registry.specs.values() if spec.batched and not spec.simulator.vector]
    cases: list[tuple[str, dict]] = [(id, {}) for id in games]
    cases += [(TOGETHER, {"observe": ["rgb", "planes"], "players": 3, "autoreset_mode": "SameStep", "horizon": 2})]
    cases += [(KNIGHTS, {"observe": ["rgb", "state"], "copy": False}), (TOGETHER, {"others": "common_welfare"})]
    cases += [(TURNS, {"others": "random", "statistics": True})]
    assert simulated(*cases) == [f"{id} the same bits" for id, _ in cases]


def warp(lanes: threading.local, active: int) -> SimpleNamespace:
    """What `numba.cuda` has for a warp, for 32 threads of the processor: Numba's simulator has no warps."""
    shared, one_by_one, meet, told = {}, threading.Lock(), threading.Barrier(32).wait, [0] * 32

    class Cuda(SimpleNamespace):
        laneid = property(lambda _: lanes.mine)
        threadIdx = property(lambda _: SimpleNamespace(x=lanes.mine))

    def room(shape, kind):
        with one_by_one:
            return shared.setdefault(0, np.full(shape, np.nan, kind))

    def of_another(_, own, lane):
        told[lanes.mine] = own
        meet()
        found = told[lane]
        meet()
        return found

    return Cuda(
        jit=lambda device: lambda function: function, activemask=lambda: active, syncwarp=meet, shfl_sync=of_another,
        shared=SimpleNamespace(array=room), local=SimpleNamespace(array=lambda size, kind: np.full(size, np.nan, kind)),
    )  # fmt: skip


@pytest.mark.parametrize("active", [card.WHOLE_WARP, 1])
@pytest.mark.parametrize("id", [TURNS, TOGETHER, "mmgames/Reversi-v0", "mmgames/Particles-v0"])
def test_the_threads_of_a_warp_write_what_one_of_the_processor_writes(id, active, monkeypatch) -> None:
    env, lanes = mmgames.vector_env(id, 64, copy=False), threading.local()
    env.reset(seed=1)
    played(env)
    features, masks = np.full_like(env._features, np.nan), np.full_like(env._masks, 9)
    cuda, k, states = warp(lanes, active), env.kernel, as_plain(env.states)
    monkeypatch.setattr(card, "_cuda", lambda: cuda)
    monkeypatch.setattr(card, "on_card", plain_python)
    observe, rules = card._observe_together(features, masks), map(plain_python, (k.turn, k.moves, k.features))
    rules, seats = tuple(rules), env._looking

    def of(lane: int) -> None:
        lanes.mine = lane
        observe(*rules, states[32 + lane], seats, features, masks, np.empty(k.moves_capacity, int), 32 + lane)

    with ThreadPoolExecutor(32) as threads:
        list(threads.map(of, range(32)))
    assert np.array_equal(features[32:], env._features[32:]) and np.isnan(features[:32]).all()
    assert k.moves is None or (np.array_equal(masks[32:], env._masks[32:]) and (masks[:32] == 9).all())


def test_what_is_missing_is_said() -> None:
    refused(lambda: mmgames.vector_env(TOGETHER, 2, device="tpu"), "Unknown device 'tpu'")
    with pytest.raises((MissingExtra, MmgamesError), match="device='cuda' needs"):
        mmgames.vector_env(TOGETHER, 2, device="cuda")
