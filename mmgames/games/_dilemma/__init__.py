"""The grid kit: what CoinDilemma, MonsterHunt and BattleOfTheColors share, usual or varied."""

from mmgames.core.spec import GameSpec, spec_in

KIT = spec_in(__name__)


def pays_of(spec: GameSpec) -> dict[str, tuple[int, str]]:
    """What each payoff of a dilemma usually is, and what it is paid for: the numbers among its own options."""
    own = ((name, one) for name, one in spec.options.items() if name not in KIT.options and one.low is not None)
    return {name: (one.default, one.doc) for name, one in own}
