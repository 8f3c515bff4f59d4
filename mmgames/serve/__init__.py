"""Games for programs elsewhere: `mmgames serve --mcp` speaks the Model Context Protocol. It needs the extra `mcp`.

remote_game.py  a game in progress whose seats are taken by such programs
tools.py        what they can ask for: list games, start one, observe, act, replay
http_server.py  the same over HTTP, for this machine and whoever has the token alone
"""
