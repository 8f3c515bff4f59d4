"""Two chefs in a cramped kitchen cook onion soup together and must not get in each other's way.

## Description
The chefs fetch onions, fill pots, wait for the soup, plate it and serve it. Nothing can be done well alone: the
kitchens have narrow spots where two chefs block each other, and in one of them neither reaches everything. All points
go to both, so the only question is how well they work together.

## Rules
- `horizon` steps (50), both chefs act at the same time. `layout` chooses one of five kitchens: `cramped_room`,
  `asymmetric_advantages`, `coordination_ring`, `forced_coordination`, `counter_circuit`.
- A step first settles what the chefs interact with, chef_0 before chef_1, then how they move, then the pots cook.
- A direction turns a chef and moves it if there is free floor. Chefs who would end on the same tile, or would swap
  tiles, both stay where they are; they turn all the same.
- Interacting, with free hands: take an onion or a dish from its stack, take what lies on a counter, start a pot.
  With an onion: put it into a pot that holds fewer than three and is not started. With a dish: fill it from a pot
  whose soup is done. With a soup: serve it at the hatch. With anything: put it on an empty counter.
- A started pot is done after `cook_time` steps (5), the one in which it was started being the first. It takes no more
  onions then. One can be started with one or two onions as well; their soup pays nothing at the hatch.
- `rules="paper"` (default): a dish from the stack is paid for whenever some pot is not empty, whether it holds raw
  onions, cooks or is done.
- `rules="released"`: as in the code that came with the paper, which is overcooked_ai with its own shaping. A dish is
  paid for only while no dish lies on a counter and the chefs hold fewer dishes than pots are in use; a full pot that
  was not started does not count.
- `starts="random"` is for training, as the literature does it: each chef stands anywhere in its part of the kitchen and
  faces any way, every second hand holds an onion, a dish or a soup, and every second pot has onions in it; of the full
  ones some cook and some are done.

## Actions
`<UP>`, `<DOWN>`, `<RIGHT>`, `<LEFT>`, `<STAY>`, `<INTERACT>`, in this order; all are always legal. The origin is the
top left tile and `<DOWN>` adds one to y.

## Observation
The picture shows the kitchen from above on the left; chef_0 wears a blue hat, chef_1 a green one, and both hold what
they carry before them. A pot shows its onions, then how long it has cooked, then a green rim. On the right: step,
points, what each chef holds, and for each of the four paid events what it pays and how often it has happened. The last
four pictures are stacked, the oldest first, unless `frames=` says otherwise, as in the paper; the text, also where it
stands alone, repeats what the chef holds and the joint actions between so many pictures, at least one. Features (62),
seen from the chef: own place, facing and hands (9); offset, facing and hands of the other (9); where the way is free
(4); what it faces (5); the nearest onions, dishes and hatch that it can reach (6); for each of two pots whether it is
there, its offset, onions, clock and whether it is done (12); what lies on each counter (16); the time (1). Planes (28):
where the chef is, its facing (4) and its hands (3), the same of the other; counters, onions, dishes, pots, hatches (5);
onions, clock and readiness of pots (3); what lies on counters (3); the time.

## Rewards
Every point goes to both chefs: the measure is what they make together, and a soup from the first onion to the hatch is
worth 20.

| event | paper | released |
|---|---|---|
| an onion is put into a pot | +2 | +3 |
| a dish is taken from the stack for a pot in use | +2 | +3 |
| a soup is plated | +2 | +5 |
| a soup of three onions is served | +10 | +10 |

Only the last is what the game is about: `info["sparse"]` says how much of a step's reward it is, and
`info["shaping"]` how much of it was reward shaping.

## Episode end
Terminates after `horizon` steps.

## Agents
`planner` tries out what both chefs could do next, imagines the rest of the episode for each plan and does its part of
the best one; `greedy` takes the most pressing errand. Two planners make 50 points in the cramped room, 68 in
asymmetric_advantages, 40 in coordination_ring, 42 in forced_coordination and 24 in counter_circuit.

## Source
Overcooked as played in VS-Bench, after the kitchens and rules of overcooked_ai (Carroll and others, 2019);
`rules="released"` agrees with overcooked_ai 1.1.0 step by step.
"""

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
