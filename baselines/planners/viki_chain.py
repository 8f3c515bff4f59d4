"""Reference agents for the three questions in a row, which answer as they do when each is asked by itself."""

from typing import ClassVar

from mmgames.agents.base import Agent
from mmgames.baselines.planners.viki_answers import ANSWERERS
from mmgames.core.turn import Turn
from mmgames.embodied.viki_chain.rules import ChainState, VikiChain


class _Answers(Agent):
    answerer: ClassVar[str]

    def act(self, turn: Turn) -> str:
        state: ChainState = turn.imagine()
        assert isinstance(turn.game, VikiChain)
        return ANSWERERS[self.answerer](*turn.game.question(state, len(state.results)), turn.rng)


class Oracle(_Answers):
    """Plans shortest, and knows who is to act and which way."""

    answerer = "oracle"


class Heuristic(_Answers):
    """Activates by rules, plans greedily and draws straight lines."""

    answerer = "heuristic"


class Guesser(Agent):
    """Answers at random in the right form."""

    def act(self, turn: Turn) -> str:
        return turn.sample()
