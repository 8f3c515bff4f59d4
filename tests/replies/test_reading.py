"""Both readers on labelled replies, each in its own position."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from mmgames import suites
from mmgames.running.matches import match
from mmgames.running.replays import replay
from mmgames.text.refusals import Illegal
from mmgames.text.replies import Reading, parse
from mmgames.wrappers import TextActions
from tests.replies.reading import (
    BUILDING,
    EPISODES,
    Row,
    asked_question,
    environment,
    labels,
    read_rows,
    replayed_question,
)
from tests.replies.test_corpus import GAMES, ROWS

OPENED = BUILDING.with_name("opened.jsonl")
OPENED_SECOND = BUILDING.with_name("opened_second.jsonl")
OPENED_THIRD = BUILDING.with_name("opened_third.jsonl")
OPENED_FOURTH = BUILDING.with_name("opened_fourth.jsonl")
OPENED_FIFTH = BUILDING.with_name("opened_fifth.jsonl")
OPENED_SIXTH = BUILDING.with_name("opened_sixth.jsonl")
OPENED_SEVENTH = BUILDING.with_name("opened_seventh.jsonl")
OPENED_EIGHTH = BUILDING.with_name("opened_eighth.jsonl")
OPENED_NINTH = BUILDING.with_name("opened_ninth.jsonl")
OPENED_TENTH = BUILDING.with_name("opened_tenth.jsonl")
OPENED_ELEVENTH = BUILDING.with_name("opened_eleventh.jsonl")
OPENED_TWELFTH = BUILDING.with_name("opened_twelfth.jsonl")
OPENED_THIRTEENTH = BUILDING.with_name("opened_thirteenth.jsonl")
MADE_UP = BUILDING.with_name("made_up.jsonl")
WITHHELD = BUILDING.with_name("withheld.jsonl")
SEEN = pytest.mark.parametrize(
    "path",
    [
        *(BUILDING, OPENED, OPENED_SECOND, OPENED_THIRD, OPENED_FOURTH, OPENED_FIFTH, OPENED_SIXTH, OPENED_SEVENTH),
        OPENED_EIGHTH,
        OPENED_NINTH,
        OPENED_TENTH,
        OPENED_ELEVENTH,
        OPENED_TWELFTH,
        OPENED_THIRTEENTH,
        MADE_UP,
    ],
    ids=lambda path: path.stem,
)


@lru_cache
def rows(path: Path) -> dict[Reading, list[Row]]:
    return read_rows(labels(path))


@SEEN
def test_a_lenient_reader_reads_nearly_all_that_has_a_meaning(path: Path) -> None:
    meant = [row for row in rows(path)["lenient"] if row.means is not None]
    lost = [row for row in meant if not row.right]
    assert len(lost) <= 0.05 * len(meant), [row.label["reply"] for row in lost]


@SEEN
def test_a_lenient_reader_hardly_ever_reads_another_move(path: Path) -> None:
    wrong = [row for row in rows(path)["lenient"] if row.wrong]
    assert len(wrong) <= 0.002 * len(rows(path)["lenient"]), [row.label["reply"] for row in wrong]


@pytest.mark.parametrize("reading", ["strict", "lenient"])
@SEEN
def test_what_decides_nothing_moves_nothing(path: Path, reading: Reading) -> None:
    assert not [row.label["reply"] for row in rows(path)[reading] if row.moved]


@SEEN
def test_a_strict_reader_reads_what_is_in_the_asked_form_and_no_other_move(path: Path) -> None:
    strict = rows(path)["strict"]
    assert not [row.label["reply"] for row in strict if row.label["strict"] and not row.right]
    # Any text is a clue, so a strict reader takes it as it stands, with the tag or the JSON around it.
    assert not [row.label["reply"] for row in strict if row.wrong and not isinstance(row.means, dict)]


@pytest.mark.parametrize("game", ["Breakthrough", "Overcooked"])
def test_episodes_that_are_kept_are_those_that_are_asked_about(game: str) -> None:
    kept = json.loads(EPISODES.read_text(encoding="utf-8"))
    of_game = {key: one for key, one in kept.items() if f"/{game}-" in key}
    key, recorded = min(of_game.items(), key=lambda pair: len(pair[1]["moves"]))
    (name, options), seed = key.rpartition(" ")[0].split(" ", 1), int(key.rpartition(" ")[2])
    asked, again = asked_question(name, options, seed), replayed_question(environment(name, options).source, recorded)
    assert (again.text, again.names, again.asked) == (asked.text, asked.names, asked.asked)


# How many were right, wrong, and moved though they decide nothing, when they were read once.
MEASURED: dict[Reading, tuple[int, int, int]] = {"strict": (71, 0, 0), "lenient": (118, 0, 0)}


@pytest.mark.skipif(not WITHHELD.exists(), reason="no replies are held back")
@pytest.mark.parametrize("reading", ["strict", "lenient"])
def test_the_replies_that_are_held_back_are_read_as_well_as_when_they_were_measured(reading: Reading) -> None:
    """Counts alone: whoever writes rules does not look at these replies, so that they stay a measure of the rules."""
    found = rows(WITHHELD)[reading]
    right = sum(row.right and row.means is not None for row in found)
    moved = sum(row.moved for row in found)
    wrong = sum(row.wrong for row in found)
    least, most_wrong, most_moved = MEASURED[reading]
    assert right >= least and wrong <= most_wrong and moved <= most_moved, (right, wrong, moved)


@pytest.mark.parametrize("reply", ['{"action": "A1",', '["B3", ["A1", ', '["B3", ' * 2000 + '["A1", '])
def test_json_that_breaks_off_before_another_member_decides_nothing(reply: str) -> None:
    names = {name: name for name in GAMES["cells"]}
    assert isinstance(parse(reply, names, reading="lenient"), Illegal)
    assert parse('{"action": "A1"', names, reading="lenient") == "A1", "only the last bracket is left out"


@SEEN
def test_a_lenient_reader_reads_all_that_a_strict_one_does(path: Path) -> None:
    lenient = rows(path)["lenient"]
    assert not [row.label["reply"] for row in rows(path)["strict"] if row.right and not lenient[row.number].right]


def test_a_lenient_reader_reads_the_corpus_of_the_strict_one() -> None:
    for row in ROWS:
        if row["move"] is not None:
            said = parse(row["reply"], {name: name for name in GAMES[row["game"]]}, reading="lenient")
            assert said == row["move"], row["reply"]


LENIENT = json.loads((Path(__file__).parent / "lenient.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", LENIENT["replies"], ids=lambda row: row["reply"][:40])
def test_prose_is_read_as_it_is_labelled(row: dict[str, Any]) -> None:
    said = parse(row["reply"], {name: name for name in LENIENT["games"][row["game"]]}, reading="lenient")
    assert (None if isinstance(said, Illegal) else said) == row["move"], row["reply"]


REFUSED = {
    "a change of mind": '{"action": "<UP>"}\nWait, actually <DOWN> is better.',
    "a rejection": 'I considered {"action": "<UP>"} and rejected it.',
    "a refusal": '{"action": "<UP>"}\nOn reflection I cannot decide this.',
    "being torn": '{"action": "<UP>"}\nThen again, I am torn between this and <DOWN>.',
    "the move, rejected by its name": '{"action": "<UP>"}\nI drop <UP>.',
    "two at once": '{"action": "<UP>"}\n{"action": "<DOWN>"}',
    "what it should look like": 'The format is {"action": "<UP>"}.',
    "what not to do": 'I would not answer {"action": "<UP>"}',
}


@pytest.mark.parametrize("reading", ["strict", "lenient"])
@pytest.mark.parametrize("reply", REFUSED.values(), ids=REFUSED)
def test_words_around_an_answer_can_take_it_back(reply: str, reading: Reading) -> None:
    said = parse(reply, {name: name for name in GAMES["grid"]}, reading=reading)
    assert isinstance(said, Illegal) and said.kind == "not clear", reply


@pytest.mark.parametrize("reading", ["strict", "lenient"])
def test_what_follows_an_answer_takes_it_back_or_not(reading: Reading) -> None:
    names = {name: name for name in GAMES["grid"]}
    for after in LENIENT["taken_back"]:
        space = " " if after[0].islower() else "\n\n"  # in small letters the same sentence goes on
        said = parse(f'{{"action": "<UP>"}}{space}{after}', names, reading=reading)
        assert isinstance(said, Illegal) and said.kind == "not clear", after
    for after in LENIENT["remarks"]:
        assert parse(f'{{"action": "<UP>"}}\n\n{after}', names, reading=reading) == "<UP>", after


@pytest.mark.parametrize("reading", ["strict", "lenient"])
def test_a_bare_name_of_a_move_that_is_not_legal_is_not_possible_here(reading: Reading) -> None:
    kinds = {}
    for name, legal in {"B2": ["A1", "C3"], "reveal A1": ["reveal B1"], "E": ["A", "B"], "hello there": ["A1"]}.items():
        said = parse(name, {move: move for move in legal}, reading=reading)
        assert isinstance(said, Illegal)
        kinds[name] = said.kind
    here = "not possible here"
    assert kinds == {"B2": here, "reveal A1": here, "E": here, "hello there": "not in the asked form"}


def test_an_unknown_reading_is_said() -> None:
    with pytest.raises(Exception, match="strict, lenient"):
        gymnasium.make("mmgames/TicTacToe-v0", reading="loose", disable_env_checker=True)


class Talks:
    """Says its move in prose."""

    def __init__(self, reply: str = "I'll take the centre: **B2**") -> None:
        self.reply = reply

    def answer(self, observation: dict[str, Any]) -> str:
        return self.reply


def test_a_match_reads_as_it_is_told_and_says_so_where_it_is_not_strict(tmp_path: Path) -> None:
    played = {}
    for reading in ("strict", "lenient"):
        out = tmp_path / f"{reading}.jsonl"
        result = match("TicTacToe", [Talks(), "random"], 1, out=out, max_steps=1, reading=reading)
        played[reading] = result.episodes[0]
        about, row = (json.loads(line) for line in out.read_text(encoding="utf-8").splitlines())
        assert about["about"].get("reading") == row.get("reading") == (None if reading == "strict" else reading)
    assert "illegal action" in played["strict"]["failed"]
    assert played["lenient"]["failed"] is None and played["lenient"]["actions"] == [[4, None]]


def test_a_lenient_game_of_talk_replays(tmp_path: Path) -> None:
    clue = '{"clue": "Everything is grey."}'
    record = match("Spy", [Talks(clue)], 1, on_illegal="silent", reading="lenient").episodes[0]
    last = list(replay(record))[-1]
    assert {said.words for said in last.view(0).clues} == {"Everything is grey."}


@pytest.mark.parametrize("reading", ["strict", "lenient"])
def test_text_actions_read_as_they_are_told(reading: Reading) -> None:
    env = TextActions(gymnasium.make("mmgames/TicTacToe-v0", disable_env_checker=True), "retry", reading=reading)
    env.reset(seed=0)
    *_, info = env.step("So I'll go with b 2.")
    assert info["illegal_replies"] == (reading == "strict")


def test_a_suite_reads_as_it_is_told() -> None:
    suite = suites.find("lvlm-playground")
    refused = {}
    for reading in ("strict", "lenient"):
        told = replace(suite, reading=reading)
        result = told.evaluate(Talks("So the answer is B."), episodes=2, only=["TicTacToe-Ask"])
        assert result.get("reading") == (None if reading == "strict" else reading)
        refused[reading] = result["rows"][0]["illegal"]["illegal"]
    assert refused == {"strict": 2, "lenient": 0}


@pytest.mark.parametrize("reading", ["strict", "lenient"])
def test_what_stands_beside_an_answer_in_an_object_may_leave_it_open(reading: Reading) -> None:
    names = {name: name for name in GAMES["grid"]}
    for beside in ('"question": "Where to?"', '"note": "I turn left if blue comes"', '"final": true'):
        assert parse(f'{{{beside}, "action": "<UP>"}}', names, reading=reading) == "<UP>"
    for beside in ('"status": "draft"', '"final": false', '"only_if": "blue stays"'):
        assert isinstance(parse(f'{{{beside}, "action": "<UP>"}}', names, reading=reading), Illegal)
