"""A model behind another wire format, Anthropic's, with its official client: bring `complete`, the rest is there.

pip install 'mmgames[anthropic]'; export ANTHROPIC_API_KEY=…
cd examples/plugins; mmgames match TicTacToe anthropic_chat:Claude:MODEL,history=2 random --episodes 1
"""

from dataclasses import dataclass, field

import anthropic

from mmgames.baselines.models.conversation import Conversation
from mmgames.errors import PromptRefused, ServiceRefused, Unavailable

FINISH = {"max_tokens": "length", "refusal": "refusal"}


@dataclass(eq=False, repr=False)
class Claude(Conversation):
    concurrent = True
    model: str = field()
    base_url: str | None = None
    max_tokens: int = 1024
    temperature: float | None = None

    def __post_init__(self):
        super().__post_init__()
        self.name, self._client = f"claude:{self.model}", None
        self.sampling = {"max_tokens": self.max_tokens}
        self.sampling |= {} if self.temperature is None else {"temperature": self.temperature}

    def describe(self):
        return {"model": self.model, "sampling": self.sampling, **super().describe()}

    def complete(self, messages):
        self._client = self._client or anthropic.Anthropic(base_url=self.base_url, max_retries=0)
        system = {"system": self.system} if self.system else {}
        turns = [{**one, "content": parts(one["content"])} for one in messages if one["role"] != "system"]
        try:
            done = self._client.messages.create(model=self.model, messages=turns, **system, **self.sampling)
        except anthropic.APIConnectionError as error:  # asked again later, as `retry_policy` says
            raise Unavailable(f"{self.name}: {error}") from None
        except anthropic.APIStatusError as error:
            kind = PromptRefused if error.status_code in (400, 413) else ServiceRefused
            again = error.status_code == 429 or error.status_code >= 500
            raise (Unavailable if again else kind)(f"{self.name}: status {error.status_code}") from None
        said = {kind: [block for block in done.content if block.type == kind] for kind in ("text", "thinking")}
        self.last_call = {"model": done.model, "finish": FINISH.get(done.stop_reason, "stop")}
        self.last_call |= {"tokens_in": done.usage.input_tokens, "tokens_out": done.usage.output_tokens}
        if said["thinking"]:
            self.last_call["reasoning"] = "".join(block.thinking for block in said["thinking"])
        return "".join(block.text for block in said["text"])


def parts(content):
    """A content of ours, whose pictures are `data:` URLs, in the parts that this format has."""
    if isinstance(content, str):
        return content
    urls = [part["image_url"]["url"].removeprefix("data:").split(";base64,") for part in content if "text" not in part]
    images = [{"type": "base64", "media_type": kind, "data": data} for kind, data in urls]
    return [*({"type": "image", "source": one} for one in images), *(part for part in content if "text" in part)]
