"""No kernel uses the same random bits for two things."""

import importlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from importlib.resources import files

import numpy as np
import pytest

import mmgames
from mmgames.baselines.planners.grid_steps import Walker
from mmgames.games._dilemma.rules import DOWN, LEFT, RIGHT, UP
from mmgames.kernels.kernel import fork, kernel, scramble
from tests.rules.dilemmas import placed

# Plays in plain Python, with a `below` that notes which bits it was given, by whom, in which episode.
WATCH = """
import json, sys
import numpy as np
import mmgames
from mmgames.kernels import kernel
below, seen = kernel.below, []
def watching(noise, n):
    seen.append((sys._getframe(1).f_globals["__name__"], int(noise)))
    return below(noise, n)
kernel.below = watching
found = []
for id, agents, steps, *options in json.loads(sys.argv[1]):
    for agent in agents:
        for seed in range(1):
            seen.clear()
            mmgames.match(id, agent, 1, seed, max_steps=steps, **dict(*options))
            found.append((f"{id} {agent}", list(seen)))
game = mmgames.load_game("mmgames/Hanabi-v0")
for seed in range(3):
    rng = np.random.default_rng(seed)
    state = game.start(rng)
    seen.clear()
    game.imagine(state, 0, rng)
    found.append(("Hanabi imagine", list(seen)))
from mmgames.baselines.learning import guided_moves
from mmgames.kernels.kernel_game import kernel_of
rules = kernel_of(mmgames.load_game("mmgames/Breakthrough-v0"))
for noise in range(1, 4):
    seen.clear()
    how = rules.start, rules.turn, rules.moves, rules.step
    room = np.empty(rules.moves_capacity, np.int64), np.zeros(2, np.int64)
    guided_moves.begin(*how, rules.blank.array, rules.blank.array.copy(), kernel.scramble(np.uint64(noise)), 6, *room)
    found.append(("the first moves of AlphaZero's games", list(seen)))
print(json.dumps(found))
"""
DILEMMAS = [spec for spec in mmgames.specs.values() if spec.family == "grid dilemmas"]


def drawing(spec) -> list[str]:
    """The heuristics of a dilemma; whoever solves it draws nothing, and takes too long in plain Python."""
    places = {name: where.partition(":") for name, where in spec.agents.known.items()}
    found = {name: getattr(importlib.import_module(module), called) for name, (module, _, called) in places.items()}
    return [name for name, agent in found.items() if issubclass(agent, Walker)]


PLAYED = [
    *((spec.id, ["random", *drawing(spec)], 25) for spec in DILEMMAS),
    ("mmgames/Hanabi-v0", ["oracle:samples=2"], 2),
    ("mmgames/Particles-v0", ["random"], 2, {"scenario": "reference"}),
    ("mmgames/KnightsArchersZombies-v0", ["random"], 45),
    ("mmgames/Sudoku-v0", ["random"], 1),
    ("mmgames/Overcooked-v0", ["random"], 3, {"starts": "random"}),
    ("mmgames/TicTacToe-v0", ["mcts:simulations=4,rollouts=2"], None),
]


def drawing_modules() -> set[str]:
    """The modules that draw from noise, beside the loops over rows, which give each draw fresh bits."""
    found = set()
    for package in ("mmgames.games", "mmgames.baselines", "mmgames.puzzles", "mmgames.embodied"):
        root = files(package)
        for path in root.rglob("*.py"):  # type: ignore[attr-defined]
            if re.search(r"from mmgames\.kernels\.kernel import [^\n]*\bbelow\b", path.read_text("utf-8")):
                found.add(".".join([package, *path.relative_to(root).with_suffix("").parts]))
    return found


def test_no_random_bits_are_used_twice_in_an_episode_and_every_module_that_draws_was_watched():
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", WATCH, json.dumps(PLAYED)]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, env=env, check=True).stdout)
    for name, drawn in found:
        repeated = [bits for bits, times in Counter(bits for _, bits in drawn).items() if times > 1]
        assert not repeated, f"{name} used {len(repeated)} of its {len(drawn)} draws again"
    assert {module for _, drawn in found for module, _ in drawn} == drawing_modules()


def test_forks_of_one_noise_share_nothing():
    @kernel
    def chain(noise, use, out):
        noise = fork(noise, use)
        for place in range(out.size):
            out[place] = noise
            noise = scramble(noise)

    out = np.empty((8, 500), np.uint64)
    for use in range(8):
        chain(np.uint64(7), use, out[use])
    assert len(np.unique(out)) == out.size


def position(id, red, blue, *things, **options):
    game = mmgames.load_game(id, **options)
    return game, placed(game, red, blue, *things)


def test_blocks_that_both_come_back_coincide_in_one_case_of_23():
    game, state = position("mmgames/BattleOfTheColors-v0", 6, 18, 6, 18, rules="released")
    times = 4000
    same = 0
    for seed in range(times):
        same += len(set(game.play(state, {0: 0, 1: 0}, np.random.default_rng(seed)).things)) == 1
    assert abs(same / times - 1 / 23) < 4 * np.sqrt(1 / 23 * 22 / 23 / times)


@pytest.mark.parametrize("name", ["CoinDilemma", "MonsterHunt"])
def test_self_interest_breaks_ties_towards_all_sides(name):
    # From the middle both corners are four steps away: two first steps lead to each.
    things = (0, 24) if name == "CoinDilemma" else (0, 24, 4)
    game, state = position(f"mmgames/{name}-v0", 12, 4, *things)
    module = importlib.import_module(game.spec.agents.known["self_interest"].partition(":")[0])
    rng = np.random.default_rng(5)
    noises = [np.uint64(rng.bit_generator.random_raw()) for _ in range(4000)]
    chosen = Counter(int(module.self_interest(state.record, 0, noise)) for noise in noises)
    assert set(chosen) == {RIGHT, LEFT, UP, DOWN} and all(abs(times - 1000) < 120 for times in chosen.values())
