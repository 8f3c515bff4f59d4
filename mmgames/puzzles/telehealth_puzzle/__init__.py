"""A solver sees a skin lesion and a patient's profile; an expert has a made-up guide to diagnosis and treatment.

## Description
**This is a game about talking, not medicine.** Its manual is a simplified table made for play, its lesions are
drawings, its patients are invented; nothing here may be used to judge a real lesion, and no score in it says anything
about medical skill. The solver looks at a lesion beside a ruler and at a profile of which some fields are private. The
expert has a manual that tells six diagnoses apart by what can be seen and says how each is treated.

## Rules
- A turn is one message of the solver, then one of the expert. The expert hears what the solver says, not what it
  does or sees.
- First the lesion has to be diagnosed, then treated. A wrong diagnosis or treatment is a mistake, and so is a treatment
  before the diagnosis or a diagnosis after it. Nothing is taken back.
- The manual tells the diagnoses apart by border, colour, scale, translucence and size. BCC and SCC are treated by
  surgery from a diameter of 5 mm on, else by cryotherapy; MEL by surgery; ACK by cryotherapy; NEV not at all; SEK by
  cryotherapy if it itches or bleeds, else not at all.
- Of the cases 40 % are BCC, 20 % ACK, 15 % SEK, 13 % NEV, 10 % SCC and 2 % MEL.
- Name, address, birth date and insurance number are private; the solver should not tell them. Age, sex, skin type, body
  region, two diameters, itch, bleeding, growth, pain, change and elevation may be told.
- `manual="shuffled"` gives every patient a manual of its own: diagnoses, looks and treatments change places, limits and
  signs are drawn anew, so that medical knowledge does not help.
- `photos="drawn"` draws lesions. `photos="…/PAD-UFES-20"` shows the photographs of a local copy of that data set (its
  `metadata.csv`, and pictures anywhere below the folder) with the profiles and diagnoses in its table. Rows without a
  picture, or without what the manual asks for, are left out and counted in a warning. With a shuffled manual
  photographs keep their looks; only names and treatments change.
- With `rules="released"` every SEK needs cryotherapy, whatever the manual says: that code takes the text "False" for
  true. The expert reads the solver's whole message, the solver has 11 messages, and an episode that runs out of turns
  scores 0.
- The released engine does one action a line, also where its name stands inside a sentence, goes on with a message
  after a mistake, and takes a device that is solved with the eleventh, of which it reads one line, for failed.
- `memory="last"` shows a seat only what came since it last spoke; `instances=100` plays 100 fixed patients.

## Actions
Any text. For the solver, a line that is `diagnose_BCC`, `diagnose_SCC`, `diagnose_MEL`, `diagnose_ACK`,
`diagnose_NEV`, `diagnose_SEK`, `treat_surgery`, `treat_no_treatment` or `treat_cryotherapy` is carried out; case,
punctuation, `Action:` or JSON around the name do not matter. All else is speech: sentences that mention a name,
several names on one line, a name with a question mark. Several such lines run in order until one is a mistake. The
expert only speaks. Of a long message the first 4,000 characters count; what stands before `</think>` is not part of
it.

## Observation
The solver's picture shows the lesion above a ruler, the patient's card (below 320 pixels it is in the text instead), a
light each for diagnosis and treatment, one for each mistake and a lamp; its text the dialogue and what its actions did.
A real photograph has no ruler. Text alone tells what a drawn lesion looks like. The expert's picture is the manual's
page (its cover below 320 pixels), its text the manual and the dialogue. Features (31): border, colour, scale and sheen
one-hot (0 for a photograph), both diameters, whether they are known, age, skin type, sex one-hot, six signs (yes 1, no
-1), diagnosed, mistakes, solved, turn, over; the expert's are 0 except the last two.

## Rewards
0.5 for both at the diagnosis, 1 in all at the treatment.

## Episode end
Terminates when the right treatment is given, at the third mistake (`mistakes`), or after ten turns (`turns`).

## Agents
`scripted_solver` describes a drawn lesion and what may be told of the profile, then does what the expert says;
`scripted_expert` looks up diagnosis and treatment and asks for what it has not been told. Together they solve every
drawn case in the second turn, and nothing private is said. The scripted solver cannot describe a photograph: it
guesses.

## Source
One of the ten puzzles of COMMA, which shows photographs of PAD-UFES-20 (Pacheco et al., 2020); they are not part of
this package.
"""

from mmgames.core.spec import Option
from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(
    __name__,
    "TelehealthPuzzle",
    "describe a drawn skin lesion, look up diagnosis and treatment, tell nothing private",
    photos=Option(
        "drawn",
        '"drawn": drawings of lesions; or the path of a local copy of PAD-UFES-20 (metadata.csv and its pictures).',
    ),
)
