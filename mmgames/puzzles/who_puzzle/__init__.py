"""A word on a display leads to a label, and the label to the one button to press; everybody has to spell well.

## Description
The solver has a panel with a display and six labelled buttons. The words on it are easily mixed up: YOU ARE, YOUR,
YOU'RE, UR; LED, LEAD, LEED; an empty display and the words BLANK and NOTHING. The expert's manual tells from the word
on the display which button's label to read, and has a list of words for that label: the first of them that is on any
button names the button to press.

## Rules
- A turn is one message of the solver, then one of the expert. The expert hears what the solver says, not what it
  does or sees.
- The display shows one of the manual's 28 words (one is no word at all), the buttons six different ones of its 28
  labels, all equally likely.
- Pressing another button than the right one is a mistake. The panel stays as it is and marks the button.
- `manual="shuffled"` gives every panel a manual of its own: 28 of 48 display words that point anywhere, 28 of 42
  labels and lists in any order.
- With `rules="released"` the panel is the same, but the expert reads the solver's whole message and the solver has
  11 messages.
- The released engine does one action a line, also where its name stands inside a sentence, goes on with a message
  after a mistake, and takes a device that is solved with the eleventh, of which it reads one line, for failed.
- `memory="last"` shows a seat only what came since it last spoke; `instances=100` plays 100 fixed panels.

## Actions
Any text. For the solver, a line that is `press_top_left_button`, `press_top_right_button`, `press_middle_left_button`,
`press_middle_right_button`, `press_bottom_left_button` or `press_bottom_right_button` is carried out; case,
punctuation, `Action:` or JSON around the name do not matter. All else is speech. Several such lines run in order until
one is a mistake. The expert only speaks. Of a long message the first 4,000 characters count; what stands before
`</think>` is not part of it.

## Observation
The solver's picture shows the display, the labelled buttons with a light beside each, a light for each mistake and a
lamp; its text the dialogue and what its actions did. The expert's picture is the manual's page about the display (its
cover below 320 pixels), its text the whole manual and the dialogue. Features (310): the display's word one-hot (48),
each label one-hot (6 times 42), for each button -1 if it was wrong and +1 if it was right, then mistakes, solved,
turn, over; the expert's are 0 except the last two.

## Rewards
1 for both when the right button is pressed, otherwise 0.

## Episode end
Terminates when the right button is pressed, at the third mistake (`mistakes`), or after ten turns (`turns`).

## Agents
`scripted_solver` tells the display's word and all labels and presses the button the expert names; `scripted_expert`
looks the button up and asks for what it has not been told. Together they solve every panel in the second turn.

## Source
One of the ten puzzles of COMMA; its manual follows "Who's on First" of *Keep Talking and Nobody Explodes*.
"""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(
    __name__, "WhoPuzzle", "spell the word on the display and the labels, press the button that the lists lead to"
)
