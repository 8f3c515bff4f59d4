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
    "yellow": "yellow yellows gold golden yellowish goldish lemon mustard",
}
SHAPES = {
    "cube": "cube cubes box boxes block blocks square squares cubic cubical dice die brick bricks",
    "sphere": "sphere spheres ball balls orb orbs globe globes marble marbles spherical",
    "cylinder": "cylinder cylinders can cans tube tubes drum drums barrel barrels cylindrical tin "
    "tins cyl cyls cilinder",
}
SIZES = {
    "small": "small little lil smol tiny mini smallish smaller miniature petite wee compact",
    "large": "large big huge hefty chunky fat giant larger bigger massive sizeable sizable oversized enormous bulky",
}
MATERIALS = {
    "rubber": "rubber matte mat matt dull nonreflective nonmetallic nonmetal nonshiny rubbery "
    "unpolished plain-finished "
    "unshiny flat rubberized mattes",
    "metal": "metal metallic shiny glossy polished reflective mirror mirrored sheen chrome shine "
    "shines shining gleaming "
    "lustrous mirrorlike metals steel glistening gleams gleam gloss",
}
NOUNS = (
    "object objects thing things item items element elements figure figures solid solids piece pieces stuff guy "
    "guys body bodies shape shapes something somethings anything form forms"
)
NUMBERS = {
    "zero": 0, "one": 1, "single": 1, "lone": 1, "solitary": 1, "sole": 1, "two": 2, "pair": 2, "couple": 2, "twin": 2,
    "duo": 2, "three": 3, "trio": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "1st": 1,
    "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "6th": 6,
}  # fmt: skip
DIMENSIONS = {
    name: attribute
    for attribute, names in {
        "colour": "colour colours color colors coloured colored colouring coloring hue hues tone tones shade shades",
        "shape": "shape shapes form forms",
        "size": "size sizes sized",
        "material": "material materials surface surfaces finish finishes texture textures look appearance coat coating",
    }.items()
    for name in names.split()
}
"""What attributes are called."""
_IDLE = (
    "the and for you your can see one that this there here with from very just really quite also stands stand sits "
    "sit placed located visible present shown seen found sitting standing lies lying right well has have"
)
IDLE = frozenset(_IDLE.split())
"""Words that may be left out of a sentence."""
TIMES = {"once": 1, "twice": 2, "double": 2, "doubles": 2, "doubled": 2, "thrice": 3, "triple": 3, "quadruple": 4}
NUMBER = "|".join((*NUMBERS, r"\d+"))


def number(word: str) -> int | None:
    """The number that a word is."""
    return int(word) if word.isdigit() and len(word) < 9 else NUMBERS.get(word)


_UNIT = "one|two|three|four|five|six|seven|eight|nine"
_TEEN = "eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TEN = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_WORTH = {"a": 1, "hundred": 100, "thousand": 1000, "and": 0, "ten": 10}
for _words, _first, _step in ((_UNIT, 1, 1), (_TEEN, 11, 1), (_TEN, 20, 10)):
    _WORTH |= {word: _first + _step * place for place, word in enumerate(_words.split("|"))}
_SMALLER = rf"(?:(?:{_TEN})(?:[- ](?:{_UNIT}))?|{_TEEN}|ten|{_UNIT})"
LARGE_NUMBER = re.compile(
    rf"\b(?:(?:{_UNIT}|a) (?:hundred|thousand)(?:(?: and)? {_SMALLER})?|(?:{_TEN})(?:[- ](?:{_UNIT}))?|{_TEEN})\b"
)
"""A number above ten in words."""


def digits(found: re.Match[str]) -> str:
    """A number in words, in digits."""
    total = 0
    for word in re.split("[ -]", found[0]):
        total = total * _WORTH[word] if word in ("hundred", "thousand") else total + _WORTH[word]
    return str(total)


_OTHER = {
    "quant": {
        "all": "all every each everything everybody",
        "both": "both",
        "none": "no none nothing neither lacks lacking lack zero nil",
        "half": "half",
        "most": "most mostly majority",
        "any": "any either",
        "few": "few",
    },
    "exact": {"exactly": "exactly precisely"},
    "only": {"only": "only just merely solely nothingbut"},
    "det": {"the": "the my this our", "a": "a an some another"},
    "noun": {"thing": NOUNS, "one": "ones"},
    "rest": {"rest": "other remaining else odd", "others": "others rest remainder"},
    "alike": {
        "same": "same",
        "different": "different",
        "alldifferent": "alldifferent",
        "identical": "identical",
        "unique": "uniquely",
    },
    "there": {"there": "thereis"},
    "absent": {"absent": "absent"},
    "nomore": {"nomore": "nomore"},
    "evenly": {"evenly": "evenly"},
    "commonest": {"commonest": "commonest", "rarest": "rarest"},
    "majority": {"majority": "majority", "minority": "minority"},
    "together": {"together": "together"},
    "unlike": {"unlike": "unlike"},
    "sois": {"sois": "sois", "not": "notso"},
    "outnumber": {"outnumber": "outnumber"},
    "halfof": {"halfof": "halfof"},
    "op": {">=": "atleast", "<=": "atmost", ">": "over", "<": "under", "even": "evennumbered", "odd": "oddnumbered"},
    "made": {"made": "made"},
    "cop": {
        "is": "is was be being has having looks seems appears shares happens features belongs stays comes occurs",
        "are": "are were have look seem appear share happen feature belong come occur",
    },
    "not": {"not": "not never isnt arent dont doesnt cannot without"},
    "and": {"and": "and plus n & + also besides accompany accompanies versus vs", "while": "while whereas then"},
    "with": {"with": "with featuring"},
    "or": {"or": "or nor"},
    "of": {"of": "of among amongst"},
    "which": {"which": "which that who whose"},
    "pron": {"it": "it its", "they": "they them these those their"},
    "except": {"except": "except"},
    "but": {"but": "but although though"},
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
    for name in OFTEN_MISSPELT:
        if abs(len(name) - len(word)) < 2 and _one_slip(word, name):
            return table[name]
    return None


_NOT_MISSPELT = (
    "smaller larger black shall smell small medal petal matter latte grown drown crown frown greed greet green "
    "flock clock "
    "fellow mellow bellow falls walls calls halls bells foxes barge tales sphere ribber rubbed whiny shine treat"
)
NOT_MISSPELT = frozenset(_NOT_MISSPELT.split())
_OFTEN_MISSPELT = (
    "yellow purple green brown cube cubes sphere spheres cylinder cylinders small large little metal metallic rubber "
    "matte shiny ball balls block blocks turquoise cylindrical spherical reflective"
)
OFTEN_MISSPELT = tuple(_OFTEN_MISSPELT.split())


def _one_slip(one: str, other: str) -> bool:
    """Whether two words differ by one sign: another, one more, one fewer, or two neighbours in turn."""
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    a, b = one[start:], other[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
