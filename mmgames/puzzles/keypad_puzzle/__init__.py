"""Four keys with strange symbols: describe them, find their column in the manual, press them in its order.

## Description
The solver has a keypad with four keys, each with one of 27 symbols: a balloon, a C with a dot, a 3 with horns. The
expert has six columns of seven symbols. One column has all four, and its order from top to bottom is the order in
which to press. Some symbols look alike, so describing them well is what the puzzle is about.

## Rules
- A turn is one message of the solver, then one of the expert. The expert hears what the solver says, not what it
  does or sees.
- The column, four of its symbols and their places are drawn evenly. Two columns share at most three symbols, so four
  always tell which column it is.
- A right key stays down. A wrong one, also one that is down already, is a mistake: all keys come up again.
- `manual="shuffled"` gives every keypad columns of its own: other symbols in other orders, shared as in the standard
  ones.
- With `rules="released"` the keypad is the same, but the expert reads the solver's whole message, the solver has 11
  messages, and the score is that of the latest right press instead of the best, or 0 when turns run out.
- The released engine does one action a line, also where its name stands inside a sentence, goes on with a message
  after a mistake, and takes a device that is solved with the eleventh, of which it reads one line, for failed.
- `memory="last"` shows a seat only what came since it last spoke; `instances=100` plays 100 fixed keypads.

## Actions
Any text. For the solver, a line that is `press_top_left_button`, `press_top_right_button`, `press_bottom_left_button`
or `press_bottom_right_button` is carried out; case, punctuation, `Action:` or JSON around the name do not matter. All
else is speech. Several such lines run in order until one is a mistake. The expert only speaks. Of a long message the
first 4,000 characters count; what stands before `</think>` is not part of it.

## Observation
The solver's picture shows the keys with their symbols and lights, a light for each mistake and a lamp; its text the
dialogue and what its actions did. The expert's picture shows the columns of symbols, at any size; its text tells how
to use them, and without a picture also describes every symbol in words. Features (116): the symbol of each key
one-hot (4 times 27), for each key when it went down (0 if it is up, then a quarter more for each), then mistakes,
solved, turn, over; the expert's are 0 except the last two.

## Rewards
For both the best number of keys down at once, divided by four; paid when a new best is reached.

## Episode end
Terminates when all keys are down, at the third mistake (`mistakes`), or after ten turns (`turns`).

## Agents
`scripted_solver` describes the symbols and presses the keys in the order the expert tells; `scripted_expert` finds
the column and asks again about symbols it cannot place. Together they solve every keypad in the second turn.

## Source
One of the ten puzzles of COMMA; its manual follows the keypads of *Keep Talking and Nobody Explodes*. The symbols are
drawn anew.
"""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__, "KeypadPuzzle", "describe four strange symbols and press them in the order of their column")
