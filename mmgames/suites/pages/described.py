"""The tables of a paper's page from its description, NAME.toml beside this; NAME.md has the words.

`columns` name, by column, the row of a result that stands in it, as tables call it (`WirePuzzle`, `Chess-Ask balanced`,
`VikiKitchen-Trace RMSE` where several rows differ in their measure alone), or a list of that row and the figure of it
that is shown, which may be followed by what it is multiplied by. A table has `rows`: blocks of lines, and every result
gets all lines of a block before the next one does. `_Table.line` reads what a line may say. `published` names the
paper's table, whose rows stand below ours, and `compare` which rows of both should agree. What no description says a
suite makes itself, and gives it by name (`own`).
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from mmgames.running.statistics import pooled
from mmgames.suites.pages import layout, prose
from mmgames.suites.pages.layout import Cell, Comparison, PaperTable, TableRow
from mmgames.suites.pages.tables import row_name, score_of
from mmgames.suites.papers import published
from mmgames.suites.results import unplayed

Result = Mapping[str, Any]
Row = Mapping[str, Any]
Line = Mapping[str, Any]
Own = Callable[..., Any]


class Place(NamedTuple):
    """What stands in a column: a row by its name, and the figure of it, if it is not that of the line."""

    row: str
    figure: str = ""
    times: float = 1.0


Places = Mapping[str, Place]


@cache
def description(page: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(f"{page}.toml").read_text("utf-8"))


def tables(page: str, results: Sequence[Result], part: str = "tables", **own: Own) -> list[PaperTable]:
    """The tables of a page; those in which nothing was measured are left out, unless they are always there."""
    made = [_Table(page, told, own).made(results) for told in description(page)[part]]
    return [table for table in made if table is not None]


def columns(page: str, name: str, rows: str = "{}") -> Places:
    """Columns of a description; `rows` is how the names in it become those of rows."""
    told = description(page)["columns"][name].items()
    found = {column: Place(*([where] if isinstance(where, str) else where)) for column, where in told}
    return {column: place._replace(row=rows.format(place.row)) for column, place in found.items()}


def in_order(page: str, rows: Iterable[TableRow]) -> list[TableRow]:
    """Published rows in the page's order of kinds."""
    order = [f"published: {kind}" for kind in description(page).get("order", ())]
    return sorted(rows, key=lambda row: order.index(row.group) if row.group in order else len(order))


def rows_in(result: Result, places: Places) -> dict[str, Row]:
    """The rows of a result by column."""
    known: dict[str, Row] = {}
    for row in result["rows"]:
        name = row_name(row)
        # Whoever plays against another opponent than the paper's stands in the same column.
        bare = [row_name({**row, "variant": ""})] if str(row.get("variant", "")).startswith("opponent=") else []
        for called in (name, f"{name} {row['measure'].split()[0]}", *bare):
            known.setdefault(called, row)
    return {column: known[place.row] for column, place in places.items() if place.row in known}


def figure_of(found: Any, path: str) -> Any:
    """What lies at a path such as `overall.success`; None where it does not."""
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def cell_of(row: Row, figure: str = "score", times: float = 1.0) -> Cell | None:
    """A figure of a row as a cell; None where the row does not have it."""
    if figure == "score":
        return Cell.of(score_of(row))
    if figure == "normalised":
        return layout.normalised_cell(row)
    found = figure_of(row, figure)
    return None if found is None else _cell(found, times)


def _cell(found: Any, times: float = 1.0) -> Cell:
    cell = Cell.of(found) if isinstance(found, Mapping) else Cell(found)
    if times == 1.0 or cell.value is None:
        return cell
    between = None if cell.interval is None else [times * end for end in cell.interval]
    return Cell(times * cell.value, None if cell.error is None else times * cell.error, interval=between)


def with_mean(cells: Mapping[str, Cell], of: Iterable[str], head: str = "Overall") -> dict[str, Cell]:
    """The cells with their mean in front, where all of these columns are there."""
    found = [cells[column].measured if column in cells else {"mean": None} for column in of]
    if any(one["mean"] is None for one in found):
        return dict(cells)
    exact = [{**one, "standard_error": one["standard_error"] or 0.0} for one in found]
    return {head: Cell.of(pooled(exact)), **cells}


def not_played(result: Result, places: Places) -> dict[str, Cell]:
    """The cells of what a result could not play."""
    names = {row_name(one) for one in result.get("unplayed", ())}
    return {column: Cell(instead=unplayed.NOT_PLAYED) for column, place in places.items() if place.row in names}


class _Table:
    def __init__(self, page: str, told: Mapping[str, Any], own: Mapping[str, Own]) -> None:
        self.page, self.told, self.own = page, told, own
        self.shared = description(page)
        self.paper = published.tables(self.shared["paper"])
        self.head = self.shared["mean"]["head"]

    def made(self, results: Sequence[Result]) -> PaperTable | None:
        told = self.told
        if "own" in told:
            table: PaperTable = self.own[told["own"]](results)
            return table if any(row.cells for row in table.rows if not row.published) else None
        ours = [row for block in told.get("rows", ()) for row in self.block(block, results)]
        if not told.get("always") and not any(row.cells for row in ours):
            return None
        every = [row for result in results for row in result["rows"]]
        if "unless_zero" in told and not any(figure_of(row, told["unless_zero"]) for row in every):
            return None
        below = told.get("published", "")
        notes = self.paper[below].notes if told.get("notes") else ()
        own = prose.paragraphs(self.page)[told["said"]] if "said" in told else told.get("about", "")
        about = " ".join(filter(None, [own, *notes]))
        compared = [found for one in told.get("compare", ()) if (found := self.comparison(one, results)) is not None]
        rows = [*ours, *(self.published(below) if below else ())]
        short = self.shared.get("short", {})
        return PaperTable(told["title"], self.heads(), rows, about, compared, told.get("places", 1), short)

    def heads(self) -> Sequence[str]:
        """The columns: those of ours, with the mean if a line has one, or all that the paper has."""
        if "columns" not in self.told:
            return self.paper[self.told["published"]].columns
        own, mean = list(self.shared["columns"][self.told["columns"]]), self.shared["mean"]
        if not any("mean" in line for block in self.told["rows"] for line in block):
            return own
        return [self.head, *own] if mean["first"] else [*own, self.head]

    def places(self, line: Line) -> Places:
        name, rows = (line.get(key, self.told.get(key, default)) for key, default in (("columns", ""), ("row", "{}")))
        return columns(self.page, name, rows)

    def block(self, lines: Sequence[Line], results: Sequence[Result]) -> list[TableRow]:
        first = lines[0]
        if "own" in first:
            found: list[TableRow] = self.own[first["own"]](results)
            return found
        if "each" in first:
            return self.counts(first, results)
        places = self.places(first)
        sizes = [sum(row["episodes"] for row in rows_in(result, places).values()) for result in results]
        chosen: Sequence[Result] = {
            "first": results[:1],
            "largest": [results[int(np.argmax(sizes))]] if results else [],
            "every": [{"agent": "", "rows": [row for result in reversed(results) for row in result["rows"]]}],
        }.get(first.get("from", ""), results)
        return [row for result in chosen for line in lines for row in self.line(result, line)]

    def line(self, result: Result, line: Line) -> list[TableRow]:
        """The row of a result that a line describes, none where nothing of it was measured, and what stands below it:
        illegal play charged, and how far above blind play and chance it is."""
        if result["agent"] in line.get("but", ()):
            return []
        places, shown, times = self.places(line), line.get("shows", "score"), line.get("times", 1.0)
        rows, cells = rows_in(result, places), dict[str, Cell]()
        rows = {column: row for column, row in rows.items() if line.get("where", "raw") in row}
        for column, row in rows.items():
            _, own, factor = places[column]
            found = cell_of(row, own or shown, factor if own else times)
            cells |= {} if found is None else {column: found}
        holes = line.get("unplayed", shown in ("score", "normalised") and "most" not in line)
        missing = not_played(result, places) if holes else {}
        if not cells and not missing:
            return []
        if "most" in line:
            if not any((cell.value or 0.0) > line["most"] for cell in cells.values()):
                return []
            values = {column: cell.value for column, cell in cells.items()}
            cells = {column: Cell(None if one is None else min(one, line["most"])) for column, one in values.items()}
        cells = (self.meaned(result, line, cells, rows, places) if cells else {}) | missing
        agent = self.named(result)
        told = {"agent": agent, **(self.own["words"](result) if "words" in self.own else {})}
        name, group = (line.get(key, other).format(**told) for key, other in (("name", "{agent}"), ("group", "ours")))
        below = layout.beside_scores(agent, rows, shown == "normalised") if line.get("beside") else []
        if shown == "normalised":
            below = [TableRow(row.name, with_mean(row.cells, places, self.head)) for row in below]
        return [TableRow(name, cells, group, line.get("counts", False)), *below]

    def meaned(
        self, result: Result, line: Line, cells: dict[str, Cell], rows: Mapping[str, Row], places: Places
    ) -> dict[str, Cell]:
        """The cells with their mean: pooled, plain (of rows that are about the same deals), or from the result."""
        how = line.get("mean")
        if how == "plain":
            scores = [row["raw"] for row in rows.values()]
            return {**cells, self.head: Cell(None if None in scores else float(np.mean(scores)))}
        if how is None or any(column not in cells for column in places):
            return cells
        if how != "pooled":
            found = figure_of(result, how)
            return cells if found is None else {**cells, self.head: _cell(found, line.get("times", 1.0))}
        cells = with_mean(cells, places, self.head)
        if "most" in line and self.head in cells:
            cells[self.head] = Cell(cells[self.head].value)
        return cells

    def named(self, result: Result) -> str:
        variant = result.get("variant", "multimodal")
        name = self.shared.get("names", {}).get(result["agent"], result["agent"])
        return str(name) + ("" if variant == "multimodal" else f", {variant}")

    def counts(self, line: Line, results: Sequence[Result]) -> list[TableRow]:
        """How many values stand behind ours, once where all have as many."""
        places, found = {column: at for column, at in self.places(line).items() if not at.figure}, []
        for result in results:
            numbers = {column: Cell(row["episodes"]) for column, row in rows_in(result, places).items()}
            found += [TableRow(f"{self.named(result)}, {line['each']}", numbers, counts=True)] if numbers else []
        alike = len(found) > 1 and all(row.cells == found[0].cells for row in found)
        return [TableRow(f"{line['each']}, each", found[0].cells, counts=True)] if alike else found

    def published(self, name: str) -> list[TableRow]:
        """The paper's rows, in the page's order of kinds unless they stand as printed."""
        told = self.told
        found = self.own["published"](name) if "published" in self.own else list(self.paper[name].rows.values())
        if "shown" in told:
            pairs = told["shown"].items()
            found = [
                TableRow(
                    row.name, {ours: row.cells[theirs] for ours, theirs in pairs if theirs in row.cells}, row.group
                )
                for row in found
            ]
        if told.get("counts"):
            found = [TableRow(row.name, row.cells, row.group, counts=True) for row in found]
        return found if told.get("as_printed") else in_order(self.page, found)

    def comparison(self, one: Mapping[str, Any], results: Sequence[Result]) -> Comparison | None:
        """Errors of a published row that has none are those of ours over as many episodes as the paper played."""
        why = prose.by_column(self.page, one["why"]) if "why" in one else {}
        errors: dict[str, float] = {}
        if "errors" in self.own:
            told = self.own["errors"](results, one["shows"])
            return None if told is None else Comparison(one["ours"], one["published"], told, why)
        line = self.told["rows"][0][0]
        ours = next((result for result in results if self.named(result) == one["ours"]), None)
        if ours is not None and "episodes" in one:
            places, few = self.places(line), one.get("episodes_of", {})
            for column, row in rows_in(ours, places).items():
                cell = cell_of(row, places[column].figure or line.get("shows", "score"))
                if cell is not None and cell.error is not None:
                    errors[column] = cell.error * sqrt(row["episodes"] / few.get(column, one["episodes"]))
        return Comparison(one["ours"], one["published"], errors, why)
