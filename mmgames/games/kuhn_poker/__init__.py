"""Poker with three cards and one bet: the smallest game in which bluffing pays."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
