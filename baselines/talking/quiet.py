"""Any agent of a game, in the same game with talk: it neither speaks nor listens."""

from typing import Any

from mmgames.agents.base import Agent, AgentLike
from mmgames.agents.finding import make_agent
from mmgames.core.game import Game, Seat
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.games._talk.rules import SILENCE, Talk


def rules_with_talk(game: Game[Any, Any], who: str) -> Talk:
    """The rules, if they are those of a game with talk."""
    if not isinstance(game, Talk):
        raise MmgamesError(f"{who} is for games with talk, such as talk/CoinDilemma-v0, not for {game.spec.id}.")
    return game


class InnerTurn(Turn):
    """A turn in the game without talk, at a position that the seat may be in: the first that it imagines."""

    def __init__(self, turn: Turn) -> None:
        game = rules_with_talk(turn.game, "This agent")
        live = LiveGame(game.loaded, game.inner)
        live.go_on_from(turn.imagine().inner, turn.rng)
        super().__init__(live, turn.seat, turn.rng)
        self._imagined_before = False

    def imagine(self) -> Any:
        if self._imagined_before:
            return super().imagine()
        self._imagined_before = True
        return self._live.state


def move_like(agent: Agent, turn: Turn) -> str:
    """What an agent of the game without talk does in this turn, by its name."""
    inner = InnerTurn(turn)
    chosen = agent.act(inner)
    return chosen if isinstance(chosen, str) else inner.names[chosen]


class Quiet(Agent):
    """Plays as `agent` does without talk: `quiet:self_interest`, `quiet:[equilibrium:alpha=0]`."""

    def __init__(self, agent: str | AgentLike = "random") -> None:
        self.agent = agent
        self._own: Agent | None = None

    def begin(self, game: Game[Any, Any], seat: Seat) -> None:
        inner = rules_with_talk(game, "quiet").inner
        if self._own is None:
            bare = isinstance(self.agent, str) and self.agent.startswith("[") and self.agent.endswith("]")
            self._own = make_agent(self.agent[1:-1] if bare else self.agent, inner.spec)  # type: ignore[index]
        self._own.begin(inner, seat)

    def act(self, turn: Turn) -> str:
        if turn.view.talking:
            return SILENCE
        if self._own is None:
            self.begin(turn.game, turn.seat)
        assert self._own is not None
        return move_like(self._own, turn)

    def end(self, view: Any) -> None:
        if self._own is not None and self._own.hears_of_ends:
            self._own.end(None if view is None else view.inner)

    def close(self) -> None:
        if self._own is not None:
            self._own.close()
