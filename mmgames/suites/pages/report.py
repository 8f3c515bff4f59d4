"""One page about a run: the paper's table, plots, and episodes turn by turn. Nothing is loaded from elsewhere, and no
script can run: what models wrote is shown as text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from mmgames.agents.answering import SEEN
from mmgames.agents.chat_messages import data_url
from mmgames.core.observation import Observer
from mmgames.core.registry import load
from mmgames.errors import MmgamesError
from mmgames.running.records import read
from mmgames.running.replays import replay
from mmgames.suites import find, holes
from mmgames.suites.pages.tables import COSTS, failures, figure, percent, refusals, score_of, short_name, with_error
from mmgames.tasks.replays import asked_again, options_of

COLOURS = ("#2563a8", "#c2541b", "#2f7d4f", "#7a4ea3", "#9a7b13", "#b03060")
SIZE = 224
MOST_TURNS = 60
LONGEST = 5000  # characters of a reply
LABELS = {"agents": "agent", "prompts": "prompts of", "versions": "version of", "options": "options of"}

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; color: #1d2430; }
table { border-collapse: collapse; font-size: .9rem; } .wide { overflow-x: auto; margin: 1rem 0; }
th, td { border-bottom: 1px solid #d5dae2; padding: .3rem .7rem; text-align: right; white-space: nowrap; }
thead th { border-bottom: 2px solid #9aa3b0; vertical-align: bottom; }
thead th { white-space: normal; max-width: 9rem; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: #fff; }
tr.published td, tr.published td:first-child { color: #6b7484; background: #f3f4f6; }
tr:not(.published) td:first-child { font-weight: 600; }
table.facts { margin: .3rem 0 .8rem 1.2rem; } table.facts td { text-align: left; white-space: normal; }
table.facts td:first-child { color: #5c6675; white-space: nowrap; font-weight: 400; vertical-align: top; }
small, .note { color: #5c6675; } .missing { color: #b3261e; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem 3rem; align-items: flex-start; }
details { margin: .4rem 0; } summary { cursor: pointer; } summary:hover { color: #2563a8; }
details.file > summary { font-weight: 600; } summary small { font-weight: 400; }
details details { margin-left: 1.2rem; }
.turn { display: grid; grid-template-columns: 226px 1fr; gap: 1.2rem; border-top: 1px solid #e4e8ee; padding: .8rem 0; }
.turn img { width: 224px; border: 1px solid #d5dae2; border-radius: 3px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; font-size: .85rem; }
.reply { background: #eef4fb; padding: .4rem .6rem; border-radius: 4px; } .refused { background: #fbeeee; }
.key span { margin-right: 1.2rem; } .key i { display: inline-block; width: .8rem; height: .8rem; }
svg text { font: 12px system-ui, sans-serif; fill: #1d2430; } svg .faint { fill: #7b8494; }
@media (max-width: 44rem) { .turn { grid-template-columns: 1fr; } }
"""


def page(results: Sequence[dict[str, Any]], folders: Sequence[Path], episodes: int = 2) -> str:
    """The whole page about results of one suite; `folders` hold the episodes, and so many of each file are shown."""
    names = {result["suite"] for result in results}
    if len(names) != 1:
        raise MmgamesError(f"A report is about one suite, not about {', '.join(sorted(names))}.")
    suite = find(names.pop())
    columns = list(
        dict.fromkeys(_name(row) for result in results for row in (*result["rows"], *result.get("holes", ())))
    )
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
{"".join(f'<p class="missing">{escape(line)}</p>' for line in holes.lines(results))}
<div class="wide">{_table(results, suite, columns)}</div>
{"".join(f'<p class="note">{escape(line)}</p>' for line in notes)}
<h2>Normalised scores</h2>
{_key([result["agent"] for result in results])}
<div class="plots">
{_bars(results, columns)}
{_radar({result["agent"]: suite.radar(result) for result in results})}
</div>
<h2>Episodes</h2>
<p class="note">The first {episodes} of each file, turn by turn: what a seat saw, was told, replied and did.</p>
{galleries or "<p>No episodes were kept.</p>"}
</body>
</html>
"""


def _name(row: Mapping[str, Any]) -> str:
    """An environment without namespace and version, and what sets this row of it apart."""
    return re.sub(r"-v\d+\b", "", short_name(row))


def _about(results: Sequence[Mapping[str, Any]]) -> str:
    """What made the numbers, for each result."""
    parts = []
    for result in results:
        made = result.get("header", {})
        told = {name: made[name] for name in ("agents", "options", "prompts", "versions") if name in made}
        asked = {name: value for name, value in result.get("calls", {}).items() if value}
        facts = dict(_facts({LABELS.get(name, name): value for name, value in {**told, "asked": asked}.items()}))
        rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(said)}</td></tr>" for name, said in facts.items())
        policies = dict.fromkeys(row["illegal"]["policy"] for row in result["rows"])
        cost = "; ".join(COSTS.get(policy, policy).partition(", {")[0] for policy in policies)
        parts.append(
            f"<details><summary><b>{escape(result['agent'])}</b>: {result['episodes']} episodes, seed {result['seed']}"
            f'; illegal replies: {escape(cost)}</summary><table class="facts">{rows}</table></details>'
        )
    return "\n".join(parts)


def _facts(said: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Nested facts as lines: `agents model: tiny`."""
    if isinstance(said, Mapping):
        for key, value in said.items():
            yield from _facts(value, f"{name} {key}".strip())
    elif isinstance(said, list) and any(isinstance(one, (Mapping, list)) for one in said):
        for number, one in enumerate(said, 1):
            yield from _facts(one, f"{name} {number}" if len(said) > 1 else name)
    elif said not in (None, [], [None]):
        yield name, ", ".join(map(str, said)) if isinstance(said, list) else str(said)


def _table(results: Sequence[dict[str, Any]], suite: Any, columns: Sequence[str]) -> str:
    """Agents as rows, games as columns, the published rows in grey above ours."""
    published: dict[str, dict[str, Any]] = {}
    for entry in suite.entries:
        column = _name({"environment": entry.id, "variant": entry.variant})
        for agent, found in entry.published.items():
            published.setdefault(agent, {})[column] = found
    lines = []
    for agent, found in published.items():
        cells = [figure(found[column].value) if column in found else "–" for column in columns]
        lines.append(_line("published", f"{agent} (published)", [*cells, ""]))
    for result in results:
        rows: dict[str, dict[str, Any]] = {}
        for row in result["rows"]:
            rows.setdefault(_name(row), row)
        left_out = {_name(hole) for hole in result.get("holes", ())}
        cells = [*(_cell(rows.get(column), column in left_out) for column in columns), _overall(result)]
        lines.append(_line("ours", result["agent"], cells, plain=False))
    head = "".join(f"<th>{escape(column)}</th>" for column in ("agent", *columns, "overall, normalised"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _line(kind: str, name: str, cells: Sequence[str], plain: bool = True) -> str:
    inside = "".join(f"<td>{escape(cell) if plain else cell}</td>" for cell in cells)
    return f'<tr class="{kind}"><td>{escape(name)}</td>{inside}</tr>'


def _cell(row: Mapping[str, Any] | None, left_out: bool) -> str:
    if row is None:
        return f'<small class="missing">{holes.NOT_PLAYED}</small>' if left_out else "–"
    score = escape(with_error(score_of(row)))
    parts = [f"<small>{escape(percent(row['illegal']['rate']))} illegal</small>"] if row["illegal"]["illegal"] else []
    parts += [f'<small class="missing">{row["missing"]} missing</small>'] if row["missing"] else []
    return "<br>".join([score, *parts])


def _overall(result: Mapping[str, Any]) -> str:
    """The mean over the games; one that is not over all of them says so, and so does one with missing values."""
    missing = sum(row["missing"] for row in result["rows"])
    score = f"<b>{figure(result.get('overall_normalised'), 1)}</b>"
    told = [holes.over(result).strip(" ()"), f"{missing} missing" if missing else ""]
    return score + "".join(f'<br><small class="missing">{line}</small>' for line in told if line)


def _key(agents: Sequence[str]) -> str:
    spans = (
        f'<span><i style="background:{COLOURS[number % len(COLOURS)]}"></i> {escape(agent)}</span>'
        for number, agent in enumerate(agents)
    )
    return f'<p class="key">{"".join(spans)}</p>'


def _bars(results: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Normalised scores with their errors, from 0 to 100; longer bars are cut at the edge."""
    thick, left, width = 14, 12 + 7 * max(len(column) for column in columns), 400
    parts, y = [], 24
    for column in columns:
        middle = y + thick * len(results) / 2
        parts.append(f'<text x="{left - 8}" y="{middle + 3:.1f}" text-anchor="end">{escape(column)}</text>')
        for number, result in enumerate(results):
            row = next((row for row in result["rows"] if _name(row) == column), None)
            score = None if row is None else row["normalised"]
            if row is not None and score is not None:
                long = max(0.0, min(110.0, score)) / 110 * width
                colour = COLOURS[number % len(COLOURS)]
                parts.append(f'<rect x="{left}" y="{y}" width="{long:.1f}" height="{thick - 3}" fill="{colour}"/>')
                error = min(width, (row["normalised_standard_error"] or 0.0) / 110 * width)
                x, middle = left + long, y + (thick - 3) / 2
                low, high = max(left, x - error), min(left + width, x + error)
                if error:
                    line = f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{middle}" y2="{middle}" stroke="#1d2430"/>'
                    parts.append(line)
                parts.append(f'<text x="{max(x, high) + 6:.1f}" y="{y + 10}">{figure(score, 1)}</text>')
            elif column in {_name(hole) for hole in result.get("holes", ())}:
                parts.append(f'<text class="faint" x="{left + 6}" y="{y + 10}">{holes.NOT_PLAYED}</text>')
            y += thick
        y += 8
    for mark in (0, 50, 100):
        x = left + mark / 110 * width
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="18" y2="{y}" stroke="#9aa3b0" stroke-dasharray="3 3"/>')
        parts.append(f'<text class="faint" x="{x:.1f}" y="12" text-anchor="middle">{mark}</text>')
    return f'<svg role="img" aria-label="bars" width="{left + width + 60}" height="{y + 6}">{"".join(parts)}</svg>'


def _radar(series: Mapping[str, Mapping[str, float]]) -> str:
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
        styles = [_style(said) for said in about.get("descriptions") or [None] * len(about["agents"])]
        inside, what, who = [_episode(row, styles) for row in chosen], about["match"], ", ".join(about["agents"])
    elif "task" in about:
        options = [f"{name}={value}" for name, value in options_of(about).items()]
        inside, what, who = (
            [_question(about, row) for row in chosen],
            about["task"],
            " ".join([about["agent"], *options]),
        )
    elif "policy" in about:
        inside, what, who = _views(about, chosen), about["policy"], about["agent"]
    else:
        return ""
    title = f"{escape(_name({'environment': what}))} <small>{escape(who)}</small>"
    return f'<details class="file"><summary>{title}</summary>\n{"".join(inside)}</details>'


def _style(said: Any) -> dict[str, Any]:
    """How an agent was shown a game, by what it says of itself."""
    own = said if isinstance(said, Mapping) else {}
    style = {name: own.get(name, value) for name, value in SEEN.items()}
    seen = style["observe"]
    return {**style, "observe": tuple(seen.split("+") if isinstance(seen, str) else seen)}


def _episode(record: Mapping[str, Any], styles: Sequence[Mapping[str, Any]]) -> str:
    try:
        turns = "\n".join(_turns(record, styles))
    except MmgamesError as error:
        turns = f'<p class="missing">{escape(str(error))}</p>'
    returns = ", ".join(f"{value:g}" for value in record["returns"] or ())
    result = f"failed: {record['failed']}" if record["failed"] else f"returns {returns}"
    title = f"Episode {record['episode']}, {len(record['actions'])} steps, {result}"
    return f"<details><summary>{escape(title)} <small>seed {record['seed']}</small></summary>\n{turns}</details>"


def _turns(record: Mapping[str, Any], styles: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What every mover of every step saw, was told, replied, did and got; at the end, what came to no move."""
    told: set[str] = set()
    waiting: list[_Turn] = []
    before: list[float] = []
    shown = 0
    replies = list(record.get("replies", ()))
    for step, live in enumerate(replay(record)):
        for turn in waiting:
            yield turn.written(f"reward {live.totals[turn.seat] - before[turn.seat]:g}")
        before, waiting = list(live.totals), []
        over = step >= len(record["actions"])
        for seat in live.movers:
            role = live.game.seats[seat]
            own = [one for one in replies if one["step"] == step and one["seat"] == role]
            if over and not own:
                continue
            shown += 1
            if shown > MOST_TURNS:
                yield f'<p class="note">… and {len(record["actions"]) - step} more steps.</p>'
                return
            view, style = live.view(seat), styles[seat]
            text = Observer(live.loaded, live.game, **style).text(view)
            fixed, mark, now = text.partition("## Now")
            prompt = text if fixed not in told else mark + now
            told.add(fixed)
            action = None if over else record["actions"][step][seat]
            name = live.loaded.words.names(view).get(action, action) if isinstance(action, int) else action
            picture = data_url(live.loaded.picture.draw(view, SIZE))
            did = "no move" if action is None else str(name)
            waiting.append(_Turn(step, seat, role, picture, "rgb" in style["observe"], prompt, did, own))
    for turn in waiting:
        yield turn.written("")


@dataclass(frozen=True)
class _Turn:
    step: int
    seat: int
    role: str
    picture: str
    was_shown: bool
    prompt: str
    did: str
    replies: Sequence[Mapping[str, Any]]

    def written(self, reward: str) -> str:
        note = "" if self.was_shown else "<br><small>it did not get the picture</small>"
        return (
            f'<div class="turn"><div><img src="{self.picture}" alt="what {escape(self.role, quote=True)} sees">{note}'
            f"</div><div><b>{self.step + 1}. {escape(self.role)}</b> → {escape(self.did[:300])} "
            f"<small>{reward}</small>{_replies(self.replies)}"
            f"<details><summary>prompt</summary><pre>{escape(self.prompt)}</pre></details></div></div>"
        )


def _replies(replies: Iterable[Mapping[str, Any]]) -> str:
    """What was replied, and why it was refused if it was."""
    return "".join(
        f'<pre class="reply{" refused" if "refused" in one else ""}">{escape(_cut(one["reply"])) or "(nothing)"}</pre>'
        + (f"<small>refused: {escape(one['refused'])}</small>" if "refused" in one else "")
        for one in replies
    )


def _cut(reply: str) -> str:
    return reply if len(reply) <= LONGEST else f"{reply[:LONGEST]}… ({len(reply):,} characters)"


def _views(about: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The views at which an agent was asked for its policy."""
    from mmgames.baselines.search.exploitability import information_sets

    loaded = load(about["policy"])
    game = loaded.game(**about["options"])
    views = list(information_sets(game).items())
    parts = []
    for row in rows:
        view, (seat, _) = views[row["number"]]
        prompt = Observer(loaded, game, observe=("rgb", "text")).text(view)
        names = loaded.words.names(view)
        policy = ", ".join(f"{names.get(action, action)} {100 * share:.0f} %" for action, share in row["shares"])
        parts.append(
            f"<details><summary>View {row['number']}, {escape(game.seats[seat])}: {escape(policy)}</summary>"
            f'<div class="turn"><img src="{data_url(loaded.picture.draw(view, SIZE))}" alt="the view"><div>'
            f"<details><summary>prompt</summary><pre>{escape(prompt)}</pre></details>{_replies(row['replies'])}"
            "</div></div></details>"
        )
    return parts


def _question(about: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    """A question with its pictures, what was replied each time it was asked, and what would have been right."""
    asked, answer = asked_again(about, row, SIZE)
    turns = []
    for one in asked:
        images = "".join(f'<img src="{url}" alt="the question\'s picture">' for url in one["pictures"])
        said = f"<pre>{escape(one['prompt'])}</pre>{_replies([one])}"
        turns.append(f'<div class="turn"><div>{images}</div><div>{said}</div></div>')
    right = f"<p>Right: {escape(answer[:500])}</p>"
    score = figure(row["score"])
    return f"<details><summary>Question {row['number']}: {score}</summary>{''.join(turns)}{right}</details>"
