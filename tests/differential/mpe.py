"""Particles beside mpe2: each step of theirs is played by our kernel from the state before it, and compared."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import mmgames
from mmgames.games.particles.rules import Particles
from mmgames.games.particles.scenarios import HEARD, OBSERVES, OWN_SPEED, PREY_IN_WOODS, PREY_SPEEDS, Scenario
from mmgames.games.particles.scenarios import NAMES as NAMES
from mmgames.games.particles.scenarios import SCENARIOS as SCENARIOS
from mmgames.games.particles.seen import FAST, WIDE
from mmgames.kernels.records import RecordState

THEIRS = Path(__file__).parent / "mpe_states.py"


def lines_of(python: Path | str, script: Path, **task: Any) -> Iterator[dict[str, Any]]:
    """What a script that another interpreter runs says of a task, one JSON line after the other."""
    if not Path(python).exists():
        raise RuntimeError(f"There is no {python}; `make {Path(python).parts[-3]}/.ready` sets it up.")
    with subprocess.Popen([python, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(task))
        process.stdin.close()
        yield from map(json.loads, process.stdout)
    if process.returncode:
        raise RuntimeError(f"{script.name} did not play; {python} says why above.")


def episodes(python: Path | str, scenarios: Sequence[str], count: int, seed: int) -> Iterator[dict[str, Any]]:
    """What mpe2 says of random episodes, one after the other."""
    return lines_of(python, THEIRS, scenarios=scenarios, episodes=count, seed=seed)


def scales(which: int, seat: int, count: int) -> np.ndarray:
    """By what each observed number is divided in our features."""
    scenario, observes = SCENARIOS[which], int(OBSERVES[which, seat])
    by = np.full(count, WIDE)
    if observes & OWN_SPEED:
        by[:2] = FAST
    for word in (scenario.words,) if observes & HEARD else ():
        by[count - word :] = 1.0
    name = scenario.name
    if name == "crypto" or (name == "speaker_listener" and seat == 0):
        by[:] = 1.0
    elif name == "reference":
        by[8:] = 1.0
    elif name == "push" and seat == 1:
        by[4:7] = by[11:17] = 1.0
    elif observes & PREY_IN_WOODS:
        by[count - 4 : count - 2], by[count - 2 :] = 1.0, FAST
    elif name == "world_comm":
        by[24:28], by[28:] = FAST, 1.0
    elif observes & PREY_SPEEDS and seat < 3:
        by[count - 2 :] = FAST
    return by


class Comparison:
    """Plays mpe2's steps with our kernel and keeps the largest difference of each kind."""

    def __init__(self, scenario: str) -> None:
        self.which = NAMES.index(scenario)
        self.game: Particles = mmgames.load_game("mmgames/Particles-v0", scenario=scenario)  # type: ignore[assignment]
        self.worst = {"places and speeds": 0.0, "rewards": 0.0, "observations": 0.0}
        self.steps = 0

    @property
    def scenario(self) -> Scenario:
        return SCENARIOS[self.which]

    def put(self, state: dict[str, Any], step: int) -> RecordState:
        """Their state as one of ours."""
        known = {"place": state["places"], "speed": state["speeds"], "said": state["said"], "secret": state["secrets"]}
        return self.game.kernel.blank.replace(step=step, **known)

    def compare(self, episode: dict[str, Any]) -> None:
        kernel, players = self.game.kernel, self.scenario.players
        before = episode["first"]
        for step, after in enumerate(episode["steps"]):
            state = self.put(before, step)
            kernel.step(state.record, np.array(after["actions"]), np.uint64(0))
            self.note("places and speeds", np.subtract(state.place, after["places"]))
            self.note("places and speeds", np.subtract(state.speed, after["speeds"]))
            totals = np.empty(players)
            kernel.returns(state.record, totals)
            self.note("rewards", totals - after["rewards"])
            assert list(state.said) == after["said"]
            for seat in range(players):
                observed = np.array(after["observed"][seat])
                told = kernel.features_of(state, seat)
                ours = np.clip(observed / scales(self.which, seat, observed.size), -1.0, 1.0)
                self.note("observations", told[: observed.size] - ours)
                assert not told[observed.size :].any()
            before = after
            self.steps += 1

    def note(self, kind: str, differences: np.ndarray) -> None:
        self.worst[kind] = max(self.worst[kind], float(np.abs(differences).max()))
