"""COMMA: a line does the first action, in the module's own order, whose name it contains, also inside a longer word."""

from collections.abc import Sequence


def read_actions(message: str, names: Sequence[str], last: bool = False) -> tuple[str, ...]:
    """The actions of a solver's message, at most one a line; of the `last` one, for which there is no turn left, only
    the first line is read."""
    lines = message.lower().split("\n")
    found = (next((name for name in names if name.lower() in line), "") for line in (lines[:1] if last else lines))
    return tuple(filter(None, found))
