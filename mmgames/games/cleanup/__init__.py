"""A public good: apples grow only while somebody keeps the water clean, for which nobody is paid.

## Description
Waste gathers in the water, and the more there is, the fewer apples grow for everybody. Whoever cleans cannot eat
meanwhile, for the soil is elsewhere. If all wait for the others, nobody eats at all.

## Rules
- 4 players on a map of 11×9 cells: 22 cells of water at the top, 21 places where apples grow near the bottom. Half of
  the water has waste at the beginning (`waste_at_first`) and no apple hangs; players stand on random cells of grass.
  100 steps.
- All choose at the same time. In each step a random player goes first and the others follow in the order of their
  seats: each turns where it wants to go and enters that cell unless it is beyond the edge or somebody stands there.
  So two players are never on one cell, of two who want the same one the first gets it, and one may enter what an
  earlier one has just left. Whoever enters a cell with an apple eats it. Everybody may walk in water and over waste.
- Then the beams, in the same order: three lines of `reach` cells (3), the one ahead of the player and one on either
  side of it. Each line ends at the edge and at the first player in it, whom a fining beam fines. A line of a cleaning
  beam ends at the first cell with waste, which it cleans.
- Then, if waste is on less than `limit` (0.4) of the water: apples grow where none is and nobody stands, with a
  chance of 0.05 where the water is clean, falling in a straight line to 0 at the limit, `regrowth` times as much if
  that is set; and with the chance `waste` (0.25) one clean cell, any of them, gets waste. At the limit and above
  neither happens.
- Each player sees 7×7 cells with itself in the middle (`view`; 0 shows all of the map). It knows where it is, and its
  own counts, not those of the others.

### Variations
`players=2…8`, `horizon=1…10000`, `view` 0 or 3, 5 … 15, `reach=1…15`, `regrowth=0…20`, `waste`, `limit` and
`waste_at_first` from 0 to 1, and the payoffs `apple`, `fire` and `fined`, whole numbers from -100 to 100. `rules="ssd"`
is what the open code does (see Source). `map="river"` is 23×16 cells, 116 of them water and 109 soil. The sizes of the
literature are

```python
import mmgames

mmgames.parallel_env("mmgames/Cleanup-v0", map="river", players=5, horizon=1000, view=15, reach=5, waste=0.5)
```

## Actions
`<STAY>`, `<RIGHT>`, `<LEFT>`, `<UP>`, `<DOWN>`, `<FINE>`, `<CLEAN>`, in this order; all are always legal. The origin
is the bottom left cell and `<UP>` adds one to y. Replies may also say `wait`, `east`, `west`, `north`, `south`,
`fire`.

## Observation
The picture shows on the left what the player sees of the map, with the numbers of columns and rows, and on the right
how often it has eaten, fired, been fined and cleaned. A spectator sees the whole map and everybody's counts. Features
(350): seven sheets of what is seen, line by line from the top (apples; soil; beyond the edge; others, and -1 for
oneself; cells that a fining beam, 1, or a cleaning beam, -1, has just lit; waste; water), then the own place (2), how
one faces (4) and the time; planes (14) are the same, a single number filling a sheet. With another `view` there are
7·view² + 7 features.

## Rewards
| event | pays |
|---|---|
| eats an apple | +1 |
| fires the fining beam | -1 |
| is fined | -50 |
| cleans a cell | 0 |

## Episode end
Terminates after 100 steps.

## Agents
`eater` walks to the nearest apple that it sees, `cleaner` to the nearest waste, which it cleans. `turn_taker` cleans
when it is its turn, 25 steps at a time, and eats otherwise. [The commons](../results/commons.md) has what groups of
them collect.

## Source
The Cleanup of Hughes and others (2018, "Inequity aversion improves cooperation in intertemporal social dilemmas"): five
players, 1000 steps, a window of 15×15, these payoffs, growth of 0.05 at the most, none from 40 % of waste on, waste
with 0.5. The open code sequential_social_dilemma_games has a walled map of 25×18, beams of five cells and also stops
fouling at the limit; it tries every clean cell with 0.5 until one gets waste, here it is one draw for a step. There the
two outer lines of a beam begin right beside the player, so that a direct neighbour is hit; here they begin diagonally
ahead of it, and whoever stands beside is safe. `rules="ssd"` has its waste and its beams. Maps and pictures are our
own, with the water above instead of at the left. There players turn and step separately, here a step turns, with either
rules.
"""

from mmgames.core.spec import Option
from mmgames.games._commons import commons

SPEC = commons(
    __name__,
    "Cleanup",
    "apples for all, while somebody keeps the water clean",
    ("brook", "river"),
    {"turn_taker": "TurnTaker", "eater": "Eater", "cleaner": "Cleaner"},
    "turn_taker",
    waste=Option(0.25, "how likely a clean cell of the water gets waste in a step", low=0.0, high=1.0),
    limit=Option(0.4, "from which share of the water with waste on no apple grows", low=0.01, high=1.0),
    waste_at_first=Option(0.5, "which share of the water has waste at the beginning", low=0.0, high=1.0),
)
