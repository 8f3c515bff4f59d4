"""Charts of a report as SVG: bars of normalised scores, a radar. They fit a telephone and need no script."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from mmgames.suites.pages.tables import figure, row_name
from mmgames.suites.results import unplayed

COLOURS = ("#2563a8", "#c2541b", "#2f7d4f", "#7a4ea3", "#9a7b13", "#b03060")
SHORTEST, LONGEST = -110.0, 110.0
"""Bars beyond these scores are cut at the edge; their figures stand beside them all the same."""
THICK, HEAD, GAP = 14, 20, 8  # pixels: a bar, the name above a group of bars, the space below it
REACH = 84.0  # per cent of the width that bars may take; the figures stand in the rest


def key(agents: Sequence[str]) -> str:
    """Which colour is whose."""
    spans = (
        f'<span><i style="background:{_colour(number)}"></i> {escape(agent)}</span>'
        for number, agent in enumerate(agents)
    )
    return f'<p class="key">{"".join(spans)}</p>'


def bars(results: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Normalised scores with their errors. A score below 0 is a bar that goes left of the line at 0."""
    found = [{row_name(row): row for row in reversed(result["rows"])} for result in results]
    left_out = [{row_name(one) for one in result.get("unplayed", ())} for result in results]
    scored = [row for rows in found for row in rows.values() if row["normalised"] is not None]
    lowest = min([0.0, *(row["normalised"] - (row["normalised_standard_error"] or 0.0) for row in scored)])
    low = max(SHORTEST, lowest)

    def at(score: float) -> float:
        """Where a score is, in per cent of the width."""
        return REACH * (min(LONGEST, max(low, score)) - low) / (LONGEST - low)

    parts: list[str] = []
    marks: list[str] = []  # drawn first, below everything else
    y = HEAD
    for column in columns:
        parts.append(f'<text x="0" y="{y + 12}">{escape(column)}</text>')
        y += HEAD
        for number, (rows, missing) in enumerate(zip(found, left_out, strict=True)):
            row = rows.get(column)
            if row is not None and row["normalised"] is not None:
                parts.append(_bar(row, y, _colour(number), at))
            elif column in missing:
                parts.append(f'<text class="faint" x="{at(0):.2f}%" dx="6" y="{y + 10}">{unplayed.NOT_PLAYED}</text>')
            y += THICK
        y += GAP
    for mark in (-100, -50, 0, 50, 100):
        if mark >= low:
            x, anchor = f"{at(mark):.2f}%", "middle" if at(mark) else "start"
            dashes = "" if mark == 0 else ' stroke-dasharray="3 3"'
            marks.append(f'<line x1="{x}" x2="{x}" y1="{HEAD - 2}" y2="{y}" stroke="#9aa3b0"{dashes}/>')
            marks.append(f'<text class="faint" x="{x}" y="12" text-anchor="{anchor}">{mark}</text>')
    drawn = "".join([*marks, *parts])
    return f'<svg class="bars" role="img" aria-label="bars" width="100%" height="{y + 6}">{drawn}</svg>'


def _bar(row: Mapping[str, Any], y: int, colour: str, at: Any) -> str:
    score, error = row["normalised"], row["normalised_standard_error"] or 0.0
    first, last = sorted((at(0.0), at(score)))
    low, high = at(score - error), at(score + error)
    middle = y + (THICK - 3) / 2
    drawn = f'<rect x="{first:.2f}%" y="{y}" width="{last - first:.2f}%" height="{THICK - 3}" fill="{colour}"/>'
    if error:
        drawn += f'<line x1="{low:.2f}%" x2="{high:.2f}%" y1="{middle}" y2="{middle}" stroke="currentColor"/>'
    return drawn + f'<text x="{max(last, high):.2f}%" dx="6" y="{y + 10}">{figure(score, 1)}</text>'


def radar(series: Mapping[str, Mapping[str, float]]) -> str:
    """A closed line for each agent, an axis for each label, from 0 to 1; nothing below three axes."""
    axes = list(dict.fromkeys(axis for values in series.values() for axis in values))
    if len(axes) < 3:
        return ""
    middle, reach, wide = 160, 120, 70

    def at(axis: int, share: float) -> tuple[float, float]:
        turn = 2 * math.pi * axis / len(axes) - math.pi / 2
        return middle + wide + reach * share * math.cos(turn), middle + reach * share * math.sin(turn)

    parts = []
    for ring in (0.25, 0.5, 0.75, 1.0):
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(axis, ring) for axis in range(len(axes))))
        parts.append(f'<polygon points="{corners}" fill="none" stroke="#d5dae2"/>')
    for number, axis in enumerate(axes):
        x, y = at(number, 1.16)
        parts.append(f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{escape(axis)}</text>')
    for number, values in enumerate(series.values()):
        shares = [max(0.0, min(1.0, values.get(axis, 0.0))) for axis in axes]
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(axis, share) for axis, share in enumerate(shares)))
        colour = _colour(number)
        parts.append(f'<polygon points="{corners}" fill="{colour}" fill-opacity=".12" stroke="{colour}"/>')
    size = f"{2 * (middle + wide)} {2 * middle}"
    return f'<svg class="radar" role="img" aria-label="radar" viewBox="0 0 {size}">{"".join(parts)}</svg>'


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
