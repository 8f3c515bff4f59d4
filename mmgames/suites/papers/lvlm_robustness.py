"""LVLM-Playground's robustness tables: boards that get fuller, and pieces that get more various."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mmgames.core import registry
from mmgames.suites.entries import SuiteEntry, in_per_cent
from mmgames.suites.pages import layout
from mmgames.suites.pages.layout import Cell, PaperTable, TableRow, cells
from mmgames.suites.papers import published
from mmgames.suites.papers.lvlm_playground import MEASURES, LvlmPlayground, answer
from mmgames.tasks.positions import CHESS_BANDS, GOMOKU_BANDS

TABLES = {"Gomoku": "Table 6", "Chess": "Table 7"}
BANDS = {"Gomoku": (GOMOKU_BANDS, "stones"), "Chess": (CHESS_BANDS, "pieces")}


class Robustness(LvlmPlayground):
    def paper_tables(self, results: Sequence[dict[str, Any]]) -> list[PaperTable]:
        made = []
        for name, (bands, what) in BANDS.items():
            columns = {f"mmgames/{name}-Perceive-v0 {what} {band}": band for band in bands}
            ours = [TableRow(result["agent"], cells(result, columns)) for result in results]
            table = published.tables("lvlm_playground")[TABLES[name]]
            theirs = [
                TableRow(
                    row.name, {band: Cell(100 * (cell.value or 0.0)) for band, cell in row.cells.items()}, row.group
                )
                for row in table.rows.values()
            ]
            made.append(PaperTable(f"{table.name}: {table.about}, %", bands, [*ours, *theirs]))
        return made

    def page(self, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str]) -> str:
        return layout.page(self.title, command, results, self.paper_tables(results), (), pictures)


def _entries() -> Iterator[SuiteEntry]:
    for name, (bands, what) in BANDS.items():
        for band in bands if f"mmgames/{name}-v0" in registry.specs else ():
            id, own = f"mmgames/{name}-Perceive-v0", {"band": band}
            yield in_per_cent(id, MEASURES["Perceive"], answer, options=own, variant=f"{what} {band}")


SUITE = Robustness(name="lvlm-robustness", title="LVLM-Playground, robustness", entries=tuple(_entries()))
