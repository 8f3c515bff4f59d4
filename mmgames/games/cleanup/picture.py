"""Cleanup as a picture and as features."""

from mmgames.games._commons.picture import draw, features, planes, regions  # noqa: F401 - this module
