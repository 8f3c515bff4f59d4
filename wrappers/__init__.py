"""Wrappers around environments."""

from mmgames.wrappers.text_actions import TextActions

__all__ = ["TextActions"]
