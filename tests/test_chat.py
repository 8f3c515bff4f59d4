"""The chat agent against a real HTTP server."""

import json
import socket
import threading
import time
from email.utils import formatdate
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mmgames
from mmgames import cli, suites
from mmgames.agents import retries
from mmgames.baselines.models.chat import Chat
from mmgames.baselines.models.http_calls import Endpoint, NoAnswer
from mmgames.errors import MmgamesError, Unavailable
from mmgames.running import rate_limit
from mmgames.text.refusals import ASKED_AGAIN
from tests.chat_server import Drip, Fault, completion, pictures, serving, words
from tests.environments import begun
from tests.players import Acts, Says
from tests.refusing import refused

SECRET = "sk-test-4711-very-secret"


@pytest.fixture(autouse=True)
def keys_and_waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waits: list[float] = []
    for module in (retries, rate_limit):
        monkeypatch.setattr(module, "_sleep", waits.append)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    return waits


def first_legal(request: dict[str, Any], number: int) -> str:
    text = words(request["messages"][-1])
    legal = text.rpartition("## Legal actions")[2].partition("\n## ")[0].strip().split(", ")
    return json.dumps({"action": legal[0]})


def test_it_plays_sees_a_picture_and_the_prompt_and_remembers_by_seat_and_episode() -> None:
    with serving(first_legal) as server:
        agent = f"chat:tiny,base_url={server.url},temperature=0,max_tokens=50,seed=7,size=64,system=Win."
        result = mmgames.match("TicTacToe", [agent, "random"], 2, on_illegal="retry")
    assert result.summary()["seats"][0]["illegal"] == 0 and not any(row["failed"] for row in result.episodes)
    request = server.requests[0]
    assert [request[name] for name in ("model", "temperature", "max_tokens", "seed")] == ["tiny", 0, 50, 7]
    assert request["messages"][0] == {"role": "system", "content": "Win."}
    (picture,) = pictures(request["messages"][1])
    env: Any = gym.make("mmgames/TicTacToe-v0", size=64, observe=("rgb", "text"))
    seen, _ = env.reset(seed=result.episodes[0]["seed"])
    assert np.array_equal(np.asarray(picture), seen["rgb"]) and words(request["messages"][1]) == seen["text"]
    assert set(server.keys) == {f"Bearer {SECRET}"}
    with serving(first_legal) as server:
        agent = Chat("tiny", server.url, observe="text", history=2)
        mmgames.match("TicTacToe", agent, 2, on_illegal="retry", max_steps=6)
    assert [len(request["messages"]) for request in server.requests] == [1, 1, 3, 3, 5, 5] * 2
    for request in server.requests:
        told = [words(message).partition("## Now")[0] for message in request["messages"] if message["role"] == "user"]
        assert len(set(told)) == 1, "no seat sees what another was told"


def test_it_talks_answers_tasks_and_gets_frames_as_jpeg_or_text_alone() -> None:
    with serving(lambda request, number: "What do you see?") as server:
        name = f"chat:tiny,base_url={server.url},size=64"
        row = suites.find("comma").evaluate((name, name), 1, only="WirePuzzle")["rows"][0]
        assert row["raw"] == 0 and row["illegal"]["illegal"] == 0 and len(server.requests) == 20
        asked = len(server.requests)
        task = suites.find("lvlm-playground").evaluate(name, 3, only=["TicTacToe-Rule"])["rows"][0]
        counted = {"policy": "wrong", "replies": 3, "illegal": 3, "rate": 1.0, "drawn": 0, "asked_again": 3}
        assert task["illegal"] == {**counted, "kinds": {"not in the asked form": 3}}
        assert len(server.requests) == asked + 6 and pictures(server.requests[-1]["messages"][-1])[0].size == (64, 64)
    with serving(first_legal) as server:
        mmgames.match("Pong", Chat("tiny", server.url, picture="jpeg", size=96, frames=3), 1, max_steps=1)
        mmgames.match("TicTacToe", [Chat("tiny", server.url, observe=("text",)), "random"], 1, max_steps=1)
    seen = pictures(server.requests[0]["messages"][-1])
    assert len(seen) == 3 and {picture.format for picture in seen} == {"JPEG"}
    assert isinstance(server.requests[1]["messages"][-1]["content"], str)


def test_a_service_that_fails_once_is_asked_again(keys_and_waits: list[float]) -> None:
    for fault in (
        Fault(429, {"error": {"message": "slow down"}}, wait="7"),
        Fault(500, "<html>oops</html>"),
        Fault(503),
        Fault(200, '{"id": "c", "choices": [{"ind'),
        Fault(200, {**completion(""), "choices": []}),
        Fault(200, "null"),
        None,
    ):
        keys_and_waits.clear()
        with serving(lambda request, number, fault=fault: fault if number == 0 else "Action: B2") as server:
            assert Chat("tiny", server.url).answer({"text": "Move!"}) == "Action: B2"
        assert len(server.requests) == 2 and len(keys_and_waits) == 1
        assert keys_and_waits == [7.0] or 0.5 <= keys_and_waits[0] <= 1.0


def test_a_service_that_never_answers_is_unavailable_and_no_play() -> None:
    with serving(lambda request, number: Fault(502)) as server:
        agent = Chat("tiny", server.url, tries=2, observe="text", away=0)
        result = mmgames.match("TicTacToe", [agent, "random"], 1)
        assert result.episodes[0]["unavailable"] and "502" in result.episodes[0]["failed"]
        assert len(server.requests) == 2, "it tries again itself, and a match does not begin anew"
        with pytest.raises(Unavailable, match="502"):
            agent.answer({"text": "Move!"})
    with serving(lambda request, number: "late", latency=0.5) as server, pytest.raises(Unavailable, match="Timeout"):
        Chat("tiny", server.url, timeout=0.1, tries=1).answer({"text": "Move!"})
    for drip in (Drip(head=True), Drip(head=False)):
        late = pytest.raises(Unavailable, match=r"Timeout: no whole answer within 0\.2 s")
        with serving(lambda request, number, drip=drip: drip) as server, late:
            Chat("tiny", server.url, timeout=0.2, tries=1).answer({"text": "Move!"})


def test_a_reply_that_is_far_too_long_is_cut_with_a_mark_and_kept_once(tmp_path: Path) -> None:
    long = "x" * 3_000_000
    with serving(lambda request, number: long if number != 3 else completion("", reasoning_content=long)) as server:
        agent = Chat("tiny", server.url, observe="text", history=2)
        assert agent.answer({"text": "Move!"}).endswith("x\n[cut here: 2,000,000 more characters]")
        out = tmp_path / "kept.jsonl"
        record = mmgames.match("TicTacToe", [agent, "random"], 1, on_illegal="retry", out=out).episodes[0]
        suites.find("lvlm-playground").evaluate(agent, 1, only=["TicTacToe-Rule"], out=tmp_path / "questions")
    kept = record["replies"][0]
    assert kept["kind"] == "too long" and len(kept["reply"]) < 3000 and "1,000,038 characters" in kept["reply"]
    calls = out.with_suffix(".calls.jsonl")
    assert 4_000_000 < calls.stat().st_size < 4_010_000 and out.stat().st_size < 20_000
    assert len(json.dumps(server.requests[2])) < 20_000, "nor is it shown again in full"
    (rows,) = (file for file in (tmp_path / "questions").glob("*.jsonl") if ".calls" not in file.name)
    assert rows.stat().st_size < 20_000


def test_a_key_or_an_address_that_cannot_be_used_is_said_at_once_and_never_shown(monkeypatch: Any, capsys: Any) -> None:
    for wrong in ("localhost:8000", "http://", "http://localhost:port/v1"):
        refused(partial(Chat, "tiny", wrong), "is no address; it begins with http")
    monkeypatch.setenv("OPENAI_API_KEY", f"{SECRET}\n")
    with pytest.raises(MmgamesError, match="holds a line break") as told:
        Chat("tiny")
    assert SECRET not in str(told.value)
    monkeypatch.delenv("OPENAI_API_KEY")
    assert cli.main(["eval", "vs-bench", "--agent", "chat:tiny", "--episodes", "1"]) == 2
    assert "environment variable OPENAI_API_KEY, which is not set" in capsys.readouterr().err
    assert cli.main(["match", "TicTacToe", f"chat:tiny,key_from={SECRET}", "random", "--episodes", "1"]) == 2
    assert "sk-" not in capsys.readouterr().err
    assert SECRET not in repr(vars(Chat("tiny", "http://localhost:1/v1"))), "a server of one's own needs no key"


TOOL = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}


SAID = f"Incorrect API key provided: {SECRET}; sk-other-123456. This model takes no image."
TELLS_KEYS = {"error": {"message": SAID}}


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_an_endpoint_that_refuses_everything_stops_the_run(status: int, tmp_path: Path, capsys: Any) -> None:
    with serving(lambda request, number: Fault(status, TELLS_KEYS)) as server:
        agent = f"chat:tiny,base_url={server.url},size=64"
        asked = {
            "match": ["match", "TicTacToe", agent, "random", "--episodes", "3", "--out", str(tmp_path / "kept.jsonl")],
            "questions": ["eval", "lvlm-playground", "--agent", agent, "--episodes", "3", "--only", "TicTacToe-Rule"],
            "policy": ["eval", "vs-bench", "--agent", agent, "--episodes", "3", "--only", "KuhnPoker"],
        }
        for number, command in enumerate(asked.values(), 1):
            assert cli.main([*command, "--json"]) == 2
            told = capsys.readouterr()
            assert not told.out and str(status) in told.err and len(told.err.strip().splitlines()) == 1
            assert SECRET not in told.err and "sk-other" not in told.err
            assert len(server.requests) == number, "nothing was asked after the first refusal"
    kept = (tmp_path / "kept.jsonl").read_text() + (tmp_path / "kept.calls.jsonl").read_text()
    assert SECRET not in kept and "sk-other" not in kept


def test_a_prompt_that_the_endpoint_refuses_is_a_hole_or_silence_as_asked(tmp_path: Path) -> None:
    def filtered(request: dict[str, Any], number: int) -> Any:
        return Fault(400, TELLS_KEYS) if number == 0 else '{"action": "B2"}'

    with serving(filtered) as server:
        out = tmp_path / "kept.jsonl"
        result = mmgames.match("TicTacToe", [Chat("tiny", server.url, size=64), "random"], 2, out=out)
    hole, other = result.episodes
    assert hole["unavailable"] and "refuses the prompt (400)" in hole["failed"] and "observe=text" in hole["failed"]
    assert "unavailable" not in other, "one refused prompt costs one episode"
    assert SECRET not in out.read_text() and "sk-other" not in out.read_text()
    with serving(filtered) as server:
        agent = Chat("tiny", server.url, observe="text", on_filtered="silence")
        record = mmgames.match("TicTacToe", [agent, "random"], 1, on_illegal="retry_random").episodes[0]
    assert record["failed"] is None and record["replies"][0]["kind"] == "nothing said"
    with pytest.raises(MmgamesError, match="on_filtered='x' is not possible; choose missing or silence"):
        Chat("tiny", "http://localhost:1/v1", on_filtered="x")  # type: ignore[arg-type]
    stopped = completion("")
    stopped["choices"][0]["finish_reason"] = "content_filter"
    with serving(lambda request, number: stopped) as server:
        result = mmgames.match("TicTacToe", [Chat("tiny", server.url, observe="text"), "random"], 1)
    assert result.episodes[0]["unavailable"] and len(server.requests) == 1


@pytest.mark.parametrize("as_a_date", [False, True])
def test_a_wait_that_is_asked_for_is_kept(as_a_date: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(retries, "_sleep", waits.append)
    wait = formatdate(time.time() + 900, usegmt=True) if as_a_date else "900"
    with serving(lambda request, number: Fault(429, "", wait) if number == 0 else "B2") as server:
        assert Chat("tiny", server.url, observe="text").answer({"text": "Move!"}) == "B2"
        assert len(waits) == 1 and 600 <= waits[0] <= 900


def test_a_client_is_shared_by_seats_keeps_its_rate_and_uses_a_proxy(
    keys_and_waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Chat("tiny", "http://localhost:1/v1", temperature=0.5)
    other = one.fresh()
    assert other._client is one._client and other._exchanges is not one._exchanges
    assert one.describe() == other.describe() and one.describe()["sampling"] == {"temperature": 0.5}
    assert SECRET not in json.dumps(one.describe()) + repr(vars(one))
    for wrong in ({"observe": "sound"}, {"history": -1}, {"tries": 0}, {"system": "@nowhere.txt"}):
        refused(partial(Chat, "tiny", "http://localhost:1/v1", **wrong))
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: 0.0))
    with serving(lambda request, number: "B2") as server:
        agent = Chat("tiny", server.url, per_minute=60)
        for seat in (agent, agent.fresh(), agent):
            seat.answer({"text": "Move!"})
    assert keys_and_waits == [1.0, 2.0]
    refused(lambda: Chat("tiny", server.url, per_minute=0), "per_minute=0 is out of range")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with serving(lambda request, number: "B2") as server:
        monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1"))
        assert Chat("tiny", "http://model.example/v1").answer({"text": "Move!"}) == "B2"


def test_agents_of_ones_own_are_named_by_their_module(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [entry for entry in __import__("sys").path if entry])
    model = "class Model:\n    def __init__(self, words='Action: B2'): self.words = words\n"
    model += "    def answer(self, observation): return self.words\n"
    Path("own_model.py").write_text(f"{model}class Player:\n    def act(self, turn): return turn.legal[0]\n")
    command = ["match", "TicTacToe", "own_model:Player", "own_model:Model:words=C3", "--episodes", "1", "--json"]
    assert cli.main([*command, "--on-illegal", "random"]) == 0
    assert [seat["agent"] for seat in json.loads(capsys.readouterr().out)["seats"]] == command[2:4]
    words = "eval lvlm-playground --agent own_model:Model --episodes 1 --only Chess-Ask"
    assert cli.main(words.split()) == 0
    capsys.readouterr()
    assert cli.main(["eval", "lvlm-playground", "--agent", "own_model:Player", "--episodes", "1"]) == 2
    assert "can only play" in capsys.readouterr().err
    assert cli.main(["match", "TicTacToe", "own_model:Modle", "--episodes", "1"]) == 2
    assert "Did you mean 'Model'" in capsys.readouterr().err


def test_every_refused_reply_of_a_turn_stays_in_sight() -> None:
    with serving(lambda request, number: f"Hm {number}." if number < 2 else first_legal(request, number)) as server:
        agent = Chat("tiny", server.url, observe="text")
        mmgames.match("TicTacToe", [agent, "random"], 1, on_illegal="retry", max_steps=3)
    told = [request["messages"] for request in server.requests]
    said = [[one["content"] for one in messages if one["role"] == "assistant"] for messages in told]
    assert said == [[], ["Hm 0."], ["Hm 0.", "Hm 1."], []], "and leaves it with the next turn"
    agent = Acts("Hm.", "Hm.", lambda turn: next(iter(turn.names.values())))
    env: Any = begun(gym.make("mmgames/TicTacToe-v0", others=agent, observe="text"))
    env.step(4)
    assert [bool(why) for why in agent.refused] == [False, True, True]


def test_pictures_are_written_as_they_are() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (33, 57, 3), np.uint8)
    for pixels in (noise, noise[:1], noise[:, ::2]):
        (shown,) = pictures(mmgames.chat_messages({"rgb": pixels})[0])
        assert shown.format == "PNG" and np.array_equal(np.asarray(shown), pixels)
    (part,) = mmgames.chat_messages({"rgb": noise}, picture="pil")[0]["content"]
    assert np.array_equal(np.asarray(part["image"]), noise)
    refused(lambda: Chat("tiny", "http://localhost:1/v1", picture="pil"), "cannot be sent")
    with serving(first_legal) as server:
        plain, cot = (f"chat:tiny,base_url={server.url},observe=text,reasoning={how}" for how in ("direct", "cot"))
        suite = suites.find("lvlm-playground")
        found = [suite.evaluate(name, 1, only=["TicTacToe-Rule"])["header"]["prompts"] for name in (plain, plain, cot)]
    assert found[0] == found[1] != found[2] and list(found[0]) == ["mmgames/TicTacToe-Rule-v0"]


BAD = {
    "a refusal": (completion(None, refusal="I cannot help with that."), "not in the asked form", "refusals"),
    "nothing": (completion(""), "nothing said", None),
    "a megabyte": (completion("x" * 1_000_000), "too long", None),
    "markup": (completion("<script>alert(1)</script><b>B2</b>"), "not in the asked form", None),
    "a tool call": (completion(None, tool_calls=[TOOL]), "nothing said", "tool calls"),
    "another game's answer": (completion('{"action": "<BET>"}'), "not possible here", None),
    "a thought cut off": (completion("<think>B2 would be"), "cut off in a thought", "cut off at the token limit"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_replies_are_counted_and_reported_by_name(what: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    document, kind, ended = BAD[what]
    finish = {"tool calls": "tool_calls", "cut off at the token limit": "length"}.get(ended or "", "stop")
    document = {**document, "choices": [{**document["choices"][0], "finish_reason": finish}]}
    with serving(lambda request, number: document) as server:
        command = ["eval", "lvlm-playground", "--agent", f"chat:tiny,base_url={server.url},observe=text,history=1"]
        command += ["--only", "TicTacToe", "--only", "TicTacToe-Rule", "--episodes", "1"]
        command += ["--out", str(tmp_path / "run")]
        assert cli.main(command) == 0
        shown = capsys.readouterr().out
        assert cli.main([*command, "--json"]) == 0
        result = json.loads(capsys.readouterr().out)
    assert f"3 {kind}" in shown and f"1 {kind}" in shown
    assert [row["illegal"]["kinds"] for row in result["rows"]] == [{kind: 1}, {kind: 3}]
    calls = 4 + 2 * (kind in ASKED_AGAIN)
    assert result["calls"]["calls"] == calls and result["calls"]["ended"] == ({ended: calls} if ended else {})
    assert (f"{calls} {ended}" in shown) == (ended is not None)
    assert cli.main(["report", str(tmp_path / "run"), "--out", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text()
    assert "<script" not in page and kind in page and len(page) < 1_000_000
    for file in (tmp_path / "run").iterdir():
        assert SECRET not in file.read_text()


SPECIAL = "<|im_end|> <|im_start|> <start_of_turn> <end_of_turn> [INST] [/INST] <<SYS>> <image> </s> <IMG_CONTEXT> "
SPECIAL += "<｜User｜> <|eot_id|> <__media__> [IMG] <|image_1|> <unused12>"
TOKENS = SPECIAL.split()
UNSEEN = ["\u202e", "\u2066", "\u200b", "\u200f", "\ufeff", "\u2060", "\U000e0041", "a\u200db"]
ORDINARY = "红线 é ñ Ünïcödé 👩‍👩‍👧 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم नमस्ते <BET> <b>[1]</b> {x} 葛󠄀"


@pytest.mark.parametrize("game", ["WirePuzzle", "Spy"])
def test_what_one_seat_says_steers_no_other_seats_template(game: str) -> None:
    injects = Says(f"{' '.join(TOKENS)} {' '.join(UNSEEN)} {ORDINARY}")
    with serving(lambda request, number: "I see.") as server:
        agents = [injects, Chat("tiny", server.url, observe="text")] + ["random"] * (3 if game == "Spy" else 0)
        mmgames.match(game, agents, 1, max_steps=4, on_illegal="silent")
    heard = "".join(words(message) for request in server.requests for message in request["messages"])
    for token in [*TOKENS, *(mark for mark in UNSEEN if len(mark) == 1), "a\u200db"]:
        assert token not in heard, token
    assert "‹|im_start|›" in heard and "⟦INST⟧" in heard and "[U+202E]" in heard and "a[U+200D]b" in heard
    assert ORDINARY in heard


def test_an_endpoint_that_is_not_there_is_not_waited_for(
    capsys: Any, keys_and_waits: list[float], monkeypatch: Any
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    agent = f"chat:tiny,base_url=http://127.0.0.1:{port}/v1,size=64"
    assert cli.main(["match", "TicTacToe", agent, "random", "--episodes", "3"]) == 2 and keys_and_waits == []
    told = capsys.readouterr().err
    assert f"nobody answers at 127.0.0.1:{port}" in told and "base_url=" in told
    over = threading.Event()

    def swallowed(*given: Any) -> None:
        over.wait(60)
        raise TimeoutError("timed out")

    monkeypatch.setattr(socket, "create_connection", swallowed)
    with pytest.raises(NoAnswer, match=r"nobody answers at 192\.0\.2\.1:80 .no connection within 0\.2 s"):
        Endpoint("http://192.0.2.1/v1", {}, 60).reach(0.2)
    over.set()
