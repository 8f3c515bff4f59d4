"""A stag hunt on a grid: safe apples for oneself, or a monster that only two can beat.

## Description
Red and blue share a 5×5 grid with two apples and a monster that follows them. Apples feed whoever eats them. The
monster hurts a lone player, but two players who meet it together defeat it for much more than an apple is worth.

## Rules
- 50 steps, both players move at the same time, walls clip, players may share a cell or swap places.
- Then the monster steps towards the closer player (Manhattan distance to the new places, ties at random; on a random
  axis if both differ); it stays if it is already there.
- Then apples: every player on one is paid, and an apple under a player or under the monster respawns.
- Then the monster: both players on its cell are paid and it respawns; a player alone with it pays, and respawns
  while the monster stays.
- Respawns go to a random cell that nothing and nobody is on.

### Variations
`players=2…8`, `grid=3…15` (cells a side), `horizon=1…1000` (steps), and the payoffs `apple`, `alone` and `together`,
whole numbers from -100 to 100. There are as many apples as players, and one monster: all of them and the players have
to fit on the grid.
- The monster steps towards the nearest player; among equally near ones it chooses at random.
- If several players stand on an apple, each of them is paid in full.
- Two or more players on the monster's cell are enough to beat it, and each of them is paid `together`; those who are
  elsewhere get nothing.
- Between two players events are counted as below. With more of them three things are counted for each: it eats an
  apple, it meets the monster alone, it meets the monster with others.

## Actions
`<STAY>`, `<RIGHT>`, `<LEFT>`, `<UP>`, `<DOWN>`, in this order; all are always legal. The origin is the bottom
left cell and `<UP>` adds one to y.

## Observation
The picture shows the grid on the left and, on the right, a table of the five events with what each pays red and blue
and how often it has happened. Features (19): own place, then for the other player, the two apples and the monster the
place and the offset, then the time; all scaled to [-1, 1]. Planes (6): oneself, the other player, each apple, the
monster, the time. With three to eight players each has a colour and a shape, so that a grey picture tells them apart
too: red disc, blue square, green triangle, yellow diamond, pink star, cyan cross, brown triangle on its tip, black
hourglass. What shares a cell is then drawn small, side by side, and the table has a line for each player and a column
for each kind of event. Features and planes then have all other players, from the seat after one's own on, and all
apples: 8·players + 3 features and 2·players + 2 planes.

## Rewards
| event | red | blue |
|---|---|---|
| red eats an apple | +2 | 0 |
| blue eats an apple | 0 | +2 |
| red meets the monster alone | -2 | 0 |
| blue meets the monster alone | 0 | -2 |
| both meet the monster | +5 | +5 |

## Episode end
Terminates after 50 steps.

## Agents
`chase` walks at the monster, `wait_middle` and `wait_corner` wait for it in the middle or in the bottom left corner,
`self_interest` walks to the nearest apple. `optimum` follows the best plan for both players together, found by
dynamic programming; it is for the default options.

## Source
One of the three grid dilemmas of VS-Bench, after the stag hunt.
"""

from mmgames.games._dilemma import grid_dilemma

PAYS = {
    "apple": (2, "what an apple pays a player"),
    "alone": (-2, "what it pays to meet the monster alone"),
    "together": (5, "what it pays each player to meet the monster with others"),
}

SPEC = grid_dilemma(
    __name__,
    "MonsterHunt",
    "apples alone, or the monster together",
    pays=PAYS,
    planners={
        "chase": "Chase",
        "wait_middle": "WaitMiddle",
        "wait_corner": "WaitCorner",
        "self_interest": "SelfInterest",
    },
    reference="wait_middle",
)
