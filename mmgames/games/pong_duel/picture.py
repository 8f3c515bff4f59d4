"""PongDuel looks like Pong."""

from mmgames.games.pong.picture import draw, features, shows  # noqa: F401 - this module
