"""Ways of speaking of boards, put into the plain form that is read: who stands where, and how many."""

from __future__ import annotations

import re

from mmgames.games.spy.listening.vocabulary import NUMBER, NUMBERS, TIMES, number

_SIDE = r"(?:left|right|above|below|under|underneath|beneath|over|next to|beside|adjacent to)"
_LINE = r"(?:row|column|rank|file|col) (?:\w|\d+)\b"
_PLACED = r"(?:is|are|stands|sits|lies|i see|i have|you see)"
_APPEARS = (
    r"(?:appears?|occurs?|shows? up|comes? up|is (?:used|found|seen|there|present)|are (?:used|found|"
    r"seen|there))"
)
_OWNER = {"black": "white", "white": "black", "x": "o", "o": "x"}
_PLAIN = (
    (re.compile(r"\b(?:nobody|no one|no-one)\b(?= (?:in|on|at|is|has))"), "nothing"),
    (re.compile(r"\b(black|white|xs?|os?): ?(\d+)\b"), r"\2 \1 pieces"),
    (re.compile(r"\b(black|white|x|o) (?:leads|wins|is (?:ahead|winning|leading))(?: by)? (\d+)(?: to |[-–:])(\d+)\b"),
     lambda m: f"{m[2]} {m[1]} pieces, {m[3]} {_OWNER[m[1]]} pieces"),
    (re.compile(rf"\b((?:{NUMBER}) \w+) (?=(?:{NUMBER}) (?!times)\w+$)"), r"\1, "),
    (re.compile(r"^the (?:only|single|lone|sole|one) (piece|stone|disc|disk|mark)s? (?:in|"
        r"on) (.+?) is (?:an? )?(\w+)$"),
     r"\2 has one \1, \2 has one \3 \1"),
    (re.compile(r"\b(?:reads|goes|is as follows),?:? "), ": "),
    (re.compile(rf"^((?:directly |immediately |right |just )?(?:to the |on the )?{_SIDE}(?: of)? .+?),? (?:there )?"
                rf"{_PLACED} (?!not\b)(?=(?:an?|the|one|no)\b)(.+)$"), r"\2 is \1"),
    (re.compile(r"\bneither (.+?) nor (.+?) (is|are) (.+)$"), r"\1 \3 not \4, \2 \3 not \4"),
    (re.compile(r"\bneither (.+?) nor (.+?) (has|have|contains?|holds?|shows?) (?:an? |any )?(.+)$"),
     r"\1 has no \4, \2 has no \4"),
    (re.compile(rf"\b({_LINE})(?:, and|,| and) ({_LINE})"),
     lambda m: f"{m[1]} {m[2]}" if m[1].split()[0][:3] != m[2].split()[0][:3] else m[0]),
    (re.compile(rf"^(?:the (?:number|digit) )?(.+?) {_APPEARS}(?: only| exactly| just)? (?:(once|twice|thrice)|"
    rf"({NUMBER}) times)\b"),
     lambda m: f"{_word(m[2] or m[3])} {m[1]}s "),
    (re.compile(r"\b(?:has|have|is|are) (?:already |just |long )?(?:left|moved (?:away )?from|vacated|gone from|"
                r"abandoned)(?= [a-o]\d)"), "is not on"),
    (re.compile(r" (?:on|at|from) ([a-o]\d+) (?:has|have|is) (?:already )?(?:moved|left|gone)\b(?! "
    r"to)"), r" is not on \1"),
    (re.compile(r"\b(?:has|have) not moved\b|\bstill\b|\balready\b"), " "),
    (re.compile(r"\b(?:has|have) (?:filled|taken|occupied|claimed)(?: up)?(?= (?:the|all|both|every)\b)"), "owns"),
    (re.compile(r"'s\b|\ball the (?:way|time)\b|\bfull of\b"), " "),
)  # fmt: skip


def _word(told: str) -> str:
    """A number as a word, so that it is not taken for what a cell holds."""
    value = TIMES.get(told) or number(told) or 0
    return next((name for name, each in NUMBERS.items() if each == value and name not in ("single", "lone")), told)


def plain(sentence: str, listing: re.Pattern[str]) -> str:
    """A sentence about a board in plain form; cells that are listed (`listing`) stand side by side."""
    for pattern, put in _PLAIN:
        sentence = pattern.sub(put, sentence)
    return listing.sub(lambda found: " ".join(re.findall(r"\w+\d", found[0])), sentence)
