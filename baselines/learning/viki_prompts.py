"""Drawn questions as prompts of a model, and as examples to learn from.

What a small model reads is encoded once for all questions, its pictures on the device; a model of any other kind
encodes each prompt when it is asked. The tokens are those of the agent `hf` that sees the same question in its
environment.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import transformers
from PIL import Image

from mmgames.agents.token_replies import Messages, TokenPrompt, picture_hash
from mmgames.baselines.learning.viki_questions import Drawn
from mmgames.baselines.models.local_weights import Reader, Weights
from mmgames.baselines.models.token_batches import EncodedPrompt, ReadyPrompt

AT_ONCE = 1000


@dataclass(frozen=True)
class PlannedReply:
    """A prompt and the reply that is to be learned."""

    asked: TokenPrompt
    reply: str
    ids: list[int]
    """The reply as tokens, which it is read as again and again."""

    def prompt(self) -> TokenPrompt:
        return self.asked

    def tokens(self, reader: Reader) -> list[int]:
        return self.ids


class Prompts(Sequence[TokenPrompt]):
    """The prompts of drawn questions, in their order."""

    def __init__(self, weights: Weights, drawn: Drawn) -> None:
        self.weights, self.drawn = weights, drawn
        self.ready = isinstance(weights.processor, transformers.LlavaProcessor)
        if self.ready:
            self._ids = self._tokenised([one.text for one in drawn.questions])
            self._pixels = seen_pictures(weights, drawn.pictures)

    def __len__(self) -> int:
        return len(self.drawn.questions)

    def __getitem__(self, place: Any) -> Any:
        asked = self.drawn.questions[place]
        if self.ready:
            pixels = self._pixels[asked.picture : asked.picture + 1]
            return ReadyPrompt([], (), (), 0, EncodedPrompt(self._ids[place], {}, {"pixel_values": [pixels]}))
        picture = Image.fromarray(self.drawn.pictures[asked.picture])
        return TokenPrompt(messages(asked.text, picture), (), (picture_hash(picture),), 0)

    def examples(self, reasons: bool) -> Sequence[Any]:
        return _Examples(self, reasons)

    def _tokenised(self, texts: list[str]) -> list[list[int]]:
        """The ids of prompts with these texts; what stands around them is the same in all."""
        mark = "⟦⟧"
        before, after = with_picture_tokens(self.weights, self.weights.render(messages(mark))).split(mark)
        found = self.weights.tokenizer([before + text + after for text in texts], add_special_tokens=False)
        ids: list[list[int]] = found["input_ids"]
        return ids


def with_picture_tokens(reader: Reader, rendered: str) -> str:
    """A rendered prompt with as many tokens for each picture as a small model sees of it."""
    processor = reader.processor
    sight = processor.image_processor.size
    tokens = (sight["height"] // processor.patch_size) * (sight["width"] // processor.patch_size)
    return rendered.replace(processor.image_token, processor.image_token * tokens)


def seen_pictures(weights: Weights, pictures: np.ndarray) -> torch.Tensor:
    """Pictures as the processor of a small model gives them to it, on its device."""
    eye, device = weights.processor.image_processor, weights.model.device
    mean, deviation = (torch.tensor(values, device=device)[:, None, None] for values in (eye.image_mean, eye.image_std))
    kind = torch.bfloat16 if device.type == "cuda" else torch.float32
    parts = []
    for first in range(0, len(pictures), AT_ONCE):
        some = torch.from_numpy(pictures[first : first + AT_ONCE]).to(device).permute(0, 3, 1, 2)
        parts.append(((some * eye.rescale_factor - mean) / deviation).to(kind))
    return torch.cat(parts) if parts else torch.zeros(0)


class _Examples(Sequence[PlannedReply]):
    def __init__(self, prompts: Prompts, reasons: bool) -> None:
        self.prompts = prompts
        self._replies = [one.reply(reasons) for one in prompts.drawn.questions]
        self._ids = [prompts.weights.tokens(reply) for reply in self._replies]

    def __len__(self) -> int:
        return len(self.prompts)

    def __getitem__(self, place: Any) -> Any:
        return PlannedReply(self.prompts[place], self._replies[place], self._ids[place])


def messages(text: str, picture: Image.Image | None = None) -> Messages:
    """A question as the agent `hf` asks it."""
    seen = {"type": "image"} if picture is None else {"type": "image", "image": picture}
    return [{"role": "user", "content": [{"type": "text", "text": text}, seen]}]
