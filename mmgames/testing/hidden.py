"""What a seat cannot know does not reach it: imagining it otherwise changes nothing that the seat sees."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mmgames.agents.base import Agent
from mmgames.core.game import Seat
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.core.spec import GameSpec
from mmgames.running.variates import signals_of
from mmgames.testing.playing import SMALL, advance, all_keys, digest, episodes, few, positions, resume


def imaginings(spec: GameSpec, seeds: int = 3, most: int = 25) -> Iterator[tuple[LiveGame, Seat, Any]]:
    """Positions of random episodes, a seat, and a state that this seat holds possible."""
    rng = np.random.default_rng(17)
    for seed in range(seeds):
        for live in positions(spec, seed, most=most):
            for seat in range(len(live.game.seats)):
                yield live, seat, live.game.imagine(live.state, seat, rng)


def observed(live: LiveGame, view: Any) -> dict[str, str]:
    """Digests of all that can be made of a view. The makers are fresh: a cache must not hide a difference."""
    spec = live.game.spec
    everything = Observer(live.loaded, live.game, observe=all_keys(spec), size=SMALL).observe(view)
    everything["text alone"] = Observer(live.loaded, live.game, observe="text").text(view)
    everything["whole view"] = view
    return {key: digest(value) for key, value in everything.items()}


def test_what_a_seat_cannot_know_does_not_reach_it(imagining_spec: GameSpec) -> None:
    """Down to the last field of every view; what is computed of them is looked at ten times, then in a third."""
    looked_at = np.random.default_rng(29)
    positions = imaginings(imagining_spec, few(imagining_spec, 3), few(imagining_spec, 25))
    for number, (live, seat, imagined) in enumerate(positions):
        true, possible = live.view(seat), live.game.view(imagined, seat)
        assert true == possible and hash(true) == hash(possible) and digest(true) == digest(possible)
        if imagining_spec.simulator.slow_picture or number < 10 or looked_at.random() < 1 / 3:
            assert observed(live, true) == observed(live, possible)
        # Who else is asked may be hidden (a vote of all but the spies), but not whether this seat is, or nobody.
        movers = live.game.movers(imagined)
        assert (seat in movers) == (seat in live.movers) and bool(movers) == bool(live.movers)


def test_random_moves_tell_nothing_that_is_hidden(hiding_spec: GameSpec) -> None:
    for live, seat, imagined in imaginings(hiding_spec):
        if seat in live.movers:
            drawn = [live.game.sample(state, seat, np.random.default_rng(3)) for state in (live.state, imagined)]
            assert digest(drawn[0]) == digest(drawn[1])


def test_something_is_hidden_where_the_spec_says_so(hiding_spec: GameSpec) -> None:
    """Without this the test above could pass on states that never differ."""
    assert any(imagined != live.state for live, _, imagined in imaginings(hiding_spec))


def test_the_spectator_of_a_hiding_game_sees_more_than_a_seat(hiding_spec: GameSpec) -> None:
    for live, seat, imagined in imaginings(hiding_spec):
        if live.game.view(imagined, None) != live.view(None):
            assert observed(live, live.game.view(imagined, seat)) == observed(live, live.view(seat))
            return
    raise AssertionError("the spectator's view is the same for every state that a seat holds possible")


def test_an_imagined_state_can_be_played_to_its_end(imagining_spec: GameSpec) -> None:
    rng = np.random.default_rng(23)
    most = episodes(imagining_spec, 4) - imagining_spec.simulator.slow_steps
    for live, _, imagined in imaginings(imagining_spec, seeds=1, most=most):
        other = resume(live, imagined, rng)
        for _ in range(imagining_spec.length):
            if not other.movers:
                break
            advance(other, rng)
        assert other.movers == ()


def test_what_is_dealt_anew_was_known_to_nobody(spec: GameSpec) -> None:
    """Nobody's view, not the spectator's, and no promise tells what is settled ahead."""
    rng = np.random.default_rng(29)
    promise: Any = None
    for live in positions(spec, seed=4, most=few(spec, 12)):
        game, other = live.game, live.game.redeal(live.state, rng)
        for seat in (*range(len(game.seats)), None):
            assert game.view(other, seat) == live.view(seat)
        assert game.movers(other) == live.movers and tuple(game.returns(other)) == tuple(game.returns(live.state))
        if spec.outcome.signals:
            if promise is None:
                promise = signals_of(game, [Agent() for _ in game.seats])
            promised = np.asarray(promise(live.state), float)
            assert promised.ndim == 1 and np.isfinite(promised).all() and np.array_equal(promised, promise(other))


def test_views_are_told_apart_by_seat_and_kept_by_value(spec: GameSpec) -> None:
    for live in positions(spec, seed=1, most=10):
        views = {seat: live.view(seat) for seat in (*range(len(live.game.seats)), None)}
        assert [view.seat for view in views.values()] == list(views)
        assert len(set(views.values())) == len(views)
        for seat, view in views.items():
            assert live.game.view(live.state, seat) == view
