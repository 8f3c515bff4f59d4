"""Discs that turn over: enclose the other's discs on an 8×8 board and own most of them at the end."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
