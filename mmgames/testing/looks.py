"""Looks change pictures and words alone: what can be done, how replies are read and what is hidden stay the same."""

from collections.abc import Iterator

import numpy as np
import pytest

from mmgames.core.live import LiveGame
from mmgames.core.look_names import KINDS, TURNS, looks_of, read_look
from mmgames.core.looks import looks_module
from mmgames.core.observation import Observer
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError
from mmgames.testing.hidden import observed
from mmgames.testing.playing import SMALL, begin, digest, few, positions, resume
from mmgames.text.refusals import Illegal


def all_at_once(spec: GameSpec) -> str:
    """The last look of each kind that the game takes, together."""
    kept = {kind: look for look in looks_of(spec) for kind, known in KINDS.items() if look in known}
    return "+".join(kept.values())


def looked_at(spec: GameSpec, most: int = 2) -> Iterator[tuple[LiveGame, LiveGame]]:
    """Positions as they usually look, and the same in every look."""
    for look in filter(None, dict.fromkeys((*looks_of(spec)[1:], all_at_once(spec)))):
        other = begin(spec, look=look)
        for live in positions(spec, seed=6, most=few(spec, most)):
            other.go_on_from(live.state, np.random.default_rng(0))
            yield live, other


def test_a_look_names_the_same_actions_and_reads_them_back(discrete_spec: GameSpec) -> None:
    for live, other in looked_at(discrete_spec):
        for seat in live.movers:
            names = other.loaded.words.names(other.view(seat))
            assert set(names) == set(live.game.legal(live.state, seat)) and len(set(names.values())) == len(names)
            for action, name in list(names.items())[:8]:
                assert other.read(seat, f'{{"action": "{name}"}}') == action
        assert live.game.options == {name: value for name, value in other.game.options.items() if name != "look"}


def test_a_look_shows_every_place_where_it_is(discrete_spec: GameSpec) -> None:
    for live, other in looked_at(discrete_spec):
        for seat in live.movers:
            view, picture = other.view(seat), other.loaded.picture
            drawn = picture.draw(view, SMALL)
            assert drawn.shape == live.loaded.picture.draw(view, SMALL).shape and drawn.dtype == np.uint8
            assert np.array_equal(picture.features(view), live.loaded.picture.features(view))
            assert hasattr(picture, "regions") == hasattr(live.loaded.picture, "regions")
            places = picture.regions(view, SMALL) if hasattr(picture, "regions") else {}
            assert set(places) <= set(other.loaded.words.names(view))
            for left, top, right, bottom in (box for boxes in places.values() for box in boxes):
                assert 0 <= left < right <= drawn.shape[1] and 0 <= top < bottom <= drawn.shape[0]


def test_a_look_can_be_told_from_the_usual_one(discrete_spec: GameSpec) -> None:
    """At the latest after a few moves: a board may look alike from all sides at the start."""
    alike: dict[str, bool] = {}
    for live, other in looked_at(discrete_spec, most=5):
        shown = [_seen(one) for one in (live, other)]
        look = other.game.options["look"]
        alike[look] = alike.get(look, True) and shown[0] == shown[1]
    assert not any(alike.values())


def _seen(live: LiveGame) -> list[str]:
    """What the first seat to move is shown, with a picture and in words alone."""
    seat = live.movers[0] if live.movers else 0
    keys = (None, "text")
    return [digest(Observer(live.loaded, live.game, key, SMALL).observe(live.view(seat))) for key in keys]


def test_a_look_tells_nothing_that_is_hidden(hiding_spec: GameSpec) -> None:
    rng = np.random.default_rng(31)
    for live, other in looked_at(hiding_spec, most=1):
        for seat in range(len(live.game.seats)):
            imagined = resume(other, other.game.imagine(live.state, seat, rng), rng)
            assert observed(other, other.view(seat)) == observed(imagined, imagined.view(seat))


def test_turns_are_undone_by_their_opposites(discrete_spec: GameSpec) -> None:
    for how in (look for look in discrete_spec.looks if look in TURNS):
        looks = looks_module(discrete_spec)
        for live in positions(discrete_spec, seed=7, most=6):
            for seat in (*range(len(live.game.seats)), None):
                view = live.view(seat)
                turned = looks.turned(view, how)
                assert turned.seat == seat and looks.turned(turned, TURNS[how]) == view
                for action in live.loaded.words.names(view):
                    there = looks.turned_action(view, action, how)
                    assert there in live.loaded.words.names(turned)
                    assert looks.turned_action(turned, there, TURNS[how]) == action


@pytest.mark.parametrize("look", ["upside", "mirrored+upside", "", 3])
def test_a_look_that_there_is_not_is_refused_in_a_sentence(spec: GameSpec, look: object) -> None:
    with pytest.raises(MmgamesError) as refused:
        read_look(look, spec)
    assert str(refused.value).endswith(".") and spec.id in str(refused.value)


def test_a_reply_in_the_usual_words_is_no_move_where_others_are_asked_for(discrete_spec: GameSpec) -> None:
    if "compass" not in discrete_spec.looks:
        return
    live = begin(discrete_spec, look="compass")
    assert isinstance(live.read(live.movers[0], "<UP>"), Illegal)
    assert not isinstance(live.read(live.movers[0], "<NORTH>"), Illegal)
