from __future__ import annotations
from functools import lru_cache
from mmgames.games.spy.listening2.claims import holds
from mmgames.games.spy.listening2 import small_talk
from mmgames.games.spy.listening2.sentences import sentences
from mmgames.games.spy.listening2 import scenes, charts, boards, chart_parser
from mmgames.games.spy.listening2.parser import Parser


@lru_cache(4096)
def parsed(clue):
    p = Parser()
    for s in sentences(clue):
        if small_talk.states(s):
            p.sentence(scenes.scanner().tokens(s))
    return tuple(p.claims)


@lru_cache(4096)
def parsed_chart(said, items, series, total):
    p = chart_parser.ChartParser(items, series, total)
    for s in said:
        p.sentence(charts.scanner().tokens(s))
    return tuple(p.claims)


def chart_claims(clue, record):
    t = record["table"]
    labels = tuple(t)
    items, series = charts.split(labels)
    said = tuple(charts.marked(s, record) for s in sentences(clue) if small_talk.states(charts.marked(s, record)))
    return parsed_chart(said, len(items), len(series), 100 if record["kind"] == "pie" else sum(t.values()))


@lru_cache(4096)
def parsed_board(clue, digits):
    p = boards.BoardParser(digits)
    for s in sentences(clue):
        if small_talk.states(s):
            p.sentence(boards.scanner().tokens(s))
    return tuple(p.claims)


def hear(clue, record):
    if "objects" in record:
        claims = parsed(clue)
        w = scenes.SceneWorld(record)
    elif "table" in record:
        claims = chart_claims(clue, record)
        w = charts.ChartWorld(record)
    elif "cells" in record:
        digits = any("1" in n.split() for n in record["codes"].values()) and "pot" not in str(record["codes"])
        claims = parsed_board(clue, digits)
        w = boards.BoardWorld(record)
    else:
        return "unclear"
    if claims:
        return "true" if all(holds(w, c) for c in claims) else "false"
    return small_talk.kind(" . ".join(sentences(clue)))


def meaning(clue, one, other):
    a, b = hear(clue, one), hear(clue, other)
    if "empty" in (a, b):
        return "empty"
    if "unclear" in (a, b):
        return "unclear"
    return {("true", "true"): "both", ("true", "false"): "A", ("false", "true"): "B"}.get((a, b), "neither")
