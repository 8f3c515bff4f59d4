"""Pages of results: published against ours, generated, never typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mmgames.commands._table import markdown


def figure(value: float | None, places: int = 2) -> str:
    return "–" if value is None else f"{round(value, places) + 0.0:.{places}f}"  # + 0.0: no minus before zero


def rows(results: Sequence[dict[str, Any]]) -> list[list[str]]:
    """One row for each environment and agent: ours with its error, the published figure and the difference."""
    table = []
    for result in results:
        for row in result["rows"]:
            published = row["published"] or {}
            ours = figure(row["raw"])
            if row["standard_error"] is not None:
                ours += f" ± {figure(row['standard_error'])}"
            table.append(
                [
                    row["environment"].partition("/")[2],
                    row["measure"],
                    row["agent"],
                    str(row["episodes"]),
                    ours,
                    figure(row["normalised"], 1),
                    figure(published.get("value")),
                    figure(published.get("difference")),
                    figure(published.get("difference_in_standard_errors"), 1),
                    published.get("note", ""),
                ]
            )
    return sorted(table, key=lambda cells: (cells[0], cells[2] != "random"))


HEAD = (
    *("environment", "measure", "agent", "values", "ours ± s.e.", "normalised", "published", "difference"),
    *("difference / s.e.", "about the published figure"),
)


TALK_HEAD = (
    *("environment", "agent", "partial % ± s.e.", "published partial %", "mistakes", "length", "tokens"),
    *("efficiency", "episodes with a leak"),
)


def talk_rows(results: Sequence[dict[str, Any]]) -> list[list[str]]:
    """The further measures of puzzles that talk; none for other suites."""
    return [
        [
            row["environment"].partition("/")[2],
            row["agent"],
            f"{figure(row['partial']['mean'])} ± {figure(row['partial']['standard_error'])}",
            figure(row.get("published_partial"), 0),
            *(figure(row[name]["mean"]) for name in ("mistakes", "length", "tokens")),
            figure(row["efficiency"]),
            figure(row["leaks"]["mean"]),
        ]
        for result in results
        for row in result["rows"]
        if "efficiency" in row
    ]


def page(title: str, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str]) -> str:
    """A Markdown page with the results of one or more agents; `pictures` are captions and files beside the page."""
    talk = talk_rows(results)
    overall = [[result["agent"], figure(result["overall_normalised"], 1)] for result in results]
    return "\n".join(
        [
            f"# {title}",
            "",
            f"Written by `{command}`. Standard errors are over the episodes; where the published figure has one, the",
            "last number divides the difference by both errors together.",
            "",
            markdown(HEAD, rows(results)),
            "",
            *([markdown(TALK_HEAD, talk), ""] if talk else []),
            "Normalised, random play being 0 and the reference 100, mean over the environments:",
            "",
            markdown(("agent", "overall"), overall),
            "",
            *(f"![{caption}]({file})\n" for caption, file in pictures.items()),
        ]
    )
