"""Programs play over the Model Context Protocol: real client sessions of the official SDK, over stdio and over HTTP."""

import asyncio
import base64
import contextlib
import io
import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

pytest.importorskip("mcp")

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from PIL import Image

from mmgames.play.saved_games import SavedGames
from mmgames.running.records import read
from mmgames.running.replays import replay
from mmgames.serve.http_server import HttpServer
from mmgames.serve.remote_game import RemoteGames
from mmgames.serve.tools import server


def stdio(folder: Path):
    arguments = ["-m", "mmgames", "serve", "--mcp", "--records", str(folder)]
    return Client(StdioServerParameters(command=sys.executable, args=arguments, cwd=folder))


@contextlib.contextmanager
def serving(folder: Path, patience: float = 30.0):
    games = RemoteGames(SavedGames(folder))
    running = HttpServer(server(games, patience))
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        yield running
    finally:
        running.stop()
        thread.join()
        games.close()


@contextlib.asynccontextmanager
async def over_http(running: HttpServer):
    headers = {"Authorization": f"Bearer {running.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(running.url, http_client=http)) as client,
    ):
        yield client


@contextlib.asynccontextmanager
async def connected(way: str, folder: Path):
    """A client session over one of the two transports."""
    with contextlib.ExitStack() as stack:
        client = stdio(folder) if way == "stdio" else over_http(stack.enter_context(serving(folder)))
        async with client as session:
            yield session


async def call(client: Client, tool: str, **arguments):
    return await client.call_tool(tool, arguments)


def sentence(answer) -> str:
    """What a refused call says: one line of words and nothing else."""
    assert answer.is_error and len(answer.content) == 1
    text = answer.content[0].text
    assert "\n" not in text and "Traceback" not in text
    return text


def picture(answer) -> Image.Image:
    (part,) = [part for part in answer.content if part.type == "image"]
    assert part.mime_type == "image/png"
    return Image.open(io.BytesIO(base64.b64decode(part.data)))


@pytest.mark.parametrize("way", ["stdio", "http"])
def test_a_game_is_listed_started_seen_played_and_replayed(way: str, tmp_path: Path) -> None:
    async def session():
        async with connected(way, tmp_path) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert names == ["list_games", "describe_game", "start_game", "observe", "act", "replay", "leave"]
            listed = (await call(client, "list_games")).structured_content["games"]
            assert "mmgames/TicTacToe-v0" in [game["id"] for game in listed]
            about = (await call(client, "describe_game", game="TicTacToe")).structured_content
            assert about["seats"] == ["x", "o"] and "minimax" in about["agents"]

            begun = await call(client, "start_game", game="TicTacToe", others="minimax", seed=2)
            key = begun.structured_content["key"]
            assert picture(begun).size == (512, 512) and "## Rules" in begun.content[0].text
            seen = await call(client, "observe", key=key)
            assert picture(seen).tobytes() == picture(begun).tobytes()
            assert sentence(await call(client, "replay", key=key)).startswith("The game goes on")

            # Into the corners: whoever plays so loses against minimax, or draws.
            answer, pictures = seen, [picture(seen)]
            for reply in ("A1", '{"action": "A3"}', "C1", "C3", "A2", "B1", "B3", "C2", "B2"):
                if answer.structured_content["over"]:
                    break
                said = await call(client, "act", key=key, reply=reply)
                if not said.is_error:
                    answer = said
                    pictures.append(picture(answer))
                    assert "## Rules" not in answer.content[0].text
            told = answer.structured_content
            assert told["over"] and told["returns"]["x"] <= 0 and told["total"] == told["returns"]["x"]
            assert len({shown.tobytes() for shown in pictures}) == len(pictures)
            assert sentence(await call(client, "act", key=key, reply="B2")).startswith("The game is over")

            last = told["returns"]
            steps = (await call(client, "replay", key=key)).structured_content["steps"]
            replayed = [await call(client, "replay", key=key, step=step) for step in range(steps + 1)]
            assert picture(replayed[-1]).tobytes() == pictures[-1].tobytes()
            assert replayed[-1].structured_content["totals"] == [last["x"], last["o"]]
            assert "x: A1" in replayed[0].content[0].text
            assert "There is no step" in sentence(await call(client, "replay", key=key, step=99))
            return last

    returns = asyncio.run(session())
    (file,) = tmp_path.glob("*.jsonl")
    about, (row,) = read(file)
    assert about["agents"] == ["guest", "minimax"] and row["returns"] == [returns["x"], returns["o"]]
    assert [float(total) for total in list(replay(row))[-1].totals] == row["returns"]


def test_two_programs_talk_a_puzzle_through(tmp_path: Path) -> None:
    async def session():
        with serving(tmp_path, patience=20.0) as running:
            async with over_http(running) as solver, over_http(running) as expert:
                starting = call(solver, "start_game", game="WirePuzzle", seat="solver", others=["guest"])
                begun = (await starting).structured_content
                assert begun["seat"] == "solver" and list(begun["keys"]) == ["expert"]
                key, other = begun["key"], begun["keys"]["expert"]
                told = asyncio.create_task(call(solver, "act", key=key, reply="I see <three> wires & a light."))
                heard = await call(expert, "observe", key=other)
                while not heard.structured_content["your_turn"]:
                    heard = await call(expert, "observe", key=other)
                assert "I see <three> wires & a light." in heard.content[0].text
                answering = asyncio.create_task(call(expert, "act", key=other, reply="Which colours?"))
                assert "Which colours?" in (await told).content[0].text
                await call(solver, "leave", key=key)
                assert "unfinished" in (await answering).content[0].text

    asyncio.run(session())
    (file,) = tmp_path.glob("*.jsonl")
    _, (row,) = read(file)
    assert row["unfinished"] and len(row["actions"]) == 2


def test_what_cannot_be_is_refused_in_one_sentence(tmp_path: Path) -> None:
    async def session():
        with serving(tmp_path) as running:
            async with over_http(running) as client:
                key = (await call(client, "start_game", game="CoinDilemma")).structured_content["key"]
                id = key.partition(".")[0]
                start = {"game": "TicTacToe"}
                for tool, arguments, expected in (
                    ("start_game", {"game": "TicTacTo"}, "Did you mean 'TicTacToe'?"),
                    ("describe_game", {"game": ""}, "There is no environment"),
                    ("start_game", {**start, "seat": "y"}, "Unknown seat 'y'"),
                    ("start_game", {**start, "others": "os:system"}, "Unknown agent 'os:system'"),
                    ("start_game", {**start, "others": "human"}, "Unknown agent 'human'"),
                    ("start_game", {**start, "others": ["random", "random"]}, "lists 2 agents"),
                    ("start_game", {**start, "options": {"bord": 3}}, "Unknown option 'bord'"),
                    ("start_game", {**start, "seed": -1}, "A seed is a whole number"),
                    ("observe", {"key": f"{id}.nonsense"}, "This game is somebody else's."),
                    ("act", {"key": f"{id}.", "reply": "<UP>"}, "This game is somebody else's."),
                    ("leave", {"key": "no-such-game.key"}, "There is no such game"),
                    ("start_game", {**start, "bord": 3}, "Unknown argument 'bord'"),
                    ("start_game", {"seed": 3}, "'game'"),
                    ("start_game", {**start, "seed": "three"}, "'seed'"),
                ):
                    assert expected in sentence(await call(client, tool, **arguments)), (tool, arguments)

                # What is no move is told with the position, which stands as it was. It is asked again, free of charge;
                # then the third in a row loses.
                for strike in range(4):
                    answer = await call(client, "act", key=key, reply="I would rather go up.")
                    assert answer.is_error == (strike < 3)
                    assert ("no move" in answer.content[0].text) and answer.structured_content["over"] == (strike == 3)

    asyncio.run(session())


def test_http_is_for_this_machine_and_whoever_has_the_token(tmp_path: Path) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    with serving(tmp_path) as running:
        good = {"Authorization": f"Bearer {running.token}", "Accept": "application/json, text/event-stream"}
        for changed, status in (
            ({"Authorization": ""}, 401),
            ({"Authorization": "Bearer guessed"}, 401),
            ({"Authorization": f"Basic {running.token}"}, 401),
            ({"Origin": "https://example.org"}, 403),
            ({"Host": "example.org"}, 403),
        ):
            for ask in (
                lambda h: httpx2.post(running.url, json=body, headers=h),
                lambda h: httpx2.get(running.url, headers=h),
            ):
                answer = ask({**good, **changed})
                assert answer.status_code == status, changed
                assert list(answer.json()) == ["error"]
        assert httpx2.post(running.url, json=body, headers=good).status_code not in (401, 403)


def test_the_command_prints_address_and_token_and_keeps_what_was_played(tmp_path: Path, example) -> None:
    command = [sys.executable, "-m", "mmgames", "serve", "--mcp", "--http", "--records", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        url, (*_, token) = process.stderr.readline().strip(), process.stderr.readline().split()
        try:
            done = subprocess.run(
                [sys.executable, example("mcp_client").__file__, url, token],
                capture_output=True,
                text=True,
                timeout=120,
            )
        finally:
            process.terminate()
    assert done.returncode == 0 and "TicTacToe: {'x'" in done.stdout, done.stderr
    (file,) = tmp_path.glob("*.jsonl")
    assert json.loads(file.read_text("utf-8").splitlines()[1])["agents"] == ["guest", "minimax"]
