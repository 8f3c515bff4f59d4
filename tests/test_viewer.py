"""The viewer of calls: every call is listed, found and opened as it was, and nothing in it runs or tells a secret."""

import contextlib
import http.client
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from mmgames import cli, suites
from mmgames.agents.retries import NO_RETRIES
from mmgames.baselines.models.conversation import Conversation
from mmgames.play.call_index import PAGE, CallIndex, Search
from mmgames.play.rebuilt_prompts import rebuild
from mmgames.play.viewer import Viewer
from mmgames.running.matches import match
from tests.play_server import running
from tests.refusing import refused
from tests.test_reports import Page

NASTY = "<script>document.title = 'run'</script><img src=x onerror=alert(1)> zebra"
KEY = "sk-live-1234567890abcdef"


class Scripted(Conversation):
    name = "scripted"
    retry_policy = NO_RETRIES

    def __init__(self, breaks_at: int = -1) -> None:
        super().__init__(history=1, size=64)
        self.asked, self.breaks_at = 0, breaks_at

    def complete(self, messages: list[dict[str, Any]]) -> str:
        self.asked += 1
        self.last_call = {"model": "tiny-1", "tokens_in": 10, "tokens_out": 3, "headers": {"Authorization": KEY}}
        if self.asked == self.breaks_at:
            raise ValueError(f"Incorrect API key provided: {KEY}, authorization: Basic {KEY[8:]}")
        return [NASTY, "My move is B2", '{"action": "A1"}', '{"action": "<BET>"}', "C3", "A2"][self.asked % 6]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match, one that broke off, questions, and a policy that was asked for view by view."""
    folder = tmp_path_factory.mktemp("run")
    tictactoe = "mmgames/TicTacToe-v0"
    match(tictactoe, (Scripted(), "random"), 3, out=folder / "good.jsonl", on_illegal="retry_random")
    match(tictactoe, ("random", Scripted(3)), 1, out=folder / "broken.jsonl", on_illegal="retry_random")
    suites.find("vs-bench").evaluate(Scripted(), 2, only=["KuhnPoker", "KuhnPoker-Predict"], out=folder / "suite")
    return folder


@pytest.fixture(scope="module")
def index(run: Path) -> Iterator[CallIndex]:
    made = CallIndex([run])
    made.fill()
    yield made
    made.close()


def journal(path: Path) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    return [row for row in rows if not row.get("begun")]


def every(index: CallIndex, **wanted: Any) -> list[Any]:
    search = Search(**wanted)
    count, _ = index.search(search)
    found = [call for page in range(-(-count // PAGE)) for call in index.search(search, page)[1]]
    assert len(found) == count == len({call["id"] for call in found})
    return found


def test_every_call_is_listed_rebuilt_and_opened_as_it_was(run: Path, index: CallIndex) -> None:
    rows = [row for path in run.rglob("*.calls.jsonl") for row in journal(path)]
    calls = every(index)
    assert len(calls) == len(rows) == index.calls > PAGE
    answered = [call for call in calls if not call["failed"]]
    took = {tuple(call[key] for key in ("agent", "model", "tokens_in", "tokens_out")) for call in answered}
    assert took == {("scripted", "tiny-1", 10, 3)}
    played = [call for call in calls if call["file_name"] == "good.jsonl"]
    replies = [
        (row["episode"], one)
        for row in map(json.loads, (run / "good.jsonl").read_text().splitlines()[1:])
        for one in row["replies"]
    ]
    keys = ("seat", "step", "reply", "kind", "refused")
    told = [tuple(call["said" if key == "reply" else key] for key in ("episode", *keys)) for call in played]
    assert told == [(episode, *(one.get(key, "") for key in keys)) for episode, one in replies]
    assert all(call["seconds"] is not None for call in played) and any(call["kind"] for call in played)
    calls = every(index)
    chosen = [call for call in calls if call["file_name"] in ("good.jsonl", "broken.jsonl")]
    chosen += every(index, game="mmgames/KuhnPoker-Predict-v0") + every(index, game="mmgames/KuhnPoker-v0")[:8]
    again = 0
    for call in chosen:
        found, about, record = index.find(call["id"])
        made = rebuild(about, record, found["seat"], found["number"])
        again += "Your last reply was no move" in json.dumps(made.messages[-1])
        if not call["failed"]:
            assert made.fingerprint == found["prompt"], dict(found)
            refused = [made.read] if not isinstance(made.read, str) else []
            assert (refused[0].kind if refused else "") == found["kind"]
    assert again > 3, "what a refused reply was told is there"
    assert index.prompts == index.calls - 1, "all but that of the call that failed"
    call = next(call for call in every(index, words="move", where="reply") if call["file_name"] == "good.jsonl")
    _, about, record = index.find(call["id"])
    made = rebuild(about, record, call["seat"], call["number"])
    assert not isinstance(made.read, str) and made.read.kind == "not in the asked form"
    last = max((one for one in every(index) if one["file_name"] == "good.jsonl"), key=lambda one: one["id"])
    _, about, record = index.find(last["id"])
    assert record is not None
    made = rebuild(about, record, last["seat"], last["number"])
    assert made.reward == (record["returns"][0] if last["step"] == record["length"] - 1 else 0.0)
    _, about, record = index.find(every(index, game="mmgames/KuhnPoker-Predict-v0")[0]["id"])
    assert record is not None
    made = rebuild(about, record, "", len(record.get("replies", "1")) - 1)
    assert made.right in ("<BET>", "<PASS>") and made.reward == record["score"]


def test_words_and_filters_find_what_they_should(index: CallIndex) -> None:
    for wanted, right in (
        ({"words": "zebra"}, lambda call: "zebra" in call["said"]),
        ({"words": "ZEB my"}, lambda call: False),
        ({"words": '"move is"', "where": "reply"}, lambda call: "move is" in call["said"]),
        ({"words": '"is move"', "where": "reply"}, lambda call: False),
        ({"words": "zebra", "where": "prompt", "game": "mmgames/KuhnPoker-Predict-v0"}, lambda call: False),
        ({"words": "jack"}, lambda call: "Kuhn" in call["game"]),
        ({"words": "jack", "where": "reply"}, lambda call: False),
        ({"words": "jack zebra"}, lambda call: "Kuhn" in call["game"] and "zebra" in call["said"]),
        ({"refused": True}, lambda call: call["kind"] or call["failed"]),
        ({"agent": "nobody"}, lambda call: False),
        ({"words": "zebra", "episode": 1}, lambda call: "zebra" in call["said"] and call["episode"] == 1),
        ({"game": "mmgames/TicTacToe-v0"}, lambda call: "Tic" in call["game"]),
        ({"episode": 0}, lambda call: call["episode"] == 0),
    ):  # fmt: skip
        assert {call["id"] for call in every(index, **wanted)} == {call["id"] for call in every(index) if right(call)}


def test_no_words_are_an_error(index: CallIndex, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    for words in ('"', "*", "AND OR NOT", "a AND (", "NEAR(", "\0", "%_", "-x", '"" x', "_", "^a:b", "’"):
        index.search(Search(words=words))
    assert cli.main(["view", str(tmp_path / "nothing")]) == 2
    assert "no results are kept there" in capsys.readouterr().err
    refused(lambda: CallIndex([tmp_path]), "no results")


@contextlib.contextmanager
def serving(*folders: Path) -> Iterator[Viewer]:
    viewer = Viewer(folders)
    with running(viewer):
        while viewer.index.state != "done":
            time.sleep(0.01)
        yield viewer


def ask(viewer: Viewer, path: str, token: str = "", host: str = "", **query: Any) -> tuple[int, str, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", viewer.port, timeout=60)
    address = f"/{token or viewer.token}/{path}?{urlencode(query)}"
    connection.request("GET", address, headers={"Host": host or f"127.0.0.1:{viewer.port}"})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text, answer.headers


def test_the_pages_run_nothing_and_tell_no_secret(run: Path) -> None:
    with serving(run) as viewer:
        calls = every(viewer.index)
        nasty = next(call for call in calls if call["said"] == NASTY)
        failed = next(call for call in calls if call["failed"])
        assert KEY[8:] not in failed["failed"] and "ValueError" in failed["failed"]
        for path, query in [
            *[("calls", {"page": page}) for page in range(len(calls) // PAGE + 1)],
            *[("call", {"id": call["id"], "words": NASTY}) for call in (nasty, failed, calls[-1])],
            *[("calls", {"words": NASTY, "agent": NASTY, "where": NASTY}), ("calls", {"refused": 1})],
        ]:
            status, text, headers = ask(viewer, path, **query)
            assert status == 200
            policy = headers["content-security-policy"]
            assert "script" not in policy and policy.startswith("default-src 'none'")
            page = Page(text.replace("<link ", "<meta ").replace("<input ", "<meta "))  # both have no end
            assert page.open == []
            for tag, attributes in page.tags:
                assert tag != "script" and not any(name.startswith("on") for name in attributes)
                assert tag != "img" or (attributes["src"] or "").startswith("data:image/")
            assert KEY not in text and KEY[8:] not in text and "Authorization" not in text
        said = "".join(Page(ask(viewer, "call", id=nasty["id"])[1].replace("<link ", "<meta ")).words)
        assert NASTY in said and "refused, not in the asked form" in said
        assert "its fingerprint is that of what was sent" in said
        assert ask(viewer, "calls", token="stale")[0] == 403 == ask(viewer, "calls", host="elsewhere.example")[0]
        for query in ({"id": 10**6}, {"id": "x"}, {"id": -1}, {}):
            assert ask(viewer, "call", **query)[0] == 404
        assert "script" not in ask(viewer, "style.css")[1]


def test_a_run_in_progress_and_a_damaged_file_lose_nothing(run: Path, tmp_path: Path) -> None:
    for path in run.glob("good*.jsonl"):
        lines = path.read_text().splitlines(keepends=True)
        (tmp_path / path.name).write_text("".join(lines if ".calls" in path.name else lines[:-1]))
    (tmp_path / "torn.jsonl").write_text("{nonsense\n")
    head = '{"about": {"match": "mmgames/Nim-v9", "agents": ["x"]}}'
    half = {"seat": "a", "step": 0, "reply": "half \ud800", "refused": "half \ud800", "kind": "not clear"}
    for name, episode in (("gone", 0), ("huge", 10**30)):
        row = json.dumps({"episode": episode, "replies": [half], "seconds": [1]})
        (tmp_path / f"{name}.jsonl").write_text(f"{head}\n{row}\n")
    (tmp_path / "other.jsonl").write_text('{"about": {"made": "by others"}}\n{"x": 1}\n')
    with serving(tmp_path) as viewer:
        calls = every(viewer.index)
        (gone,) = [call for call in calls if call["file_name"] == "gone.jsonl"]
        assert ask(viewer, "call", id=gone["id"])[0] == 200, "a game that nobody knows"
        calls.remove(gone)
        assert len(calls) == len(journal(tmp_path / "good.calls.jsonl"))
        under_way = [call for call in calls if call["episode"] == 2]
        assert under_way and all(call["step"] is None and call["said"] for call in under_way)
        status, text, _ = ask(viewer, "call", id=under_way[0]["id"])
        assert status == 200 and "No record of it is kept" in text
        page = ask(viewer, "calls")[1]
        assert "torn.jsonl" in page and "huge.jsonl" in page and "other.jsonl" not in page
