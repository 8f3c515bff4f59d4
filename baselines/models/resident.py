"""A small model that plays many games from picture and words, on two cores and without a network.

    mmgames match TicTacToe resident:runs/mine/model random --episodes 2
    mmgames eval vs-bench --agent resident:runs/mine/model --episodes 5

`python -m benchmarks.resident train RUN` makes one; its folder has a README.md that says what it learned from and what
it can do. It is shown games and questions as it was while it learned; all else is that of the agent `hf`.
"""

from dataclasses import dataclass, field
from typing import ClassVar

from mmgames.agents.finding import shipped_model
from mmgames.baselines.models.hf import HuggingFace
from mmgames.errors import MmgamesError


@dataclass(eq=False, repr=False)
class Resident(HuggingFace):
    """A small model that was trained on the games and questions of mmgames.

    model       the folder of one; without it, the one that comes with mmgames
    device, temperature, top_p, max_tokens, batch, history and the others    as `hf` has them
    """

    called: ClassVar[str] = "resident"

    model: str = ""
    size: int = field(default=128, kw_only=True)
    max_tokens: int = 256

    def __post_init__(self) -> None:
        shipped, given = shipped_model("resident"), self.model
        self.model = str(given or shipped or "")
        if not self.model:
            raise MmgamesError(
                "mmgames brings no weights for the agent 'resident'; train some with `python -m benchmarks.resident "
                "train RUN` in a clone of it and name their folder, as in 'resident:RUN/model'."
            )
        super().__post_init__()
        self.name = f"resident:{given}" if given else "resident"
