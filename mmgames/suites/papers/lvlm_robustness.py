"""LVLM-Playground's robustness tables: boards that get fuller, and pieces that get more various."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from mmgames.core import registry
from mmgames.suites.entries import SuiteEntry, in_per_cent
from mmgames.suites.pages import described, layout
from mmgames.suites.pages.layout import Cell, PaperTable, TableRow
from mmgames.suites.papers import published
from mmgames.suites.papers.lvlm_playground import MEASURES, LvlmPlayground, answer
from mmgames.suites.spoken import answers
from mmgames.tasks.positions import CHESS_BANDS, GOMOKU_BANDS, board

BANDS = {"Gomoku": (GOMOKU_BANDS, "stones"), "Chess": (CHESS_BANDS, "pieces")}


class Robustness(LvlmPlayground):
    def paper_tables(self, results: Sequence[dict[str, Any]]) -> list[PaperTable]:
        made = described.tables("lvlm_robustness", results, published=_in_per_cent)
        here = (name for name in BANDS if not registry.why_missing(registry.find(name)))
        return made + [_kinds(name, results) for name in here]

    def page(self, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str]) -> str:
        return layout.page(self.title, command, results, self.paper_tables(results), (), pictures)


def _in_per_cent(name: str) -> list[TableRow]:
    rows = published.tables("lvlm_playground")[name].rows.values()
    shares = [{band: Cell(100 * (cell.value or 0.0)) for band, cell in row.cells.items()} for row in rows]
    return [TableRow(row.name, cells, row.group) for row, cells in zip(rows, shares, strict=True)]


def _kinds(name: str, results: Sequence[dict[str, Any]]) -> PaperTable:
    """The share of each kind of cell that was read as what it is, over all boards of a game."""
    codes = board(f"mmgames/{name}-v0").codes
    rows = []
    for result in results:
        found = (row.get("cells", ()) for row in result["rows"] if row["environment"] == f"mmgames/{name}-Perceive-v0")
        pairs: Counter[tuple[int, int]] = Counter()
        for truth, said, times in chain.from_iterable(found):
            pairs[truth, said] += times
        read = {kind["cell"]: Cell(100 * kind["right"] / kind["number"]) for kind in answers.by_kind(pairs, codes)}
        rows += [TableRow(result["agent"], read)] if read else []
    about = "Boards that could not be read are left out; what was taken for what `mmgames failures RUN` tells."
    return PaperTable(f"{name}, cells read as what they are, by kind, %", tuple(codes.values()), rows, about)


def _entries() -> Iterator[SuiteEntry]:
    for name, (bands, what) in BANDS.items():
        for band in bands if f"mmgames/{name}-v0" in registry.specs else ():
            id, own = f"mmgames/{name}-Perceive-v0", {"band": band}
            yield in_per_cent(id, MEASURES["Perceive"], answer, options=own, variant=f"{what} {band}")


SUITE = Robustness(name="lvlm-robustness", title="LVLM-Playground, robustness", entries=tuple(_entries()))
