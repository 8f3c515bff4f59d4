"""One page about a run: the paper's table, plots, and episodes turn by turn. Nothing is loaded from elsewhere, and no
script can run: what models wrote is shown as text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import gymnasium

from mmgames.core.chat_messages import data_url
from mmgames.core.errors import MmgamesError
from mmgames.core.observation import Observer
from mmgames.core.records import read
from mmgames.replays import replay
from mmgames.suites import find
from mmgames.suites.tables import failures, figure, percent, refusals, short_name, with_error

COLOURS = ("#2563a8", "#c2541b", "#2f7d4f", "#7a4ea3", "#9a7b13", "#b03060")
SIZE = 224
MOST_TURNS = 60

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; color: #1d2430; }
table { border-collapse: collapse; font-size: .9rem; } .wide { overflow-x: auto; }
th, td { border-bottom: 1px solid #d5dae2; padding: .3rem .7rem; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } tr.published td { color: #7b8494; background: #f3f4f6; }
small, .note { color: #5c6675; } .missing { color: #b3261e; }
details { margin: .4rem 0; } summary { cursor: pointer; } details details { margin-left: 1.2rem; }
.turn { display: grid; grid-template-columns: 240px 1fr; gap: 1rem; border-top: 1px solid #e4e8ee; padding: .7rem 0; }
.turn img { width: 224px; border: 1px solid #d5dae2; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .2rem 0; }
.reply { background: #eef4fb; padding: .4rem .6rem; border-radius: 4px; } .refused { background: #fbeeee; }
.key span { margin-right: 1.2rem; } .key i { display: inline-block; width: .8rem; height: .8rem; }
svg text { font: 12px system-ui, sans-serif; fill: #1d2430; }
"""


def page(results: Sequence[dict[str, Any]], folders: Sequence[Path], episodes: int = 2) -> str:
    """The whole page about results of one suite; `folders` hold the episodes, and so many of each file are shown."""
    names = {result["suite"] for result in results}
    if len(names) != 1:
        raise MmgamesError(f"A report is about one suite, not about {', '.join(sorted(names))}.")
    suite = find(names.pop())
    columns = list(dict.fromkeys(short_name(row) for result in results for row in result["rows"]))
    notes = [line for result in results for line in (*refusals(result), *failures(result))]
    galleries = "\n".join(_file(path, episodes) for folder in folders for path in sorted(folder.glob("*.jsonl")))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(suite.title)}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{escape(suite.title)}</h1>
{_about(results)}
<div class="wide">{_table(results, suite, columns)}</div>
{"".join(f'<p class="note">{escape(line)}</p>' for line in notes)}
<h2>Normalised scores</h2>
{_key([result["agent"] for result in results])}
{_bars(results, columns)}
{_radar({result["agent"]: suite.radar(result) for result in results})}
<h2>Episodes</h2>
<p class="note">The first {episodes} of each file, turn by turn: what a seat saw, was told, replied and did.</p>
{galleries or "<p>No episodes were kept.</p>"}
</body>
</html>
"""


def _about(results: Sequence[Mapping[str, Any]]) -> str:
    items = []
    for result in results:
        made = result.get("header", {})
        facts = [
            f"{result['episodes']} episodes",
            f"seed {result['seed']}",
            f"illegal replies: {result['on_illegal']}",
        ]
        facts += [f"{name} {version}" for name, version in made.get("versions", {}).items()]
        facts += [str(said) for said in made.get("agents", []) if said]
        items.append(f"<li><b>{escape(result['agent'])}</b>: {escape('; '.join(facts))}</li>")
    return f"<ul>{''.join(items)}</ul>"


def _table(results: Sequence[dict[str, Any]], suite: Any, columns: Sequence[str]) -> str:
    """Agents as rows, games as columns, the published rows in grey above ours."""
    published: dict[str, dict[str, Any]] = {}
    for entry in suite.entries:
        column = short_name({"environment": entry.id, "variant": entry.variant})
        for agent, found in entry.published.items():
            published.setdefault(agent, {})[column] = found
    lines = []
    for agent, found in published.items():
        cells = [figure(found[column].value) if column in found else "–" for column in columns]
        lines.append(_line("published", f"{agent} (published)", cells))
    for result in results:
        rows: dict[str, dict[str, Any]] = {}
        for row in result["rows"]:
            rows.setdefault(short_name(row), row)
        lines.append(_line("", result["agent"], [_cell(rows.get(column)) for column in columns], plain=False))
    head = "".join(f"<th>{escape(column)}</th>" for column in ("agent", *columns))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _line(kind: str, name: str, cells: Sequence[str], plain: bool = True) -> str:
    inside = "".join(f"<td>{escape(cell) if plain else cell}</td>" for cell in cells)
    return f'<tr class="{kind}"><td>{escape(name)}</td>{inside}</tr>'


def _cell(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return "–"
    score = escape(with_error({"mean": row["raw"], "standard_error": row["standard_error"]}))
    parts = [f"<small>{escape(percent(row['illegal']['rate']))} illegal</small>"] if row["illegal"]["illegal"] else []
    parts += [f'<small class="missing">{row["missing"]} missing</small>'] if row["missing"] else []
    return "<br>".join([score, *parts])


def _key(agents: Sequence[str]) -> str:
    spans = (
        f'<span><i style="background:{COLOURS[number % len(COLOURS)]}"></i> {escape(agent)}</span>'
        for number, agent in enumerate(agents)
    )
    return f'<p class="key">{"".join(spans)}</p>'


def _bars(results: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Normalised scores with their errors, from 0 to 100; longer bars are cut at the edge."""
    thick, left, width = 14, 230, 520
    parts, y = [], 10
    for column in columns:
        parts.append(f'<text x="{left - 8}" y="{y + 12}" text-anchor="end">{escape(column)}</text>')
        for number, result in enumerate(results):
            row = next((row for row in result["rows"] if short_name(row) == column), None)
            score = None if row is None else row["normalised"]
            if row is not None and score is not None:
                long = max(0.0, min(110.0, score)) / 110 * width
                colour = COLOURS[number % len(COLOURS)]
                parts.append(f'<rect x="{left}" y="{y}" width="{long:.1f}" height="{thick - 3}" fill="{colour}"/>')
                error = (row["normalised_standard_error"] or 0.0) / 110 * width
                x, middle = left + long, y + (thick - 3) / 2
                parts.append(
                    f'<line x1="{max(left, x - error):.1f}" x2="{min(left + width, x + error):.1f}" y1="{middle}" '
                    f'y2="{middle}" stroke="#1d2430"/><text x="{left + width + 8}" y="{y + 10}">{score:.1f}</text>'
                )
            y += thick
        y += 8
    for mark in (0, 100):
        x = left + mark / 110 * width
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{y}" stroke="#9aa3b0" stroke-dasharray="3 3"/>')
    return f'<svg role="img" aria-label="bars" width="{left + width + 60}" height="{y + 6}">{"".join(parts)}</svg>'


def _radar(series: Mapping[str, Mapping[str, float]]) -> str:
    axes = list(dict.fromkeys(axis for values in series.values() for axis in values))
    if len(axes) < 3:
        return ""
    middle, reach, wide = 170, 120, 120

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
        colour = COLOURS[number % len(COLOURS)]
        shares = [max(0.0, min(1.0, values.get(axis, 0.0))) for axis in axes]
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(axis, share) for axis, share in enumerate(shares)))
        parts.append(f'<polygon points="{corners}" fill="{colour}" fill-opacity=".12" stroke="{colour}"/>')
    return (
        f'<svg role="img" aria-label="radar" width="{2 * (middle + wide)}" height="{2 * middle}">{"".join(parts)}</svg>'
    )


# The gallery


def _file(path: Path, episodes: int) -> str:
    """The first episodes or questions of a results file; journals and other files are left out."""
    if path.name.endswith(".calls.jsonl"):
        return ""
    about, rows = read(path)
    last = {row.get("episode", row.get("number")): row for row in rows}
    chosen = [last[number] for number in sorted(number for number in last if number is not None)][:episodes]
    if "match" in about:
        inside = [_episode(row, opened=False) for row in chosen]
        title = f"{about['match']}: {', '.join(about['agents'])}"
    elif "task" in about:
        inside = [_question(about, row) for row in chosen]
        title = f"{about['task']}: {about['agent']}"
    else:
        return ""
    return f"<details><summary>{escape(title)}</summary>\n{''.join(inside)}</details>"


def _episode(record: Mapping[str, Any], opened: bool) -> str:
    try:
        turns = "\n".join(_turns(record))
    except MmgamesError as error:
        turns = f'<p class="missing">{escape(str(error))}</p>'
    result = f"failed: {record['failed']}" if record["failed"] else f"returns {record['returns']}"
    title = f"Episode {record['episode']}, seed {record['seed']}: {result}"
    return f"<details{' open' if opened else ''}><summary>{escape(title)}</summary>\n{turns}</details>"


def _turns(record: Mapping[str, Any]) -> Iterator[str]:
    """What every mover of every step saw, was told, replied, did and got."""
    told: set[str] = set()
    waiting: list[tuple[int, str, str, str, str, Any]] = []
    before: list[float] = []
    shown = 0
    for step, live in enumerate(replay(record)):
        gained = [now - then for now, then in zip(live.totals, before, strict=True)] if before else []
        for seat, role, picture, prompt, names, action in waiting:
            yield _turn(record, step - 1, role, picture, prompt, names, action, gained[seat])
        before, waiting = list(live.totals), []
        if step >= len(record["actions"]):
            return
        for seat in live.movers:
            shown += 1
            if shown > MOST_TURNS:
                yield f'<p class="note">… and {len(record["actions"]) - step} more steps.</p>'
                return
            view, role = live.view(seat), live.game.seats[seat]
            text = Observer(live.loaded, live.game, observe=("rgb", "text")).text(view)
            fixed, mark, now = text.partition("## Now")
            prompt = text if fixed not in told else mark + now
            told.add(fixed)
            action = record["actions"][step][seat]
            name = live.loaded.words.names(view).get(action, action) if isinstance(action, int) else action
            waiting.append((seat, role, data_url(live.loaded.picture.draw(view, SIZE)), prompt, str(name), action))


def _turn(
    record: Mapping[str, Any], step: int, role: str, picture: str, prompt: str, name: str, action: Any, gained: float
) -> str:
    replies = [one for one in record.get("replies", ()) if one["step"] == step and one["seat"] == role]
    said = "".join(
        f'<pre class="reply{" refused" if "refused" in one else ""}">{escape(one["reply"][:5000])}</pre>'
        + (f"<small>refused: {escape(one['refused'])}</small>" if "refused" in one else "")
        for one in replies
    )
    return (
        f'<div class="turn"><img src="{picture}" alt="what {escape(role, quote=True)} sees"><div>'
        f"<b>{step + 1}. {escape(role)}</b> → {escape(name[:300])} <small>reward {gained:g}</small>{said}"
        f"<details><summary>prompt</summary><pre>{escape(prompt)}</pre></details></div></div>"
    )


def _question(about: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    own = {
        name: value for name, value in about.items() if name not in ("task", "agent", "description", "seed", "version")
    }
    env: Any = gymnasium.make(about["task"], actions="text", size=SIZE, disable_env_checker=True, **_unsized(own))
    observation, _ = env.unwrapped.reset(seed=row["seed"])
    rgb = observation.get("rgb")
    pictures = [] if rgb is None else [rgb] if rgb.ndim == 3 else list(rgb)
    images = "".join(f'<img src="{data_url(pixels)}" alt="the question\'s picture">' for pixels in pictures)
    *_, info = env.unwrapped.step(row["reply"])
    wrong = f"<small>no answer: {escape(row['illegal'])}</small>" if "illegal" in row else ""
    return (
        f"<details><summary>Question {row['number']}: {figure(row['score'])}</summary>"
        f'<div class="turn"><div>{images}</div><div><pre>{escape(observation["text"])}</pre>'
        f'<pre class="reply">{escape(row["reply"][:5000])}</pre>{wrong}'
        f"<p>Right: {escape(str(info.get('answer'))[:500])}</p></div></div></details>"
    )


def _unsized(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name != "size"}
