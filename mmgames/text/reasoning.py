"""A reply without its reasoning. Thinking is neither heard nor done, in games and in puzzles alike.

Thoughts are what stands before the last closing mark, or after an opening one that is never closed (the reply was cut
off while it thought), and HTML comments. The marks are those that models use today.
"""

import re
from typing import NamedTuple

_TAGS = "think|thinking|thoughts?|reasoning|reflection|scratchpad|analysis"
_MARK = re.compile(
    rf"(?P<tag></?(?:{_TAGS})>)|(?P<kimi>◁/?think▷)|(?P<square>\[/?THINK\])|(?P<of>\<\|(?:begin|end)_of_thought\|>)"
    r"|(?P<channel><\|channel\|>\s*(?:analysis|final)\s*<\|message\|>)|(?P<final>assistantfinal)|(?P<comment><!--)",
    re.I | re.A,
)
_COMMENT = re.compile("<!--.*?-->", re.S)


class Spoken(NamedTuple):
    """What a reply says outside its thoughts."""

    text: str
    cut_off: bool  # the reply ends inside a thought


def strip_reasoning(reply: str) -> Spoken:
    """A reply without its thoughts. A comment leaves a line break behind, so that nothing grows together around it.

    A thought that is closed takes with it what was opened inside it, closed or not.
    """
    reply = _COMMENT.sub("\n", reply)
    start = 0
    opened: list[re.Match[str]] = []
    for mark in _MARK.finditer(reply):
        if not _closes(mark[0]):
            opened.append(mark)
            continue
        # It closes all thoughts of its kind; where none is open, the thought began with the reply.
        kinds = [_kind(earlier) for earlier in opened]
        del opened[kinds.index(_kind(mark)) if _kind(mark) in kinds else 0 :]
        if not opened:
            start = mark.end()
    return Spoken(reply[start : opened[0].start()], True) if opened else Spoken(reply[start:], False)


def _closes(mark: str) -> bool:
    return "/" in mark or "end_of" in mark.lower() or "final" in mark.lower()


def _kind(mark: re.Match[str]) -> str:
    return mark[0].strip("</>").lower() if mark["tag"] else str(mark.lastgroup)
