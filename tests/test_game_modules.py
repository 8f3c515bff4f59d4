"""A game whose words or picture are broken says so in one sentence when it is made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium
import pytest

import mmgames
from mmgames.core import registry
from mmgames.core.game_modules import GameWords
from mmgames.errors import MmgamesError
from tests.toys import TOYS, clue_round, known
from tests.toys.clue_round import picture, words

CLUE = clue_round.SPEC.id


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """What was loaded before is loaded anew, and so it is afterwards."""
    with known():
        registry._loaded.pop(CLUE, None)
        yield
        registry._loaded.pop(CLUE, None)


def refused(*parts: str) -> None:
    makers: tuple[Any, ...] = (
        lambda: gymnasium.make(CLUE),
        lambda: mmgames.aec_env(CLUE),
        lambda: mmgames.parallel_env(CLUE),
        lambda: mmgames.match(CLUE, "random", episodes=1),
    )
    for make in makers:
        with pytest.raises(MmgamesError) as caught:
            make()
        sentence = str(caught.value)
        assert sentence.startswith(f"{CLUE} cannot be made: ") and "\n" not in sentence and sentence.endswith(".")
        for part in parts:
            assert part in sentence


@pytest.mark.parametrize("name", ["rules", "you", "history", "describe", "names", "read", "answer_format"])
def test_a_missing_function_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(words, name)
    refused(f"tests/toys/clue_round/words.py has no function {name}", "game_modules.py")


@pytest.mark.parametrize("name", ["draw", "features"])
def test_a_missing_picture_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(picture, name)
    refused(f"tests/toys/clue_round/picture.py has no function {name}")


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["ada", "bob"], "must give a mapping from actions to their names, not ['ada', 'bob']"),
        ({"ada": 1}, "must give a mapping from actions to their names, not {'ada': 1}"),
        ({"zoe": "zoe"}, "names 'zoe' for ada at the start, but the rules allow nothing"),
        (dict.fromkeys("abcd", "x"), "names 'a', 'b', 'c', 'd' for ada"),
        (dict.fromkeys("abcde", "x"), "names 'a', 'b', 'c', 'd', … for ada"),
        (None, "must give a mapping from actions to their names, not None"),
    ],
)
def test_nonsense_for_names_is_told(names: Any, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "names", lambda view: names)
    refused("in tests/toys/clue_round/words.py names(view) ", told)


def test_words_that_raise_or_give_no_text_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(words, "describe", lambda view: view.no_such_thing)
        refused("describe(view) raised AttributeError", "no_such_thing")
    registry._loaded.pop(CLUE, None)
    monkeypatch.setattr(words, "you", lambda view: 7)
    refused("you(view) gives int instead of text")


def test_what_words_lack_has_a_default() -> None:
    class Bare:
        __name__ = "bare"
        rules = you = history = describe = staticmethod(lambda view: "")
        names = staticmethod(lambda view: {})

    spec = mmgames.specs["mmgames/TicTacToe-v0"]
    words = GameWords(spec, Bare)
    assert (words.legend(None), words.notation(None), words.aliases(None), words.meanings) == ("", "", {}, None)
    assert "JSON" in words.answer_format(None, "direct") and "step by step" in words.answer_format(None, "cot")
    assert "numbers" in GameWords(TOYS[0], Bare).answer_format(None, "direct")


def test_a_role_that_changes_with_the_episode_changes_the_rules_that_are_shown() -> None:
    env: Any = gymnasium.make(CLUE, observe=("rgb", "text"))
    told = set()
    for seed in range(30):
        observation, _ = env.reset(seed=seed)
        spy = env.unwrapped.state_value.spy == env.unwrapped.seat
        assert ("Stay hidden" in observation["text"]) == spy == ("you do not know the word" in observation["text"])
        told.add(spy)
    assert told == {True, False}
