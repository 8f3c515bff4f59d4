"""KnightsArchersZombies in words."""

from mmgames.core.game_modules import always
from mmgames.games.knights_archers_zombies.field import BattleView, Point
from mmgames.games.knights_archers_zombies.picture_plan import is_legible
from mmgames.games.knights_archers_zombies.rules import ATTACK, LEFT, RIGHT, WAIT
from mmgames.text.prose import paragraphs

NAMES = dict(enumerate(("<FORWARD>", "<BACKWARD>", "<TURN LEFT>", "<TURN RIGHT>", "<ATTACK>", "<WAIT>")))
DEAD = {WAIT: NAMES[WAIT]}
ALIASES = {"none": WAIT, "shoot": ATTACK, "strike": ATTACK, "left": LEFT, "right": RIGHT}
_SAID = paragraphs(__package__, "words")
aliases = always(ALIASES)
notation = always(f"An action is written {', '.join(list(NAMES.values())[:-1])} or {NAMES[WAIT]}.")


def names(view: BattleView) -> dict[int, str]:
    if view.is_over or view.seat is None:
        return {}
    return NAMES if view.player(view.seat).alive else DEAD


def rules(view: BattleView) -> str:
    state = view.state
    edge = " A player who goes beyond the upper or the lower edge dies." if state.deadly else ""
    zombies, arrows = len(state.zombies), len(state.arrows)
    field = _SAID["field"].format(horizon=view.horizon, delay=state.delay, zombies=zombies)
    return f"{field}\n{_SAID['moves']}{edge}\n{_SAID['attacks'].format(arrows=arrows)}"


def spoken_role(role: str) -> str:
    return role.replace("_", " ")


def you(view: BattleView) -> str:
    if view.seat is None:
        return "You are watching."
    return f"You are {spoken_role(view.roles[view.seat])}. Collect as many points as you can."


legend = always(_SAID["legend"])


def history(view: BattleView) -> str:
    """What the picture does not show: how far it is, and who cannot attack or act."""
    if view.is_over:
        return f"The battle is over after {view.step} steps."
    sentences = [f"Step {view.step + 1} of at most {view.horizon}."]
    for seat in range(len(view.roles)):
        player = view.player(seat)
        if player.alive and player.waits:
            sentences.append(_waits(view, seat, player.waits))
    return " ".join(sentences)


def _name(view: BattleView, seat: int) -> str:
    return "you" if seat == view.seat else spoken_role(view.roles[seat])


def _waits(view: BattleView, seat: int, waits: int) -> str:
    mine = seat == view.seat
    who = "You" if mine else _name(view, seat).capitalize()
    if seat < view.archers:
        return f"{who} shoot{'' if mine else 's'} at the {('next', 'second', 'third', 'fourth')[waits - 1]} try."
    return f"{who} can act again in {waits} steps." if waits > 1 else f"{who} can act again in the next step."


def describe(view: BattleView) -> str:
    return "\n".join((history(view), *situation(view)))


def unseen(view: BattleView, size: int) -> str:
    """All of it in words, where figures are too small to tell."""
    return "" if is_legible(size) else "\n".join(situation(view))


def point(at: Point) -> str:
    return f"({at[0]}, {at[1]})"


def direction(degrees: int) -> str:
    """Degrees clockwise from up."""
    named = {0: "up", 90: "right", 180: "down", 270: "left"}.get(degrees)
    return named or f"{degrees} degrees clockwise from up"


def situation(view: BattleView) -> list[str]:
    """What the picture shows."""
    lines = []
    for seat in range(len(view.roles)):
        player, who = view.player(seat), _name(view, seat)
        kills = f"kills: {player.kills}"
        if not player.alive:
            lines.append(f"{who}: dead, {kills}")
            continue
        sword = f", sword at {point(player.sword)}" if player.sword else ""
        lines.append(f"{who}: at {point(player.at)}, looks {direction(player.heading)}{sword}, {kills}")
    zombies = ", ".join(point(at) for at in view.zombies)
    lines.append(f"zombies: {zombies or 'none'}")
    if view.arrows:
        lines.append("arrows: " + ", ".join(f"{point(at)} flying {direction(way)}" for at, way in view.arrows))
    return lines
