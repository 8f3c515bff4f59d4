"""PongDuel looks like Pong."""

from mmgames.games.pong.picture import draw, features  # noqa: F401 - this room
