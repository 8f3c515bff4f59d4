"""Let agents play a game many times."""

import argparse
import json
import os
from typing import Any

from mmgames.commands import _arguments


def run(args: argparse.Namespace) -> int:
    from mmgames.running.matches import match

    at_the_terminal = any(agent.partition(":")[0] in ("human", "person") for agent in args.agents)
    result = match(
        args.id,
        args.agents,
        args.episodes,
        _arguments.run_seed(args),
        out=args.out,
        processes=1 if at_the_terminal else _arguments.workers(args, default_processes(args.episodes)),
        on_illegal=args.on_illegal,
        max_steps=args.max_steps,
        progress=not at_the_terminal,
        concurrency=1 if at_the_terminal else args.concurrency,
        budget=_arguments.budget(args),
        reading=args.reading,
        clock=args.clock,
        **_arguments.settings(
            *(args, "id", "agents", "episodes", "seed", "out", "processes", "on_illegal", "max_steps", "progress"),
            *("concurrency", "budget", "reading", "clock"),
        ),
    )
    summary = result.summary(args.variates)
    print(json.dumps(summary, indent=2) if args.json else table(summary))
    if args.variates and not args.json and "without_luck" not in summary["seats"][0]:
        print(f"\n{_arguments.NO_LUCK}")
    return 1 if summary["failed"] == summary["episodes"] else 0


def default_processes(episodes: int) -> int:
    """One per core, unless the match is too short to be worth their start."""
    return max(1, min(os.cpu_count() or 1, episodes // 50))


def table(summary: dict[str, Any]) -> str:
    from mmgames.text.tables import text_table

    def cells(row: dict[str, Any], last: str) -> tuple[str, ...]:
        return row["seat"], row["agent"], figure(row["mean"]), figure(row["standard_error"]), last

    seats = summary["seats"]
    parts = [f"{summary['match']}, {summary['episodes']} episodes, seed {summary['seed']}"]
    rows = [cells(seat, str(seat["illegal"])) for seat in seats]
    parts.append(text_table(("seat", "agent", "return", "standard error", "illegal"), rows))
    if luckless := [{**seat, **seat["without_luck"]} for seat in seats if "without_luck" in seat]:
        heads = ("seat", "agent", "return without luck", "standard error", "worth so many times the episodes")
        own = [cells(one, f"{one['worth']:.3g}" if one["worth"] else "–") for one in luckless]
        parts.append(text_table(heads, own))
    if events := ", ".join(f"{name} {count:.2f}" for name, count in summary["events"].items()):
        parts.append(f"per episode: {events}")
    parts.append(f"mean length {figure(summary['length']['mean'])}")
    if lost := ", ".join(f"{seat['seat']} {seat['forfeits']}" for seat in seats if seat["forfeits"]):
        timed = " or by a late one" if "clock" in summary else ""
        parts.append(f"lost by three illegal actions in a row{timed}: {lost}")
    if "clock" in summary:
        late = ", ".join(f"{seat['seat']} {seat['late']}" for seat in seats)
        parts.append(f"late answers, with {summary['clock']} seconds: {late}")
    if summary["unfinished"]:
        parts.append(f"{summary['unfinished']} episodes are unfinished")
    if summary["failed"]:
        parts.append(f"{summary['failed']} episodes failed; the first: {summary['first_failure']}")
    if summary.get("failed_before"):
        parts.append(f"{summary['failed_before']} had failed before and were played again")
    return "\n\n".join(parts)


def figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
