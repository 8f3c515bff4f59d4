"""COMMA's page of results: what comma.toml does not say of its tables, and its plots."""

import os
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from mmgames.suites.pages import described, layout, plots, prose
from mmgames.suites.pages.layout import Cell, PaperTable, TableRow
from mmgames.suites.papers import published
from mmgames.suites.results import unplayed
from mmgames.suites.spoken.dialogue import TAGS, WORDS

COLUMNS: Mapping[str, str] = described.description("comma")["columns"]["puzzles"]
"""What the paper calls the puzzles, in its order."""
RUNS = 100
"""What the paper's errors are over: a hundred conversations of a puzzle, a thousand over all."""
OVERALL = "Overall"
CAPABILITIES: Mapping[str, list[str]] = described.description("comma")["capabilities"]
"""What the paper says that puzzles test; one may test several."""
PLOTS = {
    "turns": "success against allowed turns",
    "efficiency": "efficiency beside the published models",
    "errors": "what goes wrong in conversations",
    "privacy": "success and privacy at the cash machine",
}


def page(title: str, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str]) -> str:
    parts: list[PaperTable | str] = [prose.paragraphs("comma")["intro"], *tables(results)]
    return layout.page(title, command, results, parts, prose.items("comma", "slips"), pictures)


def tables(results: Sequence[dict[str, Any]]) -> list[PaperTable]:
    """The paper's tables, then what only we measure; capabilities are the first two again, by what puzzles test."""
    success, partial, *rest = described.tables("comma", results, words=_words, errors=_errors)
    groups = [_by_capability(success, "success"), _by_capability(partial, "partial success")]
    return [success, partial, *groups, *rest]


def _by_capability(table: PaperTable, measure: str) -> PaperTable:
    """Each capability is the mean over its puzzles, where all of them are there."""
    rows = [TableRow(row.name, _grouped(row.cells), row.group) for row in table.rows]
    about = prose.paragraphs("comma")["grouped"]
    return PaperTable(f"Capabilities: {measure}, %", tuple(CAPABILITIES), rows, about)


def _grouped(cells: Mapping[str, Cell]) -> dict[str, Cell]:
    found = {}
    for name, columns in CAPABILITIES.items():
        values = [cells.get(column, Cell()).value for column in columns]
        errors = [cells.get(column, Cell()).error for column in columns]
        if None not in values:
            error = None if None in errors else sqrt(sum((error or 0.0) ** 2 for error in errors)) / len(errors)
            found[name] = Cell(sum(value or 0.0 for value in values) / len(values), error)
    return found


def _released(result: Mapping[str, Any]) -> bool:
    options = result.get("header", {}).get("options", {})
    return bool(options) and all(own.get("rules") == "released" for own in options.values())


def _words(result: Mapping[str, Any]) -> dict[str, str]:
    """What the tokens of a result are; files of before that was kept count words and marks."""
    kinds = (how for row in result["rows"] for how in row.get("tokens_counted", {}).values())
    return {"tokens": " and ".join(dict.fromkeys(kinds)) or WORDS}


def _errors(results: Sequence[Mapping[str, Any]], measure: str) -> dict[str, float] | None:
    """The errors of the published random row: what ours would be over as many conversations as the paper had.

    There is none where no result was made with its rules. The printed ones are too coarse to compare with (0.0 and
    0.1). A share of none in a hundred still has the error of half a one.
    """
    released = [result for result in results if _released(result)]
    random = next((result for result in released if result["agent"] == "random"), None)
    if not released or measure == "efficiency":
        return {OVERALL: 0.015} if released else None
    if random is None:
        return {}
    errors = {}
    per_cent = measure in ("success", "partial")
    theirs = published.tables("comma")["Table 3"].row("Random").cells
    for column, row in described.rows_in(random, described.columns("comma", "puzzles")).items():
        found = row["standard_error"] if measure == "success" else row[measure]["standard_error"]
        share = ((theirs[column].value or 0.0) + 0.5) / (RUNS + 1)
        least = 100 * sqrt(share * (1 - share) / RUNS) if per_cent else 0.005
        errors[column] = max(least, (found or 0.0) * sqrt(row["episodes"] / RUNS))
    errors[OVERALL] = sqrt(sum(error**2 for error in errors.values())) / max(1, len(errors))
    return errors


def _named(result: Mapping[str, Any]) -> str:
    return str(described.description("comma")["names"].get(result["agent"], result["agent"]))


def _over(result: Mapping[str, Any]) -> str:
    """A name for what is a mean over the puzzles."""
    return _named(result) + unplayed.over(result)


def draw(name: str, path: str | os.PathLike[str], results: Sequence[dict[str, Any]]) -> None:
    """One of the PLOTS, as a picture."""
    if name == "turns":
        series = {_over(result): by_turn(result) for result in results}
        plots.lines(path, "COMMA: success against allowed turns", "turns", "share solved", series)
    elif name == "efficiency":
        theirs = {row.name: row.cells["efficiency"].value or 0.0
                  for row in published.tables("comma")["Figure 5"].rows.values()}  # fmt: skip
        ours = {f"{_over(result)} (ours)": result["overall"]["efficiency"] or 0.0 for result in results}
        plots.bars(path, "COMMA: efficiency", "efficiency", {**theirs, **ours}, marked=list(ours))
    elif name == "errors":
        found = {_over(result): {tag: result["overall"]["errors"][tag] for tag in TAGS} for result in results}
        plots.grouped_bars(path, "COMMA: conversations in which …", "share of conversations", found)
    else:
        paper = published.tables("comma")
        human = paper["Text, Sect. 5.3 and Fig. 4"].row("Human + GPT-4o").cells
        found = {}
        for result in results:
            row = next((row for row in result["rows"] if "AtmPuzzle" in row["environment"]), None)
            if row is not None and row["raw"] is not None:
                found[_named(result)] = {"success": row["raw"] / 100, "revealed private data": row["leaks"]["mean"]}
        found["people (published)"] = {what: (cell.value or 0.0) / 100 for what, cell in human.items()}
        plots.grouped_bars(path, "COMMA: the cash machine", "share of conversations", found)


def by_turn(result: Mapping[str, Any]) -> list[float]:
    """The share of all episodes solved within 1, 2, … turns, mean over the puzzles."""
    curves = [row["solved_by_turn"] for row in result["rows"] if row["solved_by_turn"]]
    return [sum(column) / len(curves) for column in zip(*curves, strict=True)]
