"""The words that clues about simple things are made of, and what they stand for."""

from __future__ import annotations

import re
from functools import cache

COLOURS = {
    "gray": "gray grey grays greys silver silvery grayish greyish slate ash charcoal",
    "red": "red reds crimson scarlet ruby maroon reddish cherry",
    "blue": "blue blues navy azure bluish cobalt royal",
    "green": "green greens emerald greenish lime olive",
    "brown": "brown browns chocolate tan brownish bronze copper coffee",
    "purple": "purple purples violet lilac magenta lavender purplish plum",
    "cyan": "cyan cyans teal turquoise aqua aquamarine",
    "yellow": "yellow yellows gold golden yellowish lemon mustard",
}
SHAPES = {
    "cube": "cube cubes box boxes block blocks square squares cubic cubical dice die brick bricks",
    "sphere": "sphere spheres ball balls orb orbs globe globes marble marbles spherical",
    "cylinder": "cylinder cylinders can cans tube tubes drum drums barrel barrels cylindrical tin tins",
}
SIZES = {
    "small": "small little tiny mini smallish smaller miniature petite wee compact",
    "large": "large big huge hefty chunky fat giant larger bigger massive sizeable sizable oversized "
    "great enormous bulky",
}
MATERIALS = {
    "rubber": "rubber matte mat matt dull nonreflective nonmetallic nonmetal nonshiny rubbery "
    "unpolished plain-finished "
    "unshiny flat rubberized mattes",
    "metal": "metal metallic shiny glossy polished reflective mirror mirrored sheen chrome shine "
    "shines shining gleaming "
    "lustrous mirrorlike metals steel glistening",
}
NOUNS = (
    "object objects thing things item items element elements figure figures solid solids piece pieces stuff ones guy "
    "guys body bodies shape shapes something somethings"
)
NUMBERS = {
    "zero": 0, "one": 1, "single": 1, "lone": 1, "solitary": 1, "sole": 1, "two": 2, "pair": 2, "couple": 2, "twin": 2,
    "duo": 2, "three": 3, "trio": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "1st": 1,
    "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "6th": 6,
}  # fmt: skip
TIMES = {"once": 1, "twice": 2, "double": 2, "doubles": 2, "doubled": 2, "thrice": 3, "triple": 3, "quadruple": 4}
NUMBER = "|".join((*NUMBERS, r"\d+"))


def number(word: str) -> int | None:
    """The number that a word is."""
    return int(word) if word.isdigit() and len(word) < 9 else NUMBERS.get(word)


_OTHER = {
    "quant": {
        "all": "all every each everything everybody",
        "both": "both",
        "none": "no none nothing neither without lacks lacking lack zero nil",
        "half": "half",
        "most": "most mostly majority",
        "any": "any either",
    },
    "exact": {"exactly": "exactly precisely"},
    "only": {"only": "only just merely solely nothingbut"},
    "det": {"the": "the my this our", "a": "a an some another"},
    "noun": {"thing": NOUNS},
    "rest": {"rest": "other others rest remaining remainder else odd"},
    "cop": {
        "is": "is was be being has having looks seems appears shares happens features belongs stays comes =",
        "are": "are were have look seem appear share happen feature belong come",
    },
    "not": {"not": "not never isnt arent dont doesnt cannot"},
    "and": {"and": "and plus n & + also while whereas besides accompany accompanies versus vs accompanied"},
    "with": {"with": "with featuring"},
    "or": {"or": "or nor"},
    "of": {"of": "of among amongst"},
    "which": {"which": "which that who"},
    "pron": {"it": "it its", "they": "they them these those"},
    "except": {"except": "except but excluding apart aside"},
    "more": {"more": "more", "fewer": "fewer less"},
    "than": {"than": "than then"},
    "as": {"as": "as"},
    "many": {"many": "many much"},
}


@cache
def words() -> dict[str, tuple[str, object]]:
    """What kind of word each known one is, and what it stands for."""
    found: dict[str, tuple[str, object]] = {}
    for kind, meanings in _OTHER.items():
        for value, names in meanings.items():
            found |= dict.fromkeys(names.split(), (kind, value))
    for attribute, table in (("colour", COLOURS), ("shape", SHAPES), ("size", SIZES), ("material", MATERIALS)):
        for value, names in table.items():
            found |= dict.fromkeys(names.split(), ("attr", (attribute, value)))
    found |= {name: ("num", value) for name, value in NUMBERS.items() if name != "zero"}
    return found


@cache
def known(word: str) -> tuple[str, object] | None:
    """What a word is; a long one may be misspelt in one place."""
    if word.isdigit():
        return ("num", int(word)) if len(word) < 9 else None
    table = words()
    if word in table or len(word) < 5 or word in NOT_MISSPELT:
        return table.get(word)
    for name, (kind, value) in table.items():
        if kind == "attr" and abs(len(name) - len(word)) < 2 and len(name) > 4 and _one_slip(word, name):
            return kind, value
    return None


NOT_MISSPELT = frozenset(
    [
        "smaller",
        "larger",
        "black",
        "shall",
        "smell",
        "medal",
        "matter",
        "grown",
        "drown",
        "crown",
        "greed",
        "greet",
        "flock",
        "clock",
    ]
)


def _one_slip(one: str, other: str) -> bool:
    """Whether two words differ by one sign: another, one more, one fewer, or two neighbours in turn."""
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    a, b = one[start:], other[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])


_VIEWER = r"(?:the )?(?:camera|viewer|front|us|me|you|observer|lens|foreground|eye)"
_SIDE = r"(?:hand )?(?:side|part|half|portion|section|area|end|edge|border|region|corner)?"
_PICTURE = "(?:picture|image|scene|photo|photograph|view|frame|shot|render|rendering|pic|arrangement|composition)"
PHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), token)
    for pattern, token in (
        (
            rf"(?:\b(?:in|of|on|within|from|across|inside|throughout|for|at) )?(?:\b(?:my|the|this|our|"
            rf"your|own|entire|whole) )*\b{_PICTURE}\b(?! (?:has|have) a\b)",
            " ",
        ),
        (r"\b(?:in|on) mine\b", " "),
        (
            r"\b(?:i|you|we|they|that|which|it|there|one) can\b|\bcan(?= (?:be|see|also|not|spot|find|"
            r"make|identify|tell|observe|notice|count))",
            " ",
        ),
        (
            r"\bone (?:is )?(?:bigger|larger|smaller) (?:than the other|and (?:one|the other) "
            r"(?:smaller|larger|bigger))\b",
            "one large, one small",
        ),
        (r",? (?:of|with|in) (?:two )?different sizes\b", ", one large, one small"),
        (rf"\b({NUMBER}) or more\b", r"atleast \1"),
        (rf"\b({NUMBER}) or (?:fewer|less)\b", r"atmost \1"),
        (r"(?<!to )\bround (?=(?:object|thing|item|shape|one)s?\b)", "sphere "),
        (
            r"\b(?:(?:are|is)? ?of|have|has|in|with) different colou?rs\b|\bdiffer(?:ing)? in (?:size|"
            r"colou?r|shape|material)\b",
            " ",
        ),
        (r"\bone single\b|\ba single\b|\bone \(1\)", "one"),
        (
            r"(?<!the )(?<!\w-)\bonly (?=(?!one\b|a\b|an\b|two\b|the\b|\d)(?:\w+ ){0,2}(?:thing|"
            r"object|item|cube|sphere|ball|cylinder|box)\b)",
            "the only ",
        ),
        (r"\bone of (?:them|these|those)(?! (?:is|are|has|was|looks|being)\b)", "one"),
        (r"\bof (?:the |a )?same\b", "of"),
        (r"\b(?:the )?same\b", " "),
        (rf"^(?:out )?of (?:the |all )?({NUMBER}) (\w+),? ({NUMBER})\b", r"\3 of the \1 \2"),
        (rf"(?<=[:,(]) ?({NUMBER}) (?:out )?of (?:the )?(?:{NUMBER})\b", r" \1 of them"),
        (r"\b(?:a second|another|a further) (.+?) (?:besides|beside|apart from|next to|than)\b", r"atleast two \1 ,"),
        (
            r"\b(?:look(?:ed|ing)?|search(?:ed)?) for (?:any )?(\w+),? but (?:there are none|found none|no luck)\b",
            r"no \1",
        ),
        (r"\b(?:makes? up|accounts? for|constitutes?|forms?|comprises?)\b", " is "),
        (r"\bnon[- ](?=reflective|metal|shiny)", "non"),
        (r"\b(left|right|front|back|fore|rear|near|far)[- ]most\b", r"\1most"),
        (r"\bmost (left|right)\b", r"\1most"),
        (r"\bbowling ball\b", "ball"),
        (r"\bmirror[- ](?:like|finish)\b", "metal"),
        (r"\blike a mirror\b|\bto a mirror\b|\b(?:catch(?:es)?|reflect(?:s|ing)?) (?:the )?light\b", ""),
        (
            r"\b(?:not|no|without(?: a)?) (?:\w+ )?(?:reflective|reflecting|shiny|metallic|glossy)(?= "
            r"(?:finish|surface|look))",
            "rubber",
        ),
        (r"\b(?:is|are) not (?:shiny|metallic|metal|glossy|reflective)\b", "is rubber"),
        (r"\b(?:is|are) not (?:matte|rubber|dull)\b", "is metal"),
        (rf"\b({'|'.join(ORDINALS)}|last) (?:\w+ )?(?:from|on|at|to) (?:the )?(left|right)\b", r" ord_\1_\2 "),
        (rf"\bfrom (?:the )?(left|right),? (?:the )?({'|'.join(ORDINALS)})\b", r" ord_\2_\1 "),
        (r"\b(?:from )?left to right\b", " inorder_left "),
        (r"\b(?:from )?right to left\b", " inorder_right "),
        (
            rf"\b(?:to|on|at|towards?|from)? ?(?:the |its |their )?(?:right )?(left|right) {_SIDE} "
            rf"?(?:of|from)(?! (?:the |my |this )?(?:picture|image|scene|frame|photo|row|view|floor|group))\b",
            r" rel_\1 ",
        ),
        (r"\bto (?:its|their) (left|right)\b|\b(left|right) of it\b", r" at_\1\2 "),
        (
            rf"\b(?:more )?(?:closer|nearer|near|close)(?: to {_VIEWER})? than\b|\b(?:further|farther) "
            rf"(?:to the )?(?:front|forward) than\b",
            " rel_front ",
        ),
        (r"\b(?:further|farther)(?: (?:back|away|behind|from \w+ \w+|from us))* than\b|\bbehind\b", " rel_behind "),
        (r"\b(?:right )?in front of(?! all)(?= )", " rel_front "),
        (r"\bin between\b|\bbetween\b", " rel_between "),
        (
            rf"\b(?:closest|nearest|foremost|frontmost|most near|nearest of all|closest of all)(?: "
            rf"one)?(?: (?:to|of all|of)(?: {_VIEWER})?)?",
            " sup_front ",
        ),
        (
            rf"\b(?:farthest|furthest|most distant|rearmost|backmost|farmost|hindmost)(?: (?:from|back|"
            rf"away|of all)(?: {_VIEWER})?)*",
            " sup_back ",
        ),
        (
            r"\b(?:in |at |on |to )?(?:the )?(?:very|right up|right at|all the way(?: at| in)?|way up|"
            r"immediate|up)(?: the)? (front|back|rear|foreground|background)\b",
            r" far_\1 ",
        ),
        (
            rf"\b(?:at |on |to )?(?:the )?(?:far|extreme|very|all the way(?: to| on| over)?(?: the)?|"
            rf"way over on the|way|outer|utmost)[- ](left|right) ?{_SIDE}\b",
            r" far_\1 ",
        ),
        (
            r"\b(?:at |on |by )?(?:the )?(left|right)(?:[- ]hand)? (?:edge|end|border|margin|"
            r"extreme)\b|\bedge(?: on)? the (left|right)\b",
            r" far_\1\2 ",
        ),
        (r"\b(?:first|last) (?:object |thing |one )?(?:on|at) the (left|right)\b", r" far_\1 "),
        (r"\bleftmost\b", " sup_left "),
        (r"\brightmost\b", " sup_right "),
        (r"\b(?:biggest|largest)\b", " sup_large "),
        (r"\b(?:smallest|tiniest)\b", " sup_small "),
        (
            rf"\b(?:in|at|near|towards?|to|on|close to|into)? ?(?:the )?(?:right )?(?:in )?(?:the "
            rf")?(front|foreground|back|rear|background|lower|bottom|upper|top) ?{_SIDE}",
            r" at_\1 ",
        ),
        (
            rf"\b(?:in|at|near|towards?|to|on|close to)? ?(?:the )?(?:very |dead |right )?(?:in "
            rf")?(?:the )?(middle|centre|center|central) ?{_SIDE}",
            r" at_middle ",
        ),
        (
            rf"\b(?:in|at|near|towards?|to|on|close to|over on)? ?(?:the |my )?(left|"
            rf"right)(?:[- ]hand)? ?{_SIDE}(?= |,|\.|;|:|$)",
            r" at_\1 ",
        ),
        (r"\b(?:next (?:to|of)|beside|near|close to|adjacent to|alongside)\b", " rel_near "),
        (r"\bat least\b|\bno fewer than\b|\bno less than\b|\bminimum of\b", " atleast "),
        (r"\bat most\b|\bno more than\b|\bup to\b", " atmost "),
        (r"\bmore than\b(?= (?:\d|one|two|three|four|five))", " over "),
        (r"\b(?:fewer|less) than\b(?= (?:\d|one|two|three|four|five))", " under "),
        (r"\bmore than half\b", " most "),
        (r"\bout of(?: the| all)?\b", " of "),
        (r"\bnothing (?=\w+(?: \w+)? (?:here|there|in|to be)\b|\w+$)", "no "),
        (r", (?:but |and )?not (?:a |an )?\w+$", ""),
        (r"\bdescribe (.+?) as\b", r"\1 is"),
        (
            r"\bnot (?:a single|any|one|a)\b|\bno one\b|\bnot contain(?: any)?\b|\b(?:do|does|did|can|"
            r"will|wo) ?not (?:see|have|contain|find|spot|show|include|feature)(?: any| a single| a| an)?\b",
            " no ",
        ),
        (r"\bmade (?:up )?(?:of|from|out of)\b", " made "),
        (r"\b(?:a|one) (pair|couple|trio|duo) of\b", r"\1"),
        (r"\bodd one out\b", " rest "),
        (
            r"\b((?:sup|ord|far)_\w+) +(?:object |thing |one )?of (?:the |all |all the )?(?:\w+ "
            r")?(?:objects|things|items|them all|all)\b",
            r" \1 ",
        ),
        (r"\bequally (?=large|small|big)", ""),
    )
)
