"""The leaderboard: standings of every suite on one page, chosen by what agents saw and how replies were read.

Nothing is loaded from elsewhere and no script runs: what is chosen is hidden and shown by the page's style.
"""

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from mmgames.errors import MissingExtra
from mmgames.suites.pages import report
from mmgames.suites.pages.html_tables import closed_page, filled, style, table
from mmgames.suites.pages.tables import figure
from mmgames.suites.results import unplayed
from mmgames.suites.results.standings import POSITION, SEEN, Mean, Standing, columns, ranked
from mmgames.text.replies import READINGS
from mmgames.text.tables import one_line

MODES = (*SEEN.values(), POSITION)


def page(standings: Sequence[Standing], told: Sequence[str], transcripts: Mapping[Path, str]) -> str:
    """The whole page. `told` are sentences about what was left out; `transcripts` has the address of each file's."""
    suites = {one.suite.title: one.suite for one in standings}  # editions of one suite have titles of their own
    names = len({suite.name for suite in suites.values()})
    modes = [mode for mode in MODES if any(one.seen == mode for one in standings)]
    links = "".join(f'<a href="#{_anchor(title)}">{escape(title)}</a> ' for title in suites)
    sections = [_suite([one for one in standings if one.suite.title == title], modes, transcripts) for title in suites]
    left_out = "".join(f'<p class="missing">Left out: {escape(line)}</p>\n' for line in told)
    body = filled(
        "leaderboard",
        results=len(standings),
        suites=names,
        links=links,
        seen=_choice("seen", "What agents see", modes),
        read=_choice("read", "How replies are read", READINGS),
        sections=left_out + "".join(sections),
    )
    return closed_page("Leaderboard", body, style("leaderboard") + _hiding(modes))


def _choice(name: str, legend: str, values: Sequence[str]) -> str:
    """Radio buttons of which the first leaves everything shown."""
    buttons = "".join(
        f'<label><input type="radio" name="{name}" id="{name}-{number}"{"" if number else " checked"}> {escape(value)}'
        "</label>"
        for number, value in enumerate(("all", *values))
    )
    return f"<fieldset><legend>{escape(legend)}</legend>{buttons}</fieldset>"


def _hiding(modes: Sequence[str]) -> str:
    """Style that hides the rows which do not fit what is chosen."""
    return "".join(
        f'body:has(#{name}-{number}:checked) tr[data-{name}]:not([data-{name}~="{number}"]) {{ display: none; }}\n'
        for name, values in (("seen", modes), ("read", READINGS))
        for number in range(1, len(values) + 1)
    )


def _anchor(title: str) -> str:
    return "-".join(re.findall(r"\w+", title.lower()))


def _suite(standings: Sequence[Standing], modes: Sequence[str], transcripts: Mapping[Path, str]) -> str:
    suite = standings[0].suite
    names = [name for name in dict.fromkeys(map(suite.mean_of, suite.every)) if name]
    parts = [f'<section id="{_anchor(suite.title)}" aria-label="{escape(suite.title)}"><h2>{escape(suite.title)}</h2>']
    for name in names:
        own = ranked(standings, name)
        if own:
            title = "" if name == unplayed.ALL else f"<h3>{escape(name[:1].upper() + name[1:])}</h3>"
            label = suite.title if name == unplayed.ALL else f"{suite.title}, {name}"
            parts += [title, _ladder(own, name, label, modes, transcripts), _every_row(own, name, label, modes)]
    return "\n".join([*parts, "</section>\n"])


def _ladder(
    standings: Sequence[Standing], name: str, label: str, modes: Sequence[str], transcripts: Mapping[Path, str]
) -> str:
    means = [one.means[name] for one in standings]
    ends = [end for mean in means for end in (mean.score, *(mean.interval or ())) if end is not None]
    low, high = min([0.0, *ends]), max([100.0, *ends])
    lines = []
    for one, mean in zip(standings, means, strict=True):
        said = escape(f"Episodes of {one.agent} in {label}", quote=True)
        link = (
            f'<a href="{escape(transcripts[one.file], quote=True)}" aria-label="{said}">episodes</a>'
            if one.file in transcripts
            else f"<small>{'sealed' if 'sealed' in one.result else 'not kept'}</small>"
        )
        cells = (
            f'<td><span class="place"></span>{escape(one.agent)}</td><td>{_score(mean)}</td>'
            f"<td>{_span(mean, low, high)}</td>"
            f"<td>{escape(one.seen)}</td><td>{escape(' and '.join(one.readings))}</td>"
            f"<td>{one.result['episodes']}</td><td>{link}</td>"
            f'<td class="settings"><small>{escape(one.settings)}</small></td>'
        )
        lines.append(f"<tr {_marks(one, mean, modes)}>{cells}</tr>\n")
    head = ("agent", "mean, 95 %", "on the scale", "sees", "reading", "episodes", "transcripts", "made with")
    return table(head, lines, f"{label}: standings")


def _marks(standing: Standing, mean: Mean, modes: Sequence[str]) -> str:
    """What a row is hidden and shown by."""
    read = " ".join(str(1 + READINGS.index(one)) for one in standing.readings)
    kind = "ours whole" if mean.whole else "ours"
    return f'class="{kind}" data-seen="{1 + modes.index(standing.seen)}" data-read="{read}"'


def _score(mean: Mean) -> str:
    if mean.score is None:
        return '<small class="missing">no score</small>'
    between = (
        "" if mean.interval is None else f"<br><small>{' to '.join(figure(end, 1) for end in mean.interval)}</small>"
    )
    part = "" if mean.whole else f'<br><small class="missing">{mean.rows} of {mean.of} rows</small>'
    return f"<b>{figure(mean.score, 1)}</b>{between}{part}"


def _span(mean: Mean, low: float, high: float) -> str:
    """The score as a dot on its interval."""
    if mean.score is None:
        return ""

    def at(score: float) -> str:
        return f"{3 + 94 * (score - low) / (high - low):.1f}%"

    first, last = mean.interval or (mean.score, mean.score)
    return (
        '<svg class="span" aria-hidden="true"><line x1="3%" x2="97%" y1="50%" y2="50%" stroke="#9aa3b0"/>'
        f'<line x1="{at(first)}" x2="{at(last)}" y1="50%" y2="50%" stroke="#2563a8" stroke-width="5"/>'
        f'<circle cx="{at(mean.score)}" cy="50%" r="4" fill="#c2541b"/></svg>'
    )


def _every_row(standings: Sequence[Standing], name: str, label: str, modes: Sequence[str]) -> str:
    """What the means are made of, as it was measured, folded."""
    names = [column for column in columns(standings, name) if any(column in one.figures for one in standings)]
    lines = []
    for one in standings:
        cells = "".join(f"<td>{escape(one.figures.get(column, '–'))}</td>" for column in names)
        lines.append(
            f"<tr {_marks(one, one.means[name], modes)}>"
            f'<td><span class="place"></span>{escape(one.agent)}</td>{cells}</tr>\n'
        )
    inside = table(("agent", *names), lines, f"{label}: every row")
    return f"<details><summary>Every row, as it was measured</summary>{inside}</details>"


UNREADABLE = (OSError, KeyError, TypeError, AttributeError, ValueError, MissingExtra)
"""What records that another program wrote, or half wrote, may raise, or those of a game whose packages are not here; an
MmgamesError is a ValueError."""


def write_episodes(standings: Sequence[Standing], folder: Path, episodes: int) -> tuple[dict[Path, str], list[str]]:
    """Write a page for the episodes of each folder and suite. The address of each result file's page, seen from the
    folder, and a sentence for each that could not be made.

    What was sealed is shown to nobody, so a folder that holds such a result has no page.
    """
    closed = {one.file.parent for one in standings if "sealed" in one.result}
    together: dict[tuple[Path, str], list[Standing]] = {}
    for one in standings:
        kept = one.file.parent not in closed and any(
            not path.name.endswith(".calls.jsonl") for path in one.file.parent.glob("*.jsonl")
        )
        if kept:
            together.setdefault((one.file.parent, one.suite.name), []).append(one)
    addresses: dict[Path, str] = {}
    told = []
    for number, ((home, suite), own) in enumerate(together.items(), 1):
        name = f"episodes-{number}-{suite}.html"
        try:
            text = report.page([dict(one.result) for one in own], [home], episodes)
        except UNREADABLE as error:
            told.append(one_line(f"the episodes in {home} ({type(error).__name__}: {error})"))
            continue
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
        addresses |= {one.file: name for one in own}
    return addresses, told
