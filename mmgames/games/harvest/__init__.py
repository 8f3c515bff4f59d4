"""A commons of apples: they grow back the sooner the more of them are left, and not at all where all are eaten.

## Description
Everybody eats from the same trees. Whoever leaves some apples hanging has more later, and so have all others, who may
eat them first. The tragedy of the commons as a game on a grid: greedy players soon stand on bare soil, restrained
ones eat to the end, and one greedy player among restrained ones does best of all.

## Rules
- 4 players on a map of 13×9 cells with 39 places where apples grow; all of them hang there at the beginning, and the
  players stand on random cells without soil. 100 steps.
- All choose at the same time. In each step a random player goes first and the others follow in the order of their
  seats: each turns where it wants to go and enters that cell unless it is beyond the edge or somebody stands there.
  So two players are never on one cell, of two who want the same one the first gets it, and one may enter what an
  earlier one has just left. Whoever enters a cell with an apple eats it.
- Then the fining beams, all at once: three lines of `reach` cells (3), the one ahead of the player and one on either
  side of it. Each line ends at the edge and at the first player in it, who is fined. Apples do not stop it.
- Then apples grow, all at once, where none is and nobody stands: with 0, 1, 2, 3 or more apples within two steps of
  the place (12 cells) the chance is 0, 0.005, 0.02 and 0.05, `regrowth` times as much if that is set.
- Each player sees 7×7 cells with itself in the middle (`view`; 0 shows all of the map). It knows where it is, and its
  own counts, not those of the others.

### Variations
`players=2…8`, `horizon=1…10000`, `view` 0 or 3, 5 … 15, `reach=1…15`, `regrowth=0…20`, and the payoffs `apple`,
`fire` and `fined`, whole numbers from -100 to 100. `rules="ssd"` is what the open code does (see Source).
`map="orchard"` is 36×14 cells with 157 places. The sizes of the
literature are

```python
import mmgames

mmgames.parallel_env("mmgames/Harvest-v0", map="orchard", players=5, horizon=1000, view=15, reach=5)
```

## Actions
`<STAY>`, `<RIGHT>`, `<LEFT>`, `<UP>`, `<DOWN>`, `<FINE>`, in this order; all are always legal. The origin is the
bottom left cell and `<UP>` adds one to y. Replies may also say `wait`, `east`, `west`, `north`, `south`, `fire`.

## Observation
The picture shows on the left what the player sees of the map, with the numbers of columns and rows, and on the right
how often it has eaten, fired and been fined. A spectator sees the whole map and everybody's counts. Features (252):
five sheets of what is seen, line by line from the top (apples; soil; beyond the edge; others, and -1 for oneself;
cells that a beam has just lit), then the own place (2), how one faces (4) and the time; planes (12) are the same, a
single number filling a sheet. With another `view` there are 5·view² + 7 features.

## Rewards
| event | pays |
|---|---|
| eats an apple | +1 |
| fires the fining beam | -1 |
| is fined | -50 |

## Episode end
Terminates after 100 steps.

## Agents
`greedy` walks to the nearest apple that it sees. `restrained` eats only apples with four others or more around them,
and treads on no other. [The commons](../results/commons.md) has what groups of them collect.

## Source
The Harvest of Perolat and others (2017) and of Hughes and others (2018, "Inequity aversion improves cooperation in
intertemporal social dilemmas"), whose figures for five players, payoffs, growth and the 15×15 window are those above;
the open code sequential_social_dilemma_games has a beam of five cells and a walled map of 38×16. That code counts the
eight neighbours of a place; here it is all 12 cells within radius 2, as the papers say. There the two outer lines of a
beam begin right beside the player, so that a direct neighbour is hit; here they begin diagonally ahead of it, and
whoever stands beside is safe. `rules="ssd"` has its neighbours and its beams. Maps and pictures are our own. There
players turn and step separately, here a step turns, with either rules.
"""

from mmgames.games._commons import commons

SPEC = commons(
    __name__,
    "Harvest",
    "apples that grow back only where some are left",
    ("grove", "orchard"),
    {"greedy": "Greedy", "restrained": "Restrained"},
    "restrained",
)
