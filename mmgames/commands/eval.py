"""Measure agents on a suite and print their results beside the published ones.

  mmgames eval vs-bench --agent random --episodes 1000
  mmgames eval vs-bench --agent oracle --json
  mmgames eval vs-bench --agent random --agent oracle --markdown results.md --radar behaviour.png
  mmgames eval comma --solver scripted_solver --expert random --episodes 100
  mmgames eval comma --agent random --set rules=released
  mmgames eval lvlm-playground --agent random --episodes 1000 --only TicTacToe-Rule --only Chess-Rule

`oracle` stands for each game's own reference agent. With --out the episodes are kept in a folder, and the same
command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from mmgames.commands import _arguments
from mmgames.core.errors import MmgamesError

SUMMARY = "measure an agent on a suite, beside the published figures"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", metavar="SUITE", help="the suite, such as vs-bench")
    parser.add_argument(
        "--agent", action="append", metavar="A", help="the agent (default: oracle); name several for one table"
    )
    parser.add_argument("--solver", metavar="A", help="of a talking suite: the agent in the solver's seat")
    parser.add_argument("--expert", metavar="A", help="of a talking suite: the agent in the expert's seat")
    parser.add_argument(
        "--set",
        type=_arguments.setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the games",
    )
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="play this environment only (repeat)")
    parser.add_argument("--episodes", type=_arguments.count, default=100, metavar="N", help="per game (default 100)")
    parser.add_argument("--seed", type=_arguments.seed, default=0, metavar="S", help="the seed (default 0)")
    parser.add_argument("--out", metavar="FOLDER", help="keep the episodes in this folder and go on from them")
    parser.add_argument(
        "--processes", type=_arguments.count, metavar="P", help="worker processes (default: one per core)"
    )
    parser.add_argument("--markdown", metavar="FILE", help="also write the table as a Markdown page")
    parser.add_argument("--turns", metavar="FILE", help="also plot success against allowed turns (talking suites)")
    parser.add_argument("--radar", metavar="FILE", help="also plot the social behaviour (needs the plot extra)")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of a table")


def run(args: argparse.Namespace) -> int:
    from mmgames import suites
    from mmgames.commands import _table
    from mmgames.commands.match import default_processes
    from mmgames.suites import plot, tables
    from mmgames.suites.suite import behaviour_shares

    suite = suites.find(args.suite)
    chosen: list[Any] = list(args.agent or [])
    if args.solver or args.expert:
        chosen.append((args.solver or "scripted_solver", args.expert or "scripted_expert"))
    results = [
        suite.evaluate(
            agent,
            args.episodes,
            args.seed,
            processes=args.processes or default_processes(args.episodes),
            out=args.out,
            progress=True,
            only=args.only,
            **dict(args.set),
        )
        for agent in chosen or ["oracle"]
    ]
    if args.markdown:
        agents = " ".join(f"--agent {result['agent']}" for result in results)
        settings = "".join(f" --set {name}={value}" for name, value in args.set)
        command = f"mmgames eval {suite.name} {agents} --episodes {args.episodes} --seed {args.seed}{settings}"
        drawn = {"Social behaviour": args.radar, "Success against allowed turns": args.turns}
        pictures = {caption: Path(file).name for caption, file in drawn.items() if file}
        page = tables.page(suite.title, f"{command} --markdown FILE", results, pictures)
        Path(args.markdown).write_text(page.rstrip() + "\n", encoding="utf-8")
    if args.turns:
        series = {f"{result['agent']}": _by_turn(result) for result in results}
        plot.lines(args.turns, f"{suite.title}: success against allowed turns", "turns", "share solved", series)
    if args.radar:
        shares = {result["agent"]: behaviour_shares(result) for result in results}
        plot.radar(args.radar, f"{suite.title}\nsocial behaviour, share of events", shares)
    if args.json:
        print(json.dumps(results[0] if len(results) == 1 else {"results": results}, indent=2))
        return 0
    print(f"{suite.title}, {args.episodes} episodes, seed {args.seed}\n")
    print(_table.plain(tables.HEAD[:-1], [cells[:-1] for cells in tables.rows(results)]))
    for result in results:
        print(f"\n{result['agent']}: overall normalised {tables.figure(result['overall_normalised'], 1)}")
        for task, value in result.get("overall", {}).items():
            print(f"  {task}, weighted over the games: {tables.figure(value)}")
        for row in result["rows"]:
            if "efficiency" in row:
                print(f"  {row['environment']}: {_talk(row)}")
        for environment, axes in result["behaviour"].items():
            print(f"  {environment}: " + ", ".join(f"{axis} {count:.2f}" for axis, count in axes.items()))
    return 0


def _talk(row: dict[str, Any]) -> str:
    """The further measures of a talking puzzle in one line."""
    from mmgames.suites.tables import figure

    partial = figure(row["partial"]["mean"]) + f" ± {figure(row['partial']['standard_error'])} % partial"
    if "published_partial" in row:
        partial += f" (published {row['published_partial']})"
    parts = [partial]
    parts += [f"{name} {figure(row[name]['mean'])}" for name in ("mistakes", "length", "tokens", "leaks")]
    parts.append(f"efficiency {figure(row['efficiency'])}")
    parts += [f"{tag} {share:.0%}" for tag, share in row["errors"].items() if share]
    return ", ".join(parts)


def _by_turn(result: dict[str, Any]) -> list[float]:
    """The share of all episodes solved within 1, 2, … turns, mean over the puzzles."""
    curves = [row["solved_by_turn"] for row in result["rows"] if row.get("solved_by_turn")]
    if not curves:
        raise MmgamesError(f"{result['suite']} has no turns to plot; --turns is for suites of puzzles that talk.")
    return [sum(column) / len(curves) for column in zip(*curves, strict=True)]
