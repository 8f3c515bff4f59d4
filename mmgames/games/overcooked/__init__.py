"""Two chefs in a cramped kitchen cook onion soup together and must not get in each other's way."""

from mmgames.core.spec import Agents, GameSpec, Option

SPEC = GameSpec(
    name="Overcooked",
    package=__name__,
    summary="two chefs cook onion soup in a narrow kitchen",
    seats=("chef_0", "chef_1"),
    dynamics="simultaneous",
    information="perfect",
    utility="identical",
    actions="discrete",
    length=50,
    source="VS-Bench",
    family="cooperation",
    options={
        "layout": Option(
            "cramped_room",
            "the kitchen",
            choices=(
                "cramped_room",
                "asymmetric_advantages",
                "coordination_ring",
                "forced_coordination",
                "counter_circuit",
            ),
        ),
        "horizon": Option(50, "how many steps an episode has", low=1, high=10_000),
        "cook_time": Option(5, "how many steps a soup cooks", low=1, high=1000),
        "rules": Option("paper", "as the paper says, or as its released code does", choices=("paper", "released")),
        "starts": Option(
            "fixed",
            "chefs at their places in an empty kitchen, or anywhere, with things in hands and pots",
            choices=("fixed", "random"),
        ),
    },
    agents=Agents(
        {
            "planner": "mmgames.baselines.planners.overcooked:Planner",
            "greedy": "mmgames.baselines.planners.overcooked:Greedy",
        },
        reference=("planner",),
        quick=("greedy",),
    ),
    looks=("compass",),
    batched=True,
    frames=4,
)
