"""BattleOfTheColors: meet on a block; each player prefers its own colour."""

from mmgames.games._dilemma.rules import BLUE, RED, Dilemma, free_cell, walk
from mmgames.games.battle_of_the_colors import PAYS
from mmgames.kernels.kernel import inlined, kernel

ON_OWN, ON_ANOTHERS, MISSED = range(3)  # what happens to a player: it meets others on a block, or misses them


@kernel
def step(state, actions, noise):
    """Everybody moves; then those who stand on a block together are paid, and blocks come back elsewhere. One alone on
    a block does nothing, unless somebody is on another block: then that block leaves too."""
    walk(state, actions)
    players, occupied, most = len(state.at), 0, 0
    for block in range(players):
        crowd = crowd_on(state, block)
        if crowd > 0 and not is_covered(state, block):
            occupied += 1
            most = max(most, crowd)
    if most < 2 and occupied < 2:
        return
    least = 1 if occupied > 1 else 2  # the crowd from which on a block leaves
    for block in range(players):
        if crowd_on(state, block) >= least and not is_covered(state, block):
            pay_crowd(state, block)
    others = 0 if state.released else players  # as released, a block may come back on another one
    for block in range(players):
        if crowd_on(state, block) >= least:
            state.things[block] = free_cell(state, players + block, others, noise)


@inlined
def crowd_on(state, block):
    crowd = 0
    for seat in range(len(state.at)):
        crowd += state.at[seat] == state.things[block]
    return crowd


@inlined
def is_covered(state, block):
    """Where blocks coincide, the first of them counts as the one that is stood on."""
    covered = False
    for other in range(block):
        covered |= state.things[other] == state.things[block]
    return covered


@inlined
def pay_crowd(state, block):
    """Those on a block meet, each being paid for every other one there, or one of them misses the others."""
    met = crowd_on(state, block) - 1
    for seat in range(len(state.at)):
        if state.at[seat] != state.things[block]:
            continue
        if met == 0:
            state.points[seat] += state.apart
            state.happened[MISSED, seat] += 1
        elif seat == block:
            state.points[seat] += met * state.own_block
            state.happened[ON_OWN, seat] += met
        else:
            state.points[seat] += met * state.others_block
            state.happened[ON_ANOTHERS, seat] += met


class BattleOfTheColors(Dilemma):
    takes_step, pays = step, PAYS
    kinds = ("meets another on its own block", "meets another on another's block", "misses the others")
    pair_events = (  # a line in the table for what two do together
        ("both on the red block", ON_OWN, RED, "own_block", "others_block"),
        ("both on the blue block", ON_OWN, BLUE, "others_block", "own_block"),
        ("on different blocks", MISSED, RED, "apart", "apart"),
    )
