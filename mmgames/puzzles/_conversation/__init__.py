"""The kit for puzzles in which a solver sees a device and an expert has its manual.

`text.speech` reads what somebody wrote, `rules` holds the talk and its limits, `words` and `picture` hold what all
such puzzles tell and draw alike. A puzzle adds a device, its manual and how they look.
"""

from mmgames.core.spec import Agents, GameSpec, Option

SEATS = ("solver", "expert")
READABLE = 320
"""The smallest size at which a manual's page or a patient's card is legible; smaller pictures leave them out."""
LENGTH = 21  # ten messages each, and with the released rules an eleventh of the solver
OPTIONS = {
    "rules": Option(
        "paper",
        '"paper": as the paper describes the puzzles; "released": as its published code plays them. There a line does '
        "the first action in the engine's order whose name it holds, also inside a sentence or a longer word, the "
        "actions of a message go on after a mistake, the expert gets the solver's whole message, action lines too, the "
        "solver has one message more than there are turns, of which the first line is read, and an episode that runs "
        "out of turns scores 0, even if that last message solves the device.",
        choices=("paper", "released"),
    ),
    "memory": Option(
        "full",
        '"full": a seat sees the whole dialogue; "last": only what came since it last spoke.',
        choices=("full", "last"),
    ),
    "turns": Option(10, "how many turns there are; a turn is a solver message and an expert message", low=1, high=1000),
    "mistakes": Option(3, "the mistake that ends the episode", low=1, high=9),
    "instances": Option(
        0,
        "0: a fresh device for every episode; n: the same n devices for everybody, of which an episode plays one (a "
        "match plays them in turn, each as often as the others); or the path of a JSON file with starts.",
    ),
}
MANUAL = {
    "manual": Option(
        "standard",
        '"standard": the manual that is always the same; "shuffled": every device comes with a manual of its own, of '
        "the same form but drawn from the seed, so that nothing learned by heart helps; or the path of a JSON file "
        "with a manual of that form, such as `json.dumps` makes of STANDARD in the puzzle's manual.py.",
    ),
}
"""The option of a puzzle that is a `manuals.ManualPuzzle`, beside OPTIONS."""


def puzzle(package: str, name: str, summary: str, **options: Option) -> GameSpec:
    """The spec of a puzzle with a manual. Its scripted agents are in the module of baselines with the folder's name."""
    baselines = f"mmgames.baselines.puzzles.{package.rpartition('.')[2]}"
    return GameSpec(
        name=name,
        package=package,
        summary=summary,
        seats=SEATS,
        dynamics="sequential",
        information="imperfect",
        utility="identical",
        actions="text",
        chance="incidental",
        length=LENGTH,
        source="COMMA",
        family="solver and expert",
        options={**OPTIONS, **MANUAL, **options},
        agents=Agents(
            {"scripted_solver": f"{baselines}:Solver", "scripted_expert": f"{baselines}:Expert"},
            reference=("scripted_solver", "scripted_expert"),
        ),
    )
