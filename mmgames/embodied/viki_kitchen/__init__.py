"""Up to seven robots of four kinds share a kitchen and do a job together, one primitive each at a time.

## Description
Humanoids, a wheeled robot, dogs and arms get one instruction, such as to toast bread and lay a plate. Every step each
of them does one primitive (move, reach, grasp, place, open, close, interact, push, handover) or waits. What they do in
one step happens at once. The jobs come from the 13 families of VIKI-Bench and from nine families of our own, in ten
layouts and twelve styles, each with a plan that is known to be shortest; with `level` they grow without end.

## Rules
- An arm cannot move and has one hand. The wheeled robot moves and has one hand, a humanoid has two. A dog moves,
  pushes boxes and switches things on with its nose.
- Move brings a robot to a place, thing or robot. Reach needs the thing at the same place and nothing closed around it;
  grasp needs it in reach and a free hand; moving forgets what was in reach.
- Place puts down what is carried: on an area the robot stands at, in an open container or on a board at the same place.
- Open and close work on cabinets and drawers in reach, interact on what the robot stands at or holds, push on a box the
  dog stands at, handover between two robots at the same place.
- Two actions on one thing get in each other's way, unless one is a move or both are reach or place. Then none of them
  is done, which is counted.
- Some jobs have stages: a later one must not hold before an earlier one does.

## Actions
Numbers for primitives with slots: waiting, moving to each place, thing or robot, and so on; 149 with the default
options. Masks say what is possible now. Seats R1 to R7; one whose robot an episode does not have can only wait.

## Observation
The picture shows the kitchen from above: furniture and areas with their names, robots with theirs, things, open and
closed doors, and below a card for every robot with what it carries; with `scene="maniskill"` the same in 3D, with
`labels=False` without a word: robots and things are told by their looks, and closed doors are of glass. With
`view="ego"` every seat sees through the camera in its robot's head. Features are one-hot: what each robot is, where it
stands and what it has in reach, where each thing is and where it should be, what is open or switched on, the time.

With `information="partial"` a seat knows the floor plan with its fixtures and where robots begin, and else only what
its camera has seen, what is at its own place, and where robots in its sight have gone; the rest is "not seen yet" in
text, features and picture. It can move only to what it knows of, and goes to where it last knew it.

## Rewards
1 for everybody when the job is done.

## Episode end
Terminates when the job is done, when stages came in the wrong order, or after twice the steps of a shortest plan and
five more.

## Agents
`planner` follows a shortest plan, `greedy` lets every robot take the next goal on its own.

## Source
The planning level of VIKI-Bench, with rules and pictures of our own.
"""

from mmgames.core.spec import Agents, GameSpec, Option

SCENES = ("drawn", "maniskill", "robocasa")
VIEWS = ("above", "ego")
INFORMATION = ("perfect", "partial")
MOST_ROBOTS = 16
SEATS = tuple(f"R{number + 1}" for number in range(7))
OPTIONS = {
    "robots": Option(7, "how many seats there are; tasks with more robots are not drawn", low=1, high=MOST_ROBOTS),
    "things": Option(10, "how many things a task may have", low=5, high=120),
    "places": Option(6, "how many named places a task may have", low=4, high=60),
    "split": Option("train", "which tasks are drawn", choices=("train", "test", "ood")),
    "template": Option("", "one template of tasks, such as 4-1; empty: all of them"),
    "scene": Option("drawn", "what pictures show: drawn, or 3D models (extra embodied)", choices=SCENES),
    "labels": Option(True, "whether names, states and contents are printed on pictures", choices=(True, False)),
    "view": Option("above", "which picture a seat has: the kitchen from above, or its own camera", choices=VIEWS),
    "information": Option("perfect", "partial: a seat knows what its camera has seen", choices=INFORMATION),
    "level": Option(0, "0: templates; from 1: tasks that grow with it, as far as there is room", low=0, high=100),
}

SPEC = GameSpec(
    name="VikiKitchen",
    package=__name__,
    summary="robots of four kinds do a kitchen job together, step by step",
    seats=SEATS,
    dynamics="simultaneous",
    information="perfect",
    utility="identical",
    actions="discrete",
    chance="incidental",
    length=25,
    source="VIKI-Bench",
    family="embodied planning",
    options=OPTIONS,
    agents=Agents(
        {
            "planner": "mmgames.baselines.planners.viki_kitchen:Planner",
            "greedy": "mmgames.baselines.planners.viki_kitchen:Greedy",
        },
        reference=("planner",),
    ),
)
