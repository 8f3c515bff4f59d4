"""Few-shot examples: turns of a conversation in a file, shown to a model before the first one of its own.

A JSON list of `{"role": "user", "content": "…", "pictures": ["board.png"]}` and `{"role": "assistant", "content": "…"}`
in turn; pictures are files, found from where the list is.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from mmgames.agents.chat_messages import PictureFormat, picture_part
from mmgames.errors import MmgamesError


def read_examples(path: str, picture: PictureFormat, image_detail: str) -> list[dict[str, Any]]:
    """The messages of a file of examples."""
    file = Path(path)
    try:
        turns = json.loads(file.read_text("utf-8"))
        roles = [turn["role"] for turn in turns]
        if not roles or roles != ["user", "assistant"] * (len(roles) // 2):
            raise ValueError('its turns are not "user" and "assistant" one after the other')
        return [_message(turn, file.parent, picture, image_detail) for turn in turns]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MmgamesError(f"The examples cannot be read from {path}: {error}.") from error


def _message(turn: Any, folder: Path, picture: PictureFormat, image_detail: str) -> dict[str, Any]:
    text, names = turn["content"], turn.get("pictures", [])
    if not isinstance(text, str):
        raise ValueError("the content of a turn is a text")
    if not names:
        return {"role": turn["role"], "content": text}
    seen = [np.asarray(Image.open(folder / name).convert("RGB")) for name in names]
    parts = [picture_part(pixels, picture, image_detail) for pixels in seen]
    return {"role": turn["role"], "content": [{"type": "text", "text": text}, *parts]}
