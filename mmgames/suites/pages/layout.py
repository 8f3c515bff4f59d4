"""Pages in a paper's own layout: games as columns, agents and models as rows, ours first, then what was published.

A suite makes a `PaperTable` for each of the paper's tables (`published.tables` has the published rows as data), says
with `Comparison` which of our rows stands for which published one, and gives the page to `page`. Every figure is ours
from a run or from the data file. A difference beyond two standard errors gets a letter and has to be explained below
the table; one that is not is said to be unexplained, and `unexplained` finds it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot
from string import ascii_lowercase
from typing import Any, Self
from urllib.parse import quote

from mmgames.running.statistics import needs_interval
from mmgames.suites.pages import tables as kit
from mmgames.suites.pages.tables import SOMETIMES, figure, score_of
from mmgames.suites.results import unplayed
from mmgames.text.tables import escape_markdown, markdown_table

LARGEST = 2.0
"""Differences of more standard errors than this are explained."""
ROUNDING = 12**-0.5
"""The error of what is printed rounded, in units of its last place."""
NONE = 1e-9
NOT_EXPLAINED = "not explained"
OURS = "ours"


@dataclass(frozen=True)
class Cell:
    value: float | None = None
    error: float | None = None  # as a rule the standard error; a table says so where it is another
    instead: str = "–"  # what is shown where there is no value
    interval: Sequence[float] | None = None  # of 95 %; shown where ± the error would mislead

    @classmethod
    def of(cls, measured: Mapping[str, Any]) -> Self:
        """What `mean_and_error` found."""
        return cls(measured["mean"], measured["standard_error"], interval=measured.get("interval"))

    @property
    def measured(self) -> dict[str, Any]:
        return {"mean": self.value, "standard_error": self.error, "interval": self.interval}


@dataclass(frozen=True)
class TableRow:
    """An agent or a model. `group` is the heading it stands under; a published one begins with `published`."""

    name: str
    cells: Mapping[str, Cell]
    group: str = OURS
    counts: bool = False  # its figures are numbers of things, shown whole and small

    @property
    def published(self) -> bool:
        return self.group.startswith("published")


@dataclass(frozen=True)
class Comparison:
    """One of our rows beside the published row it should agree with.

    `errors` are standard errors of the published values by column, where they are known or can be estimated; the
    table's `about` says how. `explained` says, by column, why a difference beyond two standard errors is there; in the
    columns of `skip` the two rows are not the same thing and are not compared.
    """

    ours: str
    published: str
    errors: Mapping[str, float] = field(default_factory=dict)
    explained: Mapping[str, str] = field(default_factory=dict)
    skip: Sequence[str] = ()


@dataclass(frozen=True)
class Difference:
    ours: str
    published: str
    column: str
    value: float  # ours less the published one
    in_errors: float | None  # None: neither has an error
    why: str

    @property
    def large(self) -> bool:
        return abs(self.value) > NONE if self.in_errors is None else abs(self.in_errors) > LARGEST


@dataclass(frozen=True)
class PaperTable:
    """`about` is a sentence or two below the title; `short` are the heads of columns whose names are long."""

    title: str
    columns: Sequence[str]
    rows: Sequence[TableRow]
    about: str = ""
    comparisons: Sequence[Comparison] = ()
    places: int = 1
    short: Mapping[str, str] = field(default_factory=dict)

    def differences(self) -> list[Difference]:
        return [found for comparison in self.comparisons for found in self._compare(comparison)]

    def _compare(self, comparison: Comparison) -> Iterator[Difference]:
        mine = {row.name: row for row in self.rows if not row.published}.get(comparison.ours)
        theirs = {row.name: row for row in self.rows if row.published}.get(comparison.published)
        if mine is None or theirs is None:  # this agent was not measured
            return
        for column in self.columns:
            one, two = mine.cells.get(column, Cell()), theirs.cells.get(column, Cell())
            if one.value is None or two.value is None or column in comparison.skip:
                continue
            value = one.value - two.value
            rounded = round(one.value, self.places) - two.value  # what is printed rounded cannot differ by less
            both = hypot(one.error or 0.0, comparison.errors.get(column, 0.0))
            ratio = value / hypot(both, 10**-self.places * ROUNDING) if both > NONE else None
            if ratio is None and abs(rounded) < NONE:
                value = 0.0
            why = comparison.explained.get(column, NOT_EXPLAINED)
            yield Difference(comparison.ours, comparison.published, column, value, ratio, why)


def unexplained(tables: Sequence[PaperTable]) -> list[str]:
    """The differences that nobody has explained, a line each."""
    return [
        f"{table.title}: {found.ours}, {found.column}: {found.value:+.2f}"
        for table in tables
        for found in table.differences()
        if found.large and found.why == NOT_EXPLAINED
    ]


def normalised_cell(row: Mapping[str, Any]) -> Cell:
    return Cell(row["normalised"], row["normalised_standard_error"])


def beside_scores(name: str, rows: Mapping[str, Mapping[str, Any]], normalised: bool = False) -> list[TableRow]:
    """What stands below the scores of an agent, if it has any of it: illegal play charged, and how far above chance
    it is. `rows` are its rows by column."""
    made = []
    if any("charged" in row for row in rows.values()):
        if normalised:
            cells = {column: normalised_cell(row.get("charged", row)) for column, row in rows.items()}
        else:
            cells = {column: Cell.of(row.get("charged") or score_of(row)) for column, row in rows.items()}
        made.append(TableRow(f"{name}, {SOMETIMES['charged']}", cells))
    for base in ("above_floor", "above_chance"):
        if above := {column: Cell.of(row[base]) for column, row in rows.items() if base in row}:
            made.append(TableRow(f"{name}, {SOMETIMES[base]}", above))
    return made


@dataclass(frozen=True)
class Line:
    """A line of a table as it is shown: `kind` is group, ours, published or difference. Cells are figures, with <sub>
    and <sup> as the only markup, which Markdown and HTML pages both take; the name is plain text. `values` are what the
    cells show, where they can be compared with those above and below."""

    kind: str
    name: str
    cells: Sequence[str]
    values: Sequence[float | None] = ()


def lines(table: PaperTable) -> list[Line]:
    """The body of a table: headings of groups, rows, and below a row how far it is from the published one."""
    found = table.differences()
    letters = {(one.ours, one.column): letter for letter, one in reasons(table)}
    made: list[Line] = []
    group = None
    for row in table.rows:
        if row.group != group:
            group = row.group
            made.append(Line("group", group, [""] * len(table.columns)))
        shown = [_cell(row, column, table, letters) for column in table.columns]
        values = [None if row.counts else row.cells.get(column, Cell()).value for column in table.columns]
        made.append(Line("published" if row.published else "ours", row.name, shown, values))
        for comparison in table.comparisons:
            if comparison.ours == row.name and not row.published:
                own = [one for one in found if one.ours == row.name and one.published == comparison.published]
                made += _differences_line(own, table)
    return made


def reasons(table: PaperTable) -> list[tuple[str, Difference]]:
    """The large differences with the letters that lead to their reasons."""
    return list(zip(_letters(), [one for one in table.differences() if one.large], strict=False))


def write(table: PaperTable) -> str:
    """The table in Markdown with its title, and below it why what differs differs."""
    names = {"group": "**{}**", "ours": "{}", "published": "*{}*", "difference": "<sub>{}</sub>"}
    rows = [[names[line.kind].format(escape_markdown(line.name)), *line.cells] for line in lines(table)]
    head = ["", *(escape_markdown(table.short.get(column, column)) for column in table.columns)]
    grid = markdown_table(head, rows, markup=True, right=range(1, len(head)))
    notes = [f"- <sup>{letter}</sup> {escape_markdown(said(one, table))}: {one.why}" for letter, one in reasons(table)]
    return "\n\n".join(filter(None, [f"## {escape_markdown(table.title)}", table.about, grid, "\n".join(notes)]))


def _letters() -> Iterator[str]:
    yield from ascii_lowercase
    yield from (first + second for first in ascii_lowercase for second in ascii_lowercase)


def _cell(row: TableRow, column: str, table: PaperTable, letters: Mapping[tuple[str, str], str]) -> str:
    cell = row.cells.get(column, Cell())
    if cell.value is None:
        return cell.instead
    if row.counts:
        return f"<sub>{cell.value:,.0f}</sub>"
    text = figure(cell.value, table.places)
    if needs_interval(cell.measured):
        low, high = (figure(end, table.places) for end in cell.interval or ())
        text += f" <sub>{low} to {high}</sub>"
    elif cell.error is not None:
        text += f" <sub>±{_error(cell.error, table.places)}</sub>"
    letter = "" if row.published else letters.get((row.name, column), "")
    return text + (f" <sup>{letter}</sup>" if letter else "")


def _error(error: float, places: int) -> str:
    """An error with as many places; a small one with more, so that it is not said to be none."""
    while NONE < error < 0.5 * 10**-places and places < 3:
        places += 1
    return figure(error, places)


def _differences_line(own: Sequence[Difference], table: PaperTable) -> list[Line]:
    """How far a row is from the published one, in standard errors; where neither has one, the difference itself."""
    if not own:
        return []
    by_column = {one.column: one for one in own}
    shown = []
    for column in table.columns:
        one = by_column.get(column)
        if one is None:
            shown.append("")
        elif one.in_errors is None:
            shown.append("<sub>=</sub>" if not one.large else f"<sub>{_signed(one.value, table.places)}</sub>")
        else:
            shown.append(f"<sub>{_signed(one.in_errors)} s.e.</sub>")
    return [Line("difference", f"less {own[0].published} (published)", shown)]


def _signed(value: float, places: int = 1) -> str:
    return f"{round(value, places) + 0.0:+.{places}f}"


def said(one: Difference, table: PaperTable) -> str:
    """Which difference it is and how large, in plain text."""
    ratio = "" if one.in_errors is None else f", {_signed(one.in_errors)} standard errors"
    return f"{one.ours}, {table.short.get(one.column, one.column)} ({_signed(one.value, table.places)}{ratio})"


def numbered(items: Sequence[str]) -> str:
    """A list; the list of where a paper slips is one."""
    return "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))


def beside(pictures: Mapping[str, str]) -> str:
    """Plots side by side, each under its caption; `pictures` are captions and files beside the page."""
    drawn = [f"![{escape_markdown(caption)}]({quote(file)})" for caption, file in pictures.items()]
    return markdown_table([escape_markdown(caption) for caption in pictures], [drawn], markup=True) if drawn else ""


SLIPS = "Where the paper slips or we differ, and why"
READ = (
    "Rows under **ours** are runs of that command; rows in *italics* are the paper's. Small figures are standard "
    "errors where nothing else is said, or where ± would mislead, as at 0 and 100 %, the ends of an interval of 95 %. "
    "A small row below one of ours says how far it is from the published one in standard errors of both together "
    f"and of its rounding; beyond {LARGEST:.0f} a letter leads to the reason."
)
"""How a page with published rows is read."""


def page(
    title: str,
    command: str,
    results: Sequence[Mapping[str, Any]],
    parts: Sequence[PaperTable | str],
    slips: Sequence[str] = (),
    pictures: Mapping[str, str] | None = None,
    read: str = READ,
    slips_title: str = SLIPS,
) -> str:
    """How it was written, tables and Markdown in order, plots beside the first table, then the list of slips."""
    shown = command.replace("`", "'")
    intro = f"Written by `{shown}`. {read} {kit.how_read(results)}"
    written = [write(part) if isinstance(part, PaperTable) else part for part in parts]
    drawn = beside(pictures or {})
    first = next((number for number, part in enumerate(parts) if isinstance(part, PaperTable)), len(parts) - 1)
    written[first + 1 : first + 1] = [drawn] if drawn else []
    told = kit.asides_of_all(list(map(dict, results)))
    slipped = [f"## {slips_title}", numbered(slips)] if slips else []
    left_out = [escape_markdown(line) for line in unplayed.lines(results)]
    beside_tables = [*kit.explained(results), *kit.named_failures(results), *told, *slipped]
    return "\n\n".join([f"# {title}", intro, *kit.about_released(results), *left_out, *written, *beside_tables]) + "\n"
