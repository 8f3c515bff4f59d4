"""Pages of results: published against ours, generated, never typed."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from mmgames.errors import MmgamesError
from mmgames.running.statistics import needs_interval
from mmgames.suites.entries import RELEASED
from mmgames.suites.floors.kept import CLOSE
from mmgames.suites.pages import prose
from mmgames.suites.results import settings, unplayed
from mmgames.suites.results.settings import short_name
from mmgames.text.replies import PARAGRAPH
from mmgames.text.secrets import without_secrets
from mmgames.text.tables import COLUMNS, cut, escape_markdown, markdown_table, one_line, wrapped


def figure(value: float | None, places: int = 2) -> str:
    return "–" if value is None else f"{round(value, places) + 0.0:.{places}f}"  # + 0.0: no minus before zero


def with_error(result: Mapping[str, Any], places: int = 2) -> str:
    """A mean and its standard error, where there is one; where ± would mislead, the interval of 95 %."""
    error = result.get("standard_error")
    if needs_interval(result):
        low, high = (figure(end, places) for end in result["interval"])
        return f"{figure(result['mean'], places)} ({low} to {high})"
    return figure(result["mean"], places) + ("" if error is None else f" ± {figure(error, places)}")


def score_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """The score of a row with its error; files of before intervals were kept have none."""
    return {"mean": row["raw"], "standard_error": row["standard_error"], "interval": row.get("interval")}


def row_name(row: Mapping[str, Any]) -> str:
    """What a row is called where the environment's version does not matter."""
    return re.sub(r"-v\d+\b", "", short_name(row))


HEAD = (
    *("environment", "measure", "agent", "values", "ours ± s.e.", "normalised", "illegal", "published", "difference"),
    *("difference / s.e.", "about the published figure"),
)
SOMETIMES = {
    "charged": "illegal play charged",
    "above_floor": "above the blind floor, %",
    "above_chance": "above chance, %",
}
"""What a row may have beside its score, and the heads of these columns, which stand before the published figure."""


def head(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """The heads of the table of results."""
    before = HEAD.index("published")
    return [*HEAD[:before], *(SOMETIMES[name] for name in _found(results)), *HEAD[before:]]


def _found(results: Sequence[Mapping[str, Any]]) -> list[str]:
    return [name for name in SOMETIMES if any(name in row for result in results for row in result["rows"])]


def rows(results: Sequence[dict[str, Any]]) -> list[list[str]]:
    """One row for each environment and agent: ours with its error, the published figure and the difference.

    The agents' rows for one environment stand together, random first. What could not be played says so.
    """
    table = []
    found = _found(results)
    for result in results:
        for row in result["rows"]:
            published = row["published"] or {}
            table.append(
                [
                    short_name(row),
                    row["measure"],
                    row["agent"] + (f", {RELEASED}" if "released" in row else ""),
                    f"{row['episodes']} of {row['episodes'] + row['missing']}"
                    if row["missing"]
                    else str(row["episodes"]),
                    with_error(score_of(row)),
                    figure(row["normalised"], 1),
                    percent(row["illegal"]["rate"]),
                    *(with_error(row[name]) if name in row else "" for name in found),
                    figure(published.get("value")),
                    figure(published.get("difference")),
                    figure(published.get("difference_in_standard_errors"), 1),
                    published.get("note", ""),
                ]
            )
        for one in result.get("unplayed", ()):
            rest = [*["–"] * (6 + len(found)), f"needs the extra {', '.join(one['extras'])}"]
            table.append([short_name(one), one["measure"], result["agent"], unplayed.NOT_PLAYED, *rest])
    order = list(dict.fromkeys(cells[0] for cells in table))
    return sorted(table, key=lambda cells: (order.index(cells[0]), cells[2] != "random"))


def short_agents(results: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """What agents are called where there is little room: a model by its own name, and no two alike."""
    found: dict[str, str] = {}
    for result in results:
        said = [one for one in result.get("header", {}).get("agents", ()) if isinstance(one, dict) and "model" in one]
        own = " + ".join(str(one["model"]).rpartition("/")[2] for one in said) or result["agent"]
        name, number = cut(own, 16), 2
        while name in found.values() and result["agent"] not in found:
            name, number = f"{cut(own, 14)} {number}", number + 1
        found.setdefault(result["agent"], name)
    return found


def legend(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the short names of agents stand for."""
    return [wrapped(f"  {short} is {name}") for name, short in short_agents(results).items() if name != short]


def summary(results: Sequence[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """The head and the rows of a table that fits a terminal: who, where, how many, the score, and what stands out."""
    names, many = short_agents(results), len(results) > 1
    columns = {"values": "values", "score": "ours ± s.e.", "normalised": "of 100", "illegal": "illegal"}
    columns |= {"published": "paper", "above_floor": "above floor"}
    lines = []
    for number, row in [(number, row) for number, result in enumerate(results) for row in result["rows"]]:
        asked = row["episodes"] + row["missing"]
        lines.append(
            {
                "environment": row_name(row),
                "agent": names[results[number]["agent"]] if many else "",
                "values": f"{row['episodes']} of {asked}" if row["missing"] else str(asked),
                "score": with_error(score_of(row)),
                "normalised": figure(row["normalised"], 1),
                "illegal": percent(row["illegal"]["rate"]) if row["illegal"]["illegal"] else "",
                "published": figure(row["published"]["value"]) if row["published"] else "",
                "above_floor": figure(row["above_floor"]["mean"], 1) if "above_floor" in row else "",
            }
        )
    order = list(dict.fromkeys(line["environment"] for line in lines))
    lines.sort(key=lambda line: order.index(line["environment"]))
    shown = [name for name in columns if any(line[name] for line in lines)]
    heads = [*(["agent"] if many else []), *(columns[name] for name in shown)]
    cells = [[*([line["agent"]] if many else []), *(line[name] for name in shown)] for line in lines]
    taken = sum(2 + max(len(row[at]) for row in [heads, *cells]) for at in range(len(heads)))
    left = [[cut(line["environment"], COLUMNS - taken), *row] for line, row in zip(lines, cells, strict=True)]
    return ["environment", *heads], left


def percent(share: float | None) -> str:
    """A share in per cent; less than a tenth of one is not said to be none."""
    return "–" if share is None else "0 %" if share == 0 else "<0.1 %" if share < 0.001 else f"{100 * share:.1f} %"


def failures(result: dict[str, Any]) -> list[str]:
    """A line for each row of a result in which something failed or is missing, in plain text."""
    lines = []
    for row in result["rows"]:
        parts = []
        if row.get("failed"):
            parts.append(f"{row['failed']} failed; the first: {without_secrets(str(row['first_failure']))}")
        if row["missing"]:
            parts.append(f"{row['missing']} values are missing and not in the score; start the same again to fill them")
        if row["broken"]:
            parts.append(f"the agent itself broke off {row['broken']} episodes, so there is no score")
        if row.get("failed_before"):
            parts.append(f"{row['failed_before']} had failed before and were done again")
        lines += [one_line(f"{short_name(row)}: {'; '.join(parts)}")] if parts else []
    return lines


def check_complete(results: Sequence[Mapping[str, Any]]) -> None:
    """A sentence if a value is missing in one of these results, or a row has no score."""
    gaps = [
        one_line(f"{result['agent']} lacks {row['missing'] or 'all'} in {short_name(row)}")
        for result in results
        for row in result["rows"]
        if row["missing"] or row["raw"] is None
    ]
    if gaps:
        more = f" and {len(gaps) - 3} more" if len(gaps) > 3 else ""
        raise MmgamesError(f"Values are missing: {'; '.join(gaps[:3])}{more}. Start the same run again to fill them.")


def released(result: Mapping[str, Any]) -> list[str]:
    """A line for each row that was made from released data: from which file, and what its own rule gives."""
    lines = []
    for row in result["rows"]:
        if "released" in row:
            facts = ", ".join(f"{name} {value}" for name, value in row["released"].items())
            theirs = f"; by the released rule {with_error(row['released_rule'])} %" if "released_rule" in row else ""
            lines.append(one_line(f"{short_name(row)}: {RELEASED} ({facts}){theirs}"))
    return list(dict.fromkeys(lines))


def about_released(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """A sentence for the top of a page some of whose rows were made from released data."""
    found = any("released" in row for result in results for row in result["rows"])
    told = f"Rows named *{RELEASED}* are about the files that the paper released, and not about what is made here."
    return [told] if found else []


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
        if again := counted.get("asked_again"):
            lines.append(f"{short_name(row)}: {again} replies were not read and asked again, which costs nothing")
    return lines


def explained(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the figures beside the scores mean, a paragraph each, and where chance comes from."""
    sources = {row["chance"]["source"] for result in results for row in result["rows"] if "above_chance" in row}
    return [prose.paragraphs("tables")[name].format(source="; ".join(sorted(sources))) for name in _found(results)]


def named_failures(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """What went wrong in episodes (see `spoken/failures.py`) as a section in Markdown; none where nobody spoke."""
    told = [
        (result["agent"], {short_name(row): row["failures"] for row in result["rows"] if row.get("failures")})
        for result in results
    ]
    games = list(dict.fromkeys(game for _, rows in told for game in rows))
    lines = []
    for agent, rows in told:
        for kind in dict.fromkeys(kind for found in rows.values() for kind in found["kinds"]):
            shares = [
                100 * rows[game]["kinds"].get(kind, {"episodes": 0})["episodes"] / max(1, rows[game]["episodes"])
                if game in rows
                else None
                for game in games
            ]
            lines.append([agent, kind, *(figure(share, 0) for share in shares)])
    if not games:
        return []
    head = ["agent", "failure", *(re.sub(r"(Puzzle)?-v\d+\b", "", game) for game in games)]
    table = markdown_table(head, lines, right=range(2, len(head))) if lines else "None was found."
    return ["## Failures that states decide", prose.paragraphs("tables")["named failures"], table]


def readings(result: dict[str, Any]) -> list[str]:
    """A line for each row whose replies were scored in both readings."""
    return [
        f"{short_name(row)}: the same replies score {figure(row['readings']['paragraph'])} when they are read by the "
        f"paragraph and {figure(row['readings']['released'])} as the paper's code reads them"
        for row in result["rows"]
        if "readings" in row
    ]


def how_read(results: Sequence[Mapping[str, Any]]) -> str:
    """A sentence that says in which reading replies were read."""
    released = any(result.get("reading") == "released" for result in results)
    clocks = sorted({result["clock"] for result in results if "clock" in result})
    late = f" Late answers, by a clock of {' or '.join(clocks)} seconds, are refused." if clocks else ""
    how = "as the paper's own code reads them" if released else f"so: {PARAGRAPH}"
    return f"Replies are read {how.rstrip('.')}.{late}"


def asides(result: dict[str, Any]) -> list[str]:
    """What is said about the rows of a result beside their figures, a line each, in plain text."""
    own = [*settings.lines(result), *released(result), *readings(result), *without_luck(result), *about_people(result)]
    return [*own, *nearly_blind(result), *refusals(result), *failures(result)]


def asides_of_all(results: Sequence[dict[str, Any]]) -> list[str]:
    """The same of several results, in Markdown: what is had without looking is so for all agents, and said once."""
    blind = dict.fromkeys(line for result in results for line in nearly_blind(result))
    own = [f"{result['agent']}, {line}" for result in results for line in asides(result) if line not in blind]
    return [escape_markdown(line) for line in (*blind, *own)]


def nearly_blind(result: Mapping[str, Any]) -> list[str]:
    """A line for each game in which somebody who never looks comes close to good play."""
    return [
        f"{row_name(row)}: without looking {with_error(floor)} is had, {figure(floor['normalised'], 1)} of 100 "
        f"({floor['by']}); less than that says nothing about sight"
        for row in result["rows"]
        if (floor := row.get("floor")) and "chance" not in row and floor["normalised"] >= CLOSE
    ]


def about_people(result: Mapping[str, Any]) -> list[str]:
    """A line for each row that people have made: how many they were, and what they gave up."""
    lines = []
    for row in result["rows"]:
        if "people" in row:
            told = f"{row_name(row)}: {row['episodes']} values of {row['people']['participants']} people"
            given_up = row["people"]["given_up"]
            lines.append(told + (f", {given_up} of them given up and counted as lost" if given_up else ""))
    return lines


def without_luck(result: dict[str, Any]) -> list[str]:
    """The scores without luck of the rows that have one."""
    return [
        f"{row_name(row)}: {figure(told['mean'])} ± {figure(told['standard_error'])} without luck"
        for row in result["rows"]
        if (told := row.get("without_luck"))
    ]


COSTS = prose.by_column("tables", "costs")
"""What an illegal reply costs, by policy."""


def page(
    title: str, command: str, results: Sequence[dict[str, Any]], sections: Sequence[str], pictures: Mapping[str, str]
) -> str:
    """A Markdown page with the results of one or more agents; `pictures` are captions and files beside the page."""
    shown = command.replace("`", "'")
    intro = (
        f"Written by `{shown}`. Standard errors are over the values, and where ± would mislead, as at 0 and 100 %, the "
        "interval of 95 % stands in brackets; the last number divides the difference by our "
        f"error and, where it has one, the published figure's, together. {how_read(results)}"
    )
    failed = asides_of_all(results)
    drawn = [f"![{escape_markdown(caption)}]({quote(file)})" for caption, file in pictures.items()]
    left_out = [escape_markdown(line) for line in unplayed.lines(results)]
    grid = markdown_table(head(results), rows(results))
    told = [*explained(results), *failed, *sections, *named_failures(results), *drawn]
    return "\n\n".join([f"# {title}", intro, *about_released(results), *left_out, grid, *told]) + "\n"
