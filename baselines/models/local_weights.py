"""The weights of a model of transformers, and the processor or tokenizer that reads messages for it."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from mmgames.baselines.models.remembered_pictures import remembering
from mmgames.baselines.models.waiting_replies import WaitingReplies
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
