"""LVLM-Playground's robustness tables: boards that get fuller, and pieces that get more various."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mmgames.core import registry
from mmgames.suites.lvlm_playground import MEASURES, LvlmPlayground, answer
from mmgames.suites.suite import SuiteRow
from mmgames.tasks.positions import CHESS_BANDS, GOMOKU_BANDS

BANDS = {"Gomoku": (GOMOKU_BANDS, "stones"), "Chess": (CHESS_BANDS, "pieces")}


class Robustness(LvlmPlayground):
    def sections(self, results: Sequence[dict[str, Any]]) -> list[str]:
        return []  # the table says it all


def _entries() -> Iterator[SuiteRow]:
    for name, (bands, what) in BANDS.items():
        for band in bands if f"mmgames/{name}-v0" in registry.specs else ():
            yield SuiteRow(
                id=f"mmgames/{name}-Perceive-v0",
                measure=MEASURES["Perceive"],
                protocol=answer,
                oracle="oracle",
                normal=(0.0, 100.0),
                published={},
                options={"band": band},
                variant=f"{what} {band}",
            )


SUITE = Robustness(name="lvlm-robustness", title="LVLM-Playground, robustness", entries=tuple(_entries()))
