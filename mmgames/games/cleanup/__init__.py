"""A public good: apples grow only while somebody keeps the water clean, for which nobody is paid."""

from mmgames.core.spec import Option
from mmgames.games._commons import commons

SPEC = commons(
    __name__,
    "Cleanup",
    "apples for all, while somebody keeps the water clean",
    ("brook", "river"),
    {"turn_taker": "TurnTaker", "eater": "Eater", "cleaner": "Cleaner"},
    "turn_taker",
    waste=Option(0.25, "how likely a clean cell of the water gets waste in a step", low=0.0, high=1.0),
    limit=Option(0.4, "from which share of the water with waste on no apple grows", low=0.01, high=1.0),
    waste_at_first=Option(0.5, "which share of the water has waste at the beginning", low=0.0, high=1.0),
)
