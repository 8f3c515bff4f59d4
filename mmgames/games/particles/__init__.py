"""Players as particles on a plane: they spread, chase, push, deceive and talk, in eight scenarios."""

from mmgames.core.spec import Agents, GameSpec, Option

SCENARIO_NAMES = ("spread", "adversary", "tag", "push", "speaker_listener", "reference", "crypto", "world_comm")

SPEC = GameSpec(
    name="Particles",
    package=__name__,
    summary="discs on a plane that spread, chase, push, deceive and talk",
    seats=("red", "blue", "green"),
    dynamics="simultaneous",
    information="imperfect",
    utility="general_sum",
    actions="discrete",
    chance="incidental",
    length=25,
    source="MPE (mpe2)",
    family="continuous worlds",
    options={
        "scenario": Option("spread", "who plays what", choices=SCENARIO_NAMES),
        "horizon": Option(25, "how many steps an episode has", low=1, high=10_000),
        "local_ratio": Option(
            0.5, "in spread and reference: how much of a reward is one's own, the rest being everybody's", low=0, high=1
        ),
    },
    agents=Agents(
        {
            "heuristic": "mmgames.baselines.planners.particles:Heuristic",
            "straight": "mmgames.baselines.planners.particles:Straight",
        },
        reference=("heuristic",),
    ),
    batched=True,
)
