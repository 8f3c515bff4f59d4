"""The pictures of a game with talk: those of the game. What was said stands in the words."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from mmgames.core import registry
from mmgames.core.game_modules import Box
from mmgames.games._talk.rules import TalkView, signal_names
from mmgames.games._talk.words import action_names


def _picture(view: TalkView) -> Any:
    return registry.load(view.game).picture


def draw(view: TalkView, size: int = 512) -> np.ndarray:
    drawn: np.ndarray = _picture(view).draw(view.inner, size)
    return drawn


def shows(view: TalkView) -> Hashable:
    picture = _picture(view)
    shown: Hashable = picture.shows(view.inner) if hasattr(picture, "shows") else view.inner
    return shown


def features(view: TalkView) -> np.ndarray:
    """The game's, then whether there is talk now, and what everybody said last."""
    said = np.zeros(len(view.roles), np.float32)
    names = signal_names(view.setting.signals)
    for one in view.heard:
        said[one.sender] = names.index(one.words) / view.setting.signals if names else 1.0
    talking = np.array([view.talking], np.float32)
    return np.concatenate([_picture(view).features(view.inner), talking, said])


def regions(view: TalkView, size: int = 512) -> Mapping[str, tuple[Box, ...]]:
    """Where the game's moves are, by their names; messages are nowhere."""
    picture = _picture(view)
    if view.talking or not view.asked or not hasattr(picture, "regions"):
        return {}
    names = action_names(view)
    return {names[action]: boxes for action, boxes in picture.regions(view.inner, size).items()}
