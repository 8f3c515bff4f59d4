"""Breakthrough in words."""

from mmgames.core.game_modules import is_mover, said
from mmgames.games.breakthrough.rules import NUM_ACTIONS, BreakthroughView, captures, ends, legal_moves
from mmgames.kernels.bitboard import CELLS, EMPTY, SIDE

ROLES = ("black", "white")
FILES = "abcdefgh"
RANKS = "87654321"  # from the top
PLACES = tuple(FILES[cell % SIDE] + RANKS[cell // SIDE] for cell in range(CELLS))
CODES = {0: "an empty square", 1: "a black piece", 2: "a white piece"}
# Some numbers stand for moves that would leave the board; they are never legal and have no name.
NAMES = tuple(
    PLACES[source] + PLACES[target] if 0 <= target < CELLS and abs(source % SIDE - target % SIDE) < 2 else ""
    for source, target in map(ends, range(NUM_ACTIONS))
)

rules, legend, notation = said(__package__, "rules", "legend", "notation")


def names(view: BreakthroughView) -> dict[int, str]:
    return {action: NAMES[action] for action in legal_moves(view.cells, view.seat)} if is_mover(view) else {}


def aliases(view: BreakthroughView) -> dict[str, int]:
    """Other ways to write a move: a2-b3, and a2b3* or a2xb3 when it captures."""
    forms: dict[str, int] = {}
    for action, name in names(view).items():
        source, target = name[:2], name[2:]
        forms[f"{source}-{target}"] = action
        if captures(action):
            forms[f"{name}*"] = forms[f"{source}x{target}"] = action
    return forms


def you(view: BreakthroughView) -> str:
    if view.seat is None:
        return "You are watching."
    way, goal = (("down", 1), ("up", 8))[view.seat]
    role = ROLES[view.seat]
    return f"You play {role}: your pieces move {way} the board. Bring one to rank {goal} before the other gets through."


def history(view: BreakthroughView) -> str:
    """What the picture does not show: whose turn it is."""
    if view.mover is None:
        return f"The game is over: {ROLES[view.winner or 0]} has won."
    whose = f"{ROLES[view.mover].capitalize()} is to move" + (": your turn." if view.mover == view.seat else ".")
    return f"Move {view.number + 1}. {whose}"


def ending(view: BreakthroughView) -> str:
    winner, loser = ROLES[view.winner or 0].capitalize(), ROLES[1 - (view.winner or 0)]
    left = view.cells.count(loser[0])
    return f"{winner} has won: {'a piece is on the last rank' if left else f'{loser} has no pieces left'}."


def slips(view: BreakthroughView, action: int) -> list[str]:
    """The game could be won at once and is not, or a piece comes through that could be stopped."""
    seat = view.seat or 0
    moves = legal_moves(view.cells, seat)
    if wins := _wins(view.cells, seat):
        return ["missed win"] * (action not in wins)
    stops = [move for move in moves if not _wins(_after(view.cells, move), 1 - seat)]
    return ["missed defence"] * (bool(stops) and action not in stops)


def _wins(cells: str, seat: int) -> list[int]:
    goal = SIDE - 1 if seat == 0 else 0
    return [move for move in legal_moves(cells, seat) if ends(move)[1] // SIDE == goal]


def _after(cells: str, move: int) -> str:
    squares, (source, target) = list(cells), ends(move)
    squares[source], squares[target] = EMPTY, squares[source]
    return "".join(squares)


def describe(view: BreakthroughView) -> str:
    """The board drawn with letters, the last move and whose turn it is."""
    lines = ["b is a black piece, w a white one, . an empty square."]
    for row, rank in enumerate(RANKS):
        lines.append(" ".join([rank, *view.cells[row * SIDE : (row + 1) * SIDE]]))
    lines.append(" ".join([" ", *FILES]))
    if view.last is not None:
        taken = ", a capture" if captures(view.last) else ""
        source, target = ends(view.last)
        mover = ROLES[0 if target > source else 1]
        lines.append(f"Last move: {mover} {NAMES[view.last]}{taken}.")
    lines.append(history(view))
    return "\n".join(lines)
