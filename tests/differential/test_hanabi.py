"""OpenSpiel judges Hanabi: the same deck and the same actions lead to the same game."""

from collections import Counter
from typing import Any

import numpy as np
import pyspiel
import pytest

from mmgames.games.hanabi import words
from mmgames.games.hanabi.known import MOST_HINTS, MOST_LIVES
from mmgames.games.hanabi.rules import Hanabi
from mmgames.games.hanabi.views import HanabiView
from tests.rules.hanabi import FORMS, make, some_action

GAMES_OF_EACH = 60  # of five forms


def told(view: HanabiView) -> str:
    """A spectator's view in the words of OpenSpiel's own description of a state."""
    lines = [f"Life tokens: {view.lives}", f"Info tokens: {view.hints}"]
    tops = "".join(f"{words.LETTERS[colour]}{top} " for colour, top in enumerate(view.fireworks))
    lines += [f"Fireworks: {tops}", "Hands:"]
    for seat in range(view.players):
        lines += ["-----"] if seat else []
        lines += ["Cur player"] if seat == view.mover else []
        for card in view.hand(seat):
            colour = words.LETTERS[card.colours[0]] if card.colour_named else "X"
            rank = str(card.ranks[0] + 1) if card.rank_named else "X"
            possible = "".join(words.LETTERS[c] for c in card.colours) + "".join(str(r + 1) for r in card.ranks)
            lines.append(f"{words.LETTERS[card.colour]}{card.rank + 1} || {colour}{rank}|{possible}")
    moves = view.last_moves(view.moves)
    lost = [move for move in moves if move.kind == "discard" or (move.kind == "play" and not move.fits)]
    pile = "".join(f" {words.LETTERS[move.colour]}{move.rank + 1}" for move in lost)
    return "\n".join([*lines, f"Deck size: {view.deck}", f"Discards:{pile}"])


def engine_of(game: Hanabi) -> Any:
    size = {"players": game.players, "colors": game.colours, "ranks": game.ranks, "hand_size": game.hand_size}
    return pyspiel.load_game("hanabi", {**size, "max_information_tokens": MOST_HINTS, "max_life_tokens": MOST_LIVES})


def deal(theirs: Any, deck: list[int], dealt: int) -> int:
    """Give OpenSpiel the next cards of our deck, as likely there as they are here; how many are dealt then."""
    while theirs.is_chance_node():
        left = Counter(deck[dealt:])
        wanted = {kind: count / left.total() for kind, count in left.items()}
        assert dict(theirs.chance_outcomes()) == pytest.approx(wanted)
        theirs.apply_action(deck[dealt])
        dealt += 1
    return dealt


@pytest.mark.parametrize("form", FORMS)
def test_the_rules_agree_at_every_step(form: str) -> None:
    game, kept, rng = make(form), make(form, score="fireworks"), np.random.default_rng(5)
    engine, seats, ends = engine_of(game), range(game.players), Counter[str]()
    for number in range(GAMES_OF_EACH):
        state, theirs, dealt = game.start(rng), engine.new_initial_state(), 0
        generous, deck = state.replace(keeps_points=True), list(state.deck)
        while True:
            dealt = deal(theirs, deck, dealt)
            assert state.dealt == dealt
            assert list(game.returns(state)) == theirs.returns()
            tops = sum(game.view(state, None).fireworks)
            assert kept.returns(generous) == (tops,) * game.players
            assert state.lives == 0 or theirs.returns()[0] == tops
            if number % 8 == 0:
                described = str(theirs).replace("Cur player\n", "") if theirs.is_terminal() else str(theirs)
                assert told(game.view(state, None)) == described
            if number % 16 == 1:
                for seat in seats:
                    assert np.array_equal(game.kernel.features_of(state, seat), theirs.observation_tensor(seat))
            movers = game.movers(state)
            assert movers == kept.movers(generous) == (() if theirs.is_terminal() else (theirs.current_player(),))
            if not movers:
                break
            legal = list(game.legal(state, movers[0]))
            assert legal == theirs.legal_actions()
            action = some_action(state, legal, number % 2 == 0, rng)
            state = game.play(state, {movers[0]: action}, rng)
            generous = kept.play(generous, {movers[0]: action}, rng)
            theirs.apply_action(action)
        bombed, points = state.lives == 0, state.points
        ends["bombed" if bombed else "complete" if points == game.colours * game.ranks else "deck"] += 1
        assert state.moves <= game.spec.length
    assert ends["bombed"] > 5 and ends["deck"] > 5, "both kinds of end were compared"


@pytest.mark.parametrize("form", FORMS)
def test_every_action_has_openspiels_name(form: str) -> None:
    game = make(form)
    state = engine_of(game).new_initial_state()
    names = words._action_names((game.players, game.colours, game.ranks, game.hand_size))
    assert game.num_actions == state.num_distinct_actions()
    assert names == [state.action_to_string(0, action) for action in range(game.num_actions)]
    assert len(set(names)) == len(names)
    if form != "tiny":
        usual = pyspiel.load_game("hanabi", {"players": game.players})
        assert game.num_actions == usual.num_distinct_actions(), "as many cards in a hand as usual"
