"""Replies that were torn, wrapped and quoted: no crash, and nothing that was only thought, quoted or retracted moves.

MMGAMES_TEST_REPLIES=1000000 tries a million of them.
"""

from __future__ import annotations

import os
import re

import numpy as np

from mmgames.text.refusals import Illegal
from tests.replies.test_corpus import GAMES, ROWS, read

MANY = int(os.environ.get("MMGAMES_TEST_REPLIES", 6000))
SHARDS = ("{", "}", "[", "]", '"', "\\boxed{", "<answer>", "</answer>", "<think>", "</think>", "<!--", "-->", "> ",
          "\n", "Action:", "Final action:", '{"action":', "null", ",", "~~", "```json", "```", "\ud800",
          "\x00")  # fmt: skip
RETRACTIONS = ('{"action": null}', '{"action": ', "<answer>", "Final action:", "\\boxed{", "<think>hm", "<!--",
               '{"chosen": "x"}', "Final decision: x", '{"draft": {"action": 1}}')  # fmt: skip
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


def quoted(rng: np.random.Generator, reply: str) -> str:
    return "\n".join(f"> {line}" for line in reply.splitlines())


def test_torn_replies_name_a_legal_move_or_none() -> None:
    rng = np.random.default_rng(1)
    for _ in range(MANY):
        row = any_of(rng, ROWS)
        said = read(row["game"], any_of(rng, (torn, cut))(rng, row["reply"]))
        assert isinstance(said, Illegal) or said in GAMES[row["game"]]


def test_what_is_thought_retracted_or_quoted_never_moves() -> None:
    rng = np.random.default_rng(2)
    for _ in range(MANY):
        row = any_of(rng, ROWS)
        reply = any_of(rng, (thought, retracted, quoted))(rng, row["reply"])
        assert isinstance(read(row["game"], reply), Illegal), reply
