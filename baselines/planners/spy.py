"""Scripted players for Spy. They know what can be said about their own picture and listen to what others say.

A clue in ordinary English is true of the own picture, false, empty, or not understood (`games/spy/listening`). Votes
follow from that. Where nothing is known about a picture they give a neutral clue and vote N/A. Each plays every role.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np

from mmgames.agents.base import Agent
from mmgames.core.seeding import draw_from
from mmgames.core.turn import Turn
from mmgames.games.spy import seat_names
from mmgames.games.spy.listening import Heard, hear, heard, sentences
from mmgames.games.spy.pictures.clevr import COLOURS, SHAPES
from mmgames.games.spy.pictures.pair import Fact
from mmgames.games.spy.rules import NOBODY, KnownClue, SpyView

NEUTRAL = "I would rather listen first."
VAGUE = (
    "I see several things, and I think you see them too.",
    "There is something on the left and something on the right.",
    "My picture looks like the one you have described.",
    "Nothing in my picture surprises me.",
)
BREATH = 3  # how many facts somebody tells who blurts them out


def stated(clue: str) -> tuple[str, str] | None:
    """The topic and the value that a clue in the form of a fact states, in small letters; None for other forms."""
    topic, found, value = clue.strip().rstrip(".!").partition(" is ")
    return (topic.strip().lower(), value.strip().lower()) if found else None


def own_facts(view: SpyView) -> tuple[Fact, ...]:
    return view.picture.facts() if view.picture is not None else ()


class Truthful(Agent):
    """Tells facts of its picture that nobody has told yet; votes for whoever contradicts the picture most often."""

    def act(self, turn: Turn) -> str:
        view = turn.view
        return self.vote(turn, view) if view.stage == "vote" else self.clue(turn, view)

    def clue(self, turn: Turn, view: SpyView) -> str:
        return tell(own_facts(view), view.clues, turn.rng)

    def vote(self, turn: Turn, view: SpyView) -> str:
        return accused(view, self.suspicion(view))

    def suspicion(self, view: SpyView) -> Counter[int]:
        """How suspect every player is who is suspect at all."""
        return Counter(seat for seat, _, judged in judged_clues(view) if judged == "false")


def judged_clues(view: SpyView) -> list[tuple[int, str, Heard]]:
    """Who said what, and what it is to a player: true of the own picture, false, empty or unclear.

    Nothing, where nothing is known about the own picture.
    """
    picture: Any = view.picture
    return [(said.seat, said.words, heard(said.words, picture)) for said in view.clues] if own_facts(view) else []


def tell(facts: Sequence[Fact], clues: Sequence[KnownClue], rng: np.random.Generator) -> str:
    """A fact in a sentence, if possible about something that was not mentioned."""
    if not facts:
        return NEUTRAL
    mentioned = {said[0] for clue in clues if (said := stated(clue.words))}
    fresh = [fact for fact in facts if fact.topic.lower() not in mentioned] or facts
    return draw_from(fresh, rng).sentence


def accused(view: SpyView, suspicion: Mapping[int, float]) -> str:
    """The vote for the one other player who is most suspect; N/A if nobody is, or several are alike."""
    others = {seat: weight for seat, weight in suspicion.items() if seat != view.seat and weight > 0}
    if not others:
        return NOBODY
    most = max(others.values())
    found = [seat for seat, weight in others.items() if weight == most]
    return seat_names(view.players)[found[0]] if len(found) == 1 else NOBODY


class Consistency(Truthful):
    """As truthful; without a contradiction it suspects clues that say nothing and those that were said before."""

    def suspicion(self, view: SpyView) -> Counter[int]:
        counts: Counter[int] = Counter()
        earlier: set[tuple[str, ...]] = set()
        for seat, said, judged in judged_clues(view):
            words = sentences(said)
            counts[seat] += 100 if judged == "false" else judged == "empty" or words in earlier
            earlier.add(words)
        return counts


class Silent(Truthful):
    """Says nothing when it is the spy; otherwise truthful."""

    def clue(self, turn: Turn, view: SpyView) -> str:
        return "" if view.role == "spy" else super().clue(turn, view)


class Blurting(Truthful):
    """Tells several facts in one breath, whatever they give away."""

    def clue(self, turn: Turn, view: SpyView) -> str:
        facts = own_facts(view)
        chosen = turn.rng.permutation(len(facts))[:BREATH].tolist()
        return " ".join(facts[place].sentence for place in chosen) or NEUTRAL


class Listening(Consistency):
    """As the spy it guesses from what others say what their picture shows, and tells what is likely true of it."""

    def clue(self, turn: Turn, view: SpyView) -> str:
        if view.role != "spy" or view.picture is None:
            return super().clue(turn, view)
        others = [said.words for said in view.clues if said.seat != view.seat]
        guess = theirs(view.picture.record(), others)
        safe = [fact for fact in own_facts(view) if hear(fact.sentence, guess) == "true"]
        return tell(safe or own_facts(view), view.clues, turn.rng)


def theirs(own: Mapping[str, Any], clues: Sequence[str]) -> Mapping[str, Any]:
    """What others may see who said this: the own picture, changed until as few clues as possible are false."""

    def false(record: Mapping[str, Any], said: Sequence[str]) -> list[str]:
        return [clue for clue in said if hear(clue, record) == "false"]

    guess, wrong = own, false(own, clues)
    while wrong:
        better = min(neighbours(guess), key=lambda record: len(false(record, wrong)), default=guess)
        left = false(better, clues)
        if len(left) >= len(wrong):
            break
        guess, wrong = better, left
    return guess


def neighbours(record: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The records one change apart: another colour and shape of an object, or two values of a table swapped."""
    objects = record.get("objects", ())
    for (place, each), colour, shape in product(enumerate(objects), COLOURS, SHAPES):
        if (colour, shape) != (each["colour"], each["shape"]):
            changed = {**each, "colour": colour, "shape": shape}
            yield {**record, "objects": [*objects[:place], changed, *objects[place + 1 :]]}
    for one, other in combinations(record.get("table", ()), 2):
        table = record["table"]
        yield {**record, "table": {**table, one: table[other], other: table[one]}}


class Vague(Truthful):
    """Says nothing that could be checked when it is the spy; otherwise truthful."""

    def clue(self, turn: Turn, view: SpyView) -> str:
        return draw_from(VAGUE, turn.rng) if view.role == "spy" else super().clue(turn, view)


_SAYING = ("true", "false")


class Copying(Vague):
    """As the spy it says again what others said, and something vague while there is nothing; otherwise truthful."""

    def clue(self, turn: Turn, view: SpyView) -> str:
        others = [said for seat, said, judged in judged_clues(view) if seat != view.seat and judged in _SAYING]
        if view.role != "spy" or not others:
            return super().clue(turn, view)
        return draw_from(others, turn.rng)


class Oracle(Consistency):
    """Knows what was changed, which no player can know, but not who the spy is: a bound, not a player.

    It tells facts on which both pictures agree: as the spy to stay hidden, as a civilian to leave to the spy what it
    can go wrong about. It votes for whoever tells the changed picture's facts.
    """

    def clue(self, turn: Turn, view: SpyView) -> str:
        # The only agent that looks at the state: see the class.
        pair = turn._live.state.pair
        mine, others = dict(own_facts(view)), dict((pair.original if view.role == "spy" else pair.changed).facts())
        wanted = [fact for fact in own_facts(view) if mine[fact.topic] == others.get(fact.topic)]
        return tell(wanted or own_facts(view), view.clues, turn.rng)

    def vote(self, turn: Turn, view: SpyView) -> str:
        suspicion = self.suspicion(view)
        changed = turn._live.state.pair.changed
        for seat, said, judged in judged_clues(view):
            if judged == "false" and heard(said, changed) == "true":
                suspicion[seat] += 1000
        return accused(view, suspicion)
