"""Refusals have kinds: a closed list, named where they are made, kept beside reasons, and all that is counted."""

import json
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from mmgames import suites
from mmgames.errors import MmgamesError
from mmgames.suites.protocols import refusal_kinds
from mmgames.text.refusals import NOT_RECORDED, Illegal
from mmgames.text.replies import MAX_REPLY, parse
from mmgames.wrappers.text_actions import TextActions
from tests.environments import begun
from tests.players import Says
from tests.toys import PUCK, known

NAMES = {0: "<LEFT>", 1: "<RIGHT>"}
SAID = {
    "": "nothing said",
    "<answer></answer>": "nothing said",
    "x" * (MAX_REPLY + 1): "too long",
    "<think>left or": "cut off in a thought",
    '{"action": null}': "not clear",
    '{"action": "<LEFT>", "answer": "<RIGHT>"}': "not clear",
    "I go to the left.": "not in the asked form",
    '{"action": "<UP>"}': "not possible here",
}
VS_BENCH, PLAYGROUND = suites.find("vs-bench"), suites.find("lvlm-playground")


def test_kinds_are_a_closed_list_told_from_the_reply_alone() -> None:
    for reply in SAID:
        assert parse(reply, NAMES).kind == SAID[reply]
    cells = {0: "A1", 1: "A2"}
    assert parse("B7", cells).kind == "not possible here"
    assert parse("Hm.\nB7", cells).kind == parse("B7 or", cells).kind == "not in the asked form"
    assert parse('{"action": "it is not clear, the reply is empty."}', NAMES).kind == "not in the asked form"
    with pytest.raises(MmgamesError, match=r"Unknown kind 'not posible here' for refusals.*'not possible here'"):
        Illegal("not posible here", "it is no move.", "")  # type: ignore[arg-type]
    replies = [{"reply": "A1"}, {"reply": "?", "refused": "no.", "kind": "too long"}, {"reply": "", "refused": "no."}]
    assert refusal_kinds(replies) == ["too long", NOT_RECORDED]
    env: Any = gymnasium.make("mmgames/VikiKitchen-Trace-v0", observe="text", disable_env_checker=True)
    for points, kind in (([[[0, 0]] * 5, [[0, 9999]] * 5], "out of bounds"), ([[[0, 0]] * 5], "not in the asked form")):
        env.reset(seed=0)
        assert env.step(json.dumps(points))[4]["illegal_kind"] == kind


NUMBERS = {'{"action": [1, 9]}': "out of bounds", "hard to the right": "not in the asked form", "": "nothing said"}


@pytest.mark.parametrize("reply", NUMBERS)
def test_numbers_out_of_bounds_are_told_from_words_and_from_silence(reply: str) -> None:
    with known():
        env: Any = TextActions(gymnasium.make(PUCK))
        env.reset(seed=1)
        info = env.step(reply)[4]
        assert info["illegal_kind"] == NUMBERS[reply] and info["illegal"].endswith(".")


PLANS = dict.fromkeys(("[]", '[{"step": 1, "actions": {}}]', ""), "nothing said")
PLANS |= dict.fromkeys(("Move the apple.", "[" * 200_000), "not in the asked form") | {"x" * 1_000_001: "too long"}


@pytest.mark.parametrize("plan", PLANS, ids=range(len(PLANS)))
@pytest.mark.parametrize("tagged", [False, True])
def test_a_plan_that_cannot_be_read_has_a_kind(plan: str, tagged: bool) -> None:
    env: Any = begun(gymnasium.make("mmgames/VikiKitchen-Plan-v0", observe="text", disable_env_checker=True))
    info = env.step(f"<think></think><answer>{plan}</answer>" if tagged else plan)[4]
    assert info["illegal_kind"] == PLANS[plan], "also where the tags earn it something"


def counted() -> list[dict[str, int]]:
    """Counts of all three places that count: a match, a policy that is asked for, and questions."""
    rows = []
    rows += VS_BENCH.evaluate(Says('{"action": "<UP-UP>"}'), 1, only="KuhnPoker")["rows"]
    for words in ("Hm.", "", '{"action": "<UP-UP>"}', '{"action": null}'):
        rows += PLAYGROUND.evaluate(Says(words), 1, only=["TicTacToe-Rule", "TicTacToe", "TicTacToe-Perceive"])["rows"]
    return [row["illegal"]["kinds"] for row in rows]


def test_rewording_a_message_changes_no_count(monkeypatch: pytest.MonkeyPatch) -> None:
    before = counted()
    kinds = {"not in the asked form", "nothing said", "not possible here", "not clear"}
    assert {kind for each in before for kind in each} == kinds
    made = Illegal.__init__

    def reworded(self: Illegal, kind: Any, reason: str, raw: str) -> None:
        made(self, kind, "the reply is empty: it is not clear, there is no JSON.", raw)

    monkeypatch.setattr(Illegal, "__init__", reworded)
    assert parse("Hm.", NAMES).reason.startswith("the reply is empty") and counted() == before


@pytest.mark.parametrize("game", ["TicTacToe", "TicTacToe-Rule"])
def test_records_of_before_kinds_were_kept_are_still_scored(tmp_path: Path, game: str) -> None:
    now = PLAYGROUND.evaluate(Says("Hm."), 2, only=game, out=tmp_path)["rows"][0]
    for path in tmp_path.glob("*.jsonl"):
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        for row in rows:
            row.pop("illegal_kind", None)
            for reply in row.get("replies", ()) if "game" in row else ():
                reply.pop("kind", None)
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    old = PLAYGROUND.evaluate(Says("Hm."), 2, only=game, out=tmp_path)["rows"][0]
    assert old["raw"] == now["raw"] and now["illegal"]["kinds"] == {"not in the asked form": now["illegal"]["illegal"]}
    assert old["illegal"] == {**now["illegal"], "kinds": {NOT_RECORDED: now["illegal"]["illegal"]}}
