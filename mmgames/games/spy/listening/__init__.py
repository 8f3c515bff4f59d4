"""What a clue says of a picture: something true, something false, nothing at all, or something that is not understood.

Clues are read against the facts of a scene (its `record`), in ordinary English. A clue is cut into `sentences`; words
that are known (`lexicon`) are read as `phrases` and combined by one `parser` into `claims`: how many of what, where,
compared with what. Scenes, charts and boards bring their own words and say what claims are true of. What is not
understood makes no claim.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Literal

from mmgames.games.spy.listening import boards, charts, scenes
from mmgames.games.spy.listening.chart_parser import ChartParser
from mmgames.games.spy.listening.claims import Claim, World, holds
from mmgames.games.spy.listening.lexicon import scanner
from mmgames.games.spy.listening.parser import Parser
from mmgames.games.spy.listening.sentences import sentences, states, without_claim

Heard = Literal["true", "false", "empty", "unclear"]
_PARSERS: Mapping[str, Callable[..., Parser]] = {"scenes": Parser, "charts": ChartParser, "boards": boards.BoardParser}
Meaning = Literal["A", "B", "both", "neither", "empty", "unclear"]


@lru_cache(maxsize=4096)
def heard(clue: str, scene: Any) -> Heard:
    """What a clue is to somebody who sees this scene (a `PictureScene`)."""
    topic, _, value = clue.lower().rstrip(".!").partition(" is ")
    known = _facts(scene).get(topic)
    if known is not None and (value.isdigit() or value in _facts(scene).values()):
        return "true" if value == known else "false"  # it is told as a fact, which takes no reading
    return hear(clue, scene.record())


@lru_cache(maxsize=256)
def _facts(scene: Any) -> dict[str, str]:
    return {fact.topic.lower(): fact.value.lower() for fact in scene.facts()}


def hear(clue: str, record: Mapping[str, Any]) -> Heard:
    """The same for a scene's record."""
    said = sentences(clue)
    claims: tuple[Claim, ...] = ()
    world: Callable[[Mapping[str, Any]], World] = scenes.SceneWorld
    if "objects" in record:
        claims = _claims("scenes", said)
    elif "table" in record:
        marked = tuple(charts.marked(each, record) for each in said)
        claims, world = _claims("charts", marked, *charts.measures(record)), charts.ChartWorld
    elif "cells" in record:
        claims, world = _claims("boards", said, boards.holds_digits(record)), boards.BoardWorld
    if not claims:
        return without_claim(" . ".join(said))
    seen = world(record)
    return "true" if all(holds(seen, claim) for claim in claims) else "false"


@lru_cache(maxsize=8192)
def _claims(kind: str, said: tuple[str, ...], *details: Any) -> tuple[Claim, ...]:
    """What sentences claim of a kind of picture, of which the parser knows some details."""
    parser = _PARSERS[kind](*details)
    for sentence in said:
        if states(sentence):
            parser.sentence(scanner(kind).tokens(sentence))
    return tuple(parser.claims)


def meaning(clue: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> Meaning:
    """What a clue is to somebody who sees both scenes, A and B: true of one, both or neither, empty or unclear."""
    a, b = hear(clue, one), hear(clue, other)
    if "empty" in (a, b):
        return "empty"
    if "unclear" in (a, b):
        return "unclear"
    return {("true", "true"): "both", ("true", "false"): "A", ("false", "true"): "B"}.get((a, b), "neither")  # type: ignore[return-value]
