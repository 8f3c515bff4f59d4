"""The page of VS-Bench's second edition: our rows on ten games, and what 0 and 100 are; nothing on it was published."""

from collections.abc import Mapping, Sequence
from typing import Any

from mmgames.suites.pages import layout, prose
from mmgames.suites.pages import tables as kit
from mmgames.suites.pages.layout import Cell, PaperTable, TableRow
from mmgames.suites.pages.tables import score_of
from mmgames.suites.pages.vs_bench import (
    DECISIONS,
    OVERALL,
    SECOND,
    SHORT,
    counts_of,
    named,
    not_played,
    perception,
    reasoning_rows,
    rows_of,
    with_mean,
)
from mmgames.suites.results import unplayed
from mmgames.text.tables import escape_markdown

TITLE = "VS-Bench, second edition"
MPE = "MPE"
SIDES = ("rival", "pair")
UNKNOWN = "What is not known of the authors' set-up, and what we do"
_SAID = prose.paragraphs("vs_bench_second")


def tables(results: Sequence[dict[str, Any]]) -> list[PaperTable]:
    """A table for each measure as far as it was taken, and the returns behind the normalised ones."""
    reasoning = PaperTable(
        "Strategic reasoning: right predictions in %",
        (OVERALL, *SECOND),
        reasoning_rows(results, SECOND),
        _SAID["reasoning"],
        short=SHORT,
    )
    made = [perception(results, SECOND, _SAID["perception"]), reasoning, _decisions(results), _returns(results)]
    return [table for table in made if any(row.cells for row in table.rows)]


def _decisions(results: Sequence[dict[str, Any]]) -> PaperTable:
    rows = []
    for result in results:
        if own := rows_of(result, DECISIONS, SECOND):
            cells = {column: layout.normalised_cell(row) for column, row in own.items()}
            empty = not_played(result, DECISIONS, SECOND)
            rows.append(TableRow(named(result), with_mean(cells, SECOND) | empty))
            charged = layout.beside_scores(named(result), own, normalised=True)
            rows += [TableRow(row.name, with_mean(dict(row.cells), SECOND)) for row in charged]
    rows += counts_of(results, DECISIONS, "episodes", SECOND)
    title = "Decision making: return, our random play being 0 and our best agent 100"
    return PaperTable(title, (OVERALL, *SECOND), rows, _SAID["decisions"], short=SHORT)


def _columns() -> list[str]:
    return [name for column in SECOND for name in ([f"{MPE} {side}" for side in SIDES] if column == MPE else [column])]


def _returns(results: Sequence[dict[str, Any]]) -> PaperTable:
    rows = []
    for result in results:
        own = rows_of(result, DECISIONS, SECOND)
        cells = {column: Cell.of(score_of(row)) for column, row in own.items() if column != MPE}
        cells |= {f"{MPE} {side}": Cell.of(own[MPE][side]) for side in SIDES if MPE in own and side in own[MPE]}
        rows += [TableRow(named(result), cells)] if cells else []
    return PaperTable("Episode returns", _columns(), rows, _SAID["returns"], places=2, short=SHORT)


def references_table(references: Mapping[str, Sequence[Any]]) -> PaperTable:
    """What counts as 0 and as 100: by game or side, whose mean return it is, its error, and over how many episodes."""
    games = {name: column for column, name in SECOND.items()}
    rows: dict[str, dict[str, Cell]] = {}
    counts: dict[str, dict[str, Cell]] = {}
    for name, (random, best) in references.items():
        game, _, side = name.partition(" ")
        column = f"{games[game]} {side}".strip()
        for label, known in (("counts as 0: random", random), ("counts as 100: our best", best)):
            rows.setdefault(label, {})[column] = Cell(known.mean, known.standard_error)
            counts.setdefault(f"{label.partition(': ')[2]}, episodes", {})[column] = Cell(known.episodes)
    lines = [TableRow(label, cells) for label, cells in rows.items()]
    lines += [TableRow(label, cells, counts=True) for label, cells in counts.items()]
    about = f"{_SAID['references']} Our best: {_agents(references, games)}."
    return PaperTable("What 0 and 100 are", _columns(), lines, about, places=2, short=SHORT)


def _agents(references: Mapping[str, Sequence[Any]], games: Mapping[str, str]) -> str:
    told = []
    for name, (_, best) in references.items():
        game, _, side = name.partition(" ")
        column = f"{SHORT.get(games[game], games[game])} {side}".strip()
        told.append(f"{column} `{best.agent}`")
    return ", ".join(told)


def page(
    title: str,
    command: str,
    results: Sequence[dict[str, Any]],
    pictures: Mapping[str, str],
    references: Mapping[str, Sequence[Any]],
) -> str:
    """How it was written, the tables, and what is not known; plots at the end."""
    shown = command.replace("`", "'")
    intro = (
        f"Written by `{shown}`. Small figures are standard errors or, where ± would mislead, as at 0 and 100 %, the "
        f"ends of an interval of 95 %. {kit.how_read(results)}"
    )
    parts = [*map(layout.write, [*tables(results), references_table(references)])]
    told = [escape_markdown(f"{result['agent']}, {line}") for result in results for line in kit.asides(dict(result))]
    left_out = [escape_markdown(line) for line in unplayed.lines(results)]
    unknown = [f"## {UNKNOWN}", layout.numbered(prose.items("vs_bench_second", "unknown"))]
    drawn = [plots] if (plots := layout.beside(pictures)) else []
    said = _SAID["intro"].replace(" **All figures", "\n\n**All figures")
    whole = [f"# {title}", intro, *left_out, said, *parts, *drawn, *kit.explained(results), *told, *unknown]
    return "\n\n".join(whole) + "\n"
