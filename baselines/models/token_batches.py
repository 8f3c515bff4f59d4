"""Prompts as token ids with their pictures, and many replies written at once by a model of transformers.

What a model has said goes on from its ids: the chat template is rendered with a mark in place of each reply, the pieces
between the marks are tokenised, and the ids stand where the marks stood.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from transformers import DynamicCache, GenerationConfig, LogitsProcessor, LogitsProcessorList
from transformers.cache_utils import DynamicLayer

from mmgames.agents.token_replies import TokenPrompt, TokenReply
from mmgames.errors import MmgamesError

if TYPE_CHECKING:
    from mmgames.baselines.models.local_weights import Reader, Weights

_RESERVED = ("image_token_id", "video_token_id", "boi_token_id", "eoi_token_id")
"""What stands for pictures in a prompt; written by a model, it would be a picture that is not there."""


@dataclass
class EncodedPrompt:
    """A prompt as a model takes it."""

    ids: list[int]
    by_token: dict[str, list[int]]
    """What else there is for each token, such as its kind."""
    pictures: dict[str, list[Any]]
    """The tensors that hold the pictures, in their order."""


@dataclass(frozen=True)
class ReadyPrompt(TokenPrompt):
    """A prompt that was encoded ahead, as one is that is asked again and again."""

    encoded: EncodedPrompt


def encode(reader: Reader, prompt: TokenPrompt) -> EncodedPrompt:
    """The ids of a prompt; its pictures are counted and compared with those that the model was asked with."""
    if isinstance(prompt, ReadyPrompt):
        ready = prompt.encoded
        return EncodedPrompt([*ready.ids], {name: [*some] for name, some in ready.by_token.items()}, ready.pictures)
    pictures = prompt.check_pictures()
    written = repr(prompt.messages)
    mark = next(one for one in map("⟦{}⟧".format, itertools.count()) if one not in written)
    messages, counts = _marked(prompt, mark)
    pieces = reader.render(messages).split(mark)
    if len(pieces) != len(prompt.said) + 1:
        raise MmgamesError("the chat template leaves out or repeats what the model has said; use history=0.")
    found = EncodedPrompt([], {}, {})
    for number, (piece, count) in enumerate(zip(pieces, counts, strict=True)):
        if number:
            _add(found, [*prompt.said[number - 1]], {})
        own, pictures = pictures[:count], pictures[count:]
        made = _tokenised(reader, piece, own, first=number == 0)
        ids = made.pop("input_ids")[0].tolist()
        by_token = {name: made.pop(name)[0].tolist() for name, value in [*made.items()] if value.shape == (1, len(ids))}
        if number and ids[:1] == found.ids[-1:] and ids[0] in reader.ends:  # the reply has ended itself already
            ids, by_token = ids[1:], {name: values[1:] for name, values in by_token.items()}
        _add(found, ids, by_token)
        for name, value in made.items():
            found.pictures.setdefault(name, []).append(value)
    return found


def _marked(prompt: TokenPrompt, mark: str) -> tuple[list[dict[str, Any]], list[int]]:
    """The messages with marks for the model's replies, and how many pictures stand before, between and after them."""
    replies = [number for number, one in enumerate(prompt.messages) if one["role"] == "assistant"]
    own = replies[len(replies) - len(prompt.said) :]
    messages, counts = [], [0]
    for number, one in enumerate(prompt.messages):
        if number in own:
            messages.append({**one, "content": mark})
            counts.append(0)
            continue
        if not isinstance(one["content"], str):
            counts[-1] += sum(part["type"] != "text" for part in one["content"])
        messages.append(one)
    return messages, counts


def _tokenised(reader: Reader, piece: str, pictures: list[Any], first: bool) -> dict[str, Any]:
    if not reader.sees:
        return {"input_ids": torch.tensor([reader.tokenizer(piece, add_special_tokens=False)["input_ids"]])}
    begins = reader.tokenizer.bos_token
    special = first and not (begins and piece.startswith(begins))  # as transformers' own apply_chat_template does
    images = {"images": [pictures]} if pictures else {}
    try:
        made = reader.remembering(text=[piece], **images, add_special_tokens=special, return_tensors="pt")
    except ValueError as error:
        raise MmgamesError(f"the {len(pictures)} pictures of a prompt do not fit its words: {error}") from error
    return {name: value for name, value in made.items() if name != "attention_mask"}


def _add(found: EncodedPrompt, ids: list[int], by_token: dict[str, list[int]]) -> None:
    """Further tokens; what a reply has no value for is text, and a zero."""
    for name in {*found.by_token, *by_token}:
        values = found.by_token.setdefault(name, [0] * len(found.ids))
        values += by_token.get(name, [0] * len(ids))
    found.ids += ids


def _filler(weights: Weights) -> int:
    pad = weights.tokenizer.pad_token_id
    return min(weights.ends) if pad is None else int(pad)


def padded(weights: Weights, prompts: Sequence[EncodedPrompt], left: bool, shared: int = 0) -> dict[str, Any]:
    """Prompts of different lengths as one batch, filled up on the left for writing or on the right for reading.

    On the left, the first `shared` tokens, which all prompts have in common, stand before what is filled in. What is
    filled in on the right needs no mask: no token looks ahead, and attention without one is quicker.
    """
    lengths = [len(one.ids) for one in prompts]
    longest, filler = max(lengths), _filler(weights)

    def rows(values: Sequence[Sequence[int]], fill: int) -> Any:
        whole = np.full((len(values), longest), fill)
        for row, own, length in zip(whole, values, lengths, strict=True):
            at = shared if left else length
            row[:at], row[longest - length + at :] = own[:at], own[at:]
        return torch.from_numpy(whole)

    batch = {"input_ids": rows([one.ids for one in prompts], filler)}
    if left:
        batch["attention_mask"] = rows([[1] * len(one.ids) for one in prompts], 0)
    for name in sorted({name for one in prompts for name in one.by_token}):
        batch[name] = rows([one.by_token.get(name, [0] * len(one.ids)) for one in prompts], 0)
    for name in sorted({name for one in prompts for name in one.pictures}):
        tensors = [tensor for one in prompts for tensor in one.pictures.get(name, ())]
        if tensors[0].ndim > 4 or any(one.shape[1:] != tensors[0].shape[1:] for one in tensors):
            raise MmgamesError(f"pictures of this kind of model ({name}) cannot be laid together in one batch.")
        batch[name] = torch.cat(tensors)
    return {name: value.to(weights.model.device) for name, value in batch.items()}


class _DrawTokens(LogitsProcessor):
    """Draws the next tokens with numbers of each row's own, and keeps what the model gave them.

    Nothing of a row's reply depends on who is in the batch with it, rounding left aside.
    """

    def __init__(self, draws: Any, temperature: float, top_p: float, never: list[int]) -> None:
        self.draws, self.temperature, self.top_p, self.never = draws, temperature, top_p, never
        self.log_probs: list[Any] = []

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        given = scores.float().log_softmax(-1)
        scores = given.index_fill(1, torch.tensor(self.never, device=given.device, dtype=torch.long), -torch.inf)
        tokens = self._drawn(scores / self.temperature) if self.temperature else scores.argmax(-1)
        self.log_probs.append(given.gather(1, tokens[:, None])[:, 0])
        return torch.full_like(scores, -torch.inf).scatter(1, tokens[:, None], 0.0)

    def _drawn(self, scores: Any) -> Any:
        """Of the likeliest tokens that together have `top_p`, the first at which their sum passes a row's number.

        They are summed in the order of the vocabulary: in that of their likelihood, rounding would change many draws.
        """
        kept = scores.softmax(-1)
        if self.top_p < 1:
            likely, order = kept.sort(dim=-1, descending=True)
            few = likely * (likely.cumsum(-1) - likely < self.top_p)
            kept = torch.zeros_like(kept).scatter(1, order, few)
        sums = kept.cumsum(-1)
        place = torch.searchsorted(sums, self.draws[:, len(self.log_probs), None] * sums[:, -1:], right=True)
        last = sums.shape[1] - 1 - (kept > 0).flip(-1).int().argmax(-1, keepdim=True)  # where rounding leads past it
        return torch.minimum(place, last)[:, 0]


def write_batch(
    weights: Weights, prompts: Sequence[TokenPrompt], max_tokens: int, temperature: float, top_p: float
) -> list[TokenReply]:
    """A reply to each prompt, all written at once."""
    encoded = [encode(weights, prompt) for prompt in prompts]
    return write_encoded(weights, encoded, [prompt.seed for prompt in prompts], max_tokens, temperature, top_p)


def write_encoded(
    weights: Weights,
    encoded: Sequence[EncodedPrompt],
    seeds: Sequence[int],
    max_tokens: int,
    temperature: float,
    top_p: float,
) -> list[TokenReply]:
    draws = np.stack([np.random.default_rng(seed).random(max_tokens) for seed in seeds])
    device = weights.model.device
    reserved = (getattr(weights.processor, name, None) for name in _RESERVED)
    drawing = _DrawTokens(
        torch.tensor(draws, dtype=torch.float32, device=device), temperature, top_p,
        [token for token in reserved if isinstance(token, int)],
    )  # fmt: skip
    shared = _shared_start(encoded)
    batch = padded(weights, encoded, left=True, shared=shared)
    # The model's own settings (a penalty, say) would make other tokens likely than those that it is trained on.
    plain = GenerationConfig(
        max_new_tokens=max_tokens, do_sample=False, eos_token_id=sorted(weights.ends), pad_token_id=_filler(weights),
    )  # fmt: skip
    learning = weights.model.training
    try:
        with weights.lock, weights.computing(), torch.inference_mode():
            weights.model.eval()
            room = len(encoded), batch["input_ids"].shape[1] + max_tokens
            read = _read_once(weights, batch["input_ids"][:1, :shared], *room) if shared else {}
            written = weights.model.generate(
                **batch, **read, generation_config=plain, logits_processor=LogitsProcessorList([drawing])
            )
    finally:
        weights.model.train(learning)
    tokens = written[:, batch["input_ids"].shape[1] :].tolist()
    given = torch.stack(drawing.log_probs, 1).tolist()
    return [
        _reply(weights, prompt, row, values, temperature)
        for prompt, row, values in zip(encoded, tokens, given, strict=True)
    ]


def _shared_start(prompts: Sequence[EncodedPrompt]) -> int:
    """How many tokens all prompts begin with; where there are pictures among them, none is counted."""
    if len(prompts) < 2 or any(one.pictures or one.by_token for one in prompts):
        return 0
    first, last = (choose(prompts, key=lambda one: one.ids).ids for choose in (min, max))  # all others lie between
    alike = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return min(sum(1 for _ in alike), min(len(one.ids) for one in prompts) - 1)


class _RoomyLayer(DynamicLayer):
    """What a layer remembers of a start, for each row, with room for all that follows: no token copies those before."""

    def __init__(self, start: DynamicLayer, rows: int, length: int) -> None:
        super().__init__()
        self.lazy_initialization(start.keys, start.values)
        self._used = 0
        self._room = [part.new_empty(rows, part.shape[1], length, part.shape[3]) for part in (start.keys, start.values)]
        self.update(start.keys, start.values)

    def update(self, key_states: Any, value_states: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        begin, self._used = self._used, self._used + key_states.shape[-2]
        for room, new in zip(self._room, (key_states, value_states), strict=True):
            room[:, :, begin : self._used] = new
        self.keys, self.values = (room[:, :, : self._used] for room in self._room)
        return self.keys, self.values


def _read_once(weights: Weights, start: Any, rows: int, length: int) -> dict[str, Any]:
    """What a model remembers of the tokens that all prompts begin with, which it reads once for all of them.

    Nothing for models that remember otherwise than by keys and values of every token: they read all.
    """
    known = weights.model(input_ids=start, use_cache=True, logits_to_keep=1).past_key_values
    if not isinstance(known, DynamicCache) or any(type(layer) is not DynamicLayer for layer in known.layers):
        return {}
    known.layers = [_RoomyLayer(layer, rows, length) for layer in known.layers]
    return {"past_key_values": known}


def _reply(
    weights: Weights, prompt: EncodedPrompt, tokens: list[int], log_probs: list[float], temperature: float
) -> TokenReply:
    length = next((number for number, token in enumerate(tokens, 1) if token in weights.ends), len(tokens))
    own = tuple(tokens[:length])
    finish = "stop" if own[-1] in weights.ends else "length"
    return TokenReply(weights.decode(own), tuple(prompt.ids), own, tuple(log_probs[:length]), finish, temperature)


def log_probabilities(weights: Weights, pairs: Sequence[tuple[TokenPrompt, TokenReply]]) -> list[Any]:
    """What the model gives each token of these replies now, in one forward pass: tensors that gradients flow through.

    The tokens are those that were written. An error where a prompt is no longer the one that was answered.
    """
    return read_replies(weights, encode_answered(weights, pairs), [reply.reply_ids for _, reply in pairs])


def encode_answered(reader: Reader, pairs: Sequence[tuple[TokenPrompt, TokenReply]]) -> list[EncodedPrompt]:
    """Prompts as they were when they were answered; an error where one has other tokens now."""
    prompts = [encode(reader, prompt) for prompt, _ in pairs]
    if any(tuple(one.ids) != reply.prompt_ids for one, (_, reply) in zip(prompts, pairs, strict=True)):
        raise MmgamesError("a prompt has other tokens than the one that was answered; use the same processor.")
    return prompts


def read_replies(weights: Weights, prompts: Sequence[EncodedPrompt], replies: Sequence[Sequence[int]]) -> list[Any]:
    """What the model gives each token of the replies to these prompts, in one forward pass."""
    whole = []
    for one, reply in zip(prompts, replies, strict=True):
        both = EncodedPrompt([*one.ids], {name: [*values] for name, values in one.by_token.items()}, one.pictures)
        _add(both, [*reply], {})
        whole.append(both)
    batch = padded(weights, whole, left=False)
    length = batch["input_ids"].shape[1]
    few = {"logits_to_keep": length + 1 - min(len(one.ids) for one in prompts)}  # the words of prompts are not scored
    known = inspect.signature(weights.model.forward).parameters
    with weights.computing():
        logits = weights.model(**batch, use_cache=False, **(few if "logits_to_keep" in known else {})).logits
    return _scores_of(logits, [len(one.ids) - 1 - (length - logits.shape[1]) for one in prompts], replies)


def _scores_of(logits: Any, starts: Sequence[int], replies: Sequence[Sequence[int]]) -> list[Any]:
    """The log-probabilities of replies, each of which begins at a place of its row: all rows in a few operations."""
    lengths = [len(reply) for reply in replies]
    firsts = [row * logits.shape[1] + start for row, start in enumerate(starts)]
    places = np.concatenate([np.arange(first, first + length) for first, length in zip(firsts, lengths, strict=True)])
    said = np.fromiter(itertools.chain.from_iterable(replies), np.int64, len(places))
    at, tokens = torch.from_numpy(np.stack([places, said])).to(logits.device)
    near = logits.flatten(0, 1).index_select(0, at).float().log_softmax(-1)
    return list(near.gather(1, tokens[:, None])[:, 0].split(lengths))
