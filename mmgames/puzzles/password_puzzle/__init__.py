"""Five wheels with three letters each; only one word of the manual can be spelled with them.

## Description
The solver has a lock with five wheels that show a letter each. Every wheel has three letters that follow each other
in the alphabet; buttons above and below turn it. The expert has a list of 35 words with five letters. One of them can
be spelled with the wheels: the password. The solver has to tell letters, the expert to find the word, and the solver
to turn the wheels to it and submit.

## Rules
- A turn is one message of the solver, then one of the expert. The expert hears what the solver says, not what it
  does or sees.
- Up turns a wheel to the next letter of the alphabet, down to the one before; A follows Z. After the last of its
  three letters comes the first. The solver sees only the letter in front.
- The password is any word of the list, its letter at any of the three places of each wheel, such that exactly one
  word of the list is within reach; the wheels start at any of their letters.
- Submitting anything else is a mistake; nothing is reset. Turning is free.
- `manual="shuffled"` gives every lock a list of its own: 35 of 267 common words.
- With `rules="released"` the password's letter is always the middle one of its wheel. Then "there" and "these" are
  within reach of each other, and only the drawn one is right. The expert reads the solver's whole message, and the
  solver has 11 messages.
- The released engine does one action a line, also where its name stands inside a sentence, goes on with a message
  after a mistake, and takes a device that is solved with the eleventh, of which it reads one line, for failed.
- `memory="last"` shows a seat only what came since it last spoke; `instances=100` plays 100 fixed locks.

## Actions
Any text. For the solver, a line that is `up_button_1` … `up_button_5`, `down_button_1` … `down_button_5` or `submit`
is carried out; case, punctuation, `Action:` or JSON around the name do not matter. All else is speech. Several such
lines run in order until one is a mistake. The expert only speaks. Of a long message the first 4,000 characters count;
what stands before `</think>` is not part of it.

## Observation
The solver's picture shows the wheels, their buttons, a light for each mistake and a lamp; its text the dialogue and
what its actions did. The expert's picture is the manual's page (its cover below 320 pixels), its text the manual and
the dialogue. Features (134): the letters one-hot (5 times 26), then mistakes, solved, turn, over; the expert's are 0
except the last two.

## Rewards
1 for both when the password is submitted, otherwise 0.

## Episode end
Terminates when the password is submitted, at the third mistake (`mistakes`), or after ten turns (`turns`).

## Agents
`scripted_solver` tells the letters, turns the wheels to the words the expert names, and submits one when it stands
there; `scripted_expert` names the words that are near. Together they open every lock without a mistake, mostly in
three turns; with the released rules one mistake may be needed to tell "there" from "these".

## Source
One of the ten puzzles of COMMA; its manual follows the passwords of *Keep Talking and Nobody Explodes*.
"""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__, "PasswordPuzzle", "turn five letter wheels to the only word of the list that they can spell")
