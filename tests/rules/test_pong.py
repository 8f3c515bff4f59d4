"""Pong and PongDuel: the cartridge's rules, snapshots that are values, and an agent that wins."""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mmgames
from mmgames.core import registry
from mmgames.games.pong import picture
from mmgames.games.pong.rules import DOWN, NOOPS, SCREEN, STAY, STEPS, UP
from mmgames.games.pong.score import score, score_of_record
from tests.refusing import refused

PONG, DUEL = (mmgames.load_game(name) for name in ("Pong", "PongDuel"))
STEADY, STEADY_DUEL = (mmgames.load_game(name, sticky=0.0) for name in ("Pong", "PongDuel"))
FIELD_TOP, WHITE = 34, 14


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def states(game: Any, choose: Any, seed: int = 0, most: int = STEPS) -> Iterator[Any]:
    """The states of an episode in which `choose(state, rng)` gives every seat's action."""
    chance = rng(seed)
    state = game.start(chance)
    yield state
    while game.movers(state) and state.step < most:
        state = game.play(state, dict.fromkeys(game.movers(state), choose(state, chance)), chance)
        yield state


def anything(state: Any, chance: np.random.Generator) -> int:
    return int(chance.integers(3))


def nothing(state: Any, chance: np.random.Generator) -> int:
    return STAY


def test_an_episode_begins_after_some_waiting_and_ends_with_the_last_point_or_after_a_thousand_steps() -> None:
    starts = {PONG.start(rng(seed)) for seed in range(400)}
    assert len(starts) == NOOPS
    assert {state.step for state in starts} == {0}
    assert PONG.start(rng(3)) == PONG.start(rng(3))
    short = mmgames.load_game("Pong", points=1)
    *_, last = states(short, anything, seed=5)
    assert sorted(last.points) == [0, 1] and short.movers(last) == ()
    state = PONG.start(rng())
    assert PONG.movers(state._replace(step=STEPS - 1)) == (0,)
    assert PONG.movers(state._replace(step=STEPS)) == ()
    *_, last = states(STEADY_DUEL, nothing)
    assert last.step < 140 and max(last.points) == 3


def test_losing_without_a_move_takes_as_long_as_the_measure_says() -> None:
    lengths = set()
    for seed in range(15):
        *_, last = states(STEADY, nothing, seed)
        assert last.points == (3, 0) and STEADY.returns(last) == (-3.0,)
        lengths.add(last.step)
    assert 104 <= min(lengths) <= 106 and max(lengths) <= 134
    assert score(0, min(lengths)) == pytest.approx(0, abs=0.1)
    assert score(3, 398) == score(3, 1000) == 100
    assert score(0, 105) == score(0, 20) == 0
    assert score(1, 251.5) == pytest.approx(35)


def test_memory_and_screen_agree_on_where_the_ball_is() -> None:
    seen = 0
    for state in states(PONG, anything, seed=4):
        screen = np.frombuffer(state.frame, np.uint8).reshape(SCREEN)
        rows, columns = np.nonzero(screen[FIELD_TOP : FIELD_TOP + 160] == WHITE)
        if state.scene.ball is None:
            assert not rows.size
        elif rows.size:
            x, y = state.scene.ball
            assert abs(columns.mean() + 0.5 - x) <= 1
            assert abs(rows.mean() + 0.5 - y) <= 3
            seen += 1
    assert seen > 50


def test_up_is_up_knobs_stick_and_what_comes_to_the_same_has_the_same_outcome() -> None:
    for action, sign in ((UP, -1), (DOWN, 1)):
        start, *_, end = states(STEADY, lambda state, chance, action=action: action, most=3)
        assert (end.scene.right - start.scene.right) * sign > 20
    start, *_, end = states(STEADY, nothing, most=3)
    assert end.scene.right == start.scene.right
    chance = rng(1)
    frames = [key for _ in range(2000) for (key,) in PONG._stick((0,), [3], chance)]
    stuck = np.reshape(frames, (2000, 4)) == 0
    assert stuck[:, 0].mean() == pytest.approx(0.25, abs=0.03)
    assert stuck[:, 1].mean() == pytest.approx(0.25**2, abs=0.02)
    assert not any(key == 0 for _ in range(50) for (key,) in STEADY._stick((0,), [3], chance))
    *_, top = states(STEADY, lambda state, chance: UP, most=12)
    results = {action: STEADY.play(top, {0: action}, rng()) for action in (STAY, UP, DOWN)}
    assert STEADY.outcome(results[STAY]) == STEADY.outcome(results[UP]) != STEADY.outcome(results[DOWN])
    assert results[STAY] != results[UP], "the knob is held differently"


@pytest.mark.parametrize("game", [PONG, DUEL], ids=["Pong", "PongDuel"])
def test_a_state_from_elsewhere_plays_on_as_if_nothing_had_happened(game: Any) -> None:
    story = list(states(game, anything, seed=2, most=60))
    other = list(states(game, anything, seed=3, most=30))[-1]
    chance, again = rng(2), []
    state = game.start(chance)
    while state.step < 60:
        again.append(state)
        game.play(other, dict.fromkeys(game.movers(other), UP), rng(9))  # the emulator is busy with another game
        state = pickle.loads(pickle.dumps(state))
        state = game.play(state, dict.fromkeys(game.movers(state), anything(state, chance)), chance)
    assert [*again, state] == story


@pytest.mark.parametrize("size", [64, 128, 210, 512])
def test_the_ball_is_seen_at_every_size(size: int) -> None:
    for state in states(PONG, anything, seed=6, most=60):
        ball = state.scene.ball
        if ball is not None and 5 < ball[1] < 155 and 25 < ball[0] < 135:
            drawn = picture.draw(PONG.view(state, 0), size)
            x, y = ball[0] * size // 210, (ball[1] + FIELD_TOP) * size // 210
            around = drawn[max(y - 2, 0) : y + 3, max(x - 2, 0) : x + 3].astype(int)
            ground = drawn[(FIELD_TOP + 80) * size // 210, 2].astype(int)
            assert np.abs(around - ground).max() > 15


def test_a_duel_mirrors_features_and_the_tracker_beats_all_others() -> None:
    good, bad = (mmgames.match("Pong", agent, 4, seed=7) for agent in ("tracker", "random"))
    assert good.returns().mean() > 0 and bad.returns().mean() < -1
    assert np.mean([score_of_record(row) for row in good.episodes]) > 70
    assert np.mean([score_of_record(row) for row in bad.episodes]) < 40
    for agents, winner in [(("tracker", "random"), 0), (("random", "tracker"), 1)]:
        for row in mmgames.match("PongDuel", agents, 2, seed=1).episodes:
            assert row["returns"][winner] >= 2 and sum(row["returns"]) == 0
    state = next(s for s in states(DUEL, anything, seed=3) if s.scene.ball and s.before.ball)
    right, left = (picture.features(DUEL.view(state, seat)) for seat in (0, 1))
    assert left[1] == pytest.approx(-right[1]) and left[3] == pytest.approx(-right[3])
    assert left[2] == right[2] and (left[5], left[6]) == (right[6], right[5])
    assert np.array_equal(right, picture.features(DUEL.view(state, None)))


def test_a_missing_cartridge_is_said_in_one_sentence(tmp_path: Path) -> None:
    code = "import gymnasium, mmgames; gymnasium.make('mmgames/Pong-v0')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "ALE_ROMS_DIR": str(tmp_path)}
    )
    *_, said = done.stderr.strip().splitlines()
    assert "MmgamesError: The cartridge of Pong" in said and "reinstall ale-py" in said


@pytest.mark.parametrize(("name", "package"), [("Pong", "ale_py"), ("PongDuel", "multi_agent_ale_py")])
def test_a_missing_emulator_is_said_with_the_extra_that_brings_it(name: str, package: str, monkeypatch: Any) -> None:
    spec = registry.find(name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(registry._loaded, spec.id, raising=False)
    for module in [module for module in sys.modules if module.startswith(("mmgames.games.pong", package + "."))]:
        monkeypatch.delitem(sys.modules, module)
    refused(lambda: registry.load(spec.id), r"pip install 'mmgames\[atari\]'", kind=mmgames.MissingExtra)
