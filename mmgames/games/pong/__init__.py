"""The first game many people played on a screen: two paddles, one ball, and a computer that follows it."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
