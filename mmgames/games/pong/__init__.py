"""The first game many people played on a screen: two paddles, one ball, and a computer that follows it."""

from mmgames.core.spec import Agents, GameSpec, Option

OPTIONS = {
    "points": Option(3, "how many points win", low=1, high=21),
    "sticky": Option(0.25, "how likely a knob repeats itself in a frame", low=0.0, high=0.9),
}

SPEC = GameSpec(
    name="Pong",
    package=__name__,
    summary="the right paddle against the cartridge's own player",
    seats=("right",),
    dynamics="sequential",
    information="perfect",
    utility="general_sum",
    actions="discrete",
    chance="incidental",
    length=1000,
    source="VS-Bench",
    family="arcade games",
    extras=("atari",),
    options=OPTIONS,
    agents=Agents({"tracker": "mmgames.baselines.planners.pong:Tracker"}, reference=("tracker",)),
    frames=4,
)
