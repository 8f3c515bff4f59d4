"""Particles in words."""

from functools import lru_cache

from mmgames.games.particles import scenarios
from mmgames.games.particles.picture_plan import is_legible, is_on_picture
from mmgames.games.particles.rules import SILENCE, ParticlesView, Point

PUSHES = ("<STAY>", "<LEFT>", "<RIGHT>", "<DOWN>", "<UP>")
LETTERS = "ABC"
ALIASES = {"wait": 0, "none": 0, "west": 1, "east": 2, "south": 3, "north": 4}
BARE = ("red", "blue", "green", "first", "second", "eve", "bob", "alice")
"""Roles that are names."""


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
    return (
        "Players are discs on a plane. (0, 0) is its middle, x grows to the right and y upwards; everything starts "
        f"within 1 of the middle on both axes. All act at the same time, {view.horizon} times. In a step a player "
        "first moves by a tenth of its speed, then loses a quarter of it. <LEFT>, <RIGHT>, <DOWN> and <UP> then add "
        f"to the speed that way: for {' and for '.join(sentences)}. <STAY> adds nothing. {touching}"
    )


EDGE = "more than 0.9 from the middle on either axis it loses points too, 1 in a step at 1.0 and ever more further out"
DEAR_EDGE = EDGE.replace("1 in a step", "2 in a step")


def _spread(view: ParticlesView) -> str:
    return (
        f"There are three landmarks, A, B and C. In each step everybody loses {1 - view.ratio:g} times the sum of the "
        f"distances from each landmark to the player nearest to it, and {view.ratio:g} points for each player that it "
        "touches."
    )


def _adversary(view: ParticlesView) -> str:
    return (
        "There are two landmarks, A and B, and one of them is meant. The players first and second know which one; the "
        "rival does not. In each step the rival loses its distance to that landmark. First and second gain the rival's "
        "distance to it and lose the distance of whichever of them is nearer to it."
    )


def _tag(view: ParticlesView) -> str:
    return (
        "Two obstacles stand on the field and cannot be passed. In each step all three hunters gain 10 points for each "
        f"hunter that touches the prey, and the prey loses 10 for each; {EDGE}."
    )


def _push(view: ParticlesView) -> str:
    return (
        "There are two landmarks, A and B, and one of them is meant. The walker knows which one; the guard does not. "
        "In each step the walker loses its distance to that landmark. The guard gains the walker's distance to it and "
        "loses its own: it should stand there itself and push the walker away."
    )


def _speaker(view: ParticlesView) -> str:
    return (
        "There are three landmarks, A, B and C, and one of them is meant. The speaker knows which one, cannot move and "
        "says one of three words in each step. The listener sees the landmarks, hears the word in the next step, and "
        "moves. Both lose the square of the listener's distance to the landmark that is meant, in each step."
    )


def _reference(view: ParticlesView) -> str:
    return (
        "There are three landmarks, A, B and C. For each player one of them is meant, which only the other one knows. "
        "Both move and say one of ten words in each step; a word is heard in the next one. Neither sees the other. In "
        f"each step a player loses {1 - view.ratio:g} times the mean of both players' distances to their own "
        f"landmarks, and {view.ratio:g} times the distance of the other one to the landmark that is meant for it."
    )


def _crypto(view: ParticlesView) -> str:
    return (
        "Nobody moves. Alice holds a message, 0 or 1, and shares a key, 0 or 1, with bob; both stay the same for all "
        f"{view.horizon} steps. In each step everybody says one of four words. Alice's word is heard by bob and eve in "
        "the next step; what bob and eve say are their guesses of the message, which nobody hears. Eve loses 2 points "
        "if her guess is wrong. Alice and bob gain 2 each if eve's is wrong, and lose 2 each if bob's is."
    )


def _world(view: ParticlesView) -> str:
    return (
        "There are an obstacle, which cannot be passed, two pieces of food and two forests. A player in a forest is "
        "seen only by who is in the same forest, and sees only who is; the leader sees everybody. The leader moves "
        "and says one of four words in each step, which the hunters hear in the next one. In each step the leader and "
        "the hunters gain 5 points for each pair of one of them and prey that touch, all alike, and lose a tenth of "
        "the own distance to the nearest prey. Prey loses 5 for each that touches it, gains 2 for each food it touches "
        f"and loses a twentieth of its distance to the nearest food; {DEAR_EDGE}."
    )


RULES = {
    scenarios.SPREAD: _spread, scenarios.ADVERSARY: _adversary, scenarios.TAG: _tag, scenarios.PUSH: _push,
    scenarios.SPEAKER: _speaker, scenarios.REFERENCE: _reference, scenarios.CRYPTO: _crypto, scenarios.WORLD: _world,
}  # fmt: skip


def rules(view: ParticlesView) -> str:
    own = RULES[view.which](view)
    return own if view.which == scenarios.CRYPTO else f"{_plane(view)}\n{own}"


def you(view: ParticlesView) -> str:
    if view.seat is None:
        return "You are watching."
    role = view.scenario.roles[view.seat]
    article = "" if role in BARE or "_" in role else "the "
    return f"You are {article}{spoken_role(role)}. Collect as many points as you can."


def spoken_role(role: str) -> str:
    return role.replace("_", " ")


def legend(view: ParticlesView) -> str:
    which = view.which
    beside = "Beside it stands what you know besides: " + {
        scenarios.SPREAD: "who you are.",
        scenarios.ADVERSARY: "who you are, and the landmark that is meant if you know it.",
        scenarios.TAG: "who you are.",
        scenarios.PUSH: "who you are, and the landmark that is meant if you know it.",
        scenarios.REFERENCE: "where the other one has to go, and the words that were said last.",
        scenarios.WORLD: "who you are, and the leader's last word if you hear it.",
    }.get(which, "")
    if which == scenarios.CRYPTO:
        return "The picture is a card that shows what you know: message, key and the words that were said last."
    if which == scenarios.SPEAKER and view.seat == 0:
        return (
            "The picture is a card that shows the landmark that is meant and the word you said last. You see no field."
        )
    if which == scenarios.SPEAKER:
        beside = "Beside it stands the word that the speaker said last."
    ring = "a golden ring is around one that is known to be meant"
    if which == scenarios.REFERENCE:
        ring = "a ring in the colour of the other player, blue for first and green for second, is around its one"
    things = {
        scenarios.MARK: "Diamonds with a letter are landmarks" + ("." if which == scenarios.SPREAD else f"; {ring}."),
        scenarios.OBSTACLE: "Dark grey discs are obstacles.",
        scenarios.FOOD: "Small blue discs are food.",
        scenarios.FOREST: "Large pale green discs are forests.",
    }
    kinds = list(dict.fromkeys(kind for kind, _ in view.scenario.things))
    players = {
        scenarios.SPREAD: "Players are round discs in their colours.",
        scenarios.ADVERSARY: "The rival is the red disc, first the blue and second the green one.",
        scenarios.TAG: "Hunters are red discs with their numbers, the prey is the green one.",
        scenarios.PUSH: "The guard is the red disc, the walker the blue one.",
        scenarios.WORLD: "Hunters are red discs with their numbers; prey 1 is the green disc and prey 2 the cyan one.",
    }.get(which, "Players are round discs.")
    leader = " The leader is the dark red disc with an L." if which == scenarios.WORLD else ""
    return (
        "The field is shown from -1.4 to 1.4 on both axes, with a frame at 1. "
        f"{players}{leader} You are the one with a black ring. {' '.join(things[kind] for kind in kinds)} The small "
        f"dots before a player lead to where it would coast without a further push. {beside}"
    )


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
