"""Find out who is stronger, with few games."""

import argparse
import json
from pathlib import Path
from typing import Any

from mmgames.commands import _arguments


def run(args: argparse.Namespace) -> int:
    from mmgames.arena.arena import Settings, arena, read
    from mmgames.arena.ladder import as_text, ladder
    from mmgames.commands import _arena_page
    from mmgames.core.whole_files import write_whole
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
        how = (args.on_illegal, args.max_steps, args.reading, options, args.clock)
        result = arena(
            games,
            args.agents,
            total,
            Settings(args.schedule, _arguments.run_seed(args), *how),
            add=args.add,
            out=args.out,
            processes=_arguments.workers(args, 1),
            progress=True,
            concurrency=args.concurrency,
            budget=_arguments.budget(args),
            watch=_arena_page.LivePage(Path(args.page), args.variates) if args.page else None,
        )
    if args.page:
        write_whole(Path(args.page), _arena_page.page(result, args.shown, variates=args.variates).encode())
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
    own = {name: value for one in found for name, value in one["options"].items()}
    return [one["game"] for one in found], {**own, **options}, len({row["episode"] for row in rows})
