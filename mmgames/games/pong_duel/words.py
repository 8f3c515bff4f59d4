"""PongDuel reads like Pong; who holds which paddle is in the view."""

from mmgames.games.pong.words import describe, ending, history, legend, names, notation, rules, you  # noqa: F401 - this module
