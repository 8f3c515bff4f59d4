"""KuhnPoker's rules as kernels: two cards and how the betting went.

The betting is one number: 1 before the first move, then twice itself plus the move. Nine such numbers can occur.
"""

from __future__ import annotations

from collections.abc import Callable

from mmgames.core.game import CHANCE
from mmgames.kernels.kernel import kernel
from mmgames.kernels.kernel_game import NOBODY, Kernel

JACK, QUEEN, KING = CARDS = range(3)
HIDDEN = -1
PASS, BET = range(2)
ANTE = 1
MOVES = 3  # at the most

# The ways in which the betting can end; in two of them somebody folds and no card is shown.
SHOWDOWNS = ((PASS, PASS), (BET, BET), (PASS, BET, BET))
FOLDS = {(BET, PASS): 1, (PASS, BET, PASS): 0}  # -> the seat that folds


def stakes(betting: tuple[int, ...]) -> tuple[int, int]:
    """The chips each seat has put into the pot."""
    return ANTE + (BET in betting[0::2]), ANTE + (BET in betting[1::2])


# The row: both cards, HIDDEN before they are dealt, and the betting.
BETTING = 2
WIDTH = 3
NUM_FEATURES = 17

BETTINGS: dict[int, tuple[int, ...]] = {1: ()}  # by number
for _number in range(1, 2**MOVES):
    if _number in BETTINGS and BETTINGS[_number] not in SHOWDOWNS and BETTINGS[_number] not in FOLDS:
        BETTINGS |= {2 * _number + _move: (*BETTINGS[_number], _move) for _move in (PASS, BET)}
NUMBERS = {betting: number for number, betting in BETTINGS.items()}


def _where(true: Callable[[tuple[int, ...]], bool]) -> int:
    """The bettings of which something is true, as bits of a number; kernels read that faster than a table."""
    return sum(1 << number for number, betting in BETTINGS.items() if true(betting))


SHOWN = _where(lambda betting: betting in SHOWDOWNS)
FIRST_FOLDED = _where(lambda betting: FOLDS.get(betting) == 0)
OVER = _where(lambda betting: betting in SHOWDOWNS or betting in FOLDS)
SECOND_MOVES = _where(lambda betting: len(betting) % 2 == 1)
FIRST_BET = _where(lambda betting: stakes(betting)[0] > ANTE)
SECOND_BET = _where(lambda betting: stakes(betting)[1] > ANTE)


@kernel
def start(row, noise):
    row[0] = row[1] = HIDDEN
    row[BETTING] = 1


@kernel
def turn(row):
    if row[1] == HIDDEN:
        return CHANCE
    return NOBODY if (OVER >> row[BETTING]) & 1 else (SECOND_MOVES >> row[BETTING]) & 1


@kernel
def chance(row, outcomes, probabilities):
    """Each card that is left, first for player_0, then for player_1."""
    dealt = row[0]
    if dealt == HIDDEN:
        outcomes[0], outcomes[1], outcomes[2] = JACK, QUEEN, KING
        probabilities[0] = probabilities[1] = probabilities[2] = 1 / 3
        return 3
    outcomes[0], outcomes[1] = (QUEEN if dealt == JACK else JACK), (QUEEN if dealt == KING else KING)
    probabilities[0] = probabilities[1] = 1 / 2
    return 2


@kernel
def moves(row, seat, out):
    out[0], out[1] = PASS, BET
    return 2


@kernel
def step(row, actions, noise):
    whose = turn(row)
    if whose != CHANCE:
        row[BETTING] = 2 * row[BETTING] + actions[whose]
    elif row[0] == HIDDEN:
        row[0] = actions[0]
    else:
        row[1] = actions[0]


@kernel
def returns(row, out):
    betting = row[BETTING]
    out[0] = out[1] = 0.0
    if (OVER >> betting) & 1:
        first_loses = row[0] < row[1] if (SHOWN >> betting) & 1 else (FIRST_FOLDED >> betting) & 1 == 1
        lost = ANTE + (((FIRST_BET if first_loses else SECOND_BET) >> betting) & 1)
        out[0] = -lost if first_loses else lost
        out[1] = -out[0]


@kernel
def features(row, seat, out):
    """Own card, the other's once it is shown, the three moves, the seat, own turn, who has bet."""
    betting, own, other = row[BETTING], row[seat], row[1 - seat]
    shown = (SHOWN >> betting) & 1
    for card in range(3):
        out[card] = own == card
        out[3 + card] = shown and other == card
    made = 0 if betting == 1 else 1 if betting < 4 else 2 if betting < 8 else 3
    for number in range(MOVES):
        bet = (betting >> max(made - 1 - number, 0)) & 1
        out[6 + 2 * number] = number < made and bet == 0
        out[7 + 2 * number] = number < made and bet == 1
    out[12] = seat == 0
    out[13] = seat == 1
    running = not (OVER >> betting) & 1 and own != HIDDEN  # the other card may be hidden from whoever looks
    out[14] = running and (SECOND_MOVES >> betting) & 1 == seat
    out[15] = ((SECOND_BET if seat else FIRST_BET) >> betting) & 1
    out[16] = ((FIRST_BET if seat else SECOND_BET) >> betting) & 1


KERNEL = Kernel(
    *(WIDTH, 2, NUM_FEATURES, start, turn, moves, step, returns, features), chance=chance, most_outcomes=len(CARDS)
)
