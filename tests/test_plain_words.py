"""Words for people in the place of the tokens that models read."""

import pytest

from mmgames.core import registry
from mmgames.errors import MissingExtra
from mmgames.running.matches import play
from mmgames.text import plain
from tests.cases import cases

GAMES = [id for id in registry.specs if id.startswith("mmgames/")]


@pytest.mark.parametrize(("token", "word"), cases(__file__)["tokens"])
def test_tokens_become_words_and_places_stay(token: str, word: str) -> None:
    assert plain.plain(token) == word


def test_seats_have_names_with_the_numbers_that_pictures_show() -> None:
    assert plain.seat_names(("player_0", "player_1")) == {"player_0": "Player 0", "player_1": "Player 1"}
    assert plain.seat_names(("archer_1", "knight_1"))["knight_1"] == "Knight 1"
    assert plain.seat_names(("x", "o"))["x"] == "X" and plain.title("TicTacToe") == "Tic Tac Toe"
    read = plain.reader(("player_0", "player_1"))
    assert read("player_0 says <UP>, <b>not</b> player_01.") == "Player 0 says Up, <b>not</b> player_01."
    assert plain.reader(("player_0",), moves=False)("player_0: <UP>") == "Player 0: <UP>"


@pytest.mark.parametrize("id", GAMES)
def test_every_game_tells_people_its_goal_in_two_sentences_and_names_its_moves_apart(id: str) -> None:
    try:
        episode = play(id, "random", 3)
        live = next(iter(episode))
    except MissingExtra as missing:
        pytest.skip(str(missing))
    words = live.loaded.words
    for seat in live.movers:
        view = live.view(seat)
        goal = words.goal(view)
        assert goal.endswith((".", "!", "?")) and len(plain.sentences(goal)) <= 3 and len(goal) < 260
        assert "`" not in goal and "_" not in goal and words.title(view)
        named = words.plain_names(view)
        assert set(named) == set(words.names(view)) and len({*named.values()}) == len(named)
        assert not any(sign in name for name in named.values() for sign in "<>_")
    episode.close()  # type: ignore[attr-defined]
