"""KuhnPoker with talk: who says which card it holds, and who believes that."""

from typing import get_args

from mmgames.agents.base import Agent
from mmgames.baselines.planners.kuhn_poker import Equilibrium
from mmgames.baselines.talking.announcer import Says
from mmgames.baselines.talking.quiet import InnerTurn, rules_with_talk
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError, unknown
from mmgames.games._talk.rules import SILENCE, TalkView, signal_names
from mmgames.games.kuhn_poker.rules import BET, JACK, KING, PASS
from mmgames.games.kuhn_poker.words import ACTIONS, CARD_NAMES

SENTENCES = tuple(f"I hold the {name.split()[0]}." for name in CARD_NAMES)


class Claimer(Agent):
    """Plays the equilibrium; `says` truth, lie (the King, or the Jack if it has the King) or nothing about its card.

    With `believes` it takes the other's word for it: it bets with the higher card and passes with the lower one.
    """

    def __init__(self, says: Says = "truth", believes: bool = False, alpha: float | str = "1/3") -> None:
        if says not in get_args(Says):
            raise unknown("value", says, "says of claimer", get_args(Says))
        if not isinstance(believes, bool):
            raise MmgamesError(f"believes={believes!r} is not possible; it is True or False.")
        self.says, self.believes, self.alpha = says, believes, alpha
        self._equilibrium = Equilibrium(alpha)

    def act(self, turn: Turn) -> str:
        view: TalkView = turn.view
        game = rules_with_talk(turn.game, "claimer")
        if game.inner.spec.id != "mmgames/KuhnPoker-v0" or view.seat is None:
            raise MmgamesError(f"claimer plays talk/KuhnPoker-v0, not {game.spec.id}.")
        own = view.inner.cards[view.seat]
        sentences = signal_names(view.setting.signals)[1:4] or SENTENCES
        if view.talking:
            lie = JACK if own == KING else KING
            return SILENCE if self.says == "nothing" else sentences[own if self.says == "truth" else lie]
        claims = [
            sentences.index(one.words) for one in view.heard if one.sender != view.seat and one.words in sentences
        ]
        if self.believes and claims:
            return ACTIONS[BET if own > claims[-1] else PASS]
        return ACTIONS[self._equilibrium.act(InnerTurn(turn))]
