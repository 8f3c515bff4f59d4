"""LVLM-Playground: the first match counts, case aside, of a letter (Ask), a move (Rule, Play), a matrix (Perceive)."""

import re
from collections.abc import Mapping
from typing import Any

from mmgames.text.refusals import Illegal

_LETTER = (
    r"Final\s+Answer[:\s]*+(?:\\boxed\{)?\s*+([A-D])",
    r"Answer[:\s]+([A-D])",
    r"\[([A-D])\]",
    r"([A-D])(?:\s*\]|[.\s]|$)",
)
"""Tried in this order. By the last one the end of any word will do: "bad " answers D."""


def _cell(letters: str, numbers: str) -> str:
    return f"[{letters}][{numbers}]|[{numbers}][{letters}]"


GAMES = {
    "TicTacToe": _cell("A-C", "1-3"),
    "Reversi": _cell("A-H", "1-8"),
    "Sudoku": r"[A-I][1-9]\s[1-9]",
    "Minesweeper": _cell("A-H", "1-8"),
    "Gomoku": "[A-O][1-9]|(?:1[0-5]|[1-9])[A-O]",  # K14 is K1, as its first digit fits already
    "Chess": "[a-h][1-8](?:[a-h][1-8])?|O-O|[NBRQK]?[a-h]?[1-8]?x?[a-h][1-8](?:=[QRNB])?",  # no O-O-O, no e8=Q
}
"""Game -> the form of a move."""
_EXAMPLES = {"TicTacToe": "B2", "Reversi": "C4", "Sudoku": "A1 5", "Minesweeper": "A1", "Gomoku": "H8", "Chess": "Nf3"}
_CODES = {
    "TicTacToe": (3, -1, 1),
    "Reversi": (8, 0, 2),
    "Sudoku": (9, 0, 9),
    "Minesweeper": (8, -1, 10),
    "Gomoku": (15, 0, 2),
    "Chess": (8, -6, 6),
}
"""Game -> the side of its board, the lowest and the highest code that is let through."""
_LABEL = r"Movement:\s*"
_NO_FORM = "the reply has no form that LVLM-Playground's code looks for."
_LONGEST = 4000  # signs of a number that Python makes one of


def read_option(reply: str) -> str | None:
    """The letter that a reply to Ask gives."""
    found = (re.search(form, reply, re.IGNORECASE) for form in _LETTER)
    return next((match[1].upper() for match in found if match), None)


def read_movement(game: str, reply: str, label: str = "") -> str | None:
    """The move that a reply to Rule gives, in capitals; `label` has to stand before it in Play.

    The first digit of a move that begins with one goes to its end: 2C is C2, but 10C becomes 0C1.
    """
    found = re.search(rf"{label}({GAMES[game]})", reply, re.IGNORECASE)
    if found is None:
        return None
    said = found[1].upper()
    return said[1:] + said[0] if said[0].isdigit() and game != "Chess" else said


def read_matrix(game: str, reply: str) -> tuple[tuple[int, ...], ...] | None:
    """The board that a reply to Perceive gives: all numbers from the first `[[` to the last `]]`, or to the last in the
    first fence if that comes before; cut into rows, whatever the reply's own were."""
    begin, fence = _brackets(reply)[0], reply.find("```")
    closed = reply.find("```", fence + 3) if 0 <= fence < (begin if begin >= 0 else len(reply)) else -1
    said = _brackets(reply if closed < 0 else reply[fence + 3 : closed])[1]
    side, low, high = _CODES[game]
    numbers = re.findall(r"-?\d+", said)
    if len(numbers) != side * side or max(map(len, numbers)) > _LONGEST:
        return None
    codes = [int(number) for number in numbers]
    if not all(low <= code <= high for code in codes):
        return None
    return tuple(tuple(codes[row * side : (row + 1) * side]) for row in range(side))


def _brackets(text: str) -> tuple[int, str]:
    """Where the first `[[` stands, and all from there to the last `]]`."""
    begin, end = text.find("[["), text.rfind("]]")
    return (begin, text[begin : end + 2]) if 0 <= begin <= end - 2 else (-1, "")


def spelled(game: str, view: Any, names: Mapping[Any, str]) -> dict[Any, str]:
    """Our moves as that code writes them; those that it does not have, such as a flag or to pass, are left out."""
    if game == "Chess":
        import chess

        board = chess.Board(view.fen)
        return {action: board.san(chess.Move.from_uci(name)) for action, name in names.items()}
    written = {action: name.removeprefix("reveal ") for action, name in names.items()}
    return {action: name for action, name in written.items() if re.fullmatch(r"[A-O]\d+( \d)?", name)}


def read_legal(game: str, reply: str, legal: Mapping[Any, str], label: str = "") -> Any | Illegal:
    """The legal move that a reply gives; `legal` are such moves as that code writes them."""
    said = read_movement(game, reply, label)
    if said is None:
        return Illegal("not in the asked form", _NO_FORM, reply)
    if label and game == "Sudoku":
        said = f"{said[:2]} {said[3]}"  # Play reads once more, and any white space will do
    elif label and game == "Gomoku" and said[0].isdigit():
        # There a number before a letter is a move too: 12C became 2C1 and is C2. 10C is column 0, its first one.
        said = f"{said[1]}{max(1, int(said[0]))}"
    found = next((action for action, name in legal.items() if name.upper() == said), None)
    return Illegal("not possible here", f"{said} is no legal move.", reply) if found is None else found


def read_move(game: str, view: Any, names: Mapping[Any, str], reply: str) -> Any | Illegal:
    """The move of a reply in Play. Who can only pass does so whatever the reply is: that code does not ask then."""
    if game == "Chess":
        return _read_chess(view, names, reply)
    if list(names.values()) == ["pass"]:
        return next(iter(names))
    return read_legal(game, reply, spelled(game, view, names), _LABEL)


def _read_chess(view: Any, names: Mapping[Any, str], reply: str) -> Any | Illegal:
    """As python-chess reads it in small letters, but for a capital that is a piece's and leads more than a square."""
    import chess

    found = re.search(f"{_LABEL}({GAMES['Chess']})", reply, re.IGNORECASE)
    if found is None:
        return Illegal("not in the asked form", _NO_FORM, reply)
    piece = len(found[1]) > 2 and found[1][0] in "NBRQK"
    said = found[1][0] + found[1][1:].lower() if piece else found[1].lower()
    try:
        move = chess.Board(view.fen).parse_san(said).uci()
    except ValueError:
        move = ""
    none = Illegal("not possible here", f"{said} is no legal move.", reply)
    return next((action for action, name in names.items() if name == move), none)


def asks(game: str) -> dict[str, str]:
    """How to ask for a move, at once or after some thinking."""
    return _line(f"Movement: {_EXAMPLES[game]}", _NOTES.get(game, ""))


def asks_for_option() -> dict[str, str]:
    """How to ask for the letter of an option."""
    return _line("Answer: B", "The letter is that of one option.")


_NOTES = {"Chess": "Write the move in algebraic notation, such as e4, Nf3 or exd5.", "Minesweeper": "A cell is opened."}


def _line(form: str, note: str) -> dict[str, str]:
    asked = {
        "direct": f"Reply with one line and nothing else, in this form: {form}",
        "cot": f"Think step by step first. Then end your reply with one line in this form: {form}",
    }
    return {reasoning: f"{text}. {note}".rstrip() for reasoning, text in asked.items()}
