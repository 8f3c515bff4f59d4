"""How the five papers let models write: the settings of `chat` behind `preset=NAME`, as far as papers and code tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mmgames.errors import unknown

PRESETS: Mapping[str, Mapping[str, Any]] = {
    # A reply that is cut off is asked for again with twice the tokens, as far as the model goes.
    "vs-bench": {"temperature": 1.0, "max_tokens": 8192, "max_tokens_cap": 131_072},
    # Models that think first get 16,000 tokens for it.
    "vs-bench-reasoning": {"temperature": 1.0, "max_tokens": 24_192, "max_tokens_cap": 131_072},
    # The hosted models; those on the authors' machines had 1024 tokens. No temperature is set.
    "lvlm-playground": {"max_tokens": 812, "size": 1000},
    "comma": {"temperature": 0.0, "max_tokens": 1024},
    # As rounds are sampled in training.
    "vision-zero": {"temperature": 0.8, "max_tokens": 1024},
    "viki": {"temperature": 0.0, "max_tokens": 2000, "tries": 5},
}
"""`top_p` is in none of them: where a paper does not set it, it is not sent."""


def preset_settings(name: str) -> Mapping[str, Any]:
    """The settings of a preset; none for the empty name."""
    if name and name not in PRESETS:
        raise unknown("preset", name, "the agent 'chat'", PRESETS)
    return PRESETS.get(name, {})
