"""Replies that were torn, wrapped and quoted: no crash, and nothing that was only thought, quoted or retracted moves.

MMGAMES_TEST_REPLIES=1000000 tries a million of them.
"""

from __future__ import annotations

import os
import re

import numpy as np
import pytest

from mmgames.text.refusals import Illegal
from mmgames.text.replies import Reading
from tests.replies.test_corpus import GAMES, ROWS, read

MANY = int(os.environ.get("MMGAMES_TEST_REPLIES", 1500))
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


@pytest.mark.parametrize("reading", ["strict", "lenient"])
def test_torn_replies_name_a_legal_move_or_none(reading: Reading) -> None:
    rng = np.random.default_rng(1)
    for _ in range(MANY):
        row = any_of(rng, ROWS)
        said = read(row["game"], any_of(rng, (torn, cut))(rng, row["reply"]), reading)
        assert isinstance(said, Illegal) or said in GAMES[row["game"]]


@pytest.mark.parametrize("reading", ["strict", "lenient"])
def test_what_is_thought_retracted_or_quoted_never_moves(reading: Reading) -> None:
    rng = np.random.default_rng(2)
    for _ in range(MANY):
        row = any_of(rng, ROWS)
        reply = any_of(rng, (thought, retracted, quoted))(rng, row["reply"])
        assert isinstance(read(row["game"], reply, reading), Illegal), reply


TAKEN_BACK = ("Wait, no.", "Actually, that is wrong.", "Hmm, let me think again.", "I am not sure about that.",
              "I cannot decide.", "But I am torn between this and something else.", "Scratch that.", "I rejected it.",
              "I do not want to play that.", "What do you think?")  # fmt: skip


@pytest.mark.parametrize("reading", ["strict", "lenient"])
def test_what_is_taken_back_in_words_never_moves(reading: Reading) -> None:
    rng = np.random.default_rng(3)
    for _ in range(MANY):
        row = any_of(rng, ROWS)
        reply = f"{row['reply']}\n\n{any_of(rng, TAKEN_BACK)}"
        assert isinstance(read(row["game"], reply, reading), Illegal), reply


def test_names_between_other_words_never_move_a_lenient_reader() -> None:
    rng = np.random.default_rng(4)
    words = ("the", "coin", "near", "blue", "maybe", "of", "while", "wall", "than", "under", "because", "small", "yet")
    for _ in range(MANY):
        game = any_of(rng, ("grid", "cells", "hanabi"))
        before, after = ([any_of(rng, words) for _ in range(int(rng.integers(2, 8)))] for _ in range(2))
        reply = " ".join([*before, any_of(rng, GAMES[game]), *after])
        assert isinstance(read(game, reply, "lenient"), Illegal), reply


def test_a_lenient_reader_takes_no_longer_than_a_strict_one_could() -> None:
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
            said = read("grid", begin + flood * (20_000 // len(flood)), "lenient")
            assert isinstance(said, Illegal) or said == "<UP>"
