"""A program that plays over the Model Context Protocol, with the official SDK (`pip install 'mmgames[mcp]'`).

Alone it starts `mmgames serve --mcp` itself. With an address and a token it plays over HTTP:

  python examples/plugins/mcp_client.py
  python examples/plugins/mcp_client.py http://127.0.0.1:8765/mcp TOKEN
"""

import asyncio
import re
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ImageContent


def choose(prompt, picture):
    """Stands where your model would be asked: the first legal move."""
    return re.search(r"## Legal actions\n([^,\n]+)", prompt)[1]


async def play(client, game, **choices):
    """One game from start to end: its returns, how many pictures were seen, how the last position is described."""
    answer = await client.call_tool("start_game", {"game": game, **choices})
    if answer.is_error:
        raise SystemExit(answer.content[0].text)
    key, seen = answer.structured_content["key"], 0
    while not answer.structured_content["over"]:
        pictures = [part for part in answer.content if isinstance(part, ImageContent)]
        seen += len(pictures)
        if answer.structured_content["your_turn"]:
            reply = choose(answer.content[0].text, pictures[-1].data)
            answer = await client.call_tool("act", {"key": key, "reply": reply})
        else:
            answer = await client.call_tool("observe", {"key": key})
    first = await client.call_tool("replay", {"key": key, "step": 0})
    return answer.structured_content["returns"], seen, first.structured_content["steps"]


async def main(url="", token=""):
    here = StdioServerParameters(command=sys.executable, args=["-m", "mmgames", "serve", "--mcp"])
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=120)
    async with http, Client(streamable_http_client(url, http_client=http) if url else here) as client:
        games = (await client.call_tool("list_games", {})).structured_content["games"]
        returns, seen, steps = await play(client, "TicTacToe", others="minimax", seed=3)
        print(f"{len(games)} games; TicTacToe: {returns} after {steps} moves and {seen} pictures")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
