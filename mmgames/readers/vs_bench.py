"""VS-Bench: forms are tried in order, the last match of the first that matches counts, and the first legal action
whose name contains it is meant. Forms leave case aside, names do not."""

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from mmgames.text.refusals import Illegal


class Form(NamedTuple):
    pattern: str
    written: str = "{0}"
    """What is looked for in the names: `{0}`, `{1}`, … are the groups of a match, or all of it if it has none."""
    upper: bool = False


def _json(key: str) -> tuple[Form, Form]:
    """An object with this key alone in a fence, then the key and its text anywhere."""
    member = rf'"{key}"\s*:\s*"([^"]+)"'
    return Form(rf"```json\s*\{{\s*{member}\s*\}}\s*```"), Form(member)


_STEPS = "(UP|DOWN|LEFT|RIGHT|STAY)"
_GRID = (Form(f"<{_STEPS}>", "<{0}>", True), Form(rf"\b{_STEPS}\b", "<{0}>", True))
_HANABI = (
    *(Form(rf"{verb}\s+(\d+)", f"({verb} {{0}})") for verb in ("Play", "Discard")),
    Form(r"Reveal player \+1 color\s+([A-Z])", "(Reveal player +1 color {0})"),
    Form(r"Reveal player \+1 rank\s+(\d+)", "(Reveal player +1 rank {0})"),
    # That code means LaTeX's boxes here, but its \b is the edge of a word: "$oxed{…" is what it finds.
    Form(r'\$oxed\{\\text\{([^"}]+)\}\}\$'),
    Form(r'\$oxed\{\{\\text\{([^"}]+)\}\}\}\$'),
    Form(r"\([^()]+\)"),
)
_KUHN = (
    *_json("card"),
    Form(r"<\s*pass\s*>", "<PASS>"),
    Form(r"<\s*bet\s*>", "<BET>"),
    Form(r"\$\\boxed\{\\text\{(PASS|BET)\}\}\$", "<{0}>", True),
    Form(r"\b(pass|bet)\b", "<{0}>", True),
)
_PLACE = r"\(\s*(\d+)\s*,\s*(\d+)\s*\)"
_TIC_TAC_TOE = (Form(rf"([XO])\s*{_PLACE}", "{0}({1},{2})", True), Form(_PLACE, "{mark}({0},{1})"))
GAMES: dict[str, tuple[Form, ...]] = {
    "Hanabi": _HANABI,
    "TinyHanabi": _HANABI,
    "Overcooked": (),
    "Breakthrough": (Form("[a-h][1-8][a-h][1-8]"),),
    "KuhnPoker": _KUHN,
    "Pong": (),
    "CoinDilemma": _GRID,
    "MonsterHunt": _GRID,
    "BattleOfTheColors": _GRID,
    "TicTacToe": _TIC_TAC_TOE,
    "KnightsArchersZombies": (),
    "Particles": (),
}
"""Game -> its own forms, which come after those of JSON."""
_ACTION = _json("action")
TRIES = 20
"""A reply without any of these forms is asked for again; one that names no legal action is not."""


def read_action(game: str, reply: str, legal: Collection[str]) -> str | None:
    """The text that a reply gives for an action, None if no form matches; `legal` are the names of the legal ones."""
    for pattern, written, upper in (*_ACTION, *GAMES[game]):
        if found := re.findall(pattern, reply, re.IGNORECASE):
            groups = found[-1] if isinstance(found[-1], tuple) else (found[-1],)
            mark = next(iter(legal), "X")[:1]  # of whoever is to move, where a form leaves it out
            return written.format(*(text.strip().upper() if upper else text.strip() for text in groups), mark=mark)
    return None


def spelled(game: str, view: Any, names: Mapping[Any, str]) -> Mapping[Any, str]:
    """Our moves as that code writes them: what we ask for as B2 is X(1,1) there, so both will do."""
    if game != "TicTacToe" or view is None:
        return names
    return {cell: f"{'XO'[view.seat]}({cell // 3},{cell % 3}) {name}" for cell, name in names.items()}


def read_move(game: str, view: Any, names: Mapping[Any, str], reply: str) -> Any | Illegal:
    """The legal action that a reply means."""
    names = spelled(game, view, names)
    said = read_action(game, reply, names.values())
    if said is None:
        return Illegal("not in the asked form", "the reply has no form that VS-Bench's code looks for.", reply)
    found = next((action for action, name in names.items() if said in name), None)
    return Illegal("not possible here", f"no legal action contains {said!r}.", reply) if found is None else found


def asks(game: str) -> None:
    """It asks for JSON, as we do."""
