"""Cleanup in words, of which most are those of the commons."""

from mmgames.core.game_modules import said
from mmgames.games._commons import words as commons
from mmgames.games._commons.rules import MILLION, CommonsView
from mmgames.games._commons.words import aliases, describe, history, legend, names, notation, plain, unseen, you  # noqa: F401


def grows(view: CommonsView) -> str:
    rates = view.state.growing, view.state.fouling, view.state.limit
    growing, fouling, limit = (f"{100 * rate / MILLION:g} %" for rate in rates)
    return (
        "Apples grow on soil, where nobody stands, and only while the water is clean enough: if there is no waste in "
        f"it, one grows at a place with {growing} in a step; the more of the water's cells have waste, the rarer, and "
        f"from {limit} of them on none grows at all. Until then a clean cell gets waste in a step with {fouling}. "
        "<CLEAN> sends a beam over the same cells as <FINE>, and in each of its three lines it cleans the first cell "
        "with waste, unless a player is in the way. Nobody is paid for cleaning, and everybody may walk in water."
    )


rules = commons.rules(grows)
(goal,) = said(__package__, "goal")
