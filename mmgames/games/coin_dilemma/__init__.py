"""Two players collect coins on a small grid; taking the other's coin pays, but costs the other more.

## Description
Red and blue walk on a 5×5 grid with one red and one blue coin. Any coin is worth a point to whoever collects it,
but a coin of the other player's colour costs that player two points. Leaving the other's coins alone is best for
both together; taking everything is best for oneself: a sequential social dilemma.

## Rules
- 50 steps, both players move at the same time, walls clip, players may share a cell or swap places.
- Collecting is tested after both moves. If both stand on one coin, both collect it.
- A collected coin respawns on a random cell without a player and without the other coin; red first, then blue.

## Actions
`<STAY>`, `<RIGHT>`, `<LEFT>`, `<UP>`, `<DOWN>`, in this order; all are always legal. The origin is the bottom
left cell and `<UP>` adds one to y.

## Observation
The picture shows the grid on the left and, on the right, a table of the four events with what each pays red and
blue and how often it has happened. Features (15): own place, then for the other player, the own coin and the
other's coin the place and the offset, then the time; all scaled to [-1, 1]. Planes (5): oneself, the other player, the
own coin, the other's, the time.

## Rewards
| event | red | blue |
|---|---|---|
| red takes the red coin | +1 | 0 |
| red takes the blue coin | +1 | -2 |
| blue takes the red coin | -2 | +1 |
| blue takes the blue coin | 0 | +1 |

## Episode end
Terminates after 50 steps.

## Agents
`common_welfare` collects its own colour only and steps around the other's coin; `self_interest` walks to the
nearest coin.
`optimum` follows the best plan for both players together, found by dynamic programming.

## Source
One of the three grid dilemmas of VS-Bench, after Lerer and Peysakhovich's coin game.
"""

from mmgames.games._dilemma import grid_dilemma

SPEC = grid_dilemma(
    __name__,
    "CoinDilemma",
    "collect coins on a grid; the other's coins tempt",
    planners={"common_welfare": "CommonWelfare", "self_interest": "SelfInterest"},
    reference="common_welfare",
)
