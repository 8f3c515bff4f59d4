"""Replies that were torn and wrapped: no crash, and nothing moves that was only thought or that no answer follows.

MMGAMES_TEST_REPLIES=1000000 tries a million of them.
"""

from __future__ import annotations

import os
import re

import numpy as np

from mmgames.text.refusals import Illegal
from tests.replies.test_corpus import GAMES, ROWS, read

MANY = int(os.environ.get("MMGAMES_TEST_REPLIES", 1500))
SHARDS = ("{", "}", "[", "]", '"', "\\boxed{", "<answer>", "</answer>", "<think>", "</think>", "<!--", "-->", "> ",
          "\n", "Action:", "Final action:", '{"action":', "null", ",", "~~", "```json", "```", "\ud800",
          "\x00")  # fmt: skip
RETRACTIONS = ('{"action": null}', '{"action": ', "<answer>", "Final action:", "\\boxed{", '{"draft": {"action": 1}}')
CLOSED = [row for row in ROWS if not re.search("<think>[^/]*$|<!--[^>]*$", row["reply"])]
"""What is never closed takes all that follows it."""
CLOSING = re.compile(r"</\w+>|◁/think▷|\[/think\]|<\|end_of_thought\|>|<\|channel\|>final<\|message\|>|-->", re.I)


def any_of(rng: np.random.Generator, things):
    return things[int(rng.integers(len(things)))]


def torn(rng: np.random.Generator, reply: str) -> str:
    for _ in range(int(rng.integers(1, 5))):
        place = int(rng.integers(len(reply) + 1))
        reply = reply[:place] + any_of(rng, SHARDS) + reply[place:]
    return reply


def cut(rng: np.random.Generator, reply: str) -> str:
    return reply[: int(rng.integers(len(reply) + 1))]


def thought(rng: np.random.Generator, reply: str) -> str:
    return f"<think>{CLOSING.sub('', reply)}" + any_of(rng, ("", "</think>", "</think>\nI do not know.", "</think> {}"))


def retracted(rng: np.random.Generator, reply: str) -> str:
    return f"{reply}\n{any_of(rng, RETRACTIONS)}"


def test_torn_replies_name_a_legal_move_or_none() -> None:
    rng = np.random.default_rng(1)
    for _ in range(MANY):
        row = any_of(rng, ROWS)
        said = read(row["game"], any_of(rng, (torn, cut))(rng, row["reply"]))
        assert isinstance(said, Illegal) or said in GAMES[row["game"]]


def test_what_is_thought_or_followed_by_no_answer_never_moves() -> None:
    rng = np.random.default_rng(2)
    for _ in range(MANY):
        row = any_of(rng, CLOSED)
        reply = any_of(rng, (thought, retracted))(rng, row["reply"])
        assert isinstance(read(row["game"], reply), Illegal), reply


def test_names_between_other_words_never_move() -> None:
    rng = np.random.default_rng(4)
    words = ("the", "coin", "near", "blue", "maybe", "of", "while", "wall", "than", "under", "because", "small", "yet")
    for _ in range(MANY):
        game = any_of(rng, ("grid", "cells", "hanabi"))
        before, after = ([any_of(rng, words) for _ in range(int(rng.integers(2, 8)))] for _ in range(2))
        reply = " ".join([*before, any_of(rng, GAMES[game]), *after])
        assert isinstance(read(game, reply), Illegal), reply


def test_a_long_reply_is_read_in_one_go() -> None:
    """Work that grew with the square of these lengths would take minutes."""
    floods = (
        "I'll go with <UP>. ",
        '{"a": "',
        "{a: ",
        "my answer: x\n",
        "is better ",
        " ",
        "- ",
        "**<UP>** ",
        "/*",
        "(",
    )
    for flood in floods:
        for begin in ("", '{"action": "<UP>"}\n'):
            said = read("grid", begin + flood * (20_000 // len(flood)))
            assert isinstance(said, Illegal) or said == "<UP>"
