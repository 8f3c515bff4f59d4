"""Build fireworks together, holding cards that everybody but you can see."""

from dataclasses import replace

from mmgames.core.spec import Agents, GameSpec, Option, Outcome
from mmgames.text.prose import page

_SCORE = Option(
    "final", "what a game is worth whose last life was lost: nothing, or its fireworks", ("final", "fireworks")
)
_AGENTS = {
    "rule_bot": "mmgames.baselines.planners.hanabi:RuleBot",
    "careless_bot": "mmgames.baselines.planners.hanabi:CarelessBot",
    "oracle": "mmgames.baselines.search.hanabi_oracle:Oracle",
}

Hanabi = GameSpec(
    name="Hanabi",
    package=__name__,
    summary="build fireworks together without seeing your own cards",
    seats=("player_0", "player_1"),
    dynamics="sequential",
    information="imperfect",
    utility="identical",
    actions="discrete",
    chance="incidental",
    length=90,
    source="VS-Bench",
    family="card games",
    options={"players": Option(2, "how many play", low=2, high=5), "score": _SCORE},
    agents=Agents(_AGENTS, talkers={"teller": "mmgames.baselines.talking.teller:Teller"}, reference=("rule_bot",)),
    looks=("night",),
    batched=True,
    outcome=Outcome(signals=f"{__name__}.signals:signals"),
)

TinyHanabi = replace(
    Hanabi,
    name="TinyHanabi",
    summary="Hanabi with two colours and three ranks",
    length=22,
    options={"score": _SCORE},
    doc=page(__package__, "tiny_hanabi"),
)

SPECS = (Hanabi, TinyHanabi)
