"""The same as in VikiKitchen."""

from mmgames.embodied.viki_kitchen.picture import *  # noqa: F403
