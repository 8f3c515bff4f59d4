"""List every environment."""

import argparse
import sys
import warnings
from typing import Any

BEGIN, END = "<!-- environments: begin -->", "<!-- environments: end -->"
_HEAD = ("id", "seats", "dynamics", "information", "actions")
_TASK_HEAD = ("id", "summary")
PLAIN = (
    "id", "summary", "dynamics", "information", "utility", "actions", "chance", "length", "batched", "searchable",
    "family", "source",
)  # fmt: skip
"""What is told of a spec as it is."""


def run(args: argparse.Namespace) -> int:
    from mmgames.core.discovery import broken
    from mmgames.text.tables import text_table

    rows = facts()
    if not (args.markdown or args.update):
        suites, datasets = look_at_the_rest()
    if args.json:
        import json

        document = {
            "environments": rows,
            "tasks": task_facts(),
            "suites": suites,
            "datasets": datasets,
            "broken": broken,
        }
        print(json.dumps(document, indent=2, default=str))
        return 0
    if args.markdown:
        print(as_markdown(rows))
        return 0
    if args.update:
        args.update.write_text(updated(args.update.read_text("utf-8"), as_markdown(rows), str(args.update)), "utf-8")
        print(f"{args.update}: {len(rows)} environments")
        return 0
    common = set.intersection(*(set(row["agents"]) for row in rows))
    head, rule, *lines = text_table(_HEAD, [[_cell(row[key]) for key in _HEAD] for row in rows]).splitlines()
    print(f"{head}\n{rule}")
    for line, row in zip(lines, rows, strict=True):
        own = [name for name in row["agents"] if name not in common]
        print(f"{line}\n    {row['summary']}{f'; agents: {_cell(own)}' if own else ''}")
        if row["extras"]:
            print(f"    extra {', '.join(row['extras'])}: {row['missing'] or 'installed'}")
        if not row["searchable"]:
            print("    no searches: its hidden parts cannot be drawn again, or its states not taken up again")
    shared = [name for name in rows[0]["agents"] if name in common and name != "person"]
    print(f"\nagents that play every game: {_cell(shared)} (`human` at the terminal, in a browser `mmgames play`)")
    tasks = task_facts()
    print(f"\n{text_table(_TASK_HEAD, [[task[key] for key in _TASK_HEAD] for task in tasks])}")
    print(f"\nsuites: {', '.join(suites)}\ndata sets: {', '.join(datasets)}")
    counts = f"{len(rows)} environments and {len(tasks)} tasks"
    print(f"\n{counts}. `mmgames show ID` draws a game; `mmgames demo` plays them all.")
    for label, reason in broken.items():
        print(f"mmgames: {label} did not load: {reason}", file=sys.stderr)
    return 0


def look_at_the_rest() -> tuple[list[str], list[str]]:
    """The names of the suites and data sets. Agents from elsewhere are tried too, so that broken ones can be named."""
    from mmgames.agents.finding import plugin_agents
    from mmgames.core import discovery
    from mmgames.datasets import datasets
    from mmgames.suites import suites

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is broken is listed anyway
        for found in discovery.entry_points("agents"):
            if found.name in plugin_agents():
                with discovery.note_failure(found):
                    found.load()
        return list(suites()), list(datasets())


def facts() -> list[dict[str, Any]]:
    """What is known of each environment before it is loaded."""
    from mmgames.agents.finding import listed_agents
    from mmgames.core.look_names import looks_of
    from mmgames.core.registry import specs, why_missing

    return [
        {
            **{name: getattr(spec, name) for name in PLAIN},
            "seats": list(spec.seats),
            "agents": listed_agents(spec),
            "reference": [spec.reference_for(seat) for seat in range(len(spec.seats))],
            "quick": [spec.quick_for(seat) for seat in range(len(spec.seats))],
            "options": {name: {"default": o.default, "doc": o.doc} for name, o in spec.options.items()},
            "looks": list(looks_of(spec)),
            "extras": list(spec.extras),
            "missing": why_missing(spec),
        }
        for spec in specs.values()
    ]


def task_facts() -> list[dict[str, Any]]:
    """What is known of each task."""
    from mmgames.tasks import specs

    return [
        {"id": spec.id, "kind": spec.kind, "game": spec.game, "summary": spec.summary, "extras": list(spec.extras)}
        for spec in specs.values()
    ]


def as_markdown(rows: list[dict[str, Any]]) -> str:
    from mmgames.text.tables import markdown_table

    head = ("environment", "what happens", "seats", "play", "actions", "batched")
    cells = [
        (
            f"`{row['id']}`",
            row["summary"],
            str(len(row["seats"])),
            f"{row['dynamics']}, {row['information']}, {row['utility'].replace('_', ' ')}",
            row["actions"],
            "yes" if row["batched"] else "",
        )
        for row in rows
    ]
    return markdown_table(head, cells, markup=True)


def updated(page: str, table: str, name: str) -> str:
    """The page with the table between its marks."""
    from mmgames.errors import MmgamesError

    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise MmgamesError(f"{name} has no place for the table: it needs the lines {BEGIN} and {END}.")
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def _cell(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)
