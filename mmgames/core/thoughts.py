"""What of a reply is said aloud. Thinking is neither heard nor done, in games and in puzzles alike.

Thoughts are what stands before the last closing mark of a kind, or after an opening one that is never closed (the reply
was cut off while it thought), and HTML comments. The marks are those that models use today.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TAGS = ("think", "thinking", "thoughts?", "reasoning", "reflection", "scratchpad", "analysis")
_MARKS = tuple(
    (re.compile(begins, re.I | re.A), re.compile(ends, re.I | re.A))
    for begins, ends in (
        *((f"<{tag}>", f"</{tag}>") for tag in _TAGS),
        ("◁think▷", "◁/think▷"),
        (r"\[THINK\]", r"\[/THINK\]"),
        (r"<\|begin_of_thought\|>", r"<\|end_of_thought\|>"),
        (r"<\|channel\|>\s*analysis\s*<\|message\|>", r"<\|channel\|>\s*final\s*<\|message\|>"),
        ("<!--", "-->"),  # one that is never closed, or never opened
    )
)
_ANY = re.compile(r"<\W?[a-z|!-]|◁|\[/?THINK", re.I)
_COMMENT = re.compile("<!--.*?-->", re.S)


class Aloud(NamedTuple):
    text: str
    cut: bool  # the reply ends inside a thought


def aloud(reply: str) -> Aloud:
    """What a reply says aloud. A comment leaves a line break behind, so that nothing grows together around it."""
    if not _ANY.search(reply):
        return Aloud(reply, False)
    reply = _COMMENT.sub("\n", reply)
    cut = False
    for begins, ends in _MARKS:
        start = max((match.end() for match in ends.finditer(reply)), default=0)
        open_thought = begins.search(reply, start)
        reply = reply[start : open_thought.start()] if open_thought else reply[start:]
        cut = cut or open_thought is not None
    return Aloud(reply, cut)
