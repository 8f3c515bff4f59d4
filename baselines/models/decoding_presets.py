"""How the five papers let models write: the settings of `chat` behind `preset=NAME`, as far as papers and code tell."""

from collections.abc import Mapping
from typing import Any

from mmgames.errors import unknown
from mmgames.text.command_line import page

PRESETS: Mapping[str, Mapping[str, Any]] = page(__package__, "decoding_presets")


def preset_settings(name: str) -> Mapping[str, Any]:
    """The settings of a preset; none for the empty name."""
    if name and name not in PRESETS:
        raise unknown("preset", name, "the agent 'chat'", PRESETS)
    return PRESETS.get(name, {})
