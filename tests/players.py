"""Players for tests: they say and do what they are told to, and keep what they were shown."""

from typing import Any


class Says:
    """Gives these replies, or what functions make of what is seen, one after the other and the last for ever."""

    def __init__(self, *replies: Any, **style: Any) -> None:
        self.replies, self.prompts, self.style = list(replies), list[str](), {"observe": ("text",), **style}

    def answer(self, observation: dict[str, Any]) -> str:
        self.prompts.append(observation["text"])
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return reply(observation) if callable(reply) else reply


class Acts:
    """Makes these moves, or those that functions choose, one after the other and the last for ever; in each episode."""

    def __init__(self, *moves: Any) -> None:
        self.moves, self.left, self.refused = moves, list(moves), list[str]()

    def begin(self, game: Any, seat: int) -> None:
        self.left = list(self.moves)

    def act(self, turn: Any) -> Any:
        self.refused.append(turn.refused and turn.refused.reason)
        move = self.left.pop(0) if len(self.left) > 1 else self.left[0]
        return move(turn) if callable(move) else move
