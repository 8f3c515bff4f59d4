"""Play any seat of any game in a browser on this machine, against agents or against another browser.

Prints the address of a page. Its start page shows all games; with an ID it begins at that game. Name agents as for
`mmgames match`, one for every seat, with the word person for a seat that a browser takes:

  mmgames play
  mmgames play CoinDilemma
  mmgames play TicTacToe person minimax
  mmgames play WirePuzzle person person

What is played is kept in the folder of records, as `mmgames match` keeps it, and can be replayed on the page like
all other records there. The page answers to this machine alone, and only with the token that is in its address.

With --listen others play as well, in rooms, each with an invitation to one seat (docs/guides/rooms.md):

  mmgames play TicTacToe person person --listen 192.168.1.7:8443 --certificate cert.pem --key key.pem --rooms 12
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from mmgames.commands import _arguments
from mmgames.text.command_line import add_settings, count, port, seconds, seed

PATIENCE = 900.0
SWITCH = 0.0005  # seconds after which a game that draws lets the server answer others; a tenth of what is usual
PATIENCE_IN_ROOMS = 4 * 3600.0  # a laptop may be closed over lunch
SUMMARY = "play in a browser, against agents or other people, and replay records"
FOR_ROOMS = ("certificate", "key", "behind", "name", "insecure", "rooms", "links")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", nargs="?", help="the game to begin with (default: show all)")
    parser.add_argument("agents", metavar="AGENT", nargs="*", help="who plays, one per seat, `person` for a browser")
    parser.add_argument("--seed", type=seed, metavar="S", help="deal the games of this seed (default: fresh ones)")
    parser.add_argument(
        "--records", type=Path, default=Path("results"), metavar="FOLDER", help="where records are (default: results)"
    )
    parser.add_argument("--port", type=port, default=0, metavar="N", help="default: any free one")
    parser.add_argument("--open", action="store_true", help="open the page in the default browser")
    parser.add_argument(
        "--patience", type=seconds, metavar="S", help="end games unseen so long (default 900; in rooms four hours)"
    )
    parser.add_argument(
        "--clock", metavar="SECONDS", help="of the game to begin with: 30 for every turn, 300+5 for the whole game"
    )
    add_settings(parser, "an option of the game")
    group = parser.add_argument_group("rooms over the network")
    _arguments.add_listening(group)
    group.add_argument("--rooms", type=count, metavar="N", help="so many at once, if all agents are named (default 1)")
    group.add_argument("--links", type=Path, metavar="FILE", help="write invitations there instead of printing them")


def run(args: argparse.Namespace) -> int:
    from mmgames.agents.finding import make_agent
    from mmgames.core import registry
    from mmgames.errors import MmgamesError, needs_extra

    with needs_extra("The play page", "play"):
        from mmgames.play.server import Server
    from mmgames.play import gallery, process_memory
    from mmgames.play.browser_game import PERSON, BrowserGames
    from mmgames.play.saved_games import SavedGames
    from mmgames.running.clocks import read_clock

    if args.listen is None and (alone := [name for name in FOR_ROOMS if getattr(args, name)]):
        raise MmgamesError(f"--{alone[0]} is for games over the network; say with --listen where to listen.")
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
        for agent in dict.fromkeys(args.agents):  # who cannot play is better named here than on the page
            if agent != PERSON:
                make_agent(agent, registry.load(args.id).game(**options).spec).close()
        begin = {"game": choices["id"], "agents": args.agents, "seed": args.seed, "options": options}
        begin |= {"clock": args.clock} if args.clock else {}
    elif args.set or args.clock:
        raise MmgamesError(f"--{'set' if args.set else 'clock'} is for one game; name it.")
    process_memory.keep_small()
    if args.listen is not None:
        sys.setswitchinterval(SWITCH)
        return serve_rooms(args, SavedGames(args.records), begin)
    server = Server(BrowserGames(SavedGames(args.records), args.patience or PATIENCE), args.port, begin)
    server.announce(args.open)
    server.run()
    return 0


def serve_rooms(args: argparse.Namespace, saved: Any, begin: dict[str, Any] | None) -> int:
    """Rooms for whoever is invited; those of the game that was named are open from the start."""
    from mmgames.errors import MmgamesError
    from mmgames.play.listening import listening
    from mmgames.play.room_game import RoomGames
    from mmgames.play.room_server import RoomServer

    if args.open:
        raise MmgamesError("--open is for the page of this machine; with --listen, open one of the invitations.")
    if args.rooms and not args.agents:
        raise MmgamesError("--rooms opens rooms of one game; name it, and who takes each of its seats.")
    place = listening(
        args.listen, args.port, args.certificate, args.key, args.behind, args.name, insecure=args.insecure
    )
    server = RoomServer(RoomGames(saved, args.patience or PATIENCE_IN_ROOMS), place, None if args.agents else begin)
    if begin and args.agents:
        for _ in range(args.rooms or 1):
            server.rooms.open(begin["game"], begin["agents"], begin["seed"], begin["options"], begin.get("clock"))
    server.tell(args.links)
    server.run()
    return 0
