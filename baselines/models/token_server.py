"""A model behind a server that tells the tokens of its replies and what it gave them, as vLLM does, for rollouts.

    vllm serve Qwen/Qwen2.5-VL-3B-Instruct --generation-config vllm --limit-mm-per-prompt '{"image": 8}'

    model = TokenServer("Qwen/Qwen2.5-VL-3B-Instruct", base_url="http://localhost:8000/v1", temperature=1.0,
                        max_tokens=128, processor=AutoProcessor.from_pretrained("Qwen/Qwen2.5-VL-3B-Instruct"))
    played = rollouts.play("TicTacToe", [model, "minimax"], 64)

A prompt of words alone is sent as ids, so that what the model has said goes on from its ids. Pictures go with messages,
which the server tokenises; where its prompt does not hold an earlier reply by its ids, the decision says so.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from mmgames.agents.token_replies import TokenPrompt, TokenReply
from mmgames.baselines.models.chat import Chat
from mmgames.baselines.models.local_weights import Reader
from mmgames.baselines.models.wire_formats import Completion
from mmgames.errors import ServiceRefused, Unavailable

MOST_AT_ONCE = 256


@dataclass(eq=False, repr=False)
class TokenServer(Chat):
    """A chat model whose server tells token ids.

    processor       the tokenizer or processor of the model that is served. Without it all prompts go as messages
    all else        as `Chat` has it
    """

    processor: Any = None

    def __post_init__(self) -> None:
        super().__post_init__()
        tokenizer = getattr(self.processor, "tokenizer", self.processor)
        self._reader = None if tokenizer is None else Reader(self.processor, set(tokenizer.all_special_ids))

    def complete_batch(self, prompts: Sequence[TokenPrompt]) -> list[TokenReply | Exception]:
        with ThreadPoolExecutor(min(len(prompts), MOST_AT_ONCE)) as pool:
            return list(pool.map(self._write, prompts))

    def _write(self, prompt: TokenPrompt) -> TokenReply | Exception:
        body = {"model": self.model, **self.sampling, "return_token_ids": True, "seed": prompt.seed}
        path, pictures = "/chat/completions", prompt.check_pictures()
        if self._reader is None or pictures:
            body |= {"messages": prompt.messages, "logprobs": True}
        else:
            from mmgames.baselines.models.token_batches import encode

            path, body = "/completions", body | {"prompt": encode(self._reader, prompt).ids, "logprobs": 1}
        try:
            done = self._posted({**body, **self.extra_body}, path, read_token_completion)
        except Unavailable as error:
            return error
        asked, tokens, logprobs = (done.call[name] for name in ("prompt_tokens", "tokens", "logprobs"))
        if asked is None or not tokens or logprobs is None or len(tokens) != len(logprobs) or None in logprobs:
            raise ServiceRefused(
                f"{self.name}: the server does not tell token ids with their log-probabilities; vLLM does, with "
                "return_token_ids and logprobs, in its newer versions."
            )
        retokenised = not _holds(asked, prompt.said)
        finish = str(done.call["finish"])
        temperature = float(self.sampling.get("temperature", 1.0))
        return TokenReply(
            done.text.strip(), tuple(asked), tuple(tokens), tuple(logprobs), finish, temperature, retokenised
        )


def read_token_completion(document: Any) -> Completion:
    """The first choice of a completion or of a chat completion, with its tokens as far as the server tells them."""
    choice = document["choices"][0]
    text = choice["text"] if "text" in choice else choice["message"].get("content") or ""
    logprobs = choice.get("logprobs") or {}
    values = logprobs.get("token_logprobs")
    if values is None and logprobs.get("content") is not None:
        values = [one["logprob"] for one in logprobs["content"]]
    asked = choice.get("prompt_token_ids") or document.get("prompt_token_ids")
    call = {"finish": choice.get("finish_reason"), "prompt_tokens": asked, "tokens": choice.get("token_ids")}
    return Completion(text, {**call, "logprobs": values})


def _holds(ids: Sequence[int], replies: Sequence[Sequence[int]]) -> bool:
    """Whether ids hold these replies, one after the other, each whole."""
    start = 0
    for reply in replies:
        start = next((place + len(reply) for place in _places(ids, reply, start)), -1)
        if start < 0:
            return False
    return True


def _places(ids: Sequence[int], part: Sequence[int], start: int) -> Iterator[int]:
    part = list(part)
    return (place for place in range(start, len(ids) - len(part) + 1) if list(ids[place : place + len(part)]) == part)
