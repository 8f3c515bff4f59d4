"""Kuhn's own solution of three-card poker: a family of equilibria with one parameter.

H. W. Kuhn, A simplified two-person poker (1950): player_0 may bluff with the Jack with any probability alpha up to
1/3, and the other probabilities follow from it; player_1 has a single best way to play.
"""

from fractions import Fraction

from mmgames.agents.base import Agent
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.games.kuhn_poker.rules import BET, JACK, KING, PASS, QUEEN, KuhnView

MOST = 1 / 3


class Equilibrium(Agent):
    """Plays an equilibrium in either seat; `alpha` (0 to 1/3) is how often player_0 bluffs with the Jack."""

    def __init__(self, alpha: float | str = MOST) -> None:
        try:
            self.alpha = float(Fraction(alpha)) if isinstance(alpha, str) else float(alpha)
        except (TypeError, ValueError, ZeroDivisionError):
            raise MmgamesError(f"alpha={alpha!r} is not a number; give one from 0 to 1/3.") from None
        if not 0 <= self.alpha <= MOST:
            raise MmgamesError(f"alpha={alpha!r} is out of range; an equilibrium of KuhnPoker has alpha from 0 to 1/3.")
        # How often to bet, by the betting so far (which tells the seat) and the own card.
        self.bets = {
            (): {JACK: self.alpha, QUEEN: 0.0, KING: 3 * self.alpha},
            (PASS, BET): {JACK: 0.0, QUEEN: self.alpha + 1 / 3, KING: 1.0},
            (PASS,): {JACK: 1 / 3, QUEEN: 0.0, KING: 1.0},
            (BET,): {JACK: 0.0, QUEEN: 1 / 3, KING: 1.0},
        }

    def probabilities(self, turn: Turn) -> dict[int, float]:
        """How likely each action is in this turn."""
        return self.mixture(turn.view)

    def mixture(self, view: KuhnView) -> dict[int, float]:
        """How likely each action is in an information set of the seat to move."""
        if view.seat is None or view.mover != view.seat:
            raise MmgamesError(f"There is nothing to decide in {view}: ask for the view of the seat to move.")
        bet = self.bets[view.betting][view.cards[view.seat]]
        return {PASS: 1 - bet, BET: bet}

    def choices(self, turn: Turn) -> list[int]:
        """All that it mixes: where an equilibrium bets now and then, betting and passing are worth the same."""
        return [action for action, share in self.mixture(turn.view).items() if share > 0]

    def act(self, turn: Turn) -> int:
        return BET if turn.rng.random() < self.mixture(turn.view)[BET] else PASS
