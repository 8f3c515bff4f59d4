"""Scripted players for Spy. They know what can be said about their own picture and read clues in the same plain form.

A clue that states a fact ("The leftmost object is a large red metal cube.") can be checked against the own picture: it
holds, it contradicts, or it says nothing about it. Votes follow from that. Where nothing is known about a picture they
give a neutral clue and vote N/A. Each of them plays every role.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from mmgames.agents.base import Agent
from mmgames.core.seeding import draw_from
from mmgames.core.turn import Turn
from mmgames.games.spy import seat_names
from mmgames.games.spy.pictures.pair import Fact
from mmgames.games.spy.rules import NOBODY, KnownClue, SpyView

NEUTRAL = "I would rather listen first."
VAGUE = (
    "I see several things, and I think you see them too.",
    "There is something on the left and something on the right.",
    "My picture looks like the one you have described.",
    "Nothing in my picture surprises me.",
)


def stated(clue: str) -> tuple[str, str] | None:
    """The topic and the value that a clue states, in small letters; None if it has another form."""
    topic, found, value = clue.strip().rstrip(".!").partition(" is ")
    return (topic.strip().lower(), value.strip().lower()) if found else None


def known(facts: Sequence[Fact]) -> dict[str, str]:
    return {fact.topic.lower(): fact.value.lower() for fact in facts}


def verdict(clue: str, facts: Mapping[str, str]) -> bool | None:
    """Whether a clue holds in a picture with these facts; None if they do not tell."""
    said = stated(clue)
    if said is None or said[0] not in facts:
        return None
    return facts[said[0]] == said[1]


def own_facts(view: SpyView) -> tuple[Fact, ...]:
    return view.picture.facts() if view.picture is not None else ()


class Truthful(Agent):
    """Tells facts of its picture that nobody has told yet; votes for whoever contradicts the picture most often."""

    def act(self, turn: Turn) -> str:
        view = turn.view
        if view.stage == "vote":
            return self.vote(turn, view)
        return self.clue(turn, view)

    def clue(self, turn: Turn, view: SpyView) -> str:
        return tell(own_facts(view), view.clues, turn.rng)

    def vote(self, turn: Turn, view: SpyView) -> str:
        return accused(view, self.suspicion(view, known(own_facts(view))))

    def suspicion(self, view: SpyView, facts: Mapping[str, str]) -> Counter[int]:
        """How suspect every player is who is suspect at all."""
        counts: Counter[int] = Counter()
        for said in view.clues:
            if verdict(said.words, facts) is False:
                counts[said.seat] += 1
        return counts


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

    def suspicion(self, view: SpyView, facts: Mapping[str, str]) -> Counter[int]:
        counts: Counter[int] = Counter()
        heard: set[str] = set()
        for said in view.clues:
            judged = verdict(said.words, facts)
            if judged is False:
                counts[said.seat] += 100
            elif facts and (judged is None or said.words in heard):
                counts[said.seat] += 1
            heard.add(said.words)
        return counts


class Vague(Truthful):
    """Says nothing that could be checked when it is the spy; otherwise truthful."""

    def clue(self, turn: Turn, view: SpyView) -> str:
        if view.role != "spy":
            return super().clue(turn, view)
        return draw_from(VAGUE, turn.rng)


class Copying(Vague):
    """As the spy it says again what others said, and something vague while there is nothing; otherwise truthful."""

    def clue(self, turn: Turn, view: SpyView) -> str:
        others = [said.words for said in view.clues if said.seat != view.seat and stated(said.words)]
        if view.role != "spy" or not others:
            return super().clue(turn, view)
        return draw_from(others, turn.rng)


class Oracle(Consistency):
    """Knows what was changed, which no player can know, but not who the spy is: a bound, not a player.

    It tells facts on which both pictures agree: as the spy to stay hidden, as a civilian to leave to the spy what it
    can go wrong about. It votes for whoever tells the changed picture's facts.
    """

    def clue(self, turn: Turn, view: SpyView) -> str:
        mine, others = self._both(turn, view)
        wanted = [fact for fact in own_facts(view) if mine[fact.topic] == others.get(fact.topic)]
        return tell(wanted or own_facts(view), view.clues, turn.rng)

    def vote(self, turn: Turn, view: SpyView) -> str:
        _, others = self._both(turn, view)
        changed = {topic.lower(): value.lower() for topic, value in others.items()}
        suspicion = self.suspicion(view, known(own_facts(view)))
        for said in view.clues:
            if verdict(said.words, known(own_facts(view))) is False and verdict(said.words, changed):
                suspicion[said.seat] += 1000
        return accused(view, suspicion)

    def _both(self, turn: Turn, view: SpyView) -> tuple[dict[str, str], dict[str, str]]:
        # The only agent that looks at the state: see the class.
        pair = turn._live.state.pair
        other = pair.original if view.role == "spy" else pair.changed
        return dict(own_facts(view)), dict(other.facts())
