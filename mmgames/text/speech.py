"""What somebody wrote, read as speech and actions. Nothing is guessed: an action is a line that is its name.

Any text can be read. Case and punctuation around a name do not matter, but a line with anything more on it, a
second name included, is speech. So is a line that asks, `cut_wire_1?`, and one that quotes, `> cut_wire_1`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from typing import NamedTuple

from mmgames.text.control_marks import show_control_marks
from mmgames.text.reasoning import strip_reasoning

LIMIT = 4_000
"""How many characters of a message count; the rest is dropped and its sender is told."""

_BREAK = re.compile("\r\n?|[\n\v\f\x1c-\x1e\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# Neither question marks (a question is not a deed) nor tildes (~~struck out~~).
_AROUND = (
    (string.whitespace + string.punctuation).translate({ord("?"): None, ord("~"): None})
    + "“”‘’«»„‹›•·–—…。，、！：；（）「」【】\u00a0\u3000\ufeff"
    + "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0)]))
)


class Message(NamedTuple):
    """A message as it counts: what is said, which actions it asks for in which order, and both as written."""

    speech: str
    actions: tuple[str, ...] = ()
    raw: str = ""
    lost: int = 0  # characters beyond the limit


def read(text: str, names: Iterable[str] = ()) -> Message:
    """The message in `text` of somebody who can do `names` (an expert: nothing, so all of it is speech).

    Thinking (`reasoning`) is not part of a message: it is neither heard nor done.
    """
    said, cut = strip_reasoning(text)
    lost = max(0, len(said) - LIMIT)
    kept = _BREAK.sub("\n", said[:LIMIT])
    lines = kept.split("\n")
    # A line that the limit or a thought cuts through may look like a name that nobody wrote.
    whole = len(lines) - bool(not _BREAK.match(said, LIMIT) if lost else cut)
    by_lower = {name.lower(): name for name in names}
    actions: list[str] = []
    speech: list[str] = []
    for number, line in enumerate(lines):
        quoted = line.lstrip().startswith(">")
        name = by_lower.get(line.strip(_AROUND).lower().replace("\\_", "_")) if number < whole and not quoted else None
        if name is None:
            speech.append(line)
        else:
            actions.append(name)
    return Message(_clean("\n".join(speech)), tuple(actions), _clean(kept), lost)


def _clean(text: str) -> str:
    return show_control_marks(_LONE_SURROGATE.sub("\ufffd", _CONTROL.sub("", text))).strip()
