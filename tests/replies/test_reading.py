"""The reader on labelled replies, each in its own position."""

from __future__ import annotations

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
from mmgames.text.replies import PARAGRAPH, parse
from mmgames.text.turn_ends import HEADINGS
from tests.replies.reading import (
    BUILDING,
    EPISODES,
    HELD_BACK,
    Row,
    asked_question,
    environment,
    in_usual_form,
    labels,
    plain,
    read_rows,
    replayed_question,
)
from tests.replies.test_fuzz import GAMES


@lru_cache
def rows(path: Path) -> list[Row]:
    return read_rows(labels(path))


def test_the_building_list_is_read_as_the_paragraph_says() -> None:
    other = [(row.label["reply"], row.read) for row in rows(BUILDING) if row.read != plain(row.label["reads"])]
    assert not other


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


@pytest.mark.parametrize("game", ["Breakthrough", "Overcooked"])
def test_episodes_that_are_kept_are_those_that_are_asked_about(game: str) -> None:
    kept = json.loads(EPISODES.read_text(encoding="utf-8"))
    of_game = {key: one for key, one in kept.items() if f"/{game}-" in key}
    key, recorded = min(of_game.items(), key=lambda pair: len(pair[1]["moves"]))
    (name, options), seed = key.rpartition(" ")[0].split(" ", 1), int(key.rpartition(" ")[2])
    asked, again = asked_question(name, options, seed), replayed_question(environment(name, options).source, recorded)
    assert (again.text, again.names) == (asked.text, asked.names)


NOTHING_DECIDED = {
    "a plan for several turns": '{"action": "<UP>"}\n{"action": "<UP>"}\n{"action": "<LEFT>"}',
    "a plan in lines": "<UP>\n<UP>\n<LEFT>",
    "a plan in one answer": '{"action": ["<UP>", "<LEFT>"]}',
    "numbered steps": "1. <UP>\n2. <LEFT>",
    "a draft and another": "<answer><UP></answer> No, wait. <answer><DOWN></answer>",
    "two forms that differ": 'Action: <UP>\n{"action": "<DOWN>"}',
    "two keys that differ": '{"action": "<UP>", "answer": "<DOWN>"}',
    "a draft and a final answer": '{"action": "<UP>", "final_action": "<DOWN>"}',
    "an answer inside an object": '{"rejected": {"action": "<UP>"}, "chosen": "<LEFT>"}',
    "an answer inside a broken object": '{"rejected": {"action": "<UP>"}, "chosen": "<LEFT>"',
    "an answer of null": '{"action": null}',
    "a label without an answer": '{"action": "<UP>"}\nFinal action:',
    "a question": "<UP>?",
    "prose": "I would go up.",
    "a sentence behind a label": "Action: I go <UP> now",
}


@pytest.mark.parametrize("reply", NOTHING_DECIDED.values(), ids=NOTHING_DECIDED)
def test_nothing_is_decided(reply: str) -> None:
    said = parse(reply, {name: name for name in GAMES["grid"]})
    assert isinstance(said, Illegal) and said.kind in ("not clear", "not in the asked form"), said


THE_REST_IS_ANOTHER_TURN = {
    "a chat template": '{"action": "<UP>"}<|im_end|>\n<|im_start|>user\nAnd now?<|im_end|>\n{"action": "<DOWN>"}',
    "a role": "<UP>\n\nUser: And now?\nAssistant: <DOWN>",
    "a heading of the prompt": "<answer><UP></answer>\n\n## Now\nIt is your turn.\n<answer><DOWN></answer>",
    "a further example": "Answer: <UP>\n\nQuestion 2: Where to?\nAnswer: <DOWN>",
    "a heading of an example": "Answer: <UP>\n\n## Example 2\nWhere to?\nAnswer: <DOWN>",
    "its own mark before it": "Assistant: <UP>",
}


@pytest.mark.parametrize("reply", THE_REST_IS_ANOTHER_TURN.values(), ids=THE_REST_IS_ANOTHER_TURN)
def test_a_reply_ends_where_another_turn_begins(reply: str) -> None:
    assert parse(reply, {name: name for name in GAMES["grid"]}) == "<UP>"


def test_what_another_turn_answers_is_not_the_replys() -> None:
    reply = 'I do not know.<|im_end|>\n<|im_start|>assistant\n{"action": "<UP>"}'
    assert isinstance(parse(reply, {name: name for name in GAMES["grid"]}), Illegal)


ONE_ANSWER = {
    "single quotes": "{'action': '<UP>'}",
    "without its last bracket": '{"why": "a coin", "action": "<UP>"',
    "a comma too many": '```json\n{\n  "action": "<UP>",\n}\n```',
    "the call of a tool": '{"name": "act", "arguments": {"action": "<UP>"}}',
    "the form, repeated and filled in": 'Reply with {"action": "…"}:\n{"action": "<UP>"}',
    "the same in two forms": '**Action:** <UP>\n\n{"action": "up"}',
    "a tag around a box": "<answer>\\boxed{\\text{<UP>}}</answer>",
    "a tag that is not closed": "I see a coin.\n<answer><UP>",
    "a label above its answer": "**Final answer:**\n\n<UP>\n\nIt leads to the coin.",
    "a last line in bold": "The coin is above.\n\n**up**",
    "a thought that is never closed, behind it": '{"action": "<UP>"}\n<think>or better {"action": "<DOWN>"}',
    "what the reasoning of an object holds": '{"why": "\\\\boxed{<DOWN>} is worse", "action": "<UP>"}',
}


@pytest.mark.parametrize("reply", ONE_ANSWER.values(), ids=ONE_ANSWER)
def test_all_answers_say_the_same(reply: str) -> None:
    assert parse(reply, {name: name for name in GAMES["grid"]}) == "<UP>"


@pytest.mark.parametrize("reply", ["C", "(C) 2", "C. 2", "**C) 2**", "Answer: C: 2", '{"answer": "c"}', "Option C"])
def test_an_option_is_named_by_its_letter_with_or_without_its_text(reply: str) -> None:
    env: Any = gymnasium.make("mmgames/TicTacToe-Ask-v0", disable_env_checker=True, observe="text").unwrapped
    env.reset(seed=0)
    text = env.question.facts["options"][2]
    said = reply.replace("2", text)
    assert env.source.read(env.question, said) == 2
    wrong = env.question.facts["options"][1]
    assert isinstance(env.source.read(env.question, f"C. {wrong}"), Illegal), "the text of another option"
    assert isinstance(env.source.read(env.question, text), Illegal), "the text alone"


def test_a_bare_name_of_a_move_that_is_not_legal_is_not_possible_here() -> None:
    kinds = {}
    for name, legal in {"B2": ["A1", "C3"], "reveal A1": ["reveal B1"], "E": ["A", "B"], "hello there": ["A1"]}.items():
        said = parse(name, {move: move for move in legal})
        assert isinstance(said, Illegal)
        kinds[name] = said.kind
    here = "not possible here"
    assert kinds == {"B2": here, "reveal A1": here, "E": here, "hello there": "not in the asked form"}


def test_an_unknown_reading_is_said() -> None:
    with pytest.raises(MmgamesError, match="paragraph, released"):
        gymnasium.make("mmgames/TicTacToe-v0", reading="loose", disable_env_checker=True)


@pytest.mark.parametrize("reading", ["strict", "lenient"])
def test_an_earlier_reading_gives_a_sentence(reading: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from mmgames.cli import main
    from mmgames.studies import study_file

    with pytest.raises(MmgamesError, match="one paragraph"):
        match("TicTacToe", "random", 1, reading=reading)  # type: ignore[arg-type]
    assert main(["match", "TicTacToe", "random", "--reading", reading]) == 2
    said = capsys.readouterr().err
    assert "one paragraph" in said and said.count("reading=") == 3 and said.endswith("(reading='released').\n")
    file = tmp_path / "study.toml"
    file.write_text(f'title = "t"\nconsent = "c"\nreading = "{reading}"\n[[games]]\ngame = "TicTacToe"\n', "utf-8")
    with pytest.raises(MmgamesError, match="the one way in which replies are read"):
        study_file.read(file)


def test_a_function_of_ones_own_may_read() -> None:
    played = match("TicTacToe", [Talks(), "random"], 1, max_steps=1, reading=last_name).episodes[0]
    assert played["actions"] == [[4, None]] and played["reading"] == "own"


def last_name(reply: str, names: Any) -> Any:
    """What a paper might read: the last name in a reply, wherever it stands."""
    return max(names, key=lambda action: reply.rfind(names[action]))


class Talks:
    """Says its move in prose."""

    def __init__(self, reply: str = "I'll take the centre: **B2**") -> None:
        self.reply = reply

    def answer(self, observation: dict[str, Any]) -> str:
        return self.reply


def test_a_clue_in_a_form_is_what_the_form_says() -> None:
    record = match("Spy", [Talks('{"clue": "Everything is grey."}')], 1, on_illegal="silent").episodes[0]
    last = list(replay(record))[-1]
    assert {said.words for said in last.view(0).clues} == {"Everything is grey."}


@pytest.mark.parametrize(("game", "said"), [("Spy", "It is grey."), ("WirePuzzle", "cut_wire_1\nDone?")])
def test_a_record_replays_from_the_moves_that_were_read(game: str, said: str) -> None:
    record = json.loads(json.dumps(match(game, [Talks(said)], 1, on_illegal="silent").episodes[0]))
    states = [live.state for live in replay(record)]
    unread = {**record, "actions": [[one and "…" for one in step] for step in record["actions"]]}
    assert [live.state for live in replay(unread)] == states, "the words are not read again"
    other = {**record, "moves": [[one and ["Clue"] for one in step] for step in record["moves"]]}
    with pytest.raises(MmgamesError, match="does not replay"):
        list(replay(other))


def test_a_record_of_an_earlier_reading_without_moves_gives_a_sentence() -> None:
    record = match("Spy", [Talks("It is grey.")], 1, on_illegal="silent").episodes[0]
    old = {**{key: value for key, value in record.items() if key != "moves"}, "reading": "lenient"}
    with pytest.raises(MmgamesError, match="one paragraph"):
        list(replay(old))
    old.pop("reading")
    assert len(list(replay(old))) == record["length"] + 1, "what is plain is read again as it was"


def test_the_paragraph_stands_in_the_guide() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "text-agents.md").read_text(encoding="utf-8")
    assert PARAGRAPH in " ".join(guide.replace("\n> ", " ").split())


def test_the_headings_of_prompts_end_a_reply() -> None:
    env: Any = gymnasium.make("mmgames/TicTacToe-v0", observe=("rgb", "text"), disable_env_checker=True)
    shown = re.findall(r"^## (.*)$", env.reset(seed=0)[0]["text"], re.M)
    assert set(shown) - {"Answer"} <= set(HEADINGS) and len(shown) > 3


class OldWords:
    """The words of a plug-in that still has what earlier readers asked for."""

    rules = you = history = describe = staticmethod(lambda view: "")
    names = staticmethod(lambda view: {})
    read_leniently = staticmethod(lambda view, text: text)


def test_what_a_plug_in_has_for_earlier_readers_is_ignored_with_a_warning() -> None:
    with pytest.warns(UserWarning, match="read_leniently of its words is ignored"):
        GameWords(registry.find("TicTacToe"), OldWords)
