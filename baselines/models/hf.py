"""A vision-language model of Hugging Face's transformers, loaded into this process.

    mmgames match TicTacToe hf:Qwen/Qwen2.5-VL-3B-Instruct random --episodes 2 --on-illegal retry
    mmgames eval lvlm-playground --agent hf:./my-checkpoint,max_tokens=300,reasoning=cot --out results/run

For research on the weights themselves: it tells the log-probabilities of what it says. In matches and suites one reply
is written at a time, or with `batch=64` and `--concurrency 64` as many together as are asked for at the same moment. To
measure a large model soon, serve it and ask it with `chat`. Rollouts for learning are written in batches
(`mmgames.baselines.learning.rollouts`).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from mmgames.agents.chat_messages import PictureFormat
from mmgames.agents.token_replies import TokenPrompt, TokenReply, picture_hash, pictures_in
from mmgames.baselines.models.conversation import Conversation, at_least
from mmgames.baselines.models.local_weights import Weights
from mmgames.errors import MmgamesError, needs_extra
from mmgames.running.journal import is_offline


class _GivenOrLoaded:
    """The option `weights`: the model and its processor that a caller gives, or those of the model's name.

    They are loaded when first needed and shared by all seats and games.
    """

    def __get__(self, agent: HuggingFace | None, owner: type[HuggingFace]) -> Weights | None:
        if agent is None:
            return None  # the option's default
        return agent._given or load(agent.model, agent.device, agent.dtype)

    def __set__(self, agent: HuggingFace, weights: tuple[Any, Any] | Weights | None) -> None:
        agent._given = Weights(*weights) if isinstance(weights, tuple) else weights


@dataclass(eq=False, repr=False)
class HuggingFace(Conversation):
    """A local model that answers observations in words.

    model           a folder, or a name that transformers finds or downloads; one that reads text alone needs
                    observe="text". `weights=(model, processor)` are those to use instead, for callers in Python
    device          "auto" (a GPU if there is one), "cpu", "cuda:1", …
    dtype           "auto" (as the weights are stored), "float32", "bfloat16", …
    temperature     0 takes the likeliest token each time; above it, tokens are drawn, from the episode's seed alone
    top_p           draw from the likeliest tokens that together have this probability
    max_tokens      a reply ends there at the latest
    batch           so many replies at most are written together, where several games or questions are played at a time
                    (--concurrency); who else is in a batch may change the last bits of what a model computes
    logprobs        keep what the model gave each token of a reply, in `last_call` and in the journal
    system, prompt, observe, size, frames, reasoning, legal_in_text, history    as every `Conversation` has them
    """

    called: ClassVar[str] = "hf"
    """The name by which the agent is found."""

    model: str = field()  # without it the empty name of `Agent` would be a default
    device: str = "auto"
    dtype: str = "auto"
    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 512
    batch: int = 1
    logprobs: bool = False
    weights: Any = _GivenOrLoaded()
    picture: PictureFormat = field(default="pil", init=False)
    _given: Weights | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_offline():
            _transformers(self.called)  # a missing package is better said now
        self.model = str(self.model)
        if not self.temperature >= 0 or not 0 < self.top_p <= 1:
            raise MmgamesError(
                f"temperature={self.temperature} is to be 0 or more, and top_p={self.top_p} above 0 and up to 1."
            )
        self.temperature, self.top_p = float(self.temperature), float(self.top_p)
        at_least(self.max_tokens, 1, "max_tokens")
        at_least(self.batch, 1, "batch")
        self.logprobs = bool(self.logprobs)
        self.name = f"{self.called}:{self.model}"
        self._rng = np.random.default_rng(0)

    def describe(self) -> dict[str, Any]:
        drawn = {"temperature": self.temperature, "top_p": self.top_p} if self.temperature else {"temperature": 0.0}
        return {
            "model": self.model,
            "dtype": self.dtype,
            "sampling": {**drawn, "max_tokens": self.max_tokens},
            **({"batch": self.batch} if self.batch > 1 else {}),
            **super().describe(),
        }

    def draw_with(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def recall(self, observation: dict[str, Any], reply: str) -> None:
        self._seed()  # what follows is drawn as if this had been, too
        super().recall(observation, reply)

    def _seed(self) -> int:
        return int(self._rng.integers(2**62)) if self.temperature else 0

    def complete(self, messages: list[dict[str, Any]]) -> str:
        if self.batch > 1:
            return self._complete_among_others(messages)
        import torch

        weights, seed = self.weights, self._seed()
        drawing = {"temperature": self.temperature, "top_p": self.top_p, "top_k": 0} if self.temperature else {}
        # transformers draws from the generator that all of torch shares, so replies are written one at a time.
        with weights.lock, weights.computing(), torch.inference_mode(), torch.random.fork_rng():
            torch.manual_seed(seed)
            prompt = weights.encode(messages)
            written = weights.model.generate(
                **prompt,
                max_new_tokens=self.max_tokens,
                do_sample=bool(drawing),
                **drawing,
                output_logits=self.logprobs,
                return_dict_in_generate=True,
            )
            start = prompt["input_ids"].shape[1]
            tokens = written.sequences[0, start:]
            self.last_call = {
                "model": self.model,
                "tokens_in": start,
                "tokens_out": len(tokens),
                "finish": "stop" if int(tokens[-1]) in weights.ends else "length",
            }
            if self.logprobs:
                found = torch.stack(written.logits)[:, 0].float().log_softmax(-1).gather(1, tokens[:, None])[:, 0]
                self.last_call |= {"tokens": tokens.tolist(), "logprobs": found.tolist()}
        return weights.decode(tokens)

    def _complete_among_others(self, messages: list[dict[str, Any]]) -> str:
        pictures = tuple(map(picture_hash, pictures_in(messages)))
        prompt = TokenPrompt(messages, (), pictures, self._seed())
        how = self.max_tokens, self.temperature, self.top_p
        reply = self.weights.waiting.reply(prompt, how, self.batch, self.complete_batch)
        call = {"tokens_in": len(reply.prompt_ids), "tokens_out": len(reply.reply_ids), "finish": reply.finish}
        self.last_call = {"model": self.model, **call}
        if self.logprobs:
            self.last_call |= {"tokens": [*reply.reply_ids], "logprobs": [*reply.log_probs]}
        return reply.text

    def complete_batch(self, prompts: Sequence[TokenPrompt]) -> list[TokenReply | Exception]:
        from mmgames.baselines.models.token_batches import write_batch

        return [*write_batch(self.weights, prompts, self.max_tokens, self.temperature, self.top_p)]

    def log_probabilities(self, messages: list[dict[str, Any]], reply: str | list[int]) -> Any:
        """What the model gives each token of a reply to these messages: a tensor that gradients flow through.

        `reply` is a text, or the very tokens that `last_call` keeps with `logprobs=True`. Temperature plays no part.
        """
        import torch

        weights = self.weights
        tokens = weights.tokens(reply) if isinstance(reply, str) else list(reply)
        prompt = weights.encode(messages)
        start = prompt["input_ids"].shape[1]
        said = torch.tensor([tokens], device=prompt["input_ids"].device, dtype=torch.long)
        follows = {"input_ids": said, "attention_mask": torch.ones_like(said)}
        # Whatever else is there for each token of the prompt (the kinds of tokens, say) goes on with zeros: it is text.
        for name, value in prompt.items():
            if name not in follows and value.ndim == 2 and value.shape == prompt["input_ids"].shape:
                follows[name] = torch.zeros_like(said, dtype=value.dtype)
        whole = {
            name: torch.cat([value, follows[name]], 1) if name in follows else value for name, value in prompt.items()
        }
        with weights.computing():
            logits = weights.model(**whole).logits[0, start - 1 : -1].float()
        return logits.log_softmax(-1).gather(1, said[0, :, None])[:, 0]


_loading = threading.Lock()


def load(model: str, device: str = "auto", dtype: str = "auto") -> Weights:
    """Weights by the name or folder of a model; the last ones are kept, so that every game of a suite has them."""
    with _loading:
        return _load(model, device, dtype)


@lru_cache(maxsize=1)
def _load(model: str, device: str, dtype: str) -> Weights:
    transformers = _transformers()
    import torch

    from mmgames.baselines.models import quantised_weights

    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        if (Path(model) / quantised_weights.FILE).exists():
            return quantised_weights.load(model, device)
        config = transformers.AutoConfig.from_pretrained(model)
        sees = type(config) in transformers.AutoModelForImageTextToText._model_mapping
        kind = transformers.AutoModelForImageTextToText if sees else transformers.AutoModelForCausalLM
        reader = transformers.AutoProcessor if sees else transformers.AutoTokenizer
        return Weights(kind.from_pretrained(model, dtype=dtype).to(device), reader.from_pretrained(model))
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise MmgamesError(f"The model {model} cannot be loaded ({device}, {dtype}): {first[:300]}") from error


def _transformers(agent: str = "hf") -> Any:
    with needs_extra(f"The agent {agent!r}", "hf"):
        import torch  # noqa: F401
        import transformers
    return transformers
