"""Reports in HTML: the page around all, and tables of ours beside the published rows, with small bars."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from mmgames.suites.pages import layout
from mmgames.suites.pages.layout import PaperTable
from mmgames.suites.pages.tables import figure, percent, row_name, score_of, with_error
from mmgames.suites.results import unplayed


def style(name: str) -> str:
    """A page's style; the pages are read at a desk and on a telephone."""
    return files("mmgames.assets").joinpath(f"page/{name}.css").read_text("utf-8")


def filled(name: str, /, **parts: object) -> str:
    """A page, or a part of one, as NAME.html has it, with these parts in their places."""
    return Template(files("mmgames.assets").joinpath(f"page/{name}.html").read_text("utf-8")).substitute(parts)


def closed_page(title: str, body: str, more: str = "", head: str = "") -> str:
    """A whole page that loads nothing from elsewhere and runs no script, in the style of reports and `more`."""
    return filled("closed", title=escape(title), body=body, style=style("report") + more, head=head)


def results_table(results: Sequence[dict[str, Any]], entries: Sequence[Any], columns: Sequence[str]) -> str:
    """Agents as rows, games as columns, the published figures of a suite's entries in grey above ours."""
    published: dict[str, dict[str, Any]] = {}
    for entry in entries:
        column = row_name({"environment": entry.id, "variant": entry.variant})
        for agent, found in entry.published.items():
            published.setdefault(agent, {})[column] = found
    lines = []
    for agent, found in published.items():
        cells = [figure(found[column].value) if column in found else "–" for column in columns]
        lines.append(_line("published", f"{agent} (published)", [*cells, ""]))
    for result in results:
        rows = {row_name(row): row for row in reversed(result["rows"])}
        left_out = {row_name(one) for one in result.get("unplayed", ())}
        cells = [*(_cell(rows.get(column), column in left_out) for column in columns), _overall(result)]
        lines.append(_line("ours", result["agent"], cells))
    return table(("agent", *columns, "overall, normalised"), lines, "Results")


def table(head: Sequence[str], lines: Sequence[str], label: str) -> str:
    """A table that is moved sideways, by keys too, where it is wider than the page; `label` says what it holds."""
    heads = "".join(f'<th scope="col">{escape(column)}</th>' if column else "<td></td>" for column in head)
    said = escape(label, quote=True)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{said}"><table><thead><tr>{heads}'
        f"</tr></thead>\n<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _line(kind: str, name: str, cells: Sequence[str]) -> str:
    """A row; the cells are markup."""
    inside = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr class="{kind}"><td>{escape(name)}</td>{inside}</tr>\n'


def _cell(row: Mapping[str, Any] | None, left_out: bool) -> str:
    if row is None:
        return f'<small class="missing">{unplayed.NOT_PLAYED}</small>' if left_out else "–"
    score = escape(with_error(score_of(row)))
    parts = [f"<small>{escape(percent(row['illegal']['rate']))} illegal</small>"] if row["illegal"]["illegal"] else []
    parts += [f'<small class="missing">{row["missing"]} missing</small>'] if row["missing"] else []
    return "<br>".join([score, *parts])


def _overall(result: Mapping[str, Any]) -> str:
    """The mean over the games; one that is not over all of them says so, and so does one with missing values."""
    missing = sum(row["missing"] for row in result["rows"])
    score = f"<b>{figure(result.get('overall_normalised'), 1)}</b>"
    told = [unplayed.over(result).strip(" ()"), f"{missing} missing" if missing else ""]
    return score + "".join(f'<br><small class="missing">{line}</small>' for line in told if line)


def paper_tables(tables: Sequence[PaperTable]) -> str:
    """The paper's tables that hold something of ours, all but the first folded; nothing where there are none. Where no
    published row stands in one of them, the tables that are the paper's alone follow."""
    shown = [table for table in tables if any(row.cells for row in table.rows if not row.published)]
    if not any(row.published for table in shown for row in table.rows):
        shown += [table for table in tables if table not in shown]
    folded = "\n".join(_folded(table, opened=table is shown[0]) for table in shown)
    return f"<h2>Beside the published models</h2>\n{folded}" if shown else ""


def _folded(paper: PaperTable, opened: bool) -> str:
    lines = layout.lines(paper)
    scales = [_scale([line.values[at] for line in lines if line.values]) for at in range(len(paper.columns))]
    rows = []
    for line in lines:
        values = line.values or [None] * len(line.cells)
        columns = zip(line.cells, values, scales, strict=True)
        cells = [cell + _bar(value, scale) for cell, value, scale in columns]
        rows.append(_line(line.kind, line.name, cells))
    head = ("", *(paper.short.get(column, column) for column in paper.columns))
    reasons = "".join(
        f"<li><sup>{letter}</sup> {escape(layout.said(one, paper))}: {_prose(one.why)}</li>"
        for letter, one in layout.reasons(paper)
    )
    about = f'<p class="note">{_prose(paper.about)}</p>' if paper.about else ""
    below = f'<ul class="note">{reasons}</ul>' if reasons else ""
    return (
        f'<details class="paper"{" open" if opened else ""}><summary>{escape(paper.title)}</summary>\n{about}'
        f"{table(head, rows, paper.title)}{below}</details>"
    )


def _scale(values: Sequence[float | None]) -> tuple[float, float]:
    """The least and the greatest of a column, and 0, from which bars go left and right."""
    known = [0.0, *(value for value in values if value is not None)]
    return min(known), max(known)


def _bar(value: float | None, scale: tuple[float, float]) -> str:
    low, high = scale
    if value is None or low == high:
        return ""
    first, last = (100 * (edge - low) / (high - low) for edge in sorted((0.0, value)))
    return f'<i class="bar"><i style="left:{first:.1f}%;width:{last - first:.1f}%"></i></i>'


def _prose(markdown: str) -> str:
    """Sentences of a Markdown page: code, emphasis, and links as plain words."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", escape(markdown))
    text = re.sub(r"`([^`]*)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text)
