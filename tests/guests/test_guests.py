"""Environments of PettingZoo and Gymnasium as games here."""

import itertools
import json
import os
import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames.core import registry
from mmgames.running.replays import replay
from mmgames.testing import conformance
from tests.guests.heap import HEAP, Heap

DRIFT = mmgames.from_gymnasium("guests/Drift-v3")
REAL = {
    "pettingzoo.classic.tictactoe_v3": ("sequential", "discrete", 9),
    "pettingzoo.classic.rps_v2": ("simultaneous", "discrete", 3),
    "pettingzoo.butterfly.cooperative_pong_v6": ("simultaneous", "discrete", 3),
}

TestGuests = conformance(HEAP, DRIFT)
OURS = {id: registry.specs.pop(id) for id in (HEAP, DRIFT)}


@pytest.fixture(autouse=True)
def known() -> Any:
    """mmgames knows the guests only in here, so that nothing else lists them."""
    registry.specs.update(OURS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # PettingZoo says so of its own modules
        yield


def test_words_pictures_and_rules_are_those_that_were_given() -> None:
    env = gymnasium.make(HEAP, seat="first", others="random", size=64)
    observation, _ = env.reset(seed=4)
    assert "Take one or two" in observation["text"]
    assert observation["legal_actions"] == ("take one", "take two")
    game = env.unwrapped.live.game  # type: ignore[attr-defined]
    assert np.array_equal(observation["rgb"], game.simulator_at(env.unwrapped.live.state).env.render())  # type: ignore[attr-defined]
    env = mmgames.aec_env(HEAP, observe=("action_mask",))
    own = Heap()
    for seed in range(20):
        env.reset(seed=seed)
        own.reset(seed=env.live.state.seed)  # type: ignore[attr-defined]
        rng = np.random.default_rng(seed)
        while own.agents and not all(own.terminations.values()):
            mask = own.observe(own.agent_selection)["action_mask"]
            assert env.agent_selection == own.agent_selection
            assert np.array_equal(env.observe(env.agent_selection)["action_mask"], mask)
            action = int(rng.choice(np.flatnonzero(mask)))
            own.step(action)
            env.step(action)
        assert env.rewards == own.rewards


def test_matches_are_recorded_and_replayed_in_any_process(tmp_path: Any) -> None:
    (episode,) = mmgames.match(HEAP, "random", 1, seed=3, arguments={"most": 7}).episodes
    *_, last = replay(episode)
    assert list(last.game.returns(last.state)) == episode["returns"]
    (tmp_path / "record.json").write_text(json.dumps(episode))
    code = (
        "import json, sys; from mmgames.running.replays import replay;"
        "*_, last = replay(json.load(open(sys.argv[1]))); print(list(last.game.returns(last.state)));"
        "print(last.loaded.words.names(next(iter(replay(json.load(open(sys.argv[1]))))).view(0)))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "record.json")], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )  # fmt: skip
    assert told.stdout.splitlines() == [str(episode["returns"]), "{0: 'take one', 1: 'take two'}"]


@pytest.mark.parametrize("address", REAL)
def test_pettingzoos_own_environments_play(address: str) -> None:
    pytest.importorskip("pygame")
    id = mmgames.from_pettingzoo(address, check=False)
    spec = registry.find(id)
    assert (spec.dynamics, spec.actions, registry.load(id).game().num_actions) == REAL[address]
    (episode,) = mmgames.match(id, "random", 1, max_steps=6).episodes
    assert not episode["failed"] and episode["length"]
    observation, _ = gymnasium.make(id, others="random", size=64).reset(seed=0)
    assert max(observation["rgb"].shape) == 64 and observation["rgb"].std() > 1


def test_what_is_hidden_is_not_drawn_and_what_does_not_repeat_is_told_of() -> None:
    id = mmgames.from_pettingzoo(lambda **how: Heap(**how), hidden=True)
    live = mmgames.aec_env(id, observe="text")
    live.reset(seed=0)
    game = live.live.game  # type: ignore[attr-defined]
    state = live.live.state  # type: ignore[attr-defined]
    assert game.view(state, 0).picture is None and game.view(state, None).picture is not None
    assert "You observe" in str(live.observe("first"))
    found = registry.find("pettingzoo-hidden/tests.guests.heap.env-v0")  # as in a process that has registered nothing
    assert found.information == "imperfect" and registry.find(HEAP).information == "perfect"

    class Moody(Heap):
        def reset(self, seed: int | None = None, options: Any = None) -> None:
            super().reset(seed=next(seeds))

    seeds = itertools.count()
    with pytest.warns(UserWarning, match="does not do the same twice"):
        for _ in range(8):  # two seeds may lead to the same
            mmgames.from_pettingzoo(lambda **how: Moody(**how))


def test_wrong_input_gets_one_sentence() -> None:
    for call, why in [
        (lambda: mmgames.from_pettingzoo("no.such.module"), "no module behind"),
        (lambda: mmgames.from_pettingzoo("json"), "neither parallel_env nor env"),
        (lambda: mmgames.from_pettingzoo("tests.guests.heap.nothing"), "There is no 'nothing'"),
        (lambda: mmgames.from_pettingzoo("tests.guests.heap", words={"rule": "x"}), "rule"),
        (lambda: mmgames.from_pettingzoo("tests.guests.heap", words={"actions": ["a"]}), "has 2 actions, and 1 names"),
        (lambda: mmgames.from_pettingzoo("tests.guests.heap", words={"actions": ["a", "A"]}), "all different"),
        (lambda: mmgames.load_game(HEAP, arguments="{"), "no JSON object"),
        (lambda: mmgames.load_game(HEAP, arguments={"least": 1}), "cannot be made: TypeError"),
        (lambda: mmgames.from_gymnasium("Nothing-v9"), "knows no Nothing-v9"),
        (lambda: mmgames.from_gymnasium("Nothing"), "no id with a version"),
        (lambda: registry.find("pettingzoo/nothing.at.all-v0"), "no module behind"),
    ]:
        with pytest.raises(mmgames.MmgamesError, match=why) as told:
            call()
        assert "\n" not in str(told.value)
