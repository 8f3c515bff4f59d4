"""Every registered game goes through the whole conformance kit; nobody keeps a list."""

import dataclasses

import pytest

import mmgames
from mmgames.core import registry
from mmgames.core.spec import Simulator
from mmgames.testing import conformance
from mmgames.testing.records import aec_record

TestEveryGame = conformance(*mmgames.specs)


def test_every_game_folder_loads() -> None:
    assert registry.broken == {}
    assert mmgames.specs


def test_few_pictures_are_asked_of_a_slow_game(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = mmgames.specs["mmgames/CoinDilemma-v0"]
    picture = registry.load(spec.id).picture
    drawn: list[int] = []
    draw = picture.draw
    monkeypatch.setattr(picture, "draw", lambda view, size=512: (drawn.append(size), draw(view, size))[1])
    aec_record(spec)
    usual = len(drawn)
    aec_record(dataclasses.replace(spec, simulator=Simulator(slow_picture=True)))
    assert 0 < len(drawn) - usual < usual / 5
