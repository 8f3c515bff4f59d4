"""What statements about boards look like: amounts, comparisons, relations, and words for what cells hold."""

from __future__ import annotations

import re

from mmgames.games.spy.listening.vocabulary import NUMBER

WORD = re.compile(r"[a-z]+|\d+")
EMPTY = re.compile(
    r"\b(?:empty|free|nothing(?: (?:stands|sits|is|lies|placed))*(?= on| at| in| there| here| yet|\s*$)|"
    r"blank|unoccupied|vacant|not (?:been )?(?:filled|"
    r"occupied|taken)"
    r"|unfilled|bare|open to take)\b"
)
FILLED = re.compile(r"\b(?:filled|occupied|not empty|full|taken)\b")
NO = re.compile(r"\b(?:no|not|none|without|never|no longer|nowhere|captured|gone|lost|missing|absent|lacks?|zero)\b")
PLAIN = {"a", "an", "the", "with", "cell", "square", "point", "on", "of", "that", "is", "no", "it", "beside", "tile"}
SAME = {
    "knights": "knight", "counters": "counter", "xs": "x", "os": "o", "cross": "x", "crosses": "x", "nought": "o",
    "noughts": "o", "circle": "o", "plate": "dish", "plates": "dish", "cook": "chef", "cooks": "chef",
    "hidden": "closed",
    "covered": "closed", "unopened": "closed", "opened": "open", "revealed": "open", "uncovered": "open",
    "bomb": "mine",
    "bombs": "mine", "dishes": "dish", "onions": "onion", "crates": "crate", "box": "crate", "horse": "knight",
    "castle": "rook", "number": "digit", "numbers": "digit", "digits": "digit", "cooking": "cooking", "guy": "player",
}  # fmt: skip
ANY = re.compile(
    r"\b(?:pieces?|stones?|discs?|disks?|marks?|tokens?|men|man|anything|symbols?|digits?|numbers?|something|signs?|"
    r"entr(?:y|ies)|given)\b"
)
MORE = re.compile(r"\b(more|fewer|less) (.+?) than (.+)|\b(.+?) (outnumbers?|has more .*?than|have more .*?than) (.+)")
HAS_MORE = re.compile(r"\b(.+?) (?:has|have|holds?|owns?|with) (more|fewer) (.+?) than (.+)")
MORE_THAN = re.compile(rf"\b(?:more|fewer|less) than (?:{NUMBER})\b")
BY = re.compile(
    rf"\b(black|white|x|o)s? (?:(?:has|have) ({NUMBER}) (?:more(?: \w+)?|\w+ more)(?: (?:on|"
    rf"in) (?:the )?\w+)? than|(?:leads|is ahead of)) "
    rf"(?:the )?(black|white|x|o)s?"
    rf"(?: by ({NUMBER}))?\b|\b(black|white|x|o)s? (?:leads|is (?:ahead|leading)) by ({NUMBER})\b"
)
RIVAL = {"black": "white", "white": "black", "x": "o", "o": "x"}
EVEN = re.compile(
    r"\bboth (?:colou?rs|sides|players)\b.*\b(?:same number|equally many|as many)|\bequally many\b|"
    r"\b(?:same|equal) numbers? of (?:discs|disks|stones|pieces|marks|symbols)\b"
)
ALIKE = re.compile(
    r"\b(?:hold|have|show|contain|carry|share|are)s?(?: the)? (same|different) (?:symbols?|"
    r"marks?|pieces?|digits?|colou?rs?|numbers?)\b"
)
LOST = re.compile(
    r"\b(white|black) (?:is missing|has lost|lost|is down|misses) (an?|one|two|three|four|both) "
    r"(pawn|knight|bishop|rook|queen)s?\b"
)
MEN = {"pawn": 8, "knight": 2, "bishop": 2, "rook": 2, "queen": 1}
FULL_LINE = re.compile(
    r"\b(?:has|have|owns|got|makes|made|completed) (?:an?|one) (?:full|complete|whole|entire|"
    r"finished) (diagonal|row|column|line)\b"
)
WHOLE = re.compile(
    r"\b(?:entire|whole|all of|complete|completely|entirely|fully)\b|\b(?:owns?|fills?|controls?|has filled|"
    r"occup(?:ies|y) (?:the|all))\b|"
    r"\b(?:is|are) (?:all|only|nothing but)\b"
)
EVERY_CELL = re.compile(r"\b(?:every|each|all(?: the| four| of the)?) (?:\w+ )?(?:corners?|cells?|squares?|points?)\b")
MAJORITY = re.compile(r"\b(black|white|x|o)s?\b.*\b(?:majority|dominates?|ahead)\b")
AS_MANY = re.compile(r"\bas many (.+?) as (.+)|\b(?:equal number|same number)s? of (.+?) and (.+)")
RELATION = re.compile(
    r"^(.+?) (?:(?:is|are|stands?|sits?|lies|placed|positioned|located|to|on|at|one (?:cell|square|row|column|step)) )*"
    r"(?:(directly|right|immediately|just|exactly) )?(?:to the |on the )?"
    r"(left|right|above|below|under|beneath|over|beside|next to|adjacent to)(?: of)? (?:the |a |an )?(.+)$"
)
TOGETHER = re.compile(r"\b(?:next to|beside|adjacent to) each other\b|\b(?:side by side|adjacent|neighbou?rs)\b")
SAME_LINE = re.compile(r"\b(?:same|share a) (row|column|square|cell)\b")
CLAUSE = re.compile(r"\s*(?:[,;:—–()]| and(?: also)? | but | while | whereas | versus | vs | against )\s*")
SAME_PLACE = re.compile(
    rf"(?:(?:it|that) is \w+|(?:not |and |but )*(?:a|an|the|no|{NUMBER}) (?:single )?\w+(?: (?:one|ones|discs?|"
    rf"stones?|pieces?|marks?))?|both .*|all .*)$"
)
IS = re.compile(r"\b(?:is|are|was|were|has|have|holds?|contains?|shows?|stands?|sits?|=)\b")
HOME = re.compile(r"\b(?:home|starting|original|initial) (?:squares?|positions?|rows?|cells?|places?|ranks?)\b")
BOUNDS = {
    ">=": re.compile(r"\bat least\b|\bor more\b|\bno (?:fewer|less) than\b"),
    "<=": re.compile(r"\bat most\b|\bno more than\b|\bor (?:fewer|less)\b|\bup to\b"),
    ">": re.compile(rf"\b(?:more than|over)(?= (?:{NUMBER})\b)"),
    "<": re.compile(r"\b(?:fewer|less) than\b"),
}
COUNTED = re.compile(r"\b\d+ (?!(?:is|has|was|holds|stands|sits|lies|appears|does)\b)(?=(?:\w+ )?[a-rt-z]+s\b)")
IN_A_ROW = re.compile(
    rf"\b({NUMBER}) ([\w ]+?) in an? (?:(vertical|horizontal|diagonal|straight|single) )?(?:row|line|column)\b"
)
NOTHING_ELSE = re.compile(r",? (?:and|but|with) (?:nothing else|no other (?:pieces?|stones?|marks?|discs?))$")
COUNTED_ONES = re.compile(rf"\b({NUMBER}) ones\b")
PLURAL_DIGITS = re.compile(r"\b(two|three|four|five|six|seven|eight|nine)e?s\b")
BACK_RANK = (4, 2, 3, 5, 6, 3, 2, 4)
