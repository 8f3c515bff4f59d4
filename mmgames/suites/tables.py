"""Pages of results: published against ours, generated, never typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mmgames.core.table import markdown


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
    *("environment", "measure", "agent", "values", "ours ± s.e.", "normalised", "published", "difference"),
    *("difference / s.e.", "about the published figure"),
)


def rows(results: Sequence[dict[str, Any]]) -> list[list[str]]:
    """One row for each environment and agent: ours with its error, the published figure and the difference.

    The agents' rows for one environment stand together, random first.
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
                    str(row["episodes"]),
                    with_error({"mean": row["raw"], "standard_error": row["standard_error"]}),
                    figure(row["normalised"], 1),
                    figure(published.get("value")),
                    figure(published.get("difference")),
                    figure(published.get("difference_in_standard_errors"), 1),
                    published.get("note", ""),
                ]
            )
    order = list(dict.fromkeys(cells[0] for cells in table))
    return sorted(table, key=lambda cells: (order.index(cells[0]), cells[2] != "random"))


def failures(result: dict[str, Any]) -> list[str]:
    """A line for each row of a result in which something failed."""
    return [
        f"{short_name(row)}: {row['failed']} failed; the first: {row['first_failure']}"
        for row in result["rows"]
        if row.get("failed")
    ]


def page(
    title: str,
    command: str,
    results: Sequence[dict[str, Any]],
    sections: Sequence[str],
    pictures: Mapping[str, str],
) -> str:
    """A Markdown page with the results of one or more agents; `pictures` are captions and files beside the page."""
    intro = (
        f"Written by `{command}`. Standard errors are over the values; the last number divides the difference by our "
        "error and, where it has one, the published figure's, together."
    )
    failed = [f"{result['agent']}, {line}" for result in results for line in failures(result)]
    drawn = [f"![{caption}]({file})" for caption, file in pictures.items()]
    return "\n\n".join([f"# {title}", intro, markdown(HEAD, rows(results)), *failed, *sections, *drawn]) + "\n"
