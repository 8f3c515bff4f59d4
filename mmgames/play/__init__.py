"""The play page: people in any seat of any game, in a browser on this machine. It needs the extra `play`.

frames.py    what a seat is shown of a position
sitting.py   a game in progress with seats taken from outside, stepped as every match is
session.py   one whose seats browsers take
shelf.py     the folder of records: what was played is added to it, and what is in it can be replayed
reels.py     recorded episodes and questions step by step
gallery.py   which games there are, how they look, who can play them
loopback.py  a web server that this machine alone can reach
server.py    all of that over HTTP, for this machine and whoever has the token alone
static/      the page itself
"""
