"""Play in a browser, against agents or other people, and replay records."""

import argparse
import socket
import sys
import threading
from typing import Any

from mmgames.commands import _arguments

PATIENCE = 900.0
SWITCH = 0.0005  # seconds after which a game that draws lets the server answer others; a tenth of what is usual
PATIENCE_IN_ROOMS = 4 * 3600.0  # a laptop may be closed over lunch
FOR_ROOMS = ("certificate", "key", "behind", "name", "insecure", "rooms", "links")


def run(args: argparse.Namespace) -> int:
    from mmgames.agents.finding import make_agent
    from mmgames.core import extras, registry
    from mmgames.errors import MmgamesError, needs_extra

    with needs_extra("The play page", "play"):
        from mmgames.play.server import Server
    from mmgames.play import gallery, process_memory
    from mmgames.play.browser_game import PERSON, BrowserGames
    from mmgames.play.saved_games import SavedGames
    from mmgames.running.clocks import read_clock

    if args.whole_class and args.listen is None:
        args.listen = own_address()
        args.insecure = args.certificate is None and args.behind is None
    if args.listen is None and (alone := [name for name in FOR_ROOMS if getattr(args, name)]):
        raise MmgamesError(f"--{alone[0]} is for games over the network; say with --listen where to listen.")
    begin = None
    if args.id is not None:
        options = _arguments.settings(args, "id", "agents", "seed", "records", "port", "patience", "clock")
        if instead := registry.options_here(registry.find(args.id)):
            print(f"mmgames: {extras.played_instead([args.id], instead)}", file=sys.stderr)
            options = {**instead, **options}
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
    if begin is None:  # which games can be made here takes a second to find out, until somebody opens the page
        threading.Thread(target=gallery.games, daemon=True).start()
    if args.listen is not None:
        sys.setswitchinterval(SWITCH)
        return serve_rooms(args, SavedGames(args.records), begin)
    server = Server(BrowserGames(SavedGames(args.records), args.patience or PATIENCE), args.port, begin)
    server.announce(args.open)
    server.run()
    return 0


def own_address() -> str:
    """This machine's address in its network, as others there can ask for it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:  # nothing is sent
        try:
            asking.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(asking.getsockname()[0])


def serve_rooms(args: argparse.Namespace, saved: Any, begin: dict[str, Any] | None) -> int:
    """Rooms for whoever is invited; those of the game that was named are open from the start."""
    from mmgames.errors import MmgamesError
    from mmgames.play.game_rooms import Asked
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
    asked = None
    if begin and args.agents:
        asked = Asked(begin["game"], tuple(begin["agents"]), begin["seed"], begin["options"], begin.get("clock"))
    elif args.whole_class:
        raise MmgamesError("--class plays one game; name it, and who takes each of its seats.")
    games = RoomGames(saved, args.patience or PATIENCE_IN_ROOMS)
    server = RoomServer(games, place, None if args.agents else begin, asked if args.whole_class else None)
    if asked and not args.whole_class:
        open_ = sum(room.asked == asked for room in server.rooms.open_rooms())  # from before this was started again
        for _ in range((args.rooms or 1) - open_):
            server.rooms.open(*asked)
    server.tell(args.links)
    server.run()
    return 0
