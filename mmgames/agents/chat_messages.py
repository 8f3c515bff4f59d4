"""An observation as chat messages: the text and the pictures as parts of one message, as OpenAI's format has them.

`picture="pil"` leaves the pictures as they are, in the parts that chat templates of local models take.

For agents that talk to a model with a client of their own; `mmgames.chat_messages` is the same function.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
from PIL import Image

from mmgames.drawing.png import png
from mmgames.errors import MmgamesError, unknown

PictureFormat = Literal["png", "jpeg", "pil"]


def chat_messages(
    observation: Mapping[str, Any],
    *,
    system: str = "",
    history: Sequence[Mapping[str, Any]] = (),
    picture: PictureFormat = "png",
    image_detail: str = "",
) -> list[dict[str, Any]]:
    """The messages for a model: `system` if there is one, `history` as it is, and the observation as the user's.

    `image_detail` is sent with every picture, where an endpoint takes it ("low", "high", "auto").
    `rgb` may hold one picture or several, oldest first. What else an observation has (masks, features) is not shown.
    """
    first = [{"role": "system", "content": system}] if system else []
    return [*first, *map(dict, history), user_message(observation, picture, image_detail)]


def user_message(
    observation: Mapping[str, Any], picture: PictureFormat = "png", image_detail: str = ""
) -> dict[str, Any]:
    """The user's message that holds an observation; plain text when there are no pictures."""
    if picture not in get_args(PictureFormat):
        raise unknown("format of pictures", picture, "chat messages", get_args(PictureFormat))
    text, pictures = observation.get("text", ""), _pictures(observation.get("rgb"))
    if not pictures and not text:
        raise MmgamesError("A chat message needs text or a picture; observe= has neither 'text' nor 'rgb'.")
    if not pictures:
        return {"role": "user", "content": text}
    parts: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    parts += [picture_part(one, picture, image_detail) for one in pictures]
    return {"role": "user", "content": parts}


def picture_part(pixels: np.ndarray, picture: PictureFormat = "png", image_detail: str = "") -> dict[str, Any]:
    """The part of a message that holds a picture."""
    if picture == "pil":
        return {"type": "image", "image": Image.fromarray(pixels)}
    detail = {"detail": image_detail} if image_detail else {}
    return {"type": "image_url", "image_url": {"url": data_url(pixels, picture), **detail}}


def data_url(pixels: np.ndarray, picture: PictureFormat = "png") -> str:
    """A picture as a `data:` URL."""
    if picture == "png":
        content = png(pixels)
    else:
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, picture, quality=90)
        content = file.getvalue()
    return f"data:image/{picture};base64,{base64.b64encode(content).decode('ascii')}"


def _pictures(rgb: Any) -> list[np.ndarray]:
    if rgb is None:
        return []
    pixels = np.asarray(rgb)
    if pixels.dtype != np.uint8 or pixels.ndim not in (3, 4) or pixels.shape[-1] != 3:
        raise MmgamesError(
            f"Pictures are uint8 [height, width, 3] or several of them, not {pixels.dtype}{pixels.shape}."
        )
    return [pixels] if pixels.ndim == 3 else list(pixels)
