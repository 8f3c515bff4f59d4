"""Find out who is stronger, with few games.

Agents meet in one or several games of any kind. Two who meet play the same deal from both sides; next meet those about
whose order a game tells most. With --out every game is kept in a folder as it ends, and the same command goes on where
it stopped.

  mmgames arena TicTacToe Breakthrough --agent minimax --agent mcts --agent random --games 200 --out results/arena
  mmgames arena --out results/arena --add mcts:simulations=50 --games 40     40 games that place a newcomer
  mmgames arena --from results/arena results/other                           the ladder of both together

An agent that has another one for each seat is written with a bar between them: "scripted_solver|scripted_expert".
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from mmgames.commands import _arguments
from mmgames.text.command_line import add_settings, count, seed

SUMMARY = "find out who is stronger, with few games"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "games", metavar="GAME", nargs="*", help="the games, such as TicTacToe; those of --out if none is"
    )
    parser.add_argument(
        "--agent", action="append", default=[], metavar="A", dest="agents", help="one who is rated; repeat"
    )
    parser.add_argument(
        "--add", action="append", default=[], metavar="A", help="a newcomer, whom all games are with; repeat"
    )
    parser.add_argument(
        "--games", type=count, default=100, metavar="N", dest="total", help="how many games (default 100)"
    )
    parser.add_argument(
        "--schedule",
        choices=("adaptive", "round-robin"),
        default="adaptive",
        help="who meets next: those whose order is in doubt (default), or everybody everybody as often",
    )
    parser.add_argument("--seed", type=seed, default=0, metavar="S", help="the arena's seed (default 0)")
    _arguments.add_sealed(parser)
    parser.add_argument("--out", metavar="FOLDER", help="keep the games in this folder and go on from it")
    parser.add_argument(
        "--from", nargs="+", metavar="FOLDER", dest="folders", help="play nothing, show what these hold"
    )
    parser.add_argument(
        "--page", metavar="FILE", help="write an HTML page: ladders, pairs, games turn by turn; it follows the arena"
    )
    parser.add_argument(
        "--shown", type=count, default=40, metavar="N", help="so many games of each are on the page (default 40)"
    )
    _arguments.add_workers(parser)
    parser.add_argument(
        "--on-illegal",
        choices=("fail", "random", "retry", "retry_random", "silent", "lose"),
        default="retry",
        help="as in `mmgames match`; by default an agent is asked again and loses after three illegal actions in a row",
    )
    parser.add_argument("--max-steps", type=count, metavar="N", help="leave longer episodes unfinished")
    _arguments.add_reading(parser)
    _arguments.add_clock(parser)
    _arguments.add_runner(parser)
    add_settings(parser, "an option of all games")
    _arguments.add_variates(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of tables")


def run(args: argparse.Namespace) -> int:
    from mmgames.arena.arena import Settings, arena, read
    from mmgames.arena.ladder import as_text, ladder
    from mmgames.commands import _arena_page
    from mmgames.errors import MmgamesError
    from mmgames.suites.pages.plots import check_writable

    if args.page:
        check_writable(args.page, "The page")
    if args.folders:
        if args.games or args.agents or args.add or args.out or args.clock:
            raise MmgamesError("--from shows what was played; it goes with no game, no agent, no --out and no --clock.")
        result = read(args.folders)
    else:
        options = _arguments.settings(
            *(args, "games", "agents", "add", "schedule", "seed", "out", "on_illegal", "max_steps", "reading", "clock")
        )
        games, total = args.games, args.total
        if not games:
            games, options, played = _begun(args.out, options)
            total = played + total if args.add else total
        result = arena(
            games,
            args.agents,
            total,
            Settings(
                *(args.schedule, _arguments.run_seed(args), args.on_illegal, args.max_steps, args.reading),
                options,
                args.clock,
            ),
            add=args.add,
            out=args.out,
            processes=_arguments.workers(args, 1),
            progress=True,
            concurrency=args.concurrency,
            budget=_arguments.budget(args),
            watch=_arena_page.LivePage(Path(args.page), args.variates) if args.page else None,
        )
    if args.page:
        _arena_page.write(Path(args.page), _arena_page.page(result, args.shown, variates=args.variates))
    rated = ladder(result, args.variates)
    print(json.dumps(rated, indent=2, ensure_ascii=False) if args.json else as_text(rated))
    lucky = not any("collected_without_luck" in one for one in rated["by_game"].values())
    if args.variates and not args.json and lucky:
        print(f"\n{_arguments.NO_LUCK}")
    return 1 if not rated["games"] else 0


def _begun(out: str | None, options: dict[str, Any]) -> tuple[list[str], dict[str, Any], int]:
    """The games of an arena that was begun, their options, and how many have been played."""
    from mmgames.arena.arena import GAMES, ROUNDS
    from mmgames.errors import MmgamesError
    from mmgames.running import records

    if out is None or not (Path(out) / ROUNDS).exists():
        raise MmgamesError("Name the games, such as TicTacToe; only an arena that was begun with --out knows them.")
    about, _ = records.read(Path(out) / ROUNDS)
    _, rows = records.read(Path(out) / GAMES)
    found = about.get("arena") or []
    own: dict[str, Any] = {}
    for one in found:
        own |= one["options"]
    return [one["game"] for one in found], {**own, **options}, len({row["episode"] for row in rows})
