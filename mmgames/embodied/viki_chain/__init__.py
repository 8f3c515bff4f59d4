"""One kitchen, three questions in a row: which robots act, what they do step by step, and which way two of them go.

## Description
A model sees a kitchen with robots and a job. It first says which types of robots should act, then writes the whole
plan for the robots it has chosen, and at last traces the ways of two robots on the picture that one of them sees. Every
answer builds on the one before: a plan may only use robots of the types that were activated.

## Rules
- The jobs, robots and primitives are those of VikiKitchen; only jobs for at least two robots are drawn.
- Activation is right if the set of types is that of the team for which the job takes the fewest steps.
- A plan is right if it works, uses activated types alone and is as short as possible.
- Paths are compared with ways around the furniture: root mean square, Hausdorff and discrete Fréchet distance.

## Actions
Any text, best as `<think>…</think><answer>…</answer>` with JSON in the answer. One that cannot be read scores nothing;
it is not illegal.

## Observation
For activation and plan the kitchen from above; for the paths, in the upper part of the picture, what the robot called
ego sees. Features (7): which question it is, the scores so far, how many robots and things there are.

## Rewards
Each question pays a third of its score: 0.1 for the tags and 0.9 for the accuracy. With `physics` a plan that is right
is carried out as well, by `mmgames.embodied.execute`, and there are four parts: each question pays a quarter of its
score, and a plan that physics confirms another quarter. Jobs for dogs are not drawn then.

## Episode end
Terminates after the third answer.

## Agents
`oracle` plans shortest and knows the rest; `heuristic` activates by rules, plans greedily and draws straight lines.

## Source
VIKI-Bench asks its three levels about different scenes; the chain on one scene is ours.
"""

from mmgames.core.spec import Agents, GameSpec, Option

SPEC = GameSpec(
    name="VikiChain",
    package=__name__,
    summary="who acts, how and which way: three questions about one kitchen",
    seats=("solver",),
    dynamics="sequential",
    information="perfect",
    utility="general_sum",
    actions="text",
    chance="incidental",
    length=3,
    source="VIKI-Bench",
    family="embodied planning",
    options={
        "split": Option("train", "which tasks are drawn", choices=("train", "test", "ood")),
        "scene": Option(
            "drawn",
            "what pictures show: drawn, or 3D models (extra embodied)",
            choices=("drawn", "maniskill", "robocasa"),
        ),
        "labels": Option(True, "whether names, states and contents are printed on pictures", choices=(True, False)),
        "physics": Option(
            False, "whether the plan is carried out in physics as a fourth part (extra embodied)", choices=(False, True)
        ),
    },
    agents=Agents(
        {
            "oracle": "mmgames.baselines.planners.viki_chain:Oracle",
            "heuristic": "mmgames.baselines.planners.viki_chain:Heuristic",
            "random": "mmgames.baselines.planners.viki_chain:Guesser",
        },
        reference=("oracle",),
    ),
)
