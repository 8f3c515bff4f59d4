"""Play any seat of any game in a browser on this machine, against agents or against another browser.

Prints the address of a page. Its start page shows all games; with an ID it begins at that game. Name agents as for
`mmgames match`, one for every seat, with the word person for a seat that a browser takes:

  mmgames play
  mmgames play CoinDilemma
  mmgames play TicTacToe person minimax
  mmgames play WirePuzzle person person

What is played is kept in the folder of records, as `mmgames match` keeps it, and can be replayed on the page like
all other records there. The page answers to this machine alone, and only with the token that is in its address.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from mmgames.commands import _arguments
from mmgames.text.command_line import add_settings, seconds, seed, steps

SUMMARY = "play in a browser, against agents or other people, and replay records"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", nargs="?", help="the game to begin with (default: show all)")
    parser.add_argument("agents", metavar="AGENT", nargs="*", help="who plays, one per seat, `person` for a browser")
    parser.add_argument("--seed", type=seed, metavar="S", help="deal the games of this seed (default: fresh ones)")
    parser.add_argument(
        "--records", type=Path, default=Path("results"), metavar="FOLDER", help="where records are (default: results)"
    )
    parser.add_argument("--port", type=steps, default=0, metavar="N", help="default: any free one")
    parser.add_argument("--open", action="store_true", help="open the page in the default browser")
    parser.add_argument(
        "--patience", type=seconds, default=900.0, metavar="S", help="end games unseen so long (default 900)"
    )
    parser.add_argument(
        "--clock", metavar="SECONDS", help="of the game to begin with: 30 for every turn, 300+5 for the whole game"
    )
    add_settings(parser, "an option of the game")


def run(args: argparse.Namespace) -> int:
    from mmgames.errors import MmgamesError, needs_extra

    with needs_extra("The play page", "play"):
        from mmgames.play.server import Server
    from mmgames.play import gallery, process_memory
    from mmgames.play.browser_game import PERSON, BrowserGames
    from mmgames.play.saved_games import SavedGames
    from mmgames.running.clocks import read_clock

    begin = None
    if args.id is not None:
        options = _arguments.settings(args, "id", "agents", "seed", "records", "port", "patience", "clock")
        read_clock(args.clock)
        choices = gallery.set_up(args.id, options)
        seats = [seat["role"] for seat in choices["seats"]]
        if args.agents and len(args.agents) != len(seats):
            raise MmgamesError(
                f"{choices['id']} has {len(seats)} seats ({', '.join(seats)}), but {len(args.agents)} agents are named."
            )
        if args.agents and PERSON not in args.agents:
            raise MmgamesError(f"Nobody plays in the browser; name {PERSON} for at least one seat.")
        begin = {"game": choices["id"], "agents": args.agents, "seed": args.seed, "options": options}
        begin |= {"clock": args.clock} if args.clock else {}
    elif args.set or args.clock:
        raise MmgamesError(f"--{'set' if args.set else 'clock'} is for one game; name it.")
    server = Server(BrowserGames(SavedGames(args.records), args.patience), args.port, begin)
    process_memory.keep_small()
    server.announce(args.open)
    server.run()
    return 0
