"""A game whose words or picture are broken says so in one sentence when it is made."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import gymnasium
import pytest

import mmgames
from mmgames.core import registry
from mmgames.core.game_modules import GameWords
from mmgames.games.spy import picture, words
from tests.refusing import refused
from tests.toys import PUCK, known

SPY = "mmgames/Spy-v0"


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """What was loaded before is loaded anew, and so it is afterwards."""
    registry._loaded.pop(SPY, None)
    yield
    registry._loaded.pop(SPY, None)


def cannot_be_made(*parts: str) -> None:
    makers: tuple[Any, ...] = (gymnasium.make, mmgames.aec_env, mmgames.parallel_env)
    for make in (*makers, lambda id: mmgames.match(id, "random", episodes=1)):
        sentence = refused(partial(make, SPY))
        assert sentence.startswith(f"{SPY} cannot be made: ") and all(part in sentence for part in parts), sentence


@pytest.mark.parametrize(
    "name", ["rules", "you", "history", "describe", "names", "read", "answer_format", "draw", "features"]
)
def test_a_missing_function_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = "picture" if name in ("draw", "features") else "words"
    monkeypatch.delattr(picture if file == "picture" else words, name)
    cannot_be_made(f"mmgames/games/spy/{file}.py has no function {name}", "game_modules.py")


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["ada", "bob"], "must give a mapping from actions to their names, not ['ada', 'bob']"),
        ({"ada": 1}, "must give a mapping from actions to their names, not {'ada': 1}"),
        ({"zoe": "zoe"}, "names 'zoe' for player_1 at the start, but the rules allow nothing"),
        (dict.fromkeys("abcd", "x"), "names 'a', 'b', 'c', 'd' for player_1"),
        (dict.fromkeys("abcde", "x"), "names 'a', 'b', 'c', 'd', … for player_1"),
        (None, "must give a mapping from actions to their names, not None"),
    ],
)
def test_nonsense_for_names_is_told(names: Any, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "names", lambda view: names)
    cannot_be_made("in mmgames/games/spy/words.py names(view) ", told)


def test_words_that_raise_or_give_no_text_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(words, "describe", lambda view: view.no_such_thing)
        cannot_be_made("describe(view) raised AttributeError", "no_such_thing")
    registry._loaded.pop(SPY, None)
    monkeypatch.setattr(words, "you", lambda view: 7)
    cannot_be_made("you(view) gives int instead of text")


def test_what_words_lack_has_a_default() -> None:
    class Bare:
        __name__ = "bare"
        rules = you = history = describe = staticmethod(lambda view: "")
        names = staticmethod(lambda view: {})

    words = GameWords(mmgames.specs["mmgames/TicTacToe-v0"], Bare)
    assert (words.legend(None), words.notation(None), words.aliases(None), words.meanings) == ("", "", {}, None)
    assert "JSON" in words.answer_format(None, "direct") and "step by step" in words.answer_format(None, "cot")
    with known():
        assert "numbers" in GameWords(mmgames.specs[PUCK], Bare).answer_format(None, "direct")
