"""Players as particles on a plane: they spread, chase, push, deceive and talk, in eight scenarios.

## Description
The particle worlds of multi-agent learning. Players are discs with a speed; a push changes it, and without one they
coast. Some scenarios are about moving together or against each other, some about saying what the other cannot see,
some about both. `scenario=` chooses:

| scenario | seats | what it is about |
|---|---|---|
| `spread` | red, blue, green | cover three landmarks without running into each other |
| `adversary` | rival, first, second | two know the landmark that is meant; the rival watches them and guesses |
| `tag` | hunter_1, hunter_2, hunter_3, prey | three slower hunters catch one faster prey between obstacles |
| `push` | guard, walker | the walker knows its landmark; the guard keeps it away without knowing |
| `speaker_listener` | speaker, listener | one knows the landmark and can speak; the other hears and can move |
| `reference` | first, second | each knows where the other has to go, and tells it |
| `crypto` | eve, bob, alice | alice sends bob a bit that eve hears too; alice and bob share a key |
| `world_comm` | leader, hunter_1 … 3, prey_1, prey_2 | tag with food, forests, and a leader who sees all and speaks |

## Rules
- All choose at the same time, 25 times (`horizon`). Players start anywhere within 1 of the middle on both axes, as do
  landmarks, obstacles, food and forests (within 0.9 in `tag` and `world_comm`).
- In a step a player moves by a tenth of its speed; then it loses a quarter of its speed and gains a tenth of what acts
  on it: its own push (5; hunters 3, prey 4) and contacts. Hunters are never faster than 1, prey than 1.3.
- Discs that collide push each other apart along the line between their middles, with 100 times their overlap.
  Obstacles push and stay. In `spread`, `tag`, `push` and `world_comm` players collide; elsewhere they pass through.
- Nothing stops a player from leaving the field; in `tag` and `world_comm` the prey pays for it.
- What is said in a step is heard in the next one. Words are numbers without a meaning of their own.
- In `world_comm` one sees whoever is in the same forest, and those in none while one is in none; the leader sees all.

## Actions
`<STAY>`, `<LEFT>`, `<RIGHT>`, `<DOWN>`, `<UP>`, in this order; the speaker, alice, bob and eve have `say 0`, `say 1`
and so on instead (3 and 4 words). Both players of `reference` (10 words) and the leader (4 words) move and speak at
once: `<STAY> say 0` is action 0, `<LEFT> say 0` is 1, `<STAY> say 1` is 5. Where a seat has fewer actions than another,
the rest is illegal for it.

## Observation
The picture shows the field as far as the seat sees it and, beside it, what it knows: the landmark that is meant,
words, message, key. A seat knows its own speed; that of prey is seen with it, other speeds are not. The speaker and
those of `crypto` see no field, and in `reference` one does not see the other. Spectators see all. Features are what
mpe2 lets each seat observe, in its order: distances and places divided by 3, speeds by 2, both cut off at ±1; seats
that observe less have zeros behind (18 features in `spread`, 10 in `adversary`, 16 in `tag`, 19 in `push`, 11 in
`speaker_listener`, 21 in `reference`, 8 in `crypto`, 34 in `world_comm`).

## Rewards
In every step; distances are those between middles after it.

- `spread`: everybody loses half of the sum of the distances from each landmark to the player nearest to it, and half a
  point for each player it touches. `local_ratio` is the share of the latter.
- `adversary`: the rival loses its distance to the landmark that is meant; the others gain it, and lose that of the
  nearer of them.
- `tag`: all hunters gain 10 for each of them that touches the prey, the prey loses 10 for each, and pays for the edge.
- `push`: the walker loses its distance to the landmark; the guard gains it, and loses its own.
- `speaker_listener`: both lose the square of the listener's distance to the landmark.
- `reference`: both lose half of the mean of both distances, and half (`local_ratio`) of the distance of the one whose
  landmark they know.
- `crypto`: eve loses 2 for a wrong guess. Alice and bob gain 2 if eve is wrong, and lose 2 if bob is.
- `world_comm`: hunters and leader gain 5 for each pair of theirs and prey that touch, and lose a tenth of the distance
  to the nearest prey. Prey loses 5 for each touch, gains 2 at food, loses a twentieth of the distance to the nearest
  food, and pays twice for the edge.

The edge costs nothing up to 0.9 from the middle, on each axis; then it rises to 1 at 1.0, and as exp(2x - 2) from
there, to 10 at the most.

## Episode end
Terminates after 25 steps.

## Agents
`heuristic` plays every seat of every scenario: it brakes in time, covers, heads for where the prey will be, flees,
decoys, and speaks a simple code. `straight` is the same without deceit: in `adversary` both who know go to the
landmark that is meant, and the rival waits halfway between the two.

## Source
The multi-particle environments of Lowe and others (2017, "Multi-agent actor-critic for mixed cooperative-competitive
environments") in the form of the package mpe2 1.1.1, with its numbers and its discrete actions; every scenario is
compared with it step by step. Its time limit truncates, here it belongs to the rules. Pictures and words are our own.
"""

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
