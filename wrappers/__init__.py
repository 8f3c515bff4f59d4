"""Wrappers around environments."""

from mmgames.wrappers.classic import AecClassicLayout, ClassicLayout, ParallelClassicLayout
from mmgames.wrappers.text_actions import AecTextActions, ParallelTextActions, TextActions

__all__ = [
    "AecClassicLayout",
    "AecTextActions",
    "ClassicLayout",
    "ParallelClassicLayout",
    "ParallelTextActions",
    "TextActions",
]
