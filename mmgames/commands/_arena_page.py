"""An arena's page: the ladders with their intervals, what pairs collect, and games turn by turn, in one HTML file.

Nothing is loaded from elsewhere, and no script can run. While the arena goes on the browser reads the page again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from mmgames.agents.answering import described_style
from mmgames.arena.arena import ArenaResult
from mmgames.arena.ladder import ladder, late_line
from mmgames.suites.pages.html_tables import closed_page, table
from mmgames.suites.pages.report import episode

SECONDS = 5
"""While an arena goes on its page is written, and read, about so often."""
COLLECTED = {"collected": "", "collected_without_luck": ", known luck taken out"}
"""The matrices of a game, and what is said of each."""
THICK, EDGE = 40, 2.0
"""Pixels that everybody has on the ladder, and per cent of the width that stay free on both sides."""


class LivePage:
    """Writes the page of an arena that goes on, now and then."""

    def __init__(self, path: Path, variates: bool = False) -> None:
        self.path, self.variates = path, variates
        self._next = 0.0

    def __call__(self, result: ArenaResult) -> None:
        if time.monotonic() >= self._next and any(not row["failed"] for row in result.rows):
            write(self.path, page(result, games=0, going_on=True, variates=self.variates))
            self._next = time.monotonic() + SECONDS


def write(path: Path, text: str) -> None:
    """All of it or nothing: a browser may be reading it."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, "utf-8")
    os.replace(part, path)


def page(result: ArenaResult, games: int = 40, going_on: bool = False, variates: bool = False) -> str:
    """The whole page, with so many games of each game turn by turn; with `variates`, what is collected without luck."""
    rated = ladder(result, variates)
    parts = [f"<p>{len(rated['agents'])} agents, {rated['games']} games{', and it goes on' if going_on else ''}.</p>"]
    if "overall" in rated:
        parts += ["<h2>All rated games together</h2>", _ladder(rated["overall"]["ladder"])]
    for id, found in rated["by_game"].items():
        parts.append(f"<h2>{escape(id)} <small>{found['games']} games</small></h2>")
        if "ladder" in found:
            parts.append(_ladder(found["ladder"]))
        for role in dict.fromkeys(one["role"] for one in found.get("roles", ())):
            parts.append(f"<h3>{escape(role)}</h3>{_ladder([one for one in found['roles'] if one['role'] == role])}")
        parts += [_matrix(id, rated["agents"], found, key) for key in COLLECTED if key in found]
        rows = [row for row in result.rows if row["game"] == id]
        if games:
            parts.append(_games(rows[:games], len(rows)))
    if late := late_line(rated):
        parts.append(f'<p class="note">{escape(late[:1].upper() + late[1:])}.</p>')
    if rated["failed"]:
        first = escape(rated["first_failure"])
        parts.append(f'<p class="missing">{rated["failed"]} games failed; the first: {first}</p>')
    again = f'<meta http-equiv="refresh" content="{SECONDS}">' if going_on else ""
    games_played = escape(", ".join(one.id.partition("/")[2] for one in result.seatings))
    body = f"<h1>Arena: {games_played}</h1>\n{''.join(parts)}"
    return closed_page("Arena", body, "svg.ladder { max-width: 46rem; }", again)


def _ladder(ranks: Sequence[Mapping[str, Any]]) -> str:
    """Everybody's rating as a dot, its 95 % interval as a bar, and the one that is valid at any time as a thin line."""
    ends = [end for one in ranks for end in one["anytime_interval"]]
    low, high = min(ends), max(ends)

    def at(rating: float) -> str:
        return f"{EDGE + (100 - 2 * EDGE) * (rating - low) / max(1e-9, high - low):.2f}%"

    drawn = []
    for place, one in enumerate(ranks):
        y = place * THICK + THICK - 12
        (first, last), (start, end) = one["anytime_interval"], one["interval"]
        drawn.append(
            f'<text x="0" y="{y - 11}">{place + 1}. {escape(one["agent"])} {one["rating"]:+.0f} '
            f'<tspan class="faint">({start:+.0f} to {end:+.0f}; {one["comparisons"]} games)</tspan></text>'
            f'<line x1="{at(first)}" x2="{at(last)}" y1="{y}" y2="{y}" stroke="#9aa3b0"/>'
            f'<line x1="{at(start)}" x2="{at(end)}" y1="{y}" y2="{y}" stroke="#2563a8" stroke-width="5"/>'
            f'<circle cx="{at(one["rating"])}" cy="{y}" r="5" fill="#c2541b"/>'
        )
    height = len(ranks) * THICK + 8
    said = "; ".join(f"{place}. {one['agent']} {one['rating']:+.0f}" for place, one in enumerate(ranks, 1))
    label = escape(f"Ladder: {said}", quote=True)
    return f'<svg class="ladder" role="img" aria-label="{label}" width="100%" height="{height}">{"".join(drawn)}</svg>'


def _matrix(id: str, names: Sequence[str], game: Mapping[str, Any], key: str) -> str:
    """What everybody in a row collects with or against everybody in a column."""
    lines = []
    for name, means, errors in zip(names, game[key], game[f"{key}_error"], strict=True):
        cells = "".join(
            "<td>–</td>"
            if mean is None
            else f"<td>{mean:.2f}{'' if error is None else f' <small>± {error:.2f}</small>'}</td>"
            for mean, error in zip(means, errors, strict=True)
        )
        lines.append(f'<tr class="ours"><td>{escape(name)}</td>{cells}</tr>')
    kind = "with" if game["kind"] == "team" else "beside or against"
    return f'<p class="note">What the one in a row collects {kind} the one in a column{COLLECTED[key]}:</p>' + table(
        ("", *names), lines, f"What agents collect in {id}{COLLECTED[key]}"
    )


def _games(rows: Sequence[Mapping[str, Any]], of: int) -> str:
    """Games turn by turn, folded."""
    inside = []
    for row in rows:
        result = f"failed: {row['failed']}" if row["failed"] else " : ".join(f"{value:g}" for value in row["returns"])
        title = f"{row['episode'] + 1}. {', '.join(row['agents'])}: {result}"
        inside.append(episode(row, [described_style(None)] * len(row["agents"]), title))
    left = f"; {of - len(rows)} more are in the folder" if of > len(rows) else ""
    return f'<details class="file"><summary>{len(rows)} games, turn by turn{left}</summary>{"".join(inside)}</details>'
