"""A sentence that answers a question in its own words, for the lenient reader."""

from __future__ import annotations

import re
from itertools import pairwise

from mmgames.text import phrases
from mmgames.text.move_names import Mention, stem_of, tokens_of

_NAME = re.compile(r"\b(?:[A-Z]\w*|\w*\d\w*)\b")
CONCLUDES = re.compile(r"\b(?:so|hence|thus|therefore|in other words|in short|that means)\b,?", re.I)
"""A word behind which a conclusion stands."""


def stated(sentence: str, mentions: list[Mention], question: str) -> Mention | None:
    """A sentence that answers a question in its own words: it says nothing else, and leaves out none of its names."""
    sentence = sentence[: mentions[-1].end] + sentence[mentions[-1].end :].rstrip()
    cut = max((mark.end() for mark in CONCLUDES.finditer(sentence)), default=0)
    if not question or '"' in sentence or phrases.DENIED.search(sentence.replace("not empty", "taken")):
        return None
    asked = [stem_of(word) for word in tokens_of(question.replace("not empty", "taken"))]
    names = set(tokens_of(" ".join(_NAME.findall(re.sub(r"\(.*?\)", "", question)[1:]))))
    left = [one for one in mentions if sentence[one.start : one.end].casefold() not in names and one.start >= cut]
    if len({one.actions for one in left}) != 1:
        return None
    if _names_second_alone(tokens_of(question), set(tokens_of(sentence))):
        return None
    numbered = {one for one, two in pairwise(tokens_of(question)) if two in names}
    if numbered & set(tokens_of(sentence[: left[0].start])[-1:]):
        return None  # which column, not how many
    said = sentence[cut : left[0].start] + " " + sentence[left[-1].end :]
    words = [stem_of(word) for word in tokens_of(said.replace("not empty", "taken"))]
    known = [word for word in words if word not in phrases.STATING]
    places = [asked.index(word) for word in known if word in asked]
    glossed = set(map(stem_of, tokens_of(" ".join(re.findall(r"\((.*?)\)", question)))))
    short = left[0].start < 2 and len(tokens_of(sentence)) <= 3  # "0 cells"
    named = short or names <= set(tokens_of(sentence)) or "it" in words or bool(glossed and glossed <= set(words))
    in_order = places == sorted(places) or not re.search(r"\b(?:than|as)\b", said)
    return left[0] if len(places) == len(known) and in_order and named else None


def _names_second_alone(asked: list[str], said: set[str]) -> bool:
    """Whether two kinds are to be compared, and only the second is named: "more cubes", where it is about spheres."""
    kinds = [asked[at] for at in range(2, len(asked)) if asked[at - 2 : at] == ["number", "of"]]
    return "compare" in asked[:1] and len(kinds) == 2 and kinds[1] in said and kinds[0] not in said
