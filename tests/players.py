"""Players for tests: they say what they are told to, and keep what they were shown."""

from typing import Any


class Says:
    """Gives these replies, one after the other and the last of them for ever, and keeps the prompts."""

    def __init__(self, *replies: str) -> None:
        self.replies, self.prompts, self.style = list(replies), list[str](), {"observe": ("text",)}

    def answer(self, observation: dict[str, Any]) -> str:
        self.prompts.append(observation["text"])
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


class Acts:
    """Does or says this, one after the other and the last for ever, anew in each episode; keeps why it was refused."""

    def __init__(self, *moves: Any) -> None:
        self.moves, self.left, self.refused = moves, list(moves), list[str]()

    def begin(self, game: Any, seat: int) -> None:
        self.left = list(self.moves)

    def act(self, turn: Any) -> Any:
        self.refused.append(turn.refused and turn.refused.reason)
        return self.left.pop(0) if len(self.left) > 1 else self.left[0]
