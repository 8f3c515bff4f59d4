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
import shlex
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
    _arguments.add_settings(parser, "an option of the games")
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="play this environment only (repeat)")
    parser.add_argument("--episodes", type=_arguments.count, default=100, metavar="N", help="per game (default 100)")
    parser.add_argument("--seed", type=_arguments.seed, default=0, metavar="S", help="the seed (default 0)")
    parser.add_argument("--out", metavar="FOLDER", help="keep the episodes in this folder and go on from them")
    parser.add_argument(
        "--processes", type=_arguments.count, metavar="P", help="worker processes (default: one per core)"
    )
    parser.add_argument("--markdown", metavar="FILE", help="also write the table as a Markdown page")
    parser.add_argument("--turns", metavar="FILE", help="also plot success against allowed turns (talking suites)")
    parser.add_argument("--radar", metavar="FILE", help="also plot what agents do or can, as a radar (plot extra)")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of a table")


def run(args: argparse.Namespace) -> int:
    from mmgames import suites
    from mmgames.commands.match import default_processes
    from mmgames.core.table import plain
    from mmgames.suites import plot, tables

    suite = suites.find(args.suite)
    options = _arguments.settings(args, "self", "agent", "episodes", "seed", "processes", "out", "progress", "only")
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
            **options,
        )
        for agent in chosen or ["oracle"]
    ]
    if args.markdown:
        agents = [word for agent in chosen or ["oracle"] for word in _named(agent)]
        settings = [word for name, value in args.set for word in ("--set", f"{name}={value}")]
        only = [word for name in args.only for word in ("--only", name)]
        words = [*agents, "--episodes", str(args.episodes), "--seed", str(args.seed), *settings, *only]
        command = f"mmgames eval {suite.name} {shlex.join(words)} --markdown FILE"
        drawn = {suite.radar_title.capitalize(): args.radar, "Success against allowed turns": args.turns}
        pictures = {caption: Path(file).name for caption, file in drawn.items() if file}
        page = tables.page(suite.title, command, results, suite.sections(results), pictures)
        Path(args.markdown).write_text(page, encoding="utf-8")
    if args.turns:
        series = {f"{result['agent']}": _by_turn(result) for result in results}
        plot.lines(args.turns, f"{suite.title}: success against allowed turns", "turns", "share solved", series)
    if args.radar:
        shares = {result["agent"]: suite.radar(result) for result in results}
        plot.radar(args.radar, f"{suite.title}\n{suite.radar_title}", shares)
    if args.json:
        print(json.dumps(results[0] if len(results) == 1 else {"results": results}, indent=2))
        return 0
    print(f"{suite.title}, {args.episodes} episodes, seed {args.seed}\n")
    print(plain(tables.HEAD[:-1], [cells[:-1] for cells in tables.rows(results)]))
    for result in results:
        first, *others = [*suite.remarks(result), *tables.failures(result)]
        print("\n  ".join([f"\n{result['agent']}: {first}", *others]))
    return 0


def _named(agent: str | tuple[str, str]) -> tuple[str, ...]:
    """The arguments that an agent, or a pair of them, was chosen with."""
    return ("--agent", agent) if isinstance(agent, str) else ("--solver", agent[0], "--expert", agent[1])


def _by_turn(result: dict[str, Any]) -> list[float]:
    """The share of all episodes solved within 1, 2, … turns, mean over the puzzles."""
    curves = [row["solved_by_turn"] for row in result["rows"] if row.get("solved_by_turn")]
    if not curves:
        raise MmgamesError(f"{result['suite']} has no turns to plot; --turns is for suites of puzzles that talk.")
    return [sum(column) / len(curves) for column in zip(*curves, strict=True)]
