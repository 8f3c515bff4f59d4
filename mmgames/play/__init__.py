"""The play page: people in any seat of any game, in a browser on this machine. It needs the extra `play`.

position_json.py  what a seat is shown of a position
hosted_game.py    a game in progress with seats taken from outside, stepped as every match is
browser_game.py   one whose seats browsers take
saved_games.py    the folder of records: what was played is added to it, and what is in it can be replayed
recorded.py       recorded episodes and questions step by step
gallery.py        which games there are, how they look, who can play them
local_server.py   a web server that this machine alone can reach
server.py         all of that over HTTP, for this machine and whoever has the token alone
static/           the page itself
"""
