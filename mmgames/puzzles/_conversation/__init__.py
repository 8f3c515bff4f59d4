"""The kit for puzzles in which a solver sees a device and an expert has its manual.

`text.speech` reads what somebody wrote, `rules` holds the talk and its limits, `words` and `picture` hold what all
such puzzles tell and draw alike. A puzzle adds a device, its manual and how they look.
"""

from dataclasses import replace

from mmgames.core.spec import Agents, GameSpec, options_in, spec_in

_KIT = spec_in(__name__)
SEATS = _KIT.seats
SEATS_OF_THREE = ("solver", "expert_1", "expert_2")  # where two experts have half of the manual each
READABLE = 320
"""The smallest size at which a manual's page or a patient's card is legible; smaller pictures leave them out."""
LENGTH = _KIT.length  # ten messages each, and with the released rules an eleventh of the solver
_OPTIONS = options_in(__name__)
OPTIONS, MANUAL = _OPTIONS["every puzzle"], _OPTIONS["with a manual"]
"""The options of all puzzles, and those that a puzzle which is a `manuals.ManualPuzzle` has beside them."""


def puzzle(package: str) -> GameSpec:
    """The spec of a puzzle with a manual. Its scripted agents are in the module of baselines with the folder's name."""
    baselines = f"mmgames.baselines.puzzles.{package.rpartition('.')[2]}"
    known = {"scripted_solver": f"{baselines}:Solver", "scripted_expert": f"{baselines}:Expert"}
    agents = Agents(known, reference=("scripted_solver", "scripted_expert", "scripted_expert"))
    return spec_in(package, replace(_KIT, options={**OPTIONS, **MANUAL}, agents=agents))
