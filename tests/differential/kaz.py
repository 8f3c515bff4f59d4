"""KnightsArchersZombies beside PettingZoo's: each cycle of theirs is played by our kernel from the state before it."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import mmgames
from mmgames.games.knights_archers_zombies.rules import KnightsArchersZombies, advance
from mmgames.kernels.records import RecordState
from tests.differential.mpe import lines_of

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


def episodes(python: Path | str, steps: int, seed: int) -> Iterator[dict[str, Any]]:
    """What PettingZoo says of random episodes, one after the other."""
    return lines_of(python, Path(__file__).parent / "kaz_states.py", steps=steps, seed=seed, options=OPTIONS)


class Comparison:
    """Plays PettingZoo's cycles with our kernel. Whole numbers must be equal; of others, differences are kept."""

    def __init__(self) -> None:
        self.steps = self.kills = self.deaths = 0
        self.worst = {"directions": 0.0, "observations": 0.0}

    def compare(self, episode: dict[str, Any]) -> None:
        options = {OURS[name]: value for name, value in episode["options"].items()}
        game: KnightsArchersZombies
        game = mmgames.load_game("mmgames/KnightsArchersZombies-v0", **options)  # type: ignore[assignment]
        assert put(game, episode["first"]) == game.start(np.random.default_rng(0)), "they start as we do"
        before = episode["first"]
        for after in episode["steps"]:
            state, drawn = put(game, before), np.zeros(64, np.int64)
            drawn[: len(after["drawn"])] = after["drawn"]
            advance(state.record, np.array(after["actions"]), np.uint64(0), drawn)
            self.check(game, state, after)
            before = after
            self.steps += 1

    def check(self, game: KnightsArchersZombies, state: RecordState, after: dict[str, Any]) -> None:
        ours, theirs = state.array["players"][0], put(game, after)
        assert ours["kills"].tolist() == after["kills"]
        self.kills += sum(after["kills"])
        ours["kills"] = 0
        for seat, player in enumerate(after["players"]):
            self.note("observations", game.kernel.features_of(state, seat) - np.array(after["observed"][seat]))
            if not player["alive"]:  # what the dead wait for is told by nobody
                ours[seat]["waits"] = theirs.array["players"][0, seat]["waits"] = 0
                self.deaths += 1
        whole, directions = apart(state)
        whole_of_theirs, directions_of_theirs = apart(theirs)
        assert whole == whole_of_theirs
        self.note("directions", directions - directions_of_theirs)

    def note(self, kind: str, differences: np.ndarray) -> None:
        self.worst[kind] = max(self.worst[kind], float(np.abs(differences).max()))


def put(game: KnightsArchersZombies, told: dict[str, Any]) -> RecordState:
    """Their state as one of ours; arrows archer by archer."""
    state = game.kernel.blank.replace(step=told["frames"], waited=told["waited"], over=told["over"])
    players, arrows, zombies = (state.array[name][0] for name in ("players", "arrows", "zombies"))
    flying = 0
    for seat, (me, player) in enumerate(zip(players, told["players"], strict=True)):
        me["x"], me["y"] = player["corner"]
        me["right"], me["down"] = right, down = player["direction"]
        me["heading"] = round(math.degrees(math.atan2(right, -down)) / 10) % 36
        me["alive"], me["waits"] = player["alive"], player["waits"]
        if player["sword"]:
            arc, me["sword_x"], me["sword_y"] = player["sword"]
            me["swing"] = (60 - arc) // 20 + 1
        for flown in player["arrows"]:
            for name, value in zip(("x", "y", "right", "down", "owner"), (*flown, seat), strict=True):
                arrows[flying][name] = value
            flying += 1
    for zombie, (x, y, wobble) in zip(zombies, told["zombies"], strict=False):
        zombie["x"], zombie["y"], zombie["wobble"] = x, y, wobble
    return state.replace(flying=flying, walking=len(told["zombies"]))


def apart(state: RecordState) -> tuple[RecordState, np.ndarray]:
    """What is whole, and the directions of players and arrows, those of the first archer first. Places of swords that
    nobody has out are 0."""
    state = state.replace()
    players, arrows = state.array["players"][0], state.array["arrows"][0, : state.flying]
    arrows[:] = arrows[np.argsort(arrows["owner"], kind="stable")]
    directions = np.concatenate([them[name] for them in (players, arrows) for name in ("right", "down")])
    for them in (players, arrows):
        them["right"] = them["down"] = 0.0
    for name in ("sword_x", "sword_y"):
        players[name][players["swing"] == 0] = 0
    return state, directions
