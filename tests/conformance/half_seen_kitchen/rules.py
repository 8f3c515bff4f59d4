"""The same as in VikiKitchen."""

from mmgames.embodied.viki_kitchen.rules import *  # noqa: F403
