"""What there is to recognise in a picture of Particles, in the scenario adversary: who and what is where, which
landmark is meant, and which way one coasts.

The other players' speeds and, for the rival, the landmark that is meant are not seen, and are no elements.
"""

import numpy as np

from mmgames.games.particles.rules import Particles
from mmgames.games.particles.seen import ParticlesView
from mmgames.games.particles.words import LETTERS, spoken_role, thing_name
from mmgames.kernels.records import RecordState
from mmgames.text.facts import Fact, same

OPTIONS = {"scenario": "adversary"}
PARTS = 4
NOTES = (
    f"The frame from -1 to 1 is divided into {PARTS} columns of equal width, 1 to {PARTS} from left to right, and "
    f"{PARTS} rows of equal height, 1 to {PARTS} from top to bottom. Players and landmarks are in the part that their "
    "middle is in. You coast the way that the dots before you lead, nowhere if there are none."
)
_WIDE = 2.0 / PARTS
_MARGIN = 0.12  # so far from the edge of its part is everything: nothing is hidden by what is in the next part
_NUMBERS = same(str(part) for part in range(1, PARTS + 1))
_WAYS = ("nowhere", "left", "right", "down", "up")
_SPEEDS = (0.8, 1.4)  # with which dots are seen beyond the own disc


def elements(view: ParticlesView) -> list[Fact]:
    scenario = view.scenario
    names = [spoken_role(role) for role in scenario.roles]
    names += [thing_name(view.which, thing) for thing in range(len(scenario.things))]
    found = []
    for name, at in zip(names, view.places, strict=True):
        x, y = at or (0.0, 0.0)
        found += [Fact((f"column of {name}",), _part(x), _NUMBERS), Fact((f"row of {name}",), _part(-y), _NUMBERS)]
    if view.secrets[0] is not None:
        found.append(Fact(("landmark that is meant",), LETTERS[view.secrets[0]], same(LETTERS[: len(scenario.things)])))
    if view.seat is not None:
        found.append(Fact(("you coast",), _way(view.speeds[view.seat] or (0.0, 0.0)), same(_WAYS)))
    return found


def _part(at: float) -> str:
    return str(min(max(int((at + 1.0) / _WIDE), 0), PARTS - 1) + 1)


def _way(speed: tuple[float, float]) -> str:
    axis = int(abs(speed[1]) > abs(speed[0]))
    return _WAYS[0] if speed[axis] == 0 else _WAYS[1 + 2 * axis + int(speed[axis] > 0)]


def make_state(game: Particles, rng: np.random.Generator, seat: int) -> RecordState:
    """Everybody and everything in a part of its own, all equally likely; everybody coasts along an axis, or nowhere."""
    state, players = game.start(rng), len(game.seats)
    entities = len(state.place)
    parts = rng.permutation(PARTS * PARTS)[:entities]
    within = rng.uniform(_MARGIN, _WIDE - _MARGIN, (entities, 2))
    places = np.stack([parts % PARTS, parts // PARTS], axis=1) * _WIDE - 1.0 + within
    speeds = np.zeros((players, 2))
    for other in range(players):
        way = int(rng.integers(len(_WAYS)))
        speed = float(rng.uniform(*_SPEEDS)) * (1 if way % 2 == 0 else -1)
        if way:
            speeds[other, (way - 1) // 2] = speed
    secret = rng.integers(entities - players), state.secret[1]
    return state.replace(place=places, speed=speeds, secret=secret, step=rng.integers(state.horizon))
