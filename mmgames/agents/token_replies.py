"""What a language model is asked for and gives when every token counts: prompts, and replies with their ids.

For learning: what was written is what is learned from. `running/rollouts.py` asks, and models that `tells_tokens`
answer many prompts at once.
"""

import base64
import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image

from mmgames.errors import MmgamesError

Messages = list[dict[str, Any]]


@dataclass(frozen=True)
class TokenPrompt:
    """Messages to be answered, and the ids of what the model itself has said in them.

    `said` belongs to the last messages of the assistant: those replies go on from their ids and are never tokenised
    again. `pictures` are the hashes of the pictures in the order of the messages; `seed` settles what is drawn.
    """

    messages: Messages
    said: tuple[tuple[int, ...], ...]
    pictures: tuple[str, ...]
    seed: int

    def check_pictures(self) -> list[Image.Image]:
        """The pictures in the order of the messages; an error where one is missing, more or another one than asked."""
        found = pictures_in(self.messages)
        if (now := tuple(map(picture_hash, found))) != self.pictures:
            raise MmgamesError(
                f"The {len(now)} pictures of a prompt are not the {len(self.pictures)} that the model was asked with; "
                "leave the messages of a decision, and the arrays that its pictures are made of, as they are."
            )
        return found


@dataclass(frozen=True)
class TokenReply:
    """What a model wrote, as the tokens that it wrote, and what it gave each of them (at temperature 1)."""

    text: str
    prompt_ids: tuple[int, ...]
    reply_ids: tuple[int, ...]
    log_probs: tuple[float, ...]
    finish: str
    """"stop", or "length" where the reply was cut off."""
    temperature: float = 1.0
    """What its tokens were drawn at; at 0 the likeliest was taken, and nothing is learned from that."""
    retokenised: bool = False
    """The prompt does not hold the model's earlier replies by their ids: a server has tokenised them again."""


def pictures_in(messages: Sequence[dict[str, Any]]) -> list[Image.Image]:
    """The pictures of messages in their order, whichever way a message holds them."""
    parts = [part for one in messages if not isinstance(one["content"], str) for part in one["content"]]
    return [_picture(part) for part in parts if part["type"] in ("image", "image_url")]


def _picture(part: dict[str, Any]) -> Image.Image:
    if part["type"] == "image":
        found: Image.Image = part["image"]
        return found
    return Image.open(io.BytesIO(base64.b64decode(part["image_url"]["url"].partition(",")[2])))


def picture_hash(picture: Image.Image) -> str:
    """A hash of a picture's size and pixels."""
    size = f"{picture.mode} {picture.size} "
    return hashlib.blake2b(size.encode() + picture.tobytes(), digest_size=16).hexdigest()
