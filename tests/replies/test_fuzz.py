"""Replies that were wrapped and put together: nothing moves that was only thought or that no answer follows. What holds
for any text stands in tests/property/test_replies.py.

MMGAMES_TEST_REPLIES=1000000 tries a million of them.
"""

import os
import re
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mmgames.text.refusals import Illegal
from mmgames.text.replies import parse
from tests.replies.reading import labels

GAMES = {
    "grid": ("<STAY>", "<RIGHT>", "<LEFT>", "<UP>", "<DOWN>"),
    "poker": ("<PASS>", "<BET>"),
    "hanabi": ("Play card 1", "Play card 2", "Discard card 1", "Reveal red to player_1"),
    "cells": ("A1", "A2", "B3", "C3"),
}
ALWAYS_LEGAL = {"mmgames/CoinDilemma-v0": "grid", "mmgames/KuhnPoker-v0": "poker"}
"""Games of the building list in which every move is legal at any time."""
ROWS: list[dict[str, Any]] = [
    {"game": ALWAYS_LEGAL[row["env"]], "reply": row["reply"], "move": row["reads"]}
    for row in labels()
    if row["env"] in ALWAYS_LEGAL and not row["options"]
]
RETRACTIONS = ('{"action": null}', '{"action": ', "<answer>", "Final action:", "\\boxed{", '{"draft": {"action": 1}}')
CLOSED = [row for row in ROWS if not re.search("<think>[^/]*$|<!--[^>]*$", row["reply"])]
"""What is never closed takes all that follows it."""
CLOSING = re.compile(r"</\w+>|◁/think▷|\[/think\]|<\|end_of_thought\|>|<\|channel\|>final<\|message\|>|-->", re.I)


def read(game: str, reply: str) -> str | Illegal:
    return parse(reply, {name: name for name in GAMES[game]})


def any_of(rng: np.random.Generator, things):
    return things[int(rng.integers(len(things)))]


def thought(rng: np.random.Generator, reply: str) -> str:
    return f"<think>{CLOSING.sub('', reply)}" + any_of(rng, ("", "</think>", "</think>\nI do not know.", "</think> {}"))


def retracted(rng: np.random.Generator, reply: str) -> str:
    return f"{reply}\n{any_of(rng, RETRACTIONS)}"


def test_what_is_thought_or_taken_back_never_moves() -> None:
    rng = np.random.default_rng(2)
    for _ in range(int(os.environ.get("MMGAMES_TEST_REPLIES", 1500))):
        row = any_of(rng, CLOSED)
        reply = any_of(rng, (thought, retracted))(rng, row["reply"])
        assert isinstance(read(row["game"], reply), Illegal), reply


rows = st.sampled_from(ROWS)
noise = st.text(st.characters(exclude_characters="{}<>\\:：#*~\"'`“”‘’-—◁▷[]|"), max_size=60).map(
    lambda text: f"Well {text}"
)


@given(rows, st.sampled_from([("<think>", "</think>"), ("<!--", "-->\n"), ("<reasoning>", "</reasoning>")]), rows)
def test_a_thought_before_a_reply_changes_nothing(draft: dict, around: tuple[str, str], row: dict) -> None:
    if "-->" in draft["reply"] or "<!--" in draft["reply"]:
        return
    ours = read(row["game"], f"{around[0]}{draft['reply']}{around[1]}{row['reply']}")
    alone = read(row["game"], row["reply"])
    assert ours == alone or (isinstance(ours, Illegal) and isinstance(alone, Illegal))


@given(rows, noise)
def test_prose_behind_an_answer_makes_no_other_move(row: dict, prose: str) -> None:
    said = read(row["game"], f"{row['reply']}\n{prose}")
    if not isinstance(said, Illegal) and not row["reply"].endswith(":"):  # above other words a label is a heading
        assert said == row["move"]
