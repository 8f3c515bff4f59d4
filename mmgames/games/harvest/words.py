"""Harvest in words, of which most are those of the commons."""

from mmgames.core.game_modules import said
from mmgames.games._commons import words as commons
from mmgames.games._commons.rules import MILLION, CommonsView
from mmgames.games._commons.words import aliases, describe, history, legend, names, notation, plain, unseen, you  # noqa: F401


def grows(view: CommonsView) -> str:
    one, two, more = (f"{100 * rate / MILLION:g} %" for rate in view.state.growth[1:])
    near = "on the eight cells around" if view.state.ssd else "within two steps of"
    return (
        f"Apples grow on soil, where nobody stands. The more apples are left {near} a place, the likelier "
        f"one grows there in a step: with one apple {one}, with two {two}, with three or more {more}. With none it "
        "never grows again, so what is picked bare stays bare."
    )


rules = commons.rules(grows)
(goal,) = said(__package__, "goal")
