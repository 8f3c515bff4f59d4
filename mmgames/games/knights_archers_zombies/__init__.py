"""Archers and knights hold a line against zombies who come down the field."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
