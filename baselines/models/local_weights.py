"""The weights of a model of transformers, and the processor or tokenizer that reads messages for it."""

import copy
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from mmgames.agents.token_replies import TokenPrompt, TokenReply, picture_hash
from mmgames.errors import MmgamesError


class Reader:
    """The processor (or tokenizer) of a model, which turns messages into what it takes; `ends` are its last tokens."""

    def __init__(self, processor: Any, ends: set[int]) -> None:
        self.processor, self.ends = processor, ends
        self.remembering = remembering(processor)
        self.tokenizer = getattr(processor, "tokenizer", processor)
        self.sees = self.tokenizer is not processor

    def render(self, messages: list[dict[str, Any]]) -> str:
        """The messages in the words of the chat template, before any of them is a token."""
        return str(self.template(messages, tokenize=False))

    def template(self, messages: list[dict[str, Any]], **how: Any) -> Any:
        if self.tokenizer.chat_template is None and getattr(self.processor, "chat_template", None) is None:
            raise MmgamesError("the model has no chat template; choose one that is made for conversations.")
        if self.sees:  # templates of models that see want parts everywhere
            messages = [
                {**one, "content": [{"type": "text", "text": one["content"]}]}
                if isinstance(one["content"], str)
                else one
                for one in messages
            ]
        elif any(not isinstance(one["content"], str) for one in messages):
            raise MmgamesError("the model takes no images; use observe=text.")
        return self.processor.apply_chat_template(messages, add_generation_prompt=True, **how)

    def decode(self, tokens: Any) -> str:
        return str(self.tokenizer.decode(tokens, skip_special_tokens=True)).strip()

    def tokens(self, reply: str) -> list[int]:
        """A reply as the model would have written it, up to its end."""
        end = [self.tokenizer.eos_token_id] if self.tokenizer.eos_token_id in self.ends else []
        return [*self.tokenizer(reply, add_special_tokens=False)["input_ids"], *end]


class Weights(Reader):
    """A model, and what reads for it.

    `precision` is the type that it computes in beside weights of another, such as float32 weights that learn; None is
    that of the weights.
    """

    precision: Any = None

    def __init__(self, model: Any, processor: Any) -> None:
        ends = model.generation_config.eos_token_id
        super().__init__(processor, set(ends if isinstance(ends, list) else [ends]))
        self.model = model.eval()
        self.lock = threading.Lock()
        self.waiting = WaitingReplies()
        words = model.config.get_text_config()
        heads = words.num_attention_heads
        self.shares_heads = (getattr(words, "num_key_value_heads", None) or heads) != heads

    def encode(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        prompt = self.template(messages, tokenize=True, return_dict=True, return_tensors="pt")
        return dict(prompt.to(self.model.device))

    @contextmanager
    def computing(self) -> Iterator[None]:
        """All that the model computes is computed in here.

        On a GPU PyTorch's memory-efficient kernel for attention is the quickest for small batches of any length, but
        where heads are shared it is left out: with a mask it then gives wrong numbers for some lengths of a padded
        batch, and says nothing (pytorch#191937).
        """
        import torch
        from torch.nn.attention import SDPBackend, sdpa_kernel

        right = [SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION, SDPBackend.MATH]
        if not self.shares_heads:
            right = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
        with ExitStack() as stack:
            if self.model.device.type == "cuda":
                stack.enter_context(sdpa_kernel(right))
            if self.precision is not None:
                stack.enter_context(torch.autocast(self.model.device.type, self.precision))
            yield


@dataclass(eq=False)
class _Wanted:
    prompt: TokenPrompt
    how: Hashable
    reply: TokenReply | Exception | None = None


class WaitingReplies:
    """Replies of one model that several threads wait for, written together: whoever comes to write first writes for all
    who wait.

    Nobody waits for others to come: the first reply is written alone, and what was asked meanwhile is the next batch.
    """

    def __init__(self) -> None:
        self._turn, self._guard = threading.Lock(), threading.Lock()
        self._waiting: list[_Wanted] = []

    def reply(
        self, prompt: TokenPrompt, how: Hashable, most: int, write: Callable[[Sequence[TokenPrompt]], list[TokenReply]]
    ) -> TokenReply:
        """The reply to a prompt, written by `write` beside at most `most` - 1 others that are to be written likewise
        (`how`). What goes wrong in a batch goes wrong for all of it."""
        mine = _Wanted(prompt, how)
        with self._guard:
            self._waiting.append(mine)
        with self._turn:
            if mine.reply is None:
                with self._guard:
                    alike = [one for one in self._waiting if one.how == how and one is not mine]
                    taken = [mine, *alike[: most - 1]]
                    self._waiting = [one for one in self._waiting if one not in taken]
                self._write(taken, write)
        assert mine.reply is not None
        if isinstance(mine.reply, Exception):
            raise mine.reply
        return mine.reply

    def _write(self, taken: list[_Wanted], write: Callable[[Sequence[TokenPrompt]], list[TokenReply]]) -> None:
        try:
            written: Sequence[TokenReply | Exception] = write([one.prompt for one in taken])
        except Exception as error:
            written = [error] * len(taken)
        for one, reply in zip(taken, written, strict=True):
            one.reply = reply


ROOM = 256 * 2**20  # so many bytes of what was made are kept


def remembering(processor: Any) -> Any:
    """The same processor, which is left as it is, with a memory; one that sees nothing needs none."""
    if not hasattr(processor, "image_processor"):
        return processor
    made = copy.copy(processor)
    made.image_processor = _Remembering(processor.image_processor)
    return made


class _Remembering:
    """What a processor has made of the last pictures: players look at the same one in several turns, civilians of Spy
    share one, and with `history` every turn shows the earlier ones again. Each is brought to scale once."""

    def __init__(self, eye: Any) -> None:
        self._eye = eye
        self._kept: OrderedDict[Any, Any] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._eye, name)

    def __call__(self, images: Any, *args: Any, **how: Any) -> Any:
        key = _hashes(images), repr(args), repr(sorted(how.items()))
        with self._lock:
            found = self._kept.pop(key, None)
            if found is None:
                found = self._eye(images, *args, **how)
                self._bytes += _size(found)
            self._kept[key] = found
            while self._bytes > ROOM and len(self._kept) > 1:
                self._bytes -= _size(self._kept.popitem(last=False)[1])
        return copy.copy(found)  # some processors take parts out of it


def _hashes(images: Any) -> Any:
    return tuple(map(_hashes, images)) if isinstance(images, (list, tuple)) else picture_hash(images)


def _size(made: Any) -> int:
    return sum(getattr(value, "nbytes", 0) for value in made.values())
