"""The kit of the commons: what Harvest and Cleanup share, from the map to the picture."""

from mmgames.core.spec import spec_in

KIT = spec_in(__name__)
MOST_PLAYERS = 8
ROLES = ("red", "blue", "green", "yellow", "pink", "cyan", "brown", "black")
PAYS = ("apple", "fire", "fined")
"""The options that say what things pay."""
