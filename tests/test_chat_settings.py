"""The settings of chat models: what is sent, what is kept apart, what is seen again; against a real server."""

import base64
import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import mmgames
from mmgames import suites
from mmgames.agents import retries
from mmgames.agents.finding import find_agent
from mmgames.baselines.models.chat import PRESETS, Chat
from mmgames.baselines.models.wire_formats import FORMATS
from mmgames.errors import PromptRefused
from mmgames.running.journal import Budget
from tests.chat_server import Fault, completion, pictures, serving, words
from tests.refusing import refused


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "_sleep", lambda seconds: None)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def moves(*names: str) -> Any:
    return lambda request, number: json.dumps({"action": names[number % len(names)]})


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_is_kept_apart_from_the_answer_and_is_none(field: str, tmp_path: Path) -> None:
    document = completion('{"action": "B2"}', **{field: 'Perhaps {"action": "A1"}.'})
    document["usage"]["completion_tokens_details"] = {"reasoning_tokens": 2}
    with serving(lambda request, number: document) as server:
        agent = Chat("tiny", server.url, observe="text", history=2)
        record = mmgames.match("TicTacToe", [agent, "random"], 1, max_steps=3, out=tmp_path / "a.jsonl").episodes[0]
    assert record["actions"][0][0] == 4 and record["replies"][0]["reply"] == '{"action": "B2"}'
    call = json.loads((tmp_path / "a.calls.jsonl").read_text().splitlines()[2])
    assert call["reasoning"] == 'Perhaps {"action": "A1"}.' and call["tokens_reasoning"] == 2
    assert "Perhaps" not in json.dumps(server.requests), "it is not sent back"
    with serving(lambda request, number: completion("", reasoning_content='{"action": "B2"}')) as server:
        agent = Chat("tiny", server.url, observe="text")
        record = mmgames.match("TicTacToe", [agent, "random"], 1, on_illegal="random", max_steps=1).episodes[0]
    assert record["replies"][0]["kind"] == "nothing said"


def test_what_an_endpoint_takes_beside_is_sent_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "body.json").write_text('{"top_k": 1}')
    body = '{"thinking": {"type": "enabled", "budget_tokens": 2000}, "stop": ["a", "b"], "flag": true}'
    spec = mmgames.specs["mmgames/TicTacToe-v0"]
    with serving(moves("B2")) as server:
        named = f"chat:tiny,base_url={server.url},extra_body={body},reasoning_effort=high,temperature=0"
        agent = find_agent(named, spec)
        agent.answer({"text": "Move!"})
        Chat("tiny", server.url, extra_body=f"@{tmp_path / 'body.json'}").answer({"text": "Move!"})
    first, second = server.requests
    assert first["thinking"]["budget_tokens"] == 2000 and first["stop"] == ["a", "b"] and first["flag"] is True
    assert first["reasoning_effort"] == "high" and first["temperature"] == 0 and second["top_k"] == 1
    assert agent.describe()["extra_body"]["stop"] == ["a", "b"]
    assert agent.describe()["sampling"]["reasoning_effort"] == "high"
    for wrong in ("{", "[1]", "@nowhere.json"):
        refused(partial(Chat, "tiny", "http://localhost:1/v1", extra_body=wrong), "extra_body")


def cut_below(tokens: int) -> Any:
    def script(request: dict[str, Any], number: int) -> dict[str, Any]:
        document = completion("The best" if request["max_tokens"] < tokens else '{"action": "B2"}')
        document["choices"][0]["finish_reason"] = "length" if request["max_tokens"] < tokens else "stop"
        return document

    return script


def test_a_reply_that_is_cut_off_is_asked_for_again_with_more_tokens(tmp_path: Path) -> None:
    budget = Budget()
    with serving(cut_below(400)) as server:
        agent = Chat("tiny", server.url, observe="text", max_tokens=100, max_tokens_cap=500)
        out = tmp_path / "a.jsonl"
        record = mmgames.match("TicTacToe", [agent, "random"], 1, max_steps=1, out=out, budget=budget).episodes[0]
    assert [request["max_tokens"] for request in server.requests] == [100, 200, 400]
    assert record["actions"][0][0] == 4 and budget.spent["calls"] == 3 and budget.spent["tokens"] == 3 * 13
    with serving(cut_below(10_000)) as server:
        agent = Chat("tiny", server.url, max_tokens=100, max_tokens_cap=150)
        assert agent.answer({"text": "Move!"}) == "The best" and agent.last_call["finish"] == "length"
    assert [request["max_tokens"] for request in server.requests] == [100, 150]
    refuses = cut_below(10_000)
    with serving(lambda request, number: Fault(400) if number else refuses(request, number)) as server:
        agent = Chat("tiny", server.url, max_tokens=100, max_tokens_cap=500)
        assert agent.answer({"text": "Move!"}) == "The best", "the model takes no more"
    refused(lambda: Chat("tiny", server.url, max_tokens_cap=500), "may grow, which is not set")


def test_a_preset_is_a_papers_decoding_and_gives_way_to_what_is_set() -> None:
    with serving(moves("B2")) as server:
        for name in PRESETS:
            Chat("tiny", server.url, preset=name).answer({"text": "Move!"})
        agent = Chat("tiny", server.url, preset="viki", max_tokens=50)
    sent = dict(zip(PRESETS, server.requests, strict=True))
    assert sent["vs-bench"]["temperature"] == 1 and sent["vs-bench"]["max_tokens"] == 8192
    assert sent["vs-bench-reasoning"]["max_tokens"] == 8192 + 16000
    assert [sent[name]["temperature"] for name in ("comma", "comma-reasoning")] == [0, 0.6]
    assert "temperature" not in sent["lvlm-playground"] and sent["lvlm-playground"]["max_tokens"] == 812
    assert agent.sampling == {"temperature": 0.0, "max_tokens": 50} and agent.tries == 5
    assert Chat("tiny", server.url, preset="lvlm-playground").style["size"] == 1000
    refused(lambda: Chat("tiny", server.url, preset="vsbench"), r"Unknown preset 'vsbench'.*Did you mean 'vs-bench'")


def anthropic_says(text: str, reason: str = "end_turn") -> dict[str, Any]:
    thought = {"type": "thinking", "thinking": 'Or {"action": "A1"}?', "signature": ""}
    used = {"input_tokens": 10, "output_tokens": 3}
    return {
        "model": "tiny-1",
        "stop_reason": reason,
        "usage": used,
        "content": [thought, {"type": "text", "text": text}],
    }


def google_says(text: str, reason: str = "STOP") -> dict[str, Any]:
    parts = [{"text": 'Or {"action": "A1"}?', "thought": True}, {"text": text}]
    used = {"promptTokenCount": 10, "candidatesTokenCount": 1, "thoughtsTokenCount": 2}
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": reason}
    return {"modelVersion": "tiny-1", "usageMetadata": used, "candidates": [candidate]}


@pytest.mark.parametrize(
    ("api", "says", "path", "cut"),
    [
        ("anthropic", anthropic_says, "/v1/messages", "max_tokens"),
        ("google", google_says, "/v1/models/tiny:generateContent", "MAX_TOKENS"),
    ],
)
def test_other_wire_formats_play_see_pictures_and_think_for_a_budget(
    api: str, says: Any, path: str, cut: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FORMATS[api].key_from, "sk-other")
    answers = [Fault(529), says("", cut), *[says('{"action": "B2"}')] * 9]
    limits = {"max_tokens": 100, "max_tokens_cap": 200, "thinking": 2000, "temperature": 1.0}
    with serving(lambda request, number: answers[number]) as server:
        agent = Chat("tiny", server.url, api=api, system="Win.", size=64, history=1, **limits)
        out = tmp_path / "a.jsonl"
        record = mmgames.match("TicTacToe", [agent, "random"], 1, max_steps=3, on_illegal="random", out=out).episodes[0]
    assert record["actions"][0][0] == 4 and not record["failed"], "what is away or cut off is asked again"
    assert set(server.paths) == {path} and set(server.keys) == {"sk-other"}
    call = json.loads(out.with_suffix(".calls.jsonl").read_text().splitlines()[-1])
    assert call["reasoning"] == 'Or {"action": "A1"}?' and (call["tokens_in"], call["tokens_out"]) == (10, 3)
    _, first, again, *_, last = server.requests
    if api == "anthropic":
        assert first["thinking"] == {"type": "enabled", "budget_tokens": 2000} and first["temperature"] == 1
        assert (first["max_tokens"], again["max_tokens"], first["system"]) == (2100, 2200, "Win.")
        turns = [(turn["role"], turn["content"]) for turn in last["messages"]]
        pictures = [part["source"] for part in turns[-1][1] if part["type"] == "image"]
        kinds = [(picture["media_type"], picture["data"]) for picture in pictures]
        texts = [part["text"] for part in turns[-1][1] if part["type"] == "text"]
    else:
        config = first["generationConfig"]
        assert config["thinkingConfig"]["thinkingBudget"] == 2000 and config["temperature"] == 1
        assert (config["maxOutputTokens"], again["generationConfig"]["maxOutputTokens"]) == (2100, 2200)
        assert first["systemInstruction"]["parts"] == [{"text": "Win."}]
        turns = [(turn["role"].replace("model", "assistant"), turn["parts"]) for turn in last["contents"]]
        kinds = [tuple(part["inlineData"].values()) for part in turns[-1][1] if "inlineData" in part]
        texts = [part["text"] for part in turns[-1][1] if "text" in part]
    assert [role for role, _ in turns] == ["user", "assistant", "user"][-len(turns) :]
    ((kind, data),) = kinds
    assert kind == "image/png" and Image.open(io.BytesIO(base64.b64decode(data))).size == (64, 64)
    assert texts[-1].startswith("## Rules")


def test_a_format_refuses_settings_that_it_lacks_and_prompts_that_a_filter_stops(monkeypatch: Any) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "sk-other")
    refused(lambda: Chat("tiny", "http://x", api="openai", thinking=5), "thinking= is no setting of api=openai")
    refused(lambda: Chat("tiny", "http://x", api="anthropic", seed=5), "seed= is no setting of api=anthropic")
    refused(lambda: Chat("tiny", "http://x", api="gogle"), "Unknown api 'gogle'.*Did you mean 'google'")
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}}
    with serving(lambda request, number: blocked) as server, pytest.raises(PromptRefused, match="filter"):
        Chat("tiny", server.url, api="google").answer({"text": "Move!"})


def test_of_several_replies_the_most_frequent_legal_move_is_taken(tmp_path: Path) -> None:
    def play(*names: str) -> Any:
        budget, out = Budget(), tmp_path / f"{'-'.join(names)}.jsonl"
        with serving(moves(*names)) as server:
            agent = Chat("tiny", server.url, observe="text", votes=len(names), seed=7, history=1)
            match = mmgames.match("TicTacToe", [agent, "random"], 1, max_steps=1, out=out, budget=budget)
        assert [request["seed"] for request in server.requests] == [7 + place for place in range(len(names))]
        assert budget.spent["calls"] == len(names) and budget.spent["tokens"] == 13 * len(names)
        assert all(len(request["messages"]) == 1 for request in server.requests), "no sample sees another"
        return match.episodes[0]["actions"][0][0], out

    assert play("A1", "Z9", "Z9", "Z9", "B2", "B2")[0] == 4, "what is no move has no vote"
    assert play("B2", "A1", "A1", "B2")[0] == 4, "of equals the first"
    _, out = play("C3", "A1", "A1")
    assert len(json.loads(out.with_suffix(".calls.jsonl").read_text().splitlines()[2])["votes"]) == 3
    with serving(lambda request, number: ["A", "B", "B"][number % 3]) as server:
        agent = Chat("tiny", server.url, observe="text", votes=3)
        suites.find("lvlm-playground").evaluate(agent, 1, only="TicTacToe-Ask", out=tmp_path / "questions")
    files = (tmp_path / "questions").glob("*.jsonl")
    (rows,) = (file for file in files if "calls" not in file.name and "bal" not in file.name)
    assert json.loads(rows.read_text().splitlines()[1])["reply"] == "B"


def test_words_and_pictures_are_remembered_apart() -> None:
    with serving(moves("<UP>", "<STAY>", "<STAY>")) as server:
        agent = Chat("tiny", server.url, size=64, history=2, pictures=1, recap=5)
        mmgames.match("CoinDilemma", [agent, "random"], 1, max_steps=4, on_illegal="random")
    last = server.requests[-1]["messages"]
    assert [message["role"] for message in last] == ["user", "assistant"] * 2 + ["user"]
    assert [len(pictures(message)) for message in last[::2]] == [0, 1, 1] and "no longer shown" in words(last[0])
    assert words(last[-1]).endswith('## Before\nYour answers in earlier turns, oldest first:\n- {"action": "<UP>"}')
    assert "## Before" not in words(server.requests[0]["messages"][-1])

    def script(request: dict[str, Any], number: int) -> str:
        notes = f'<scratchpad>Note {number}: {{"action": "A1"}}</scratchpad>' if number != 1 else ""
        return f'{notes}{{"action": "{("B2", "A1", "A2", "C3", "A3")[number % 5]}"}}'

    with serving(script) as server:
        agent = Chat("tiny", server.url, observe="text", scratchpad=True)
        record = mmgames.match("TicTacToe", [agent, "random"], 1, max_steps=5, on_illegal="random").episodes[0]
    prompts = [words(request["messages"][-1]) for request in server.requests]
    assert record["actions"][0][0] == 4
    assert "There are none yet" in prompts[0] and prompts[1].endswith('Note 0: {"action": "A1"}')
    assert prompts[2].endswith('Note 0: {"action": "A1"}'), "they stay until there are new ones"
    again = agent.fresh()
    again.recall({"text": "Move!"}, script({}, 7))
    assert words(again.messages({"text": "Move!"})[-1]).endswith('Note 7: {"action": "A1"}')


def test_examples_come_first_and_pictures_have_the_detail_that_is_asked_for(tmp_path: Path) -> None:
    Image.fromarray(np.full((4, 6, 3), 9, np.uint8)).save(tmp_path / "board.png")
    turns = [{"role": "user", "content": "Here?", "pictures": ["board.png"]}, {"role": "assistant", "content": "C1"}]
    (tmp_path / "turns.json").write_text(json.dumps(turns))
    with serving(moves("B2")) as server:
        agent = Chat("tiny", server.url, system="Win.", size=64, examples=str(tmp_path / "turns.json"))
        agent.answer({"text": "Move!"})
    system, question, answer, own = server.requests[0]["messages"]
    assert (system["role"], words(question), words(answer), words(own)) == ("system", "Here?", "C1", "Move!")
    assert np.asarray(pictures(question)[0]).shape == (4, 6, 3)
    assert agent.describe()["examples"] != Chat("tiny", server.url).describe().get("examples")
    (tmp_path / "turns.json").write_text(json.dumps(turns[:1]))
    refused(lambda: Chat("tiny", server.url, examples=str(tmp_path / "turns.json")), "The examples cannot be read")
    with serving(moves("B2")) as server:
        for how in ({}, {"image_detail": "low"}):
            agent = Chat("tiny", server.url, size=64, **how)
            mmgames.match("TicTacToe", [agent, "random"], 1, max_steps=1)
    parts = [request["messages"][-1]["content"][1]["image_url"] for request in server.requests]
    assert "detail" not in parts[0] and parts[1]["detail"] == "low" and agent.describe()["image_detail"] == "low"
