"""A solver sees coloured wires and a serial number; an expert knows which one to cut.

## Description
The solver has a panel with three to six wires in five colours and a plate with a serial number. The expert has the
manual, which says for each number of wires how colours and serial number decide on the one wire to cut. Neither
can do it alone: the solver has to tell what it sees, the expert what to do.

## Rules
- A turn is one message of the solver, then one of the expert. The expert hears what the solver says, not what it
  does or sees.
- The first line of the manual's list that fits decides. The colours of wires already cut still count.
- Cutting a wrong wire is a mistake; so is cutting a wire again. Nothing is put back.
- Wires, colours and signs of the serial number are drawn evenly; half of the serial numbers are odd. With
  `rules="released"` all are even, the expert reads the solver's whole message and the solver has 11 messages.
- `manual="shuffled"` gives every panel a manual of its own: lists of the same length with other tests and cuts.
- The released engine does one action a line, also where its name stands inside a sentence, goes on with a message
  after a mistake, and takes a device that is solved with the eleventh, of which it reads one line, for failed.
- `memory="last"` shows a seat only what came since it last spoke; `instances=100` plays 100 fixed panels.

## Actions
Any text. For the solver, a line that is `cut_wire_1` … `cut_wire_6` (up to the number of wires) is carried out; case,
punctuation, `Action:` or JSON around the name do not matter. All else is speech: sentences that mention a name,
several names on one line, a name with a question mark. Several such lines run in order until one is a mistake. The
expert only speaks. Of a long message the first 4,000 characters count; what stands before `</think>` is not part of
it.

## Observation
The solver's picture shows the numbered wires, the serial number, a light for each mistake and a lamp; its text the
dialogue and what its actions did. The expert's picture is the manual's page (its cover below 320 pixels), its text
the manual and the dialogue. Features (41): for each of six wires a one-hot colour, then for each whether it is
cut, then the serial number's parity (odd +1, even -1), mistakes, solved, turn, over; the expert's are 0 except the
last two.

## Rewards
1 for both when the wire is cut, otherwise 0.

## Episode end
Terminates when the right wire is cut, at the third mistake (`mistakes`), or after ten turns (`turns`).

## Agents
`scripted_solver` describes the panel and cuts the wire the expert names; `scripted_expert` looks the answer up and
asks for what it has not been told. Together they solve every panel in the second turn.

## Source
One of the ten puzzles of COMMA; its manual follows the wires of *Keep Talking and Nobody Explodes*.
"""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__, "WirePuzzle", "describe the wires, look up the manual, cut the right one")
