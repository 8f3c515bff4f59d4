"""KnightsArchersZombies beside PettingZoo's: each cycle of theirs is played by our kernel from the state before it."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import mmgames
from mmgames.games.knights_archers_zombies.kernel import advance
from mmgames.games.knights_archers_zombies.row import (
    ALIVE,
    ARROWS,
    FIELDS,
    HEADING,
    OVER,
    OWNER,
    PLAYER,
    SCORE,
    STEP,
    SWING,
    SWORD_X,
    SWORD_Y,
    THING,
    TIMER,
    WAITED,
    WOBBLE,
    ZOMBIES,
    X,
    Y,
)
from mmgames.games.knights_archers_zombies.rules import KnightsArchersZombies

THEIRS = Path(__file__).parent / "kaz_states.py"
OPTIONS: list[dict[str, Any]] = [
    {"spawn_delay": 3, "max_zombies": 20},
    {},
    {"line_death": True, "spawn_delay": 6},
    {"num_archers": 3, "num_knights": 1, "max_arrows": 4, "spawn_delay": 4},
    {"num_archers": 1, "num_knights": 4, "spawn_delay": 2},
]
OURS = {
    "spawn_delay": "delay", "max_zombies": "most_zombies", "line_death": "deadly", "num_archers": "archers",
    "num_knights": "knights", "max_arrows": "most_arrows",
}  # fmt: skip
MOST_DRAWN = 64


def episodes(python: Path | str, steps: int, seed: int) -> Iterator[dict[str, Any]]:
    """What PettingZoo says of random episodes, one after the other."""
    task = json.dumps({"steps": steps, "seed": seed, "options": OPTIONS})
    with subprocess.Popen([python, THEIRS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(task)
        process.stdin.close()
        yield from map(json.loads, process.stdout)
    if process.returncode:
        raise RuntimeError(f"PettingZoo did not play; {python} says why above.")


class Comparison:
    """Plays PettingZoo's cycles with our kernel. Whole numbers must be equal; of reals, differences are kept."""

    def __init__(self) -> None:
        self.steps = self.kills = self.deaths = 0
        self.worst = {"directions": 0.0, "observations": 0.0}

    def compare(self, episode: dict[str, Any]) -> None:
        options = {OURS[name]: value for name, value in episode["options"].items()}
        game: KnightsArchersZombies
        game = mmgames.load_game("mmgames/KnightsArchersZombies-v0", **options)  # type: ignore[assignment]
        fresh = game.start(np.random.default_rng(0)).row
        assert np.array_equal(put(game, episode["first"]), fresh), "they start as we do"
        before = episode["first"]
        for after in episode["steps"]:
            row, drawn = put(game, before), np.zeros(MOST_DRAWN, np.int64)
            drawn[: len(after["drawn"])] = after["drawn"]
            advance(row, np.array(after["actions"]), np.uint64(0), drawn)
            self.check(game, row, after)
            before = after
            self.steps += 1

    def check(self, game: KnightsArchersZombies, row: np.ndarray, after: dict[str, Any]) -> None:
        players, reals = len(game.seats), game.kernel.num_reals
        scores = [int(row[PLAYER + FIELDS * seat + SCORE]) for seat in range(players)]
        assert scores == after["kills"]
        wanted = put(game, after)
        for seat, player in enumerate(after["players"]):
            me = PLAYER + FIELDS * seat
            row[me + SCORE] = 0
            if not player["alive"]:  # what the dead wait for is told by nobody
                row[me + TIMER] = wanted[me + TIMER] = 0
                self.deaths += 1
        ours, theirs = by_archer(game, row), by_archer(game, wanted)
        assert ours[: len(ours) - reals].tolist() == theirs[: len(theirs) - reals].tolist()
        self.note("directions", game.kernel.reals_of(ours) - game.kernel.reals_of(theirs))
        for seat in range(players):
            self.note("observations", game.kernel.features_of(row, seat) - np.array(after["observed"][seat]))
        self.kills += sum(scores)

    def note(self, kind: str, differences: np.ndarray) -> None:
        self.worst[kind] = max(self.worst[kind], float(np.abs(differences).max()))


def put(game: KnightsArchersZombies, state: dict[str, Any]) -> np.ndarray:
    """Their state as a row of ours; arrows archer by archer."""
    row, players = game.kernel.empty_row(), len(game.seats)
    reals = game.kernel.reals_of(row)
    row[STEP], row[WAITED], row[OVER] = state["frames"], state["waited"], state["over"]
    zombies = PLAYER + FIELDS * players
    arrows = zombies + THING * game.options["most_zombies"]
    for seat, player in enumerate(state["players"]):
        me = PLAYER + FIELDS * seat
        row[me + X], row[me + Y] = player["corner"]
        right, down = reals[2 * seat : 2 * seat + 2] = player["direction"]
        row[me + HEADING] = round(math.degrees(math.atan2(right, -down)) / 10) % 36
        row[me + ALIVE], row[me + TIMER] = player["alive"], player["waits"]
        if player["sword"]:
            arc, row[me + SWORD_X], row[me + SWORD_Y] = player["sword"]
            row[me + SWING] = (60 - arc) // 20 + 1
        for x, y, across, along in player["arrows"]:
            which = row[ARROWS]
            row[arrows + THING * which : arrows + THING * (which + 1)] = x, y, seat
            reals[2 * (players + which) : 2 * (players + which) + 2] = across, along
            row[ARROWS] += 1
    for which, (x, y, wobble) in enumerate(state["zombies"]):
        row[zombies + THING * which : zombies + THING * which + WOBBLE + 1] = x, y, wobble
    row[ZOMBIES] = len(state["zombies"])
    return row


def by_archer(game: KnightsArchersZombies, row: np.ndarray) -> np.ndarray:
    """The row with the arrows of the first archer first; places of swords that nobody has out are 0."""
    row, players = row.copy(), len(game.seats)
    arrows = PLAYER + FIELDS * players + THING * game.options["most_zombies"]
    things = row[arrows : arrows + THING * row[ARROWS]].reshape(-1, THING)
    flights = game.kernel.reals_of(row)[2 * players : 2 * (players + row[ARROWS])].reshape(-1, 2)
    order = np.argsort(things[:, OWNER], kind="stable")
    things[:], flights[:] = things[order], flights[order]
    for seat in range(players):
        me = PLAYER + FIELDS * seat
        if not row[me + SWING]:
            row[me + SWORD_X] = row[me + SWORD_Y] = 0
    return row
