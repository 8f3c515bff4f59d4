"""Players collect coins on a grid; taking another's coin pays, but costs the other more.

## Description
Red and blue walk on a 5×5 grid with one red and one blue coin. Any coin is worth a point to whoever collects it,
but a coin of the other player's colour costs that player two points. Leaving the other's coins alone is best for
both together; taking everything is best for oneself: a sequential social dilemma.

## Rules
- 50 steps, both players move at the same time, walls clip, players may share a cell or swap places.
- Collecting is tested after both moves. If both stand on one coin, both collect it.
- A collected coin respawns on a random cell without a player and without the other coin; red first, then blue.

### Variations
`players=2…8`, `grid=3…15` (cells a side), `horizon=1…1000` (steps), and the payoffs `own_coin`, `others_coin` and
`lost_coin`, whole numbers from -100 to 100. There are as many coins as players, one of each colour, so a grid needs
twice as many cells as players.
- If several players stand on a coin, each of them collects it, and its owner pays for each of the others: with three
  on the red coin, red among them, red gets +1 -2 -2 and the two others +1 each.
- Coins come back in the order of the players, off all players and all other coins.
- Between two players events are counted as below. With more of them three things are counted for each: it takes its
  own coin, it takes another's coin, it loses its coin to another.

## Actions
`<STAY>`, `<RIGHT>`, `<LEFT>`, `<UP>`, `<DOWN>`, in this order; all are always legal. The origin is the bottom
left cell and `<UP>` adds one to y.

## Observation
The picture shows the grid on the left and, on the right, a table of the four events with what each pays red and blue
and how often it has happened. Features (15): own place, then for the other player, the own coin and the other's coin
the place and the offset, then the time; all scaled to [-1, 1]. Planes (5): oneself, the other player, the own coin,
the other's, the time. With three to eight players each has a colour and a shape, so that a grey picture tells them
apart too: red disc, blue square, green triangle, yellow diamond, pink star, cyan cross, brown triangle on its tip,
black hourglass. What shares a cell is then drawn small, side by side, and the table has a line for each player and a
column for each kind of event. Features and planes then have all other players, from the seat after one's own on, and
all coins, the own one first: 8·players - 1 features and 2·players + 1 planes.

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
`common_welfare` collects its own colour only and steps around the others' coins; `self_interest` walks to the nearest
coin. `optimum` follows the best plan for both players together, found by dynamic programming; it is for the default
options.

## Source
One of the three grid dilemmas of VS-Bench, after Lerer and Peysakhovich's coin game.
"""

from mmgames.games._dilemma import grid_dilemma

PAYS = {
    "own_coin": (1, "what a coin of its own colour pays a player"),
    "others_coin": (1, "what a coin of another's colour pays a player"),
    "lost_coin": (-2, "what it pays a player when another takes its coin"),
}

SPEC = grid_dilemma(
    __name__,
    "CoinDilemma",
    "collect coins on a grid; the other's coins tempt",
    pays=PAYS,
    planners={"common_welfare": "CommonWelfare", "self_interest": "SelfInterest"},
    reference="common_welfare",
)
