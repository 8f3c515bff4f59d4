"""What went wrong in an episode, as far as its states and plain words decide it: named from a record, without a judge.

false statement             a whole sentence contradicts what the seat sees, in the plain form of `false_statements`
ignored the partner         the expert's last message orders exactly one action, and the solver does another one first
repetition loop             the same words a third time, and nothing has changed to look at
role confusion              a sentence begins with "I am", "I play" or "my role is" and another seat or the spy, or an
                            expert says to do what only the solver can
plan with an illegal move   a reply argues for a move that is read and that the rules do not allow
low diversity of moves      nearly all moves of an episode are the same where there were several to choose from

and what a game's words call a slip (`slips`): private information or history that is ignored, a missed win or defence,
miscounted onions, over-adjusting.

Only seats that reply in words are looked at. What went wrong in answers to questions is named by `answers`. False
statements and confused roles in any other words are for a judge, see `judging`.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from mmgames.core.live import LiveGame
from mmgames.core.registry import find
from mmgames.errors import MmgamesError
from mmgames.running import records
from mmgames.running.replays import replay
from mmgames.suites.spoken import dialogue
from mmgames.suites.spoken.privacy import sentences
from mmgames.suites.spoken.spoken_numbers import VALUES
from mmgames.tasks.positions import BOARDS, board
from mmgames.text.facts import Count, Fact

FALSE, IGNORED, LOOP, ROLE, PLAN, NARROW = KINDS = (
    "false statement",
    "ignored the partner",
    "repetition loop",
    "role confusion",
    "plan with an illegal move",
    "low diversity of moves",
)
OFTEN = 3  # so many times the same make a loop
ARGUED = 8  # so many words besides the answer are a plan
CHOICES, MOVES, SHARE = 3, 8, 0.8  # low diversity: among so many, in so many moves, so large a share is one of them
SIZE = 96  # of the pictures by which positions are told apart

_I_AM = r"\W*(?:I am|I'm|I play|I'm playing|my (?:role|side|colou?r) is)(?: as| the| an?)* (?:{})(?=[.!,;*]|$)"
_SPIES = ("spy", "undercover", "undercover agent", "impostor")
_ANSWER = re.compile(r"\{[^{}]*\}|<\w+>[^<]*</\w+>")
_WORD = re.compile(r"[^\W\d_]{2,}")


class Failure(NamedTuple):
    kind: str
    step: int
    seat: str
    said: str


def found(record: Mapping[str, Any]) -> list[Failure]:
    """The failures of an episode, in their order. Raises if the record does not replay."""
    replies = record.get("replies", ())
    failures = [*_ignored(record), *_plans(replies), *_roles(record)]
    if replies and find(record["game"]).actions != "box":  # an engine would have to move everything again
        failures += _in_states(record)
    return sorted(failures, key=lambda failure: (failure.step, failure.seat, _place(failure.kind)))


def _place(kind: str) -> tuple[int, str]:
    """Where a kind stands among others: first those of every game, then those that one calls so."""
    return (KINDS.index(kind) if kind in KINDS else len(KINDS)), kind


def _ignored(record: Mapping[str, Any]) -> Iterator[Failure]:
    transcript = record.get("transcript", ())
    for number, tag in dialogue.tagged(transcript, record.get("action_names", ())):
        if tag == dialogue.IGNORED:
            done = ", ".join(result["action"] for result in transcript[number]["results"])
            yield Failure(IGNORED, number, transcript[number]["seat"], done)


def _plans(replies: Iterable[Mapping[str, Any]]) -> Iterator[Failure]:
    for reply in replies:
        if argues(reply["reply"]) and reply.get("kind") == "not possible here":
            yield Failure(PLAN, reply["step"], reply["seat"], reply["reply"])


def argues(reply: str) -> bool:
    """Whether a reply says more than its answer."""
    return len(_WORD.findall(_ANSWER.sub(" ", reply))) >= ARGUED


def _roles(record: Mapping[str, Any]) -> Iterator[Failure]:
    replies = record.get("replies", ())
    seats = {reply["seat"] for reply in replies}
    for reply in replies:
        others = sorted({*seats - {reply["seat"]}, *(_SPIES if "spies" in record else ())})
        ways = (f"(?-i:{name.upper()})" if len(name) == 1 else re.escape(name) for name in others)
        another = re.compile(_I_AM.format("|".join(ways) or "(?!)"), re.I)
        acts = record.get("action_names", ()) if reply["seat"] == "expert" else ()
        for sentence in sentences(reply["reply"].replace("’", "'")):
            if (another.match(sentence) and sentence[-1] != "?") or dialogue.acts_itself(sentence, acts):
                yield Failure(ROLE, reply["step"], reply["seat"], sentence)
                break


def _in_states(record: Mapping[str, Any]) -> Iterator[Failure]:
    """What only the states tell."""
    replies: dict[int, list[Mapping[str, Any]]] = {}
    for reply in record["replies"]:
        replies.setdefault(reply["step"], []).append(reply)
    said = Counter((reply["seat"], _plain(reply["reply"])) for reply in record["replies"])
    seen: Counter[tuple[str, str, bytes]] = Counter()
    chosen: dict[str, Counter[Any]] = {reply["seat"]: Counter() for reply in record["replies"]}
    for step, live in enumerate(replay(record)):
        for reply in replies.get(step, ()):
            seat, words = live.game.seats.index(reply["seat"]), reply["reply"]
            if false := false_statements(words, facts_of(live, seat)):
                yield Failure(FALSE, step, reply["seat"], false[0])
            key = reply["seat"], _plain(words)
            if said[key] >= OFTEN and key[1]:
                here = *key, _look(live)
                seen[here] += 1
                if seen[here] >= OFTEN:
                    yield Failure(LOOP, step, reply["seat"], words)
        for seat in live.movers if step < len(record["actions"]) and live.discrete else ():
            role, move = live.game.seats[seat], record["actions"][step][seat]
            if role not in chosen:
                continue
            name = live.loaded.words.names(live.view(seat)).get(move, str(move))
            yield from (Failure(kind, step, role, name) for kind in live.loaded.words.slips(live.view(seat), move))
            if len(live.legal(seat)) >= CHOICES:
                chosen[role][move] += 1
    for role, moves in chosen.items():
        if moves.total() >= MOVES and max(moves.values()) >= SHARE * moves.total():
            yield Failure(NARROW, len(record["actions"]) - 1, role, f"{max(moves.values())} of {moves.total()} moves")


def _plain(words: str) -> str:
    return " ".join(re.findall(r"\w+", words.casefold()))


def facts_of(live: LiveGame, seat: int) -> Sequence[Fact | Count]:
    """What can be said of what a seat sees."""
    facts: Sequence[Fact | Count] = live.loaded.words.facts(live.view(seat))
    return facts or (board(live.game.spec.id).facts(live.view(seat)) if live.game.spec.id in BOARDS else ())


def _look(live: LiveGame) -> bytes:
    """What everybody sees of a position."""
    views = (live.view(seat) for seat in range(len(live.game.seats)))
    return b"".join(hashlib.blake2b(live.loaded.picture.draw(view, SIZE).tobytes()).digest() for view in views)


# Counts


def counted(episodes: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """How often each kind happens in episodes, in how many of them, and an example of each; {} where nobody spoke.

    An episode that does not replay is left out, and counted.
    """
    return together([_of_episode(record) for record in filter(_has_words, episodes)])


def _of_episode(record: Mapping[str, Any]) -> dict[str, Any]:
    try:
        failures = found(record)
    except MmgamesError:
        return {"episodes": 0, "unreadable": 1, "kinds": {}, "examples": {}}
    times = Counter(failure.kind for failure in failures)
    return {
        "episodes": 1,
        "unreadable": 0,
        "kinds": {kind: {"times": number, "episodes": 1} for kind, number in times.items()},
        "examples": {failure.kind: f"{failure.seat}: {failure.said[:200]}" for failure in reversed(failures)},
    }


def _has_words(record: Mapping[str, Any]) -> bool:
    """Whether somebody replied in words, and did not just act in a talk."""
    transcript = record.get("transcript")
    return bool(record.get("replies")) and (transcript is None or any(message["speech"] for message in transcript))


def together(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Counts of several episodes or matches as one."""
    parts = [part for part in parts if part]
    kinds = sorted({kind for part in parts for kind in part["kinds"]}, key=_place)
    return {} if not parts else {
        **{name: sum(part[name] for part in parts) for name in ("episodes", "unreadable")},
        "kinds": {
            kind: {name: sum(part["kinds"].get(kind, _NONE)[name] for part in parts) for name in _NONE}
            for kind in kinds
        },
        "examples": {kind: text for part in reversed(parts) for kind, text in part["examples"].items()},
    }  # fmt: skip


_NONE = {"times": 0, "episodes": 0}


def matches_in(folder: Path) -> Iterator[tuple[str, dict[str, Any], list[dict[str, Any]]]]:
    """The matches in a folder: the name of the file, its header, and the records of its episodes."""
    for path in sorted(folder.glob("*.jsonl")):
        about, lines = ({}, []) if path.name.endswith(".calls.jsonl") else records.read(path)
        if "match" in about:
            shared = {"game": about["match"], "options": about.get("options", {})}
            last = {line["episode"]: {**shared, **line} for line in lines}
            yield path.stem, about, [last[number] for number in sorted(last)]


_VERBS = frozenset((
    "are", "contains", "has", "have", "hold", "holds", "is", "read", "reads", "say", "says", "see", "show", "shows",
))  # fmt: skip
_BESIDE = _VERBS.union((
    "a", "an", "and", "at", "from", "i", "in", "my", "number", "of", "on", "that", "the", "there", "to", "we",
    "with",
))  # fmt: skip
_NUMBERS = {str(number): str(number) for number in range(400)} | {word: str(value) for word, value in VALUES.items()}


def false_statements(text: str, facts: Iterable[Fact | Count]) -> list[str]:
    """The sentences in the plainest form there is that say something else of a thing, or another number, than is true.

    A sentence states what things are if nothing stands in it but names of things, values, and the words in `_BESIDE`,
    one of them a verb: one thing and one value, or each thing before its value. "Wire 2 is red, wire 3 is blue." and
    "There are four wires." do, and "Wire 2 might be red." does not. What has to be understood only a judge tells; see
    `judging`.
    """
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
