"""An arena's page: the ladders with their intervals, what pairs collect, and games turn by turn, in one HTML file.

Nothing is loaded from elsewhere, and no script can run. While the arena goes on the browser reads the page again.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from mmgames.agents.answering import described_style
from mmgames.arena.arena import ArenaResult
from mmgames.arena.ladder import between, ladder, late_line, order_in_words, sure_rows
from mmgames.core.whole_files import write_whole
from mmgames.suites.pages.html_tables import closed_page, style, table
from mmgames.suites.pages.report import episode

SECONDS = 5
"""While an arena goes on its page is written, and read, about so often; less often where that would take longer."""
REST = 20
COLLECTED = {"collected": "", "collected_without_luck": ", known luck taken out"}
"""The matrices of a game, and what is said of each."""
EDGE = 4.0
"""Per cent of the width that stay free on both sides of the axis."""
STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
LEGEND = (
    '<p class="note">The dot is the rating, in Elo’s points: 100 more win 64 % of games, and 0 is whoever would win as '
    "often as it loses against everybody here. The thick bar is the 95 % interval, the thin one holds however often "
    "one looks; a bar that runs to the edge has no end there.</p>"
)
STYLE = "\n" + style("arena")


class LivePage:
    """Writes the page of an arena that goes on, now and then."""

    def __init__(self, path: Path, variates: bool = False) -> None:
        self.path, self.variates = path, variates
        self._next = 0.0

    def __call__(self, so_far: Callable[[], ArenaResult]) -> None:
        begun = time.monotonic()
        if begun < self._next:
            return
        result = so_far()
        if any(not row["failed"] for row in result.rows):
            write_whole(self.path, page(result, games=0, going_on=True, variates=self.variates).encode())
        took = time.monotonic() - begun
        self._next = begun + max(SECONDS, REST * took)


def page(result: ArenaResult, games: int = 40, going_on: bool = False, variates: bool = False) -> str:
    """The whole page, with so many games of each game turn by turn; with `variates`, what is collected without luck."""
    rated = ladder(result, variates)
    parts = [f"<p>{len(rated['agents'])} agents, {rated['games']} games{', and it goes on' if going_on else ''}.</p>"]
    if "overall" in rated:
        parts += ["<h2>All rated games together</h2>", _ladder(rated["overall"])]
    for id, found in rated["by_game"].items():
        parts.append(f"<h2>{escape(found['title'])} <small>{escape(id)}, {found['games']} games</small></h2>")
        if "ladder" in found:
            parts.append(_ladder(found))
        for role in dict.fromkeys(one["role"] for one in found.get("roles", ())):
            parts.append(f"<h3>{escape(role)}</h3>{_ratings([one for one in found['roles'] if one['role'] == role])}")
        parts += [_matrix(id, rated["agents"], found, key) for key in COLLECTED if key in found]
        rows = [row for row in result.rows if row["game"] == id]
        if games:
            parts.append(_games(rows, games))
    parts.append(LEGEND)
    if late := late_line(rated):
        parts.append(f'<p class="note">{escape(late[:1].upper() + late[1:])}.</p>')
    if rated["failed"]:
        first = escape(rated["first_failure"])
        parts.append(f'<p class="missing">{rated["failed"]} games failed; the first: {first}</p>')
    again = f'<meta http-equiv="refresh" content="{SECONDS}">' if going_on else ""
    games_played = escape(", ".join(found["title"] for found in rated["by_game"].values()))
    body = f"<h1>Arena: {games_played}</h1>\n{''.join(parts)}"
    return closed_page("Arena", body, STYLE, again)


def _ladder(found: Mapping[str, Any]) -> str:
    """A ladder over its axis, and how sure everybody is above the others."""
    ranks = found["ladder"]
    names = [one["agent"] for one in ranks]
    lines = []
    for name, *shares in sure_rows(found):
        cells = "".join(f"<td>{share or '–'}</td>" for share in shares)
        lines.append(f'<tr class="ours"><th scope="row">{escape(name)}</th>{cells}</tr>')
    sure = table(("", *names), lines, "How sure each is above the others")
    said = f"<p>So far: {escape(order_in_words(found))}.</p>" if len(ranks) > 1 else ""
    note = '<p class="note">How sure it is that the one in a row is stronger than the one in a column:</p>'
    return _ratings(ranks) + said + (note + sure if len(ranks) > 1 else "")


def _ratings(ranks: Sequence[Mapping[str, Any]]) -> str:
    """Everybody's rating as a dot over an axis, with its intervals as bars."""
    ends = [
        end for one in ranks for end in (*one["interval"], *one["anytime_interval"], one["rating"]) if end is not None
    ]
    step = next(one for one in STEPS if one >= (max(ends) - min(ends)) / 5)
    low, high = (
        step * round_to(end / step) for round_to, end in ((math.floor, min(ends) - 1), (math.ceil, max(ends) + 1))
    )
    ticks = range(low, high + 1, step)

    def at(rating: float | None, otherwise: float) -> str:
        share = otherwise if rating is None else (rating - low) / (high - low)
        return f"{EDGE + (100 - 2 * EDGE) * share:.2f}%"

    def line(x: str, to: str, more: str) -> str:
        return f'<line x1="{x}" x2="{to}" {more}/>'

    grid = "".join(line(at(tick, 0), at(tick, 0), 'y1="0" y2="100%" class="grid"') for tick in ticks)
    rows = []
    for place, one in enumerate(ranks, 1):
        drawn = "".join(
            line(at(one[which][0], 0), at(one[which][1], 1), f'y1="13" y2="13" class="{which}"')
            for which in ("anytime_interval", "interval")
        )
        drawn += f'<circle cx="{at(one["rating"], 0)}" cy="13" r="5"/>'
        said = f"{one['rating']:+.0f}</td><td>{between(one['interval'])}</td><td>{one['comparisons']}"
        bar = f'<td class="scale"><svg aria-hidden="true" width="100%" height="26">{grid}{drawn}</svg></td>'
        rows.append(f'<tr><th scope="row">{place}. {escape(one["agent"])}</th>{bar}<td>{said}</td></tr>')
    numbers = "".join(
        f'<text x="{at(tick, 0)}" y="12" text-anchor="middle">{tick and f"{tick:+d}"}</text>' for tick in ticks
    )
    axis = f'<svg aria-hidden="true" width="100%" height="18">{numbers}</svg>'
    rows.append(f'<tr class="axis"><td></td><td class="scale">{axis}</td><td colspan="3"></td></tr>')
    return table(("agent", "strength", "rating", "95 % interval", "games"), rows, "Ladder")


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


def _games(rows: Sequence[Mapping[str, Any]], shown: int) -> str:
    """Games turn by turn, folded, below who met in them: of each meeting about as many."""
    meetings: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        meetings.setdefault(tuple(sorted(set(row["agents"]))), []).append(row)
    each = max(1, shown // max(1, len(meetings)))
    parts = []
    for names, own in meetings.items():
        inside = []
        for row in own[:each]:
            result = (
                f"failed: {row['failed']}" if row["failed"] else " : ".join(f"{value:g}" for value in row["returns"])
            )
            title = f"{row['episode'] + 1}. {', '.join(row['agents'])}: {result}"
            inside.append(episode(row, [described_style(None)] * len(row["agents"]), title))
        left = f"; {len(own) - each} more are in the folder" if len(own) > each else ""
        who = escape(" against ".join(names) if len(names) > 1 else f"{names[0]} alone")
        summary = f"{who}: {min(each, len(own))} of {len(own)} games, turn by turn{left}"
        parts.append(f'<details class="file"><summary>{summary}</summary>{"".join(inside)}</details>')
    return "".join(parts)
