"""Pages of results: published against ours, generated, never typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from mmgames.suites import holes
from mmgames.text.tables import escape_markdown, markdown_table, one_line


def figure(value: float | None, places: int = 2) -> str:
    return "–" if value is None else f"{round(value, places) + 0.0:.{places}f}"  # + 0.0: no minus before zero


def with_error(result: Mapping[str, float | None], places: int = 2) -> str:
    """A mean and its standard error, where there is one."""
    error = result["standard_error"]
    return figure(result["mean"], places) + ("" if error is None else f" ± {figure(error, places)}")


def short_name(row: Mapping[str, Any]) -> str:
    """An environment without its namespace, and what sets this row of it apart."""
    return " ".join(filter(None, (row["environment"].partition("/")[2], row.get("variant"))))


HEAD = (
    *("environment", "measure", "agent", "values", "ours ± s.e.", "normalised", "illegal", "published", "difference"),
    *("difference / s.e.", "about the published figure"),
)


def rows(results: Sequence[dict[str, Any]]) -> list[list[str]]:
    """One row for each environment and agent: ours with its error, the published figure and the difference.

    The agents' rows for one environment stand together, random first. What could not be played says so.
    """
    table = []
    for result in results:
        for row in result["rows"]:
            published = row["published"] or {}
            table.append(
                [
                    short_name(row),
                    row["measure"],
                    row["agent"],
                    f"{row['episodes']} of {row['episodes'] + row['missing']}"
                    if row["missing"]
                    else str(row["episodes"]),
                    with_error({"mean": row["raw"], "standard_error": row["standard_error"]}),
                    figure(row["normalised"], 1),
                    percent(row["illegal"]["rate"]),
                    figure(published.get("value")),
                    figure(published.get("difference")),
                    figure(published.get("difference_in_standard_errors"), 1),
                    published.get("note", ""),
                ]
            )
        for hole in result.get("holes", ()):
            rest = [*["–"] * 6, f"needs the extra {', '.join(hole['extras'])}"]
            table.append([short_name(hole), hole["measure"], result["agent"], holes.NOT_PLAYED, *rest])
    order = list(dict.fromkeys(cells[0] for cells in table))
    return sorted(table, key=lambda cells: (order.index(cells[0]), cells[2] != "random"))


def percent(share: float | None) -> str:
    """A share in per cent; less than a tenth of one is not said to be none."""
    return "–" if share is None else "0 %" if share == 0 else "<0.1 %" if share < 0.001 else f"{100 * share:.1f} %"


def failures(result: dict[str, Any]) -> list[str]:
    """A line for each row of a result in which something failed or is missing, in plain text."""
    lines = []
    for row in result["rows"]:
        parts = []
        if row.get("failed"):
            parts.append(f"{row['failed']} failed; the first: {row['first_failure']}")
        if row["missing"]:
            parts.append(f"{row['missing']} values are missing and not in the score; start the same again to fill them")
        if row["broken"]:
            parts.append(f"the agent itself broke off {row['broken']} episodes, so there is no score")
        if row.get("failed_before"):
            parts.append(f"{row['failed_before']} had failed before and were done again")
        lines += [one_line(f"{short_name(row)}: {'; '.join(parts)}")] if parts else []
    return lines


def refusals(result: dict[str, Any]) -> list[str]:
    """A line for each row in which replies were no move or no answer: how many, and what it cost."""
    lines = []
    for row in result["rows"]:
        counted = row["illegal"]
        if counted["illegal"]:
            of = f"{counted['illegal']} of {counted['replies']} replies ({percent(counted['rate'])}) were illegal"
            if kinds := counted.get("kinds"):
                of += f" ({', '.join(f'{number} {kind}' for kind, number in kinds.items())})"
            cost = COSTS[counted["policy"]].format(**counted)
            lines.append(f"{short_name(row)}: {of}; {cost}")
    return lines


def readings(result: dict[str, Any]) -> list[str]:
    """A line for each row whose replies were scored in both readings."""
    return [
        f"{short_name(row)}: the same replies score {figure(row['readings']['strict'])} when they are read strictly "
        f"and {figure(row['readings']['lenient'])} leniently"
        for row in result["rows"]
        if "readings" in row
    ]


def how_read(results: Sequence[Mapping[str, Any]]) -> str:
    """A sentence that says in which reading replies were read."""
    lenient = any(result.get("reading") == "lenient" for result in results)
    return f"Replies are read {'leniently' if lenient else 'strictly'}."


def asides(result: dict[str, Any]) -> list[str]:
    """What is said about the rows of a result beside their figures, a line each, in plain text."""
    return [*readings(result), *refusals(result), *failures(result)]


COSTS = {
    "fail": "each ended its episode",
    "random": "a random legal move was played for each",
    "retry": "the agent was asked again, and three in a row lost the game",
    "retry_random": "the agent was asked again, and after three in a row a random legal move was played, {drawn} times",
    "silent": "each was an empty message and cost the turn",
    "wrong": "each counts as wrong",
}
"""What an illegal reply costs, by policy."""


def page(
    title: str,
    command: str,
    results: Sequence[dict[str, Any]],
    sections: Sequence[str],
    pictures: Mapping[str, str],
) -> str:
    """A Markdown page with the results of one or more agents; `pictures` are captions and files beside the page."""
    shown = command.replace("`", "'")
    intro = (
        f"Written by `{shown}`. Standard errors are over the values; the last number divides the difference by our "
        f"error and, where it has one, the published figure's, together. {how_read(results)}"
    )
    failed = [escape_markdown(f"{result['agent']}, {line}") for result in results for line in asides(result)]
    drawn = [f"![{escape_markdown(caption)}]({quote(file)})" for caption, file in pictures.items()]
    left_out = [escape_markdown(line) for line in holes.lines(results)]
    return (
        "\n\n".join([f"# {title}", intro, *left_out, markdown_table(HEAD, rows(results)), *failed, *sections, *drawn])
        + "\n"
    )
