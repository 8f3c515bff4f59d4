"""The same as in VikiKitchen."""

from mmgames.embodied.viki_kitchen.words import *  # noqa: F403
