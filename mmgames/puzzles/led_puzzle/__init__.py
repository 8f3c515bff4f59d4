"""Coloured lights stand for numbers, letters too; in every stage a button solves a small sum modulo 26.

## Description
The solver has a row of two to five coloured lights, one for each stage, and four buttons with letters. The expert's
manual tells which number each colour stands for, and the rule: a button is right if its letter's number (A is 0, Z is
25), multiplied by the light's number and taken modulo 26, is the number of the letter diagonally opposite. After each
right press the letters change.

## Rules
- A turn is one message of the solver, then one of the expert. The expert hears what the solver says, not what it
  does or sees.
- The lights of all stages are seen from the start, each of six colours; the letters only in their stage.
- In each stage at least one button is right: two letters are made to fit, the two others drawn freely, so that now and
  then two buttons are right, and either will do. Any other is a mistake; nothing is reset.
- `manual="shuffled"` gives every device numbers of its own: six different ones between 2 and 12.
- With `rules="released"` the expert reads the solver's whole message, the solver has 11 messages, and running out of
  them scores 0.
- The released engine does one action a line, also where its name stands inside a sentence, goes on with a message
  after a mistake, and takes a device that is solved with the eleventh, of which it reads one line, for failed.
- `memory="last"` shows a seat only what came since it last spoke; `instances=100` plays 100 fixed devices, whose
  later letters still depend on the episode's seed.

## Actions
Any text. For the solver, a line that is `press_top_left_button`, `press_top_right_button`, `press_bottom_left_button`
or `press_bottom_right_button` is carried out; case, punctuation, `Action:` or JSON around the name do not matter. All
else is speech. Several such lines run in order until one is a mistake. The expert only speaks. Of a long message the
first 4,000 characters count; what stands before `</think>` is not part of it.

## Observation
The solver's picture shows the lights with an arrow at the present one and ticks on those that are done, the buttons,
a light for each mistake and a lamp; its text the dialogue and what its actions did. The expert's picture is the
manual's page (its cover below 320 pixels), its text the manual and the dialogue. Features (147): the lights one-hot
(5 times 6), the stage one-hot (5), the letters one-hot (4 times 26), which buttons were wrong in this stage (4), then
mistakes, solved, turn, over; the expert's are 0 except the last two.

## Rewards
For both the share of stages done: each stage pays its part when it is done.

## Episode end
Terminates when all stages are done, at the third mistake (`mistakes`), or after ten turns (`turns`).

## Agents
`scripted_solver` tells the lights and letters, presses what the expert names and does the sums of later stages
itself once it knows the numbers; `scripted_expert` tells button, numbers and rule. Together they solve every device
in one turn more than it has stages.

## Source
One of the ten puzzles of COMMA.
"""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(
    __name__, "LedPuzzle", "letters times lights modulo 26: press the button that solves the sum of each stage"
)
