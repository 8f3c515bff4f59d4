"""Vision-Zero: a vote is what the first box holds, or else the first answer tag: N/A, or its first digit."""

import re

_FORMS = (re.compile(r"\\boxed\{([^{}]*)\}"), re.compile(r"<answer>(.*?)</answer>", re.DOTALL))
ASKED = r"A vote stands in a box: \boxed{1} for player_1, or \boxed{N/A}."
"""How to ask for one."""


def read_vote(reply: str) -> int | None:
    """The number of the player that a reply votes for; 0 is N/A, None no vote at all."""
    said = next((found[1] for form in _FORMS if (found := form.search(reply))), "")
    digit = re.search(r"\d", said)
    return 0 if "N/A" in said.upper() else int(digit[0]) if digit else None
