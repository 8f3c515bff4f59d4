"""COMMA's page of results: the paper's five tables with ours in them, privacy, errors, and its plots."""

import os
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from mmgames.suites.pages import layout, plots, prose
from mmgames.suites.pages.layout import Cell, Comparison, PaperTable, TableRow
from mmgames.suites.pages.tables import score_of
from mmgames.suites.papers import published
from mmgames.suites.results import unplayed
from mmgames.suites.spoken.dialogue import TAGS, WORDS

_SAID = prose.paragraphs("comma")
_PARTIAL = prose.by_column("comma", "partial")
SLIPS = prose.items("comma", "slips")
RUNS = 100
"""What the paper's errors are over: a hundred conversations of a puzzle, a thousand over all."""
OVERALL = "Overall"
CAPABILITIES = {
    "memory recall": ("Color", "LED", "Memory"),
    "multimodal grounding": ("Keypad", "Maze", "Password", "Who", "Wire"),
    "multi-step reasoning": ("Color", "Keypad", "LED", "Maze", "Memory", "Password"),
    "private information": ("Atm", "Telehealth"),
}
"""What the paper says that puzzles test; one may test several."""
_KINDS = tuple(f"published: {kind}" for kind in ("random", "human", "reasoning model", "model"))
PLOTS = {
    "turns": "success against allowed turns",
    "efficiency": "efficiency beside the published models",
    "errors": "what goes wrong in conversations",
    "privacy": "success and privacy at the cash machine",
}


def page(
    title: str, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str], columns: Mapping[str, str]
) -> str:
    return layout.page(title, command, results, [_SAID["intro"], *tables(results, columns)], SLIPS, pictures)


def tables(results: Sequence[dict[str, Any]], columns: Mapping[str, str]) -> list[PaperTable]:
    """The paper's tables in its order of columns, then what only we measure."""
    paper = published.tables("comma")
    heads = (*columns, OVERALL)
    released = [result for result in results if _released(result)]

    def made(name: str, measure: str, title: str, about: str, places: int, explained: Mapping[str, str]) -> PaperTable:
        ours = []
        for result in results:
            ours.append(TableRow(_named(result), _cells(result, measure, columns)))
            ours += layout.beside_scores(_named(result), _rows(result, columns)) if measure == "success" else []
        found = Comparison("random", "Random", _errors(released, measure, columns), explained) if released else None
        rows = [*ours, *sorted(paper[name].rows.values(), key=lambda row: _KINDS.index(row.group))]
        return PaperTable(f"{name}: {title}", heads, rows, about, [found] if found else [], places)

    success = made("Table 3", "success", "success, %", _SAID["over"], 1, {})
    partial = made("Table 1", "partial", "partial success, %", "", 1, _PARTIAL)
    mistakes = made("Table 4", "mistakes", "mistakes in a conversation", "", 2, {})
    length = made("Table 5", "table_length", "length of a conversation", _SAID["length"], 2, {})
    by_sentence = [
        TableRow(f"{_named(result)}, by the sentence", _cells(result, "length", columns)) for result in results
    ]
    length = PaperTable(
        length.title, heads, [*length.rows[: len(results)], *by_sentence, *length.rows[len(results) :]], length.about,
        length.comparisons, 2,
    )  # fmt: skip
    memory = PaperTable(
        "Table 2: memory, partial success, %", heads, list(paper["Table 2"].rows.values()), _SAID["memory"]
    )
    groups = [_by_capability(success, "success"), _by_capability(partial, "partial success")]
    return [success, partial, *groups, mistakes, length, _efficiency(results, columns), _privacy(results, columns),
            memory, *_tags(results, columns)]  # fmt: skip


def _by_capability(table: PaperTable, measure: str) -> PaperTable:
    """A table by what puzzles test: each capability is the mean over its puzzles, where all of them are there."""
    rows = [TableRow(row.name, _grouped(row.cells), row.group) for row in table.rows]
    return PaperTable(f"Capabilities: {measure}, %", tuple(CAPABILITIES), rows, _SAID["grouped"])


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


def _named(result: Mapping[str, Any]) -> str:
    return "scripted pair" if result["agent"] == "oracle" else str(result["agent"])


def _over(result: Mapping[str, Any]) -> str:
    """A name for what is a mean over the puzzles."""
    return _named(result) + unplayed.over(result)


def _rows(result: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Mapping[str, Any]]:
    """The rows of a result by their column."""
    by_name = {row["environment"].partition("/")[2].rpartition("-v")[0]: row for row in result["rows"]}
    return {column: by_name[name] for column, name in columns.items() if name in by_name}


def _cells(result: Mapping[str, Any], measure: str, columns: Mapping[str, str]) -> dict[str, Cell]:
    cells = {}
    for column, row in _rows(result, columns).items():
        cells[column] = Cell.of(score_of(row) if measure == "success" else row[measure])
    whole = result["overall"][measure]
    return cells | _overall(result, Cell.of(whole)) | _not_played(result, columns)


def _overall(result: Mapping[str, Any], cell: Cell) -> dict[str, Cell]:
    """The cell over all puzzles, where all were played: the mean over some of them is another measure."""
    return {} if unplayed.over(result) else {OVERALL: cell}


def _not_played(result: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Cell]:
    return layout.not_played(result, {f"mmgames/{name}-v0": column for column, name in columns.items()})


def _errors(results: Sequence[Mapping[str, Any]], measure: str, columns: Mapping[str, str]) -> dict[str, float]:
    """The errors of the published random row: what ours would be over as many conversations as the paper had.

    The printed ones are too coarse to compare with (0.0 and 0.1). A share of none in a hundred still has the error of
    half a one.
    """
    random = next((result for result in results if result["agent"] == "random"), None)
    if random is None:
        return {}
    errors = {}
    per_cent = measure in ("success", "partial")
    theirs = published.tables("comma")["Table 3"].row("Random").cells
    for column, row in _rows(random, columns).items():
        found = row["standard_error"] if measure == "success" else row[measure]["standard_error"]
        share = ((theirs[column].value or 0.0) + 0.5) / (RUNS + 1)
        least = 100 * sqrt(share * (1 - share) / RUNS) if per_cent else 0.005
        errors[column] = max(least, (found or 0.0) * sqrt(row["episodes"] / RUNS))
    errors[OVERALL] = sqrt(sum(error**2 for error in errors.values())) / max(1, len(errors))
    return errors


def _efficiency(results: Sequence[dict[str, Any]], columns: Mapping[str, str]) -> PaperTable:
    paper = published.tables("comma")["Figure 5"]
    rows = []
    for result in results:
        cells = {column: Cell(row["efficiency"]) for column, row in _rows(result, columns).items()}
        whole = _overall(result, Cell(result["overall"]["efficiency"]))
        rows.append(TableRow(_named(result), {**cells, **whole, **_not_played(result, columns)}))
        tokens = {column: Cell(row["tokens"]["mean"]) for column, row in _rows(result, columns).items()}
        whole = _overall(result, Cell(result["overall"]["tokens"]["mean"]))
        rows.append(TableRow(f"{_named(result)}, {_token_kinds(result)}", {**tokens, **whole}, counts=True))
    printed = sorted(paper.rows.values(), key=lambda row: _KINDS.index(row.group))
    theirs = [TableRow(row.name, {OVERALL: row.cells["efficiency"]}, row.group) for row in printed]
    compared = [Comparison("random", "Random", {OVERALL: 0.015})] if any(map(_released, results)) else []
    return PaperTable("Figure 5: efficiency", (*columns, OVERALL), [*rows, *theirs], _SAID["efficient"], compared, 2)


def _token_kinds(result: Mapping[str, Any]) -> str:
    """What the tokens of a result are; files of before that was kept count words and marks."""
    kinds = (how for row in result["rows"] for how in row.get("tokens_counted", {}).values())
    return " and ".join(dict.fromkeys(kinds)) or WORDS


def _privacy(results: Sequence[dict[str, Any]], columns: Mapping[str, str]) -> PaperTable:
    paper = published.tables("comma")["Text, Sect. 5.3 and Fig. 4"]
    heads = ("Atm: success", "Atm: leaks", "Telehealth: success", "Telehealth: leaks")
    rows = []
    for result in results:
        cells = {}
        for column, row in _rows(result, columns).items():
            if column in ("Atm", "Telehealth"):
                leaks = row["leaks"]
                cells[f"{column}: success"] = Cell.of(score_of(row))
                between = [100 * end for end in leaks.get("interval") or ()] or None
                cells[f"{column}: leaks"] = Cell(
                    _times(leaks["mean"]), _times(leaks["standard_error"]), interval=between
                )
        rows.append(TableRow(_named(result), cells))
    human = paper.row("Human + GPT-4o")
    told = {"Atm: success": human.cells["success"], "Atm: leaks": human.cells["revealed private data"]}
    return PaperTable(
        "Section 5.3: privacy, %", heads, [*rows, TableRow(human.name, told, human.group)], _SAID["private"]
    )


def _times(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _tags(results: Sequence[dict[str, Any]], columns: Mapping[str, str]) -> list[PaperTable]:
    rows = []
    for result in results:
        for tag in TAGS:
            cells = {column: Cell(100 * row["errors"].get(tag, 0.0)) for column, row in _rows(result, columns).items()}
            whole = _overall(result, Cell(100 * result["overall"]["errors"][tag]))
            rows.append(TableRow(tag, {**cells, **whole}, f"ours: {_named(result)}"))
    judged = published.tables("comma")["Figure 3"]
    return [
        PaperTable("What goes wrong, % of conversations", (*columns, OVERALL), rows, _SAID["tagged"], places=0),
        PaperTable("Figure 3: kinds of error as a model judges them, %", judged.columns, list(judged.rows.values()),
              _SAID["judged"], places=0),
    ]  # fmt: skip


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
