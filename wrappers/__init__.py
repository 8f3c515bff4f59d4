"""Wrappers around environments."""

from mmgames.wrappers.text_actions import AecTextActions, ParallelTextActions, TextActions

__all__ = ["AecTextActions", "ParallelTextActions", "TextActions"]
