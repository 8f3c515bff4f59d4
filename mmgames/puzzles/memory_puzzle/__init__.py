"""Five stages, each with a digit; which button to press often depends on what was pressed before.

## Description
The solver has a display with a digit, four buttons labelled 1 to 4 in a row, and five lamps. The expert's manual has
a rule for every stage and digit: the button in a position, the one with a label, or the one with the position or the
label that was pressed in an earlier stage. So somebody has to remember both, for every stage.

## Rules
- A turn is one message of the solver, then one of the expert. The expert hears what the solver says, not what it
  does or sees.
- An action names the label, not the position. Digit and order of the labels are drawn anew for every stage.
- A right press lights the stage's lamp; its result line tells the position. A wrong one is a mistake: all lamps go
  out, and it starts again at stage 1 with another digit.
- `manual="shuffled"` gives every device a manual of its own: for each stage four different rules of these kinds.
- With `rules="released"` the labels always stand as 3 1 2 4, the expert reads the solver's whole message, the solver
  has 11 messages, and the score is that of the latest right press instead of the best, or 0 when turns run out.
- The released engine does one action a line, also where its name stands inside a sentence, goes on with a message
  after a mistake, and takes a device that is solved with the eleventh, of which it reads one line, for failed.
- `memory="last"` shows a seat only what came since it last spoke; `instances=100` plays 100 fixed first stages
  (and manuals); later digits depend on the episode's seed.

## Actions
Any text. For the solver, a line that is `press_1`, `press_2`, `press_3` or `press_4` is carried out; case,
punctuation, `Action:` or JSON around the name do not matter. All else is speech. Several such lines run in order until
one is a mistake. The expert only speaks. Of a long message the first 4,000 characters count; what stands before
`</think>` is not part of it.

## Observation
The solver's picture shows the digit, the buttons, the lamps of the stages (the present one framed), a light for each
mistake and a lamp; its text the dialogue and what its actions did. Earlier digits and labels are not shown again. The
expert's picture is the manual's page (its cover below 320 pixels), its text the manual and the dialogue. Features
(29): the digit one-hot (4), the label of each button one-hot (4 times 4), the stage one-hot (5), then mistakes,
solved, turn, over; the expert's are 0 except the last two.

## Rewards
For both the best number of stages done in a row, divided by five; paid when a new best is reached.

## Episode end
Terminates when all stages are done, at the third mistake (`mistakes`), or after ten turns (`turns`).

## Agents
`scripted_solver` tells what it sees and has pressed, follows advice and from then on goes by the rules it was told;
`scripted_expert` names the label, reads out the rules and repeats what was pressed so far, so that even with
`memory="last"` nothing is lost. Together they solve every device in the sixth turn.

## Source
One of the ten puzzles of COMMA; its manual follows "Memory" of *Keep Talking and Nobody Explodes*.
"""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(
    __name__, "MemoryPuzzle", "five digits in a row: press what the manual says about now and about earlier presses"
)
