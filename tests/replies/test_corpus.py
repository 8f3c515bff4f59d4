"""Labelled replies, as models write them: each names a move, or has to be refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmgames.text.refusals import Illegal
from mmgames.text.replies import parse

CORPUS = json.loads((Path(__file__).parent / "corpus.json").read_text(encoding="utf-8"))
GAMES: dict[str, list[str]] = CORPUS["games"]
ROWS: list[dict[str, Any]] = CORPUS["replies"]


def read(game: str, reply: str) -> str | Illegal:
    return parse(reply, {name: name for name in GAMES[game]})


def test_the_corpus_is_large_and_has_both_kinds() -> None:
    moves = sum(row["move"] is not None for row in ROWS)
    assert len(ROWS) >= 300 and moves >= 120 and len(ROWS) - moves >= 120


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['game']}-{number}" for number, row in enumerate(ROWS)])
def test_a_reply_is_read_as_it_is_labelled(row: dict[str, Any]) -> None:
    said = read(row["game"], row["reply"])
    if row["move"] is None:
        assert isinstance(said, Illegal) and said.reason.endswith("."), row["reply"]
    else:
        assert said == row["move"], row["reply"]


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


@given(rows, rows)
def test_what_follows_a_draft_never_lets_the_draft_move(draft: dict, row: dict) -> None:
    """A reply that ends in a structured answer of its own makes that move or none."""
    if row["move"] is None or draft["move"] is None or draft["game"] != row["game"] or "<think>" in draft["reply"]:
        return
    if "<answer>" in draft["reply"].lower().rpartition("</answer>")[2] or draft["reply"].endswith("unfinished"):
        return  # what was never closed takes the rest
    said = read(row["game"], f"{draft['reply']}\n<answer>{row['move']}</answer>")
    assert said == row["move"] or isinstance(said, Illegal)
    assert isinstance(read(row["game"], f"{draft['reply']}\n<answer>something else</answer>"), Illegal)


@given(rows, st.integers(0, 400))
def test_a_reply_that_is_cut_off_never_names_another_move(row: dict, length: int) -> None:
    cut = read(row["game"], row["reply"][:length])
    assert isinstance(cut, Illegal) or cut in GAMES[row["game"]]


@given(rows, noise)
def test_prose_behind_an_answer_makes_no_other_move(row: dict, prose: str) -> None:
    said = read(row["game"], f"{row['reply']}\n{prose}")
    if not isinstance(said, Illegal) and not row["reply"].endswith(":"):  # above other words a label is a heading
        assert said == row["move"]
