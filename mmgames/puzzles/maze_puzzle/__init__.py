"""A solver leads a mouse through a maze; an expert knows to which of four spheres.

## Description
The solver sees a maze from above: a mouse, a coloured ring (the torus) and four coloured spheres. The mouse has to go
to one sphere and its position has to be checked there. The expert's manual says which, by the colour of the torus. The
expert does not see the maze; finding the way is the solver's part.

## Rules
- A turn is one message of the solver, then one of the expert. The expert hears what the solver says, not what it
  does or sees.
- The mouse moves one cell up, down, left or right. Walls, the torus and the edge of the plan stop it; bumping into
  them does no harm.
- A check on the right sphere solves it. A check anywhere else is a mistake and takes the mouse back to its start.
- The colour of the torus and the start are drawn evenly; the start is any open cell without a sphere.
- `layout="classic"` is always the same plan, with a sphere in each corner; `layout="generated"` draws a new plan with
  spheres in any four rooms for every episode.
- `manual="shuffled"` gives every maze a manual of its own: each torus still has a sphere to itself, but another one.
- With `rules="released"` the score goes by the straight line, the expert reads the solver's whole message, the solver
  has 11 messages, and an episode that runs out of turns scores 0.
- The released engine does one action a line, also where its name stands inside a sentence, goes on with a message
  after a mistake, and takes a device that is solved with the eleventh, of which it reads one line, for failed.
- `memory="last"` shows a seat only what came since it last spoke; `instances=100` plays 100 fixed mazes.

## Actions
Any text. For the solver, a line that is `move_up`, `move_down`, `move_left`, `move_right` or `check_position` is
carried out; case, punctuation, `Action:` or JSON around the name do not matter. All else is speech: sentences that
mention a name, several names on one line, a name with a question mark. Several such lines run in order until one is a
mistake, so a whole walk fits in a message. The expert only speaks. Of a long message the first 4,000 characters count;
what stands before `</think>` is not part of it.

## Observation
The solver's picture shows the maze, a light for each mistake and a lamp; its text the dialogue and what its actions
did. The expert's picture is the manual's page (its cover below 320 pixels), its text the manual and the dialogue.
Features (99): for each cell whether it is closed, row and column of the mouse, the colour of the torus one-hot (green,
blue, red, yellow), row and column of each sphere in that order, mistakes, solved, turn, over; the expert's are 0 except
the last two.

## Rewards
For both the share of the walking distance from start to sphere that the mouse has covered, never below 0; 1 when
solved. With `rules="released"`: |whole - left| / whole by the straight line, at most 1, so that moving away counts
as well.

## Episode end
Terminates when the right position is checked, at the third mistake (`mistakes`), or after ten turns (`turns`).

## Agents
`scripted_solver` tells the colour of the torus, then walks the shortest way to the sphere the expert names and checks
there; `scripted_expert` names the sphere. Together they solve every maze in the second turn.

## Source
One of the ten puzzles of COMMA. The classic plan, the places of its spheres and the standard manual are COMMA's.
"""

from mmgames.core.spec import Option
from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(
    __name__,
    "MazePuzzle",
    "lead a mouse to the sphere that the colour of a ring stands for",
    layout=Option(
        "classic",
        '"classic": always the same plan; "generated": a new plan for every episode, spheres in any four rooms.',
        choices=("classic", "generated"),
    ),
)
