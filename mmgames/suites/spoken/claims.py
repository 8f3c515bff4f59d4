"""Statements about what is seen, in the plainest form there is, held against facts.

A sentence states what things are if nothing stands in it but names of things, values, and the words in `_BESIDE`, one
of them a verb: one thing and one value, or each thing before its value. "Wire 2 is red, wire 3 is blue." and "There are
four wires." do, and "Wire 2 might be red." does not. What has to be understood only a judge tells; see `judging`.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from mmgames.suites.spoken.privacy import sentences
from mmgames.suites.spoken.spoken_numbers import VALUES
from mmgames.text.facts import Count, Fact

_VERBS = frozenset((
    "are", "contains", "has", "have", "hold", "holds", "is", "read", "reads", "say", "says", "see", "show", "shows",
))  # fmt: skip
_BESIDE = _VERBS.union((
    "a", "an", "and", "at", "from", "i", "in", "my", "number", "of", "on", "that", "the", "there", "to", "we",
    "with",
))  # fmt: skip
_NUMBERS = {str(number): str(number) for number in range(400)} | {word: str(value) for word, value in VALUES.items()}


def false_statements(text: str, facts: Iterable[Fact | Count]) -> list[str]:
    """The sentences that say something else of a thing, or another number of things, than is true."""
    known = [fact if isinstance(fact, Fact) else Fact((fact.things,), str(fact.number), _NUMBERS) for fact in facts]
    if not known:
        return []
    reader = _Reader(known)
    return [
        sentence for sentence in sentences(text) if any(said != fact.value for fact, said in reader.stated(sentence))
    ]


class _Reader:
    """Finds what sentences state of things; what is written in capitals, such as X, has to be said so."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.things: dict[str, list[Fact]] = {}
        self.owners: set[str] = set()
        values: set[str] = set()
        for fact in facts:
            for name in fact.names:
                self.things.setdefault(_words(name), []).append(fact)
            self.owners.update(fact.owners)
            values.update(map(_words, fact.values))
        self.phrases = {*self.things, *self.owners, *values}
        self.pattern = _pattern(tuple(sorted(self.phrases | _BESIDE)))

    def stated(self, sentence: str) -> Iterator[tuple[Fact, str]]:
        """The facts that a sentence states something of, and what."""
        sentence = re.sub(r"['’]s\b", " is", sentence)
        found = [self._phrase(match[0]) for match in self.pattern.finditer(sentence)]
        verb = not _VERBS.isdisjoint(found) or re.search("[:=]", sentence)
        if not verb or re.search(r"[\w?]", self.pattern.sub("", sentence)):
            return
        said = [phrase for phrase in found if phrase in self.phrases - self.owners]
        if len(said) == 2 and said[1] in self.things:
            said.reverse()
        if [phrase in self.things for phrase in said] != [True, False] * (len(said) // 2):
            return
        for thing, value in zip(said[::2], said[1::2], strict=True):
            for fact in self.things[thing]:
                ways = {_words(way): meant for way, meant in fact.values.items()}
                if value in ways and (not fact.owners or not {*fact.owners}.isdisjoint(found)):
                    yield fact, ways[value]

    def _phrase(self, written: str) -> str:
        words = _words(written)
        return words if words in self.phrases else words.casefold()


@lru_cache(maxsize=4096)  # the same names and numbers are asked for at every reply
def _words(phrase: str) -> str:
    return " ".join(re.findall(r"\w+", phrase))


@lru_cache(maxsize=256)
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Any of these phrases, the longest first."""
    ways = []
    for phrase in sorted(phrases, key=len, reverse=True):
        way = r"[\s,'-]+".join(phrase.split())
        ways.append(f"(?-i:{way})" if phrase.isupper() else way)
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(ways)})(?![^\W_])", re.I)
