"""Pong for two: both paddles of the old cartridge are played."""

from mmgames.core.spec import spec_in
from mmgames.games import pong

SPEC = spec_in(__name__, pong.SPEC)
