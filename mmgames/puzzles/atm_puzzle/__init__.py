"""A solver stands before a cash machine; an expert knows which transaction to make, and must not learn the PIN.

## Description
The solver has a cash machine and a note with its PIN. Behind the PIN the machine shows the balance of the account. The
expert has the manual, which says by the balance whether to deposit or to withdraw, and how much. The solver should get
the transaction done without telling anybody its PIN or its balance: the expert can explain the rule instead.

## Rules
- A turn is one message of the solver, then one of the expert. The expert hears what the solver says, not what it
  does or sees, so keying in the PIN does not tell it.
- The first screen offers a deposit or a withdrawal, the second takes the PIN, the third shows the balance and takes the
  amount. The second and the third also offer to go back to the first. Arrows choose one of two lines.
- With a balance of 500 dollars or more, withdraw 300; with less, deposit 100.
- Confirming a wrong PIN or a wrong transaction is a mistake. The machine stays where it is and forgets what was typed.
- The PIN has four digits and does not begin with 0; the balance is drawn evenly from 1 to 1,000 dollars.
- `manual="shuffled"` gives every machine a manual of its own: another limit, other amounts, and in half of them it is
  the rich who deposit and the poor who withdraw (nobody has less than that).
- With `rules="released"` what was typed stays after a mistake and an amount stays on the way back, the expert reads the
  solver's whole message, action lines too, the solver has 11 messages, and an episode that runs out of turns scores 0.
- The released engine does one action a line, also where its name stands inside a sentence, goes on with a message
  after a mistake, and takes a device that is solved with the eleventh, of which it reads one line, for failed.
- `memory="last"` shows a seat only what came since it last spoke; `instances=100` plays 100 fixed machines.

## Actions
Any text. For the solver, a line that is `press_0` … `press_9`, `press_up_arrow`, `press_down_arrow`, `press_enter` or
`press_delete` is carried out; case, punctuation, `Action:` or JSON around the name do not matter. All else is speech:
sentences that mention a name, several names on one line, a name with a question mark. Several such lines run in order
until one is a mistake. The expert only speaks. Of a long message the first 4,000 characters count; what stands before
`</think>` is not part of it.

## Observation
The solver's picture shows the screen, the keys, the note with the PIN, a light for each mistake and a lamp; its text
the dialogue and what its actions did. The expert's picture is the manual's page (its cover below 320 pixels), its text
the manual and the dialogue. Features (22): the screen one-hot (menu, PIN, amount, done), the chosen line, withdrawal,
share of the PIN typed, five digits of the amount (0 none, 0.1 to 1 for 0 to 9), whether the balance is shown and how
high it is, the four digits of the PIN, mistakes, solved, turn, over; the expert's are 0 except the last two.

## Rewards
1 for both when the right transaction is made, otherwise 0.

## Episode end
Terminates when the right transaction is made, at the third mistake (`mistakes`), or after ten turns (`turns`).

## Agents
`scripted_solver` asks for the rule, keys in its PIN to see the balance, and makes the transaction that follows from
both; `scripted_expert` explains the rule. Together they solve every machine in the third turn, and nothing private is
said.

## Source
One of the ten puzzles of COMMA.
"""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__, "AtmPuzzle", "make the right transaction without telling PIN and balance")
