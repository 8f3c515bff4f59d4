"""Particles in words."""

from functools import lru_cache

from mmgames.games.particles import scenarios
from mmgames.games.particles.picture_plan import is_legible, is_on_picture
from mmgames.games.particles.rules import SILENCE
from mmgames.games.particles.seen import ParticlesView, Point
from mmgames.text.prose import paragraphs

PUSHES = ("<STAY>", "<LEFT>", "<RIGHT>", "<DOWN>", "<UP>")
LETTERS = "ABC"
ALIASES = {"wait": 0, "none": 0, "west": 1, "east": 2, "south": 3, "north": 4}
BARE = ("red", "blue", "green", "first", "second", "eve", "bob", "alice")
"""Roles that are names."""
_SAID = paragraphs(__package__, "words")


@lru_cache(maxsize=64)
def _names(which: int, seat: int) -> dict[int, str]:
    scenario, kind = scenarios.SCENARIOS[which], scenarios.SCENARIOS[which].kinds[seat]
    names = {}
    for action in range(scenario.actions(seat)):
        move, word = (action % scenarios.MOVES, action // scenarios.MOVES) if kind.moves else (None, action)
        parts = [PUSHES[move]] if move is not None else []
        names[action] = " ".join([*parts, f"say {word}"] if kind.speaks else parts)
    return names


def names(view: ParticlesView) -> dict[int, str]:
    return {} if view.is_over or view.seat is None else _names(view.which, view.seat)


def aliases(view: ParticlesView) -> dict[str, int]:
    if view.seat is None:
        return {}
    kind = view.scenario.kinds[view.seat]
    if kind.speaks:
        return {} if kind.moves else {str(word): word for word in range(view.scenario.words)}
    return ALIASES


def notation(view: ParticlesView) -> str:
    if view.seat is None:
        return "Actions are pushes such as <LEFT> and words such as say 0."
    kind, words = view.scenario.kinds[view.seat], view.scenario.words
    if not kind.moves:
        return f"An action is written say 0 to say {words - 1}."
    pushes = f"{', '.join(PUSHES[:-1])} or {PUSHES[-1]}"
    if not kind.speaks:
        return f"An action is written {pushes}."
    return f"An action is a push ({pushes}) and a word (say 0 to say {words - 1}), written like <LEFT> say 0."


def thing_name(which: int, thing: int) -> str:
    """What lies on the field, by its name: landmark A, food 1, the obstacle."""
    kinds = [kind for kind, _ in scenarios.SCENARIOS[which].things]
    kind, number = kinds[thing], kinds[:thing].count(kinds[thing])
    if kind == scenarios.MARK:
        return f"landmark {LETTERS[number]}"
    return kind if kinds.count(kind) == 1 else f"{kind} {number + 1}"


def _plane(view: ParticlesView) -> str:
    scenario = view.scenario
    hunt = view.which in (scenarios.TAG, scenarios.WORLD)
    sentences = []
    for accel, fastest in sorted({(kind.accel, kind.fastest) for kind in scenario.kinds if kind.moves}):
        who = "a player" if not hunt else "a hunter" if accel == 3 else "prey"
        most = f", and its speed is never above {fastest:g}" if fastest else ""
        sentences.append(f"{who} {accel / 10:g} ({accel / 25:g} in all until it stands again{most})")
    collide = any(kind.collides for kind in scenario.kinds)
    touching = "Players who touch push each other apart." if collide else "Players pass through each other."
    pushes = " and for ".join(sentences)
    return _SAID["plane"].format(horizon=view.horizon, pushes=pushes, touching=touching)


def rules(view: ParticlesView) -> str:
    own = _SAID[view.scenario.name].format(horizon=view.horizon, ratio=view.ratio, rest=1 - view.ratio)
    return own if view.which == scenarios.CRYPTO else f"{_plane(view)}\n{own}"


def you(view: ParticlesView) -> str:
    if view.seat is None:
        return "You are watching."
    role = view.scenario.roles[view.seat]
    article = "" if role in BARE or "_" in role else "the "
    return f"You are {article}{spoken_role(role)}. Collect as many points as you can."


def goal(view: ParticlesView) -> str:
    return f"{view.scenario.aim} Collect as many points as you can."


def spoken_role(role: str) -> str:
    return role.replace("_", " ")


def legend(view: ParticlesView) -> str:
    if view.which == scenarios.CRYPTO:
        return _SAID["legend, crypto"]
    if view.which == scenarios.SPEAKER and view.seat == 0:
        return _SAID["legend, speaker"]
    kinds = dict.fromkeys(kind for kind, _ in view.scenario.things)
    things = " ".join(_of_scenario(kind, view) for kind in kinds)
    players, beside = _of_scenario("players", view), _of_scenario("beside", view)
    return _SAID["legend"].format(players=players, things=things, beside=beside)


def _of_scenario(part: str, view: ParticlesView) -> str:
    """A paragraph, or the one that the scenario has in its place."""
    return _SAID.get(f"{part}, {view.scenario.name}") or _SAID[part]


def history(view: ParticlesView) -> str:
    if view.is_over:
        return f"The {view.horizon} steps are over." if view.horizon > 1 else "The only step is over."
    return f"Step {view.step + 1} of {view.horizon}."


def describe(view: ParticlesView) -> str:
    return "\n".join((history(view), *situation(view)))


def unseen(view: ParticlesView, size: int) -> str:
    """All of it where the picture is too small, and otherwise who is out of its frame."""
    if not is_legible(size):
        return "\n".join(situation(view))
    far = [
        f"{_player(view, seat)} {'are' if seat == view.seat else 'is'} outside of the picture, at {point(place)}."
        for seat, place in enumerate(view.places[: view.scenario.players])
        if place is not None and not is_on_picture(place)
    ]
    return "\n".join(far)


def point(place: Point) -> str:
    return f"({place[0]:.2f}, {place[1]:.2f})"


def _player(view: ParticlesView, seat: int) -> str:
    return "you" if seat == view.seat else spoken_role(view.scenario.roles[seat])


def situation(view: ParticlesView) -> list[str]:
    """What the picture shows."""
    scenario, lines = view.scenario, []
    for seat, (place, speed) in enumerate(zip(view.places, view.speeds, strict=False)):
        if place is not None:
            goes = f", speed {point(speed)}" if speed is not None else ""
            lines.append(f"{_player(view, seat)}: at {point(place)}{goes}, radius {scenario.kinds[seat].size:g}")
        elif view.which == scenarios.WORLD:
            lines.append(f"{_player(view, seat)}: not seen")
    for thing, place in enumerate(view.places[scenario.players :]):
        if place is not None:
            size = scenario.things[thing][1]
            lines.append(f"{thing_name(view.which, thing)}: at {point(place)}, radius {size:g}")
    return [*lines, *known(view)]


def known(view: ParticlesView) -> list[str]:
    """Secrets and words, as far as the seat knows them."""
    lines = []
    first, second = view.secrets
    if view.which == scenarios.CRYPTO:
        lines += [f"the message is {first}"] if first is not None else []
        lines += [f"the key is {second}"] if second is not None else []
    elif view.which == scenarios.REFERENCE:
        for secret, who in ((first, 1), (second, 0)):
            if secret is not None:
                lines.append(f"{_player(view, who)} should go to landmark {LETTERS[secret]}")
    elif first is not None and view.which in (scenarios.ADVERSARY, scenarios.PUSH, scenarios.SPEAKER):
        lines.append(f"landmark {LETTERS[first]} is meant")
    for seat, word in enumerate(view.said):
        if word is not None and view.scenario.kinds[seat].speaks:
            last = "nothing yet" if word == SILENCE else str(word)
            lines.append(f"{_player(view, seat)} said {last}")
    return lines
