"""A model behind Anthropic's wire format, with its own client, against a scripted server that speaks it."""

import base64
import io
import json
from typing import Any

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("anthropic")

import mmgames
from mmgames.agents import retries
from mmgames.errors import ServiceRefused
from tests.chat_server import Fault, serving


@pytest.fixture(autouse=True)
def key_and_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    monkeypatch.setattr(retries, "_sleep", lambda seconds: None)


def message(text: str, **more: Any) -> dict[str, Any]:
    thought = {"type": "thinking", "thinking": 'Or {"action": "A1"}?', "signature": ""}
    kept = {"id": "m", "type": "message", "role": "assistant", "model": "tiny-1", "stop_sequence": None, **more}
    told = {"stop_reason": "end_turn", "usage": {"input_tokens": 10, "output_tokens": 3}}
    return {**kept, **told, "content": [thought, {"type": "text", "text": text}]}


def test_it_plays_and_sees_pictures(example, tmp_path) -> None:
    claude = example("anthropic_chat").Claude
    with serving(lambda request, number: message('{"action": "B2"}') if number else Fault(529)) as server:
        agent = claude("tiny", server.url.removesuffix("/v1"), system="Win.", size=64, history=1)
        out = tmp_path / "a.jsonl"
        record = mmgames.match("TicTacToe", [agent, "random"], 1, max_steps=3, on_illegal="random", out=out).episodes[0]
    assert record["actions"][0][0] == 4 and not record["failed"], "and an overloaded service is asked again"
    request = server.requests[-1]
    assert request["system"] == "Win." and "system" not in json.dumps(request["messages"])
    assert request["max_tokens"] == 1024
    picture, text = request["messages"][-1]["content"]
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(picture["source"]["data"]))))
    assert picture["source"]["media_type"] == "image/png" and pixels.shape == (64, 64, 3)
    assert text["text"].startswith("## Rules")
    call = json.loads(out.with_suffix(".calls.jsonl").read_text().splitlines()[-1])
    assert call["reasoning"] == 'Or {"action": "A1"}?' and (call["tokens_in"], call["tokens_out"]) == (10, 3)


def test_a_wrong_key_stops_the_run_and_a_refused_prompt_is_a_hole(example) -> None:
    claude = example("anthropic_chat").Claude
    with (
        serving(lambda request, number: Fault(401, {"error": {"message": "no"}})) as server,
        pytest.raises(ServiceRefused),
    ):
        mmgames.match("TicTacToe", [claude("tiny", server.url.removesuffix("/v1"), observe="text"), "random"], 1)
    with serving(lambda request, number: Fault(400, {"error": {"message": "no"}})) as server:
        agent = claude("tiny", server.url.removesuffix("/v1"), observe="text")
        assert mmgames.match("TicTacToe", [agent, "random"], 1).episodes[0]["unavailable"]
