"""Pages in a browser: any seat of any game for people, here or over the network, and all calls of a run (extra `play`).

position_json.py  what a seat is shown of a position
hosted_game.py    a game in progress with seats taken from outside, stepped as every match is
browser_game.py   one whose seats browsers take
deputy.py         an agent that plays on for somebody who is away
saved_games.py    the folder of records: what was played is added to it, and what is in it can be replayed
recorded.py       recorded episodes and questions step by step
gallery.py        which games there are, how they look, who can play them
listening.py      where a server for others listens, and who encrypts
bounded_socket.py only so many connections, none of which keeps the server waiting
network_guard.py  lets in whoever was invited alone
game_rooms.py     rooms, and who was invited to which seat of them
room_game.py      a game in a room, with spectators
room_server.py    rooms over HTTP
local_server.py   a web server that this machine alone can reach
page_guard.py     lets in whoever has the token alone, and says what pages may do
process_memory.py gives back to the system what was freed
server.py         all of that over HTTP
static/           the page itself

The viewer of calls (`mmgames view`) stands beside it:

recorded_calls.py   the calls of a run, from its results files and journals
rebuilt_prompts.py  what models were asked, rebuilt from records
call_index.py       all calls in one searchable place
viewer.py           the pages, without a script, over HTTP
"""
