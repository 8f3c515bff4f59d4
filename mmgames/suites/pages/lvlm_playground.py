"""LVLM-Playground's page of results: the paper's tables with ours in them, both ways to ask, stars, and its slips."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from mmgames.suites.pages import layout, prose
from mmgames.suites.pages.layout import Cell, Comparison, PaperTable, TableRow
from mmgames.suites.pages.tables import score_of
from mmgames.suites.papers import published
from mmgames.suites.papers.stars import STARS, star_rows
from mmgames.text.tables import markdown_table

_SAID = prose.paragraphs("lvlm_playground")
_WHY_PERCEIVE = prose.by_column("lvlm_playground", "why perceive")
_WHY_ASK = prose.by_column("lvlm_playground", "why ask")
_WHY_RULE = prose.by_column("lvlm_playground", "why rule")
_WHY_MOVES = prose.by_column("lvlm_playground", "why moves")
SLIPS = prose.items("lvlm_playground", "slips")
GAMES = tuple(STARS)
WEIGHTED = "Weighted"
RANDOM_RUNS, MODEL_RUNS = 1000, 200
_PAPER = "lvlm_playground"


def page(title: str, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str]) -> str:
    parts: list[PaperTable | str] = [_SAID["intro"], *tables(results), "## Table 1: stars", _SAID["stars"]]
    parts += [markdown_table(("", *STARS), star_rows()), *_only_published()]
    return layout.page(title, command, results, parts, SLIPS, pictures)


def tables(results: Sequence[dict[str, Any]]) -> list[PaperTable]:
    found = [
        _task(results, "Perceive", "Table 2", "right cells, %", _SAID["perceive"], _WHY_PERCEIVE),
        _balanced(results),
        _ask(results),
        _task(results, "Rule", "Table 4", "legal moves, %", _SAID["rule"], _WHY_RULE),
        _unbeaten(results),
        _valid_moves(results),
    ]
    return [table for table in found if any(not row.published for row in table.rows)]


def _rows(result: Mapping[str, Any], kind: str, variant: str = "") -> dict[str, Mapping[str, Any]]:
    """The rows of a task by game."""
    end = f"-{kind}" if kind != "Play" else ""
    return {
        game: row
        for game in GAMES
        for row in result["rows"]
        if row["environment"] == f"mmgames/{game}{end}-v0" and row.get("variant", "") == variant
    }


def _ours(results: Sequence[dict[str, Any]], kind: str, variant: str = "") -> list[TableRow]:
    rows = []
    for result in results:
        found = _rows(result, kind, variant)
        cells = {game: Cell.of(score_of(row)) for game, row in found.items()}
        task = f"{kind}, {variant}" if variant else kind
        if len(cells) == len(GAMES):
            cells[WEIGHTED] = Cell(result["overall"].get(task))
        rows += [TableRow(result["agent"], cells | _not_played(result, kind, variant))] if cells else []
        rows += layout.beside_scores(result["agent"], found)
    return rows


def _not_played(result: Mapping[str, Any], kind: str, variant: str = "") -> dict[str, Cell]:
    """The cells of what could not be played, by game."""
    end = f"-{kind}" if kind != "Play" else ""
    return layout.not_played(
        result, {" ".join(filter(None, (f"mmgames/{game}{end}-v0", variant))): game for game in GAMES}
    )


def _theirs(name: str, binomial: bool) -> list[TableRow]:
    """The published rows in per cent, with the errors that their numbers of questions give."""
    rows = []
    for row in published.tables(_PAPER)[name].rows.values():
        runs = RANDOM_RUNS if row.name == "Random" else MODEL_RUNS
        cells = {}
        for game, cell in row.cells.items():
            share = cell.value or 0.0
            cells[game] = Cell(100 * share, 100 * sqrt(share * (1 - share) / runs) if binomial else None)
        rows.append(TableRow(row.name, cells, row.group))
    return sorted(rows, key=lambda row: row.group != "published: random")


def _spread(results: Sequence[dict[str, Any]], kind: str, measure: str = "") -> dict[str, float]:
    """The errors of the published random row: ours over as many plays as the paper had."""
    random = next((result for result in results if result["agent"] == "random"), None)
    errors = {}
    for game, row in _rows(random, kind).items() if random else ():
        found = row[measure]["standard_error"] if measure else row["standard_error"]
        errors[game] = (found or 0.0) * sqrt(row["episodes"] / RANDOM_RUNS)
    return errors


def _task(
    results: Sequence[dict[str, Any]], kind: str, name: str, title: str, about: str, why: Mapping[str, str]
) -> PaperTable:
    rows = [*_ours(results, kind), *_theirs(name, binomial=kind != "Perceive")]
    compared = Comparison("random", "Random", _spread(results, kind), why)
    return PaperTable(f"{name}: {kind}, {title}", (*GAMES, WEIGHTED), rows, about, [compared])


def _blind(results: Sequence[dict[str, Any]], variant: str) -> list[TableRow]:
    """Who does not look, beside what chance gives."""
    rows = [pair for result in results for pair in _rows(result, "Ask", variant).items() if "floor" in pair[1]]
    told = {"without looking": "floor", "chance, one over the number of options": "chance"}
    made = {name: {game: Cell(row[what]["mean"]) for game, row in rows if what in row} for name, what in told.items()}
    return [TableRow(name, cells) for name, cells in made.items() if cells]


def _ask(results: Sequence[dict[str, Any]]) -> PaperTable:
    rows = [*_ours(results, "Ask"), *_blind(results, ""), *_theirs("Table 3", binomial=True)]
    compared = Comparison("random", "Random", _spread(results, "Ask"), _WHY_ASK)
    return PaperTable(
        "Table 3: Ask as the paper asks, right answers, %", (*GAMES, WEIGHTED), rows, _SAID["ask"], [compared]
    )


def _balanced(results: Sequence[dict[str, Any]]) -> PaperTable:
    rows = [*_ours(results, "Ask", "balanced"), *_blind(results, "balanced")]
    return PaperTable("Ask, balanced, right answers, %", (*GAMES, WEIGHTED), rows, _SAID["balanced"])


def _unbeaten(results: Sequence[dict[str, Any]]) -> PaperTable:
    told = published.tables(_PAPER)["Text, finding 5"]
    theirs = [
        TableRow(row.name, dict.fromkeys(GAMES, Cell(row.cells["All games"].value)), row.group)
        for row in told.rows.values()
    ]
    return PaperTable("Play: unbeaten, %", (*GAMES, WEIGHTED), [*_ours(results, "Play"), *theirs], _SAID["play"])


def _valid_moves(results: Sequence[dict[str, Any]]) -> PaperTable:
    rows = []
    for result in results:
        found = {game: row["valid_moves"] for game, row in _rows(result, "Play").items() if "valid_moves" in row}
        cells = {game: Cell(moves["mean"], moves["standard_error"]) for game, moves in found.items()}
        rows += [TableRow(result["agent"], cells | _not_played(result, "Play"))] if cells else []
        games = {game: Cell(row["episodes"]) for game, row in _rows(result, "Play").items()}
        rows += [TableRow(f"{result['agent']}, games", games, counts=True)] if cells else []
    theirs = list(published.tables(_PAPER)["Table 8"].rows.values())
    theirs.sort(key=lambda row: row.group != "published: random")
    compared = Comparison("random", "Random", _spread(results, "Play", "valid_moves"), _WHY_MOVES)
    return PaperTable(
        "Table 8: Play, valid moves in a game", GAMES, [*rows, *theirs], _SAID["moves"], [compared], places=2
    )


def _only_published() -> list[PaperTable]:
    paper = published.tables(_PAPER)
    out = []
    for name, title, places in (
        ("Table 5", "demands before rounding to stars", 2),
        ("Appendix A.2", "demands before scaling", 2),
        ("Appendix A.2, factors", "what the demands are computed from", 2),
        ("Appendix A.3 (unnumbered)", "people's mean rank of the games", 1),
        ("Table 6", "Perceive on Gomoku by number of stones", 3),
        ("Table 7", "Perceive on Chess by kinds of pieces", 3),
    ):
        table = paper[name]
        about = " ".join(table.notes) if name in ("Table 5", "Appendix A.2") else ""
        if name in ("Table 6", "Table 7"):
            about = "Ours are measured by `mmgames eval lvlm-robustness`; a guesser gets the same in every column."
        out.append(PaperTable(f"{name}: {title}", table.columns, list(table.rows.values()), about, places=places))
    return out
