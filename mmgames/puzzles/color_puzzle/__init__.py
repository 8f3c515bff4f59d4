"""A solver clicks coloured squares white, group by group; an expert has the table that says which group is next.

## Description
The solver has a board of four by four squares in five colours. The expert has the manual: which colour comes first,
and a table that names the next group from the number of white squares and the group before. The squares that are left
change their colours after every click, so the two have to keep talking, or the expert has to read the table out.

## Rules
- A turn is one message of the solver, then one of the expert. The expert hears what the solver says, not what it
  does or sees.
- The first group is the rarest colour; in a tie the manual's order of colours decides. After that the table does. It
  names a colour, or the topmost row or the leftmost column that is not all white.
- A click on a square of the right group turns the whole group white; all other coloured squares are coloured anew.
- A click on another coloured square is a mistake: the board is as it was at the start, and the first group is next.
  Clicking a white square does nothing.
- Every colour is on the board at the start. The new colours are drawn at random, with more squares of the next colour
  where needed, so that the next group always exists and eight right clicks, counted from the start, are enough.
- `manual="shuffled"` gives every board a manual of its own: another table of the same form, another order for ties,
  and the first group may also be the commonest colour.
- With `rules="released"` the first five squares of a new board are red, blue, green, yellow and magenta, the expert
  reads the solver's whole message, the solver has 11 messages, and an episode that runs out of turns scores 0.
- The released engine does one action a line, also where its name stands inside a sentence, goes on with a message
  after a mistake, and takes a device that is solved with the eleventh, of which it reads one line, for failed.
- `memory="last"` shows a seat only what came since it last spoke; `instances=100` plays 100 fixed boards.

## Actions
Any text. For the solver, a line that is `click_row_0_col_0` … `click_row_3_col_3` is carried out; case, punctuation,
`Action:` or JSON around the name do not matter. All else is speech: sentences that mention a name, several names on
one line, a name with a question mark. Several such lines run in order until one is a mistake. The expert only speaks.
Of a long message the first 4,000 characters count; what stands before `</think>` is not part of it.

## Observation
The solver's picture shows the squares with the numbers of rows and columns, a light for each mistake and a lamp; its
text the dialogue and what its actions did. The expert's picture is the manual's page (its cover below 320 pixels), its
text the manual and the dialogue. Features (101): for each square one-hot red, blue, green, yellow, magenta or white,
then groups done of eight, mistakes, solved, turn, over; the expert's are 0 except the last two.

## Rewards
The most squares that have been white at a time, divided by 16, for both; 1 when all are.

## Episode end
Terminates when all squares are white, at the third mistake (`mistakes`), or after ten turns (`turns`).

## Agents
`scripted_solver` counts colours, clicks the group the expert names and tells how many squares will be white then;
`scripted_expert` looks up the next group, and reads out the whole table if it is asked to. Together they solve every
board, in at most nine turns.

## Source
One of the ten puzzles of COMMA; its table follows a module that fans made for *Keep Talking and Nobody Explodes*.
"""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__, "ColorPuzzle", "whiten a board of coloured squares, group by group")
