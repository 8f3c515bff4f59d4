"""The page of VS-Bench's second edition: our rows on ten games, and what 0 and 100 are; nothing on it was published."""

from collections.abc import Mapping, Sequence
from typing import Any

from mmgames.suites.pages import described, layout, prose
from mmgames.suites.pages.layout import Cell, PaperTable, TableRow
from mmgames.suites.pages.vs_bench import SECOND

PAGE = "vs_bench_second"
TITLE = "VS-Bench, second edition"
UNKNOWN = "What is not known of the authors' set-up, and what we do"
READ = (
    "Small figures are standard errors or, where ± would mislead, as at 0 and 100 %, the ends of an interval of 95 %."
)
_SAID = prose.paragraphs(PAGE)
_SHORT: Mapping[str, str] = described.description(PAGE)["short"]


def tables(results: Sequence[dict[str, Any]]) -> list[PaperTable]:
    """A table for each measure as far as it was taken, and the returns behind the normalised ones."""
    return described.tables(PAGE, results)


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
    return PaperTable(
        "What 0 and 100 are", tuple(described.columns(PAGE, "returns")), lines, about, places=2, short=_SHORT
    )


def _agents(references: Mapping[str, Sequence[Any]], games: Mapping[str, str]) -> str:
    told = []
    for name, (_, best) in references.items():
        game, _, side = name.partition(" ")
        column = f"{_SHORT.get(games[game], games[game])} {side}".strip()
        told.append(f"{column} `{best.agent}`")
    return ", ".join(told)


def page(
    title: str,
    command: str,
    results: Sequence[dict[str, Any]],
    pictures: Mapping[str, str],
    references: Mapping[str, Sequence[Any]],
) -> str:
    """How it was written, the tables, and what is not known."""
    said = _SAID["intro"].replace(" **All figures", "\n\n**All figures")
    parts: list[PaperTable | str] = [said, *tables(results), references_table(references)]
    return layout.page(title, command, results, parts, prose.items(PAGE, "unknown"), pictures, READ, UNKNOWN)
