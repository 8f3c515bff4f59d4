"""Let programs elsewhere play, over the Model Context Protocol."""

import argparse
import os
import sys


def run(args: argparse.Namespace) -> int:
    from mmgames.errors import MmgamesError, needs_extra

    if not args.mcp:
        raise MmgamesError("Say how to serve: --mcp is the one way there is.")
    if args.port is not None and not args.http:
        raise MmgamesError("--port is for HTTP; add --http.")
    check_mcp()
    with needs_extra("The MCP server", "mcp"):
        from mmgames.serve.http_server import HttpServer
        from mmgames.serve.tools import server
    from mmgames.play.saved_games import SavedGames
    from mmgames.serve.remote_game import RemoteGames

    games = RemoteGames(SavedGames(args.records), args.patience)
    try:
        if not args.http:
            server(games).run("stdio")
            return 0
        http_server = HttpServer(server(games), args.port or 0, os.environ.get("MMGAMES_TOKEN"))
        # Standard output stays free, as it is the wire of the other way.
        print(f"{http_server.url}\nAuthorization: Bearer {http_server.token}", file=sys.stderr, flush=True)
        http_server.run()
    finally:
        games.close()
    return 0


def check_mcp() -> None:
    """Raise if the SDK that is installed is one of the first release line, as OpenEnv needs it."""
    from importlib.metadata import PackageNotFoundError, version

    from mmgames.errors import MmgamesError

    try:
        found = version("mcp")
    except PackageNotFoundError:
        return  # what is missing is said where it is imported
    if found.partition(".")[0] == "1":
        raise MmgamesError(
            f"The MCP server needs mcp 2 or later; here is {found}, to which OpenEnv and fastmcp hold on: "
            "pip install 'mmgames[mcp]' in a virtual environment of its own."
        )
