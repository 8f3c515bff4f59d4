"""An observation as chat messages: the text and the pictures as parts of one message, as OpenAI's format has them.

`picture="pil"` leaves the pictures as they are, in the parts that chat templates of local models take.

For agents that talk to a model with a client of their own; `mmgames.chat_messages` is the same function.
"""

import base64
import io
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
from PIL import Image

from mmgames.agents.prompt_template import PromptTemplate
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
    prompt: PromptTemplate | None = None,
) -> list[dict[str, Any]]:
    """The messages for a model: `system` if there is one, `history` as it is, and the observation as the user's.

    Where the observation says with what system message its text begins, that is taken unless `system` is given. `rgb`
    may hold one picture or several, oldest first; `image_detail` is sent with every one, where an endpoint takes it
    ("low", "high", "auto"). What else an observation has (masks, features) is not shown. With a `prompt` both messages
    are written as it says.
    """
    if prompt is not None and not system:
        system = prompt.system_message(_own_words(observation))
    system = system or observation.get("system", "")
    first = [{"role": "system", "content": system}] if system else []
    if prompt is None or not prompt.has("history"):
        return [*first, *map(dict, history), user_message(observation, picture, image_detail, prompt)]
    replies = [message["content"] for message in history if message["role"] == "assistant"]
    return [*first, user_message(observation, picture, image_detail, prompt, replies)]


def _own_words(observation: Mapping[str, Any]) -> Mapping[str, Any]:
    """The observation without the system message that its text begins with."""
    if not observation.get("system"):
        return observation
    return {**observation, "text": observation["text"].removeprefix(observation["system"]).lstrip("\n")}


def user_message(
    observation: Mapping[str, Any],
    picture: PictureFormat = "png",
    image_detail: str = "",
    prompt: PromptTemplate | None = None,
    replies: Sequence[str] = (),
) -> dict[str, Any]:
    """The user's message that holds an observation; plain text when there are no pictures."""
    if picture not in get_args(PictureFormat):
        raise unknown("format of pictures", picture, "chat messages", get_args(PictureFormat))
    observation = _own_words(observation)
    text, pictures, after = observation.get("text", ""), _pictures(observation.get("rgb")), ""
    if prompt is not None:
        text, after = prompt.user_texts(observation, replies)
        text, after = (text, after) if pictures else ("\n".join(filter(None, (text, after))), "")
    if not pictures and not text:
        raise MmgamesError("A chat message needs text or a picture; observe= has neither 'text' nor 'rgb'.")
    if not pictures:
        return {"role": "user", "content": text}
    parts: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    parts += [picture_part(one, picture, image_detail) for one in pictures]
    parts += [{"type": "text", "text": after}] if after else []
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
