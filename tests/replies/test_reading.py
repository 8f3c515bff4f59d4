"""The reader on labelled replies, each in its own position."""

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from mmgames.core import registry
from mmgames.core.game_modules import GameWords
from mmgames.errors import MmgamesError
from mmgames.running.matches import match
from mmgames.running.replays import replay
from mmgames.text.refusals import Illegal
from mmgames.text.replies import HEADINGS, PARAGRAPH, parse
from tests.cases import cases
from tests.players import Says
from tests.refusing import refused
from tests.replies.reading import BUILDING, HELD_BACK, Row, in_usual_form, labels, plain, read_rows
from tests.replies.test_fuzz import GAMES

CASES = cases(__file__)


@lru_cache
def rows(path: Path) -> list[Row]:
    return read_rows(labels(path))


def test_the_building_list_is_read_as_the_paragraph_says() -> None:
    assert not [(row.label["reply"], row.read) for row in rows(BUILDING) if row.read != plain(row.label["reads"])]


@pytest.mark.parametrize("path", [BUILDING, HELD_BACK], ids=lambda path: path.stem)
def test_usual_forms_are_read_at_once_and_what_decides_nothing_hardly_ever_moves(path: Path) -> None:
    """Counts alone: whoever writes rules does not look at the replies that are held back."""
    found = rows(path)
    assert len(found) <= 1500
    usual = [row for row in found if row.means is not None and in_usual_form(row)]
    assert sum(row.right for row in usual) >= 0.92 * len(usual) >= 300
    nothing = [row for row in found if row.means is None]
    assert sum(row.moved for row in nothing) <= 0.04 * len(nothing)
    assert not [row.number for row in found if row.wrong and not isinstance(row.means, dict)]


GRID = {name: name for name in GAMES["grid"]}


def test_a_reply_says_one_thing_up_to_where_another_turn_begins_or_decides_nothing() -> None:
    for why, reply in {**CASES["the rest is another turn"], **CASES["one answer"]}.items():
        assert parse(reply, GRID) == "<UP>", why
    for why, reply in CASES["nothing is decided"].items():
        said = parse(reply, GRID)
        assert isinstance(said, Illegal) and said.kind in ("not clear", "not in the asked form"), why
    other = 'I do not know.<|im_end|>\n<|im_start|>assistant\n{"action": "<UP>"}'
    assert isinstance(parse(other, GRID), Illegal), "what another turn answers is not the reply's"
    inner = parse('<reasoning>Well. <think>Up?</think> {"action": "<UP>"}', GRID)
    assert inner.kind == "cut off in a thought", "the outer thought is not over with the inner one"


@pytest.mark.parametrize("reply", ["C", "(C) 2", "C. 2", "**C) 2**", "Answer: C: 2", '{"answer": "c"}', "Option C"])
def test_an_option_is_named_by_its_letter_with_or_without_its_text(reply: str) -> None:
    env: Any = gymnasium.make("mmgames/TicTacToe-Ask-v0", disable_env_checker=True, observe="text").unwrapped
    env.reset(seed=0)
    text = env.question.facts["options"][2]
    assert env.source.read(env.question, reply.replace("2", text)) == 2
    wrong = env.question.facts["options"][1]
    assert isinstance(env.source.read(env.question, f"C. {wrong}"), Illegal), "the text of another option"
    assert isinstance(env.source.read(env.question, text), Illegal), "the text alone"


def test_a_bare_name_of_a_move_that_is_not_legal_is_not_possible_here() -> None:
    for name, legal in {"B2": ["A1", "C3"], "reveal A1": ["reveal B1"], "E": ["A", "B"], "hello there": ["A1"]}.items():
        said = parse(name, {move: move for move in legal})
        assert said.kind == ("not in the asked form" if name == "hello there" else "not possible here")
    assert parse('{"action": "up"}', {}).kind == "not possible here", "where nothing is legal"


def test_an_unknown_reading_and_words_for_earlier_readers_are_told_of() -> None:
    with pytest.raises(MmgamesError, match="paragraph, released"):
        gymnasium.make("mmgames/TicTacToe-v0", reading="loose", disable_env_checker=True)
    with pytest.warns(UserWarning, match="read_leniently of its words is ignored"):
        GameWords(registry.find("TicTacToe"), OldWords)


@pytest.mark.parametrize("reading", ["strict", "lenient"])
def test_an_earlier_reading_gives_a_sentence(reading: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from mmgames.cli import main
    from mmgames.studies import study_file

    refused(lambda: match("TicTacToe", "random", 1, reading=reading), "one paragraph")  # type: ignore[arg-type]
    assert main(["match", "TicTacToe", "random", "--reading", reading]) == 2
    said = capsys.readouterr().err
    assert "one paragraph" in said and said.count("reading=") == 3 and said.endswith("(reading='released').\n")
    file = tmp_path / "study.toml"
    file.write_text(f'title = "t"\nconsent = "c"\nreading = "{reading}"\n[[games]]\ngame = "TicTacToe"\n', "utf-8")
    refused(lambda: study_file.read(file), "the one way in which replies are read")


def test_a_function_of_ones_own_may_read_and_a_clue_in_a_form_is_what_the_form_says() -> None:
    talks = Says("I'll take the centre: **B2**")
    played = match("TicTacToe", [talks, "random"], 1, max_steps=1, reading=last_name).episodes[0]
    assert played["actions"] == [[4, None]] and played["reading"] == "own"
    record = match("Spy", [Says('{"clue": "Everything is grey."}')], 1, on_illegal="silent").episodes[0]
    assert {said.words for said in list(replay(record))[-1].view(0).clues} == {"Everything is grey."}


def last_name(reply: str, names: Any) -> Any:
    """What a paper might read: the last name in a reply, wherever it stands."""
    return max(names, key=lambda action: reply.rfind(names[action]))


@pytest.mark.parametrize(("game", "said"), [("Spy", "It is grey."), ("WirePuzzle", "cut_wire_1\nDone?")])
def test_a_record_replays_from_the_moves_that_were_read(game: str, said: str) -> None:
    record = json.loads(json.dumps(match(game, [Says(said)], 1, on_illegal="silent").episodes[0]))
    states = [live.state for live in replay(record)]
    unread = {**record, "actions": [[one and "…" for one in step] for step in record["actions"]]}
    assert [live.state for live in replay(unread)] == states, "the words are not read again"
    other = {**record, "moves": [[one and ["Clue"] for one in step] for step in record["moves"]]}
    refused(lambda: list(replay(other)), "does not replay")


def test_a_record_of_an_earlier_reading_without_moves_gives_a_sentence() -> None:
    record = match("Spy", [Says("It is grey.")], 1, on_illegal="silent").episodes[0]
    old = {**{key: value for key, value in record.items() if key != "moves"}, "reading": "lenient"}
    refused(lambda: list(replay(old)), "one paragraph")
    old.pop("reading")
    assert len(list(replay(old))) == record["length"] + 1, "what is plain is read again as it was"


def test_the_paragraph_stands_in_the_guide_and_the_headings_of_prompts_end_a_reply() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "text-agents.md").read_text(encoding="utf-8")
    assert PARAGRAPH in " ".join(guide.replace("\n> ", " ").split())
    env: Any = gymnasium.make("mmgames/TicTacToe-v0", observe=("rgb", "text"), disable_env_checker=True)
    shown = re.findall(r"^## (.*)$", env.reset(seed=0)[0]["text"], re.M)
    assert set(shown) - {"Answer"} <= set(HEADINGS) and len(shown) > 3


class OldWords:
    """The words of a plug-in that still has what earlier readers asked for."""

    rules = you = history = describe = staticmethod(lambda view: "")
    names = staticmethod(lambda view: {})
    read_leniently = staticmethod(lambda view, text: text)
