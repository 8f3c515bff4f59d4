"""Players for tests: they say and do what they are told to, and keep what they were shown. A name, and what sets one
apart from others of it, are kept with what it plays."""

from typing import Any


class Says:
    """Gives these replies, or what functions make of what is seen, one after the other and the last for ever; errors
    among them are raised."""

    def __init__(self, *replies: Any, name: str | None = None, about: Any = None, **style: Any) -> None:
        self.replies, self.prompts, self.name = list(replies), list[str](), name
        self.style = {"observe": ("text",), **style}
        if about is not None:
            self.describe = lambda: about

    def answer(self, observation: dict[str, Any]) -> str:
        self.prompts.append(observation["text"])
        return _next(self.replies, observation)


class Acts:
    """Makes these moves, or those that functions choose, one after the other and the last for ever; in each episode."""

    def __init__(self, *moves: Any, name: str | None = None, about: Any = None) -> None:
        self.moves, self.left, self.refused, self.name = moves, list(moves), list[str](), name
        if about is not None:
            self.describe = lambda: about

    def begin(self, game: Any, seat: int) -> None:
        self.left = list(self.moves)

    def act(self, turn: Any) -> Any:
        self.refused.append(turn.refused and turn.refused.reason)
        return _next(self.left, turn)


class ActsByEpisode(Acts):
    """Makes one of these moves in all turns of an episode, in the next episode the next, and the last for ever."""

    episode = -1

    def begin(self, game: Any, seat: int) -> None:
        self.episode += 1
        self.left = [self.moves[min(self.episode, len(self.moves) - 1)]]


def first_legal(turn: Any) -> Any:
    return turn.legal[0]


def sampled(turn: Any) -> Any:
    return turn.sample()


def _next(left: list[Any], seen: Any) -> Any:
    chosen = left.pop(0) if len(left) > 1 else left[0]
    if isinstance(chosen, Exception):
        raise chosen
    return chosen(seen) if callable(chosen) else chosen
