"""The sheets of Particles: one for each seat, on which stands what that seat may see, and one for spectators."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from mmgames.core.game import Seat
from mmgames.games.particles import picture_parts as parts
from mmgames.games.particles.picture_parts import COAST, DOTS, FIRST_SECRET, FIRST_WORD, NONE, SLOW
from mmgames.games.particles.picture_plan import EXTENT, plan
from mmgames.games.particles.scenarios import HUNTS, IS_HUNT, MARK, MOST_ENTITIES, MOST_PLAYERS, SCENARIOS, SIZE, WORLD
from mmgames.games.particles.seen import may_see, sees
from mmgames.kernels.kernel import inlined, kernel, rounded
from mmgames.kernels.sprites import NOTHING, Sprite, SpriteSheet, beside, centred, laid, put

# Codes: what lies on the field, players, players outside, dots, letters, rings, and then the lines with their values.
PLAYERS_FROM = MOST_ENTITIES
OUTSIDE_FROM = PLAYERS_FROM + MOST_PLAYERS
DOTS_FROM = OUTSIDE_FROM + MOST_PLAYERS
LETTERS_FROM = DOTS_FROM + MOST_PLAYERS
RING = LETTERS_FROM + MOST_ENTITIES
RINGS = 2  # around each other
LINES_FROM = RING + RINGS * RINGS
VALUES = 12  # of a line: silence, and as many words as there are at the most
# The layout: the seat, or SPECTATOR; the field, where letters are from their landmarks, whether there are landmarks and
# whether they lie above the players, which secrets tell those that are meant, how many lines there are; then whether
# each entity is ever seen, and for each line what it tells, and where it is put.
SEAT, LEFT, TOP, SIDE, LETTER_X, LETTER_Y, MARKED, ABOVE, MEANT, ALSO_MEANT, TOLD, SEEN = range(12)
SPECTATOR = -1
LINE_AT = SEEN + MOST_ENTITIES


@kernel
def put_at(layout, across, along, code, out, slot):
    """A place of the plane in the picture."""
    unit = layout[SIDE] / (2 * EXTENT)
    x, y = min(EXTENT, max(-EXTENT, across)), min(EXTENT, max(-EXTENT, along))
    return put(out, slot, code, rounded(layout[LEFT] + (x + EXTENT) * unit), rounded(layout[TOP] + (EXTENT - y) * unit))


@inlined
def is_seen(state, layout, entity):
    seat = layout[SEAT]
    if state.scenario == WORLD and entity < len(state.said) and seat != SPECTATOR:
        return entity == seat or sees(state, seat, entity)
    return layout[SEEN + entity] == 1


@kernel
def told_value(state, source):
    """A secret, or a word."""
    return state.secret[source - FIRST_SECRET] if source < FIRST_WORD else state.said[source - FIRST_WORD]


@kernel
def is_inside(across, along):
    return max(abs(across), abs(along)) <= EXTENT


@kernel
def put_things(state, layout, out, slot):
    """What lies on the field, the last thing first; landmarks with the rings of those for whom they are meant."""
    for entity in range(len(state.place) - 1, len(state.said) - 1, -1):
        number, shown = entity - len(state.said), is_seen(state, layout, entity)
        x, y = state.place[entity, 0], state.place[entity, 1]
        slot = put_at(layout, x, y, number if shown else NOTHING, out, slot)
        layer = 0
        for which in range(RINGS):
            source = layout[MEANT + which]
            ringed = shown and source != NONE and told_value(state, source) == number
            slot = put_at(layout, x, y, RING + which * RINGS + layer if ringed else NOTHING, out, slot)
            layer += ringed
    return slot


@inlined
def put_letters(state, layout, out, slot):
    for entity in range(len(state.place) - 1, len(state.said) - 1, -1):
        shown = layout[LETTER_X] > 0 and is_seen(state, layout, entity)
        code = LETTERS_FROM + entity - len(state.said) if shown else NOTHING
        put_at(layout, state.place[entity, 0], state.place[entity, 1], code, out, slot)
        out[slot, 1] += layout[LETTER_X]
        out[slot, 2] += layout[LETTER_Y]
        slot += 1
    return slot


@inlined
def put_dots(state, layout, seat, out, slot):
    """The way a player would coast, if its speed is seen: one's own is, and that of prey."""
    which, x, y = state.scenario, state.place[seat, 0], state.place[seat, 1]
    right, up = state.speed[seat, 0], state.speed[seat, 1]
    told = layout[SEAT] in (SPECTATOR, seat) or (IS_HUNT[which] and not HUNTS[which, seat])
    told = told and is_seen(state, layout, seat)
    told = told and is_inside(x, y) and max(abs(right), abs(up)) >= SLOW
    for number in range(1, DOTS + 1):
        share = COAST * number / DOTS
        across, along = share * right, share * up
        far = across * across + along * along > SIZE[which, seat] * SIZE[which, seat]
        shown = told and far and is_inside(x + across, y + along)
        slot = put_at(layout, x + across, y + along, DOTS_FROM + seat if shown else NOTHING, out, slot)
    return slot


@inlined
def put_players(state, layout, out, slot):
    for seat in range(len(state.said)):
        x, y = state.place[seat, 0], state.place[seat, 1]
        code = (PLAYERS_FROM if is_inside(x, y) else OUTSIDE_FROM) + seat
        slot = put_at(layout, x, y, code if is_seen(state, layout, seat) else NOTHING, out, slot)
    for seat in range(len(state.said)):
        slot = put_dots(state, layout, seat, out, slot)
    return slot


@kernel
def place(state, layout, out):
    """What `draw` lays and pastes for this seat, in its order."""
    slot = put(out, 0, NOTHING, 0, 0)
    if layout[SIDE]:
        if not layout[ABOVE]:
            slot = put_things(state, layout, out, slot)
        slot = put_players(state, layout, out, slot)
        if layout[ABOVE]:
            slot = put_things(state, layout, out, slot)
        if layout[MARKED]:
            slot = put_letters(state, layout, out, slot)
    for number in range(layout[TOLD]):
        line = LINE_AT + 3 * number
        value = told_value(state, layout[line]) + 1 if layout[line] != NONE else 0
        slot = put(out, slot, LINES_FROM + number * VALUES + value, layout[line + 1], layout[line + 2])


@lru_cache(maxsize=64)
def sheet_of(which: int, seat: Seat | None, size: int) -> SpriteSheet:
    scenario, where = SCENARIOS[which], plan(size)
    is_card, entries = parts.sees_no_field(which, seat), parts.lines(which, seat)
    rings = parts.ring_colours(which, seat)
    marked = scenario.things[0][0] == MARK

    def paint(code: int) -> Sprite:
        if code >= LINES_FROM:
            number, value = divmod(code - LINES_FROM, VALUES)
            label = parts.line_label(which, seat, number, value - 1, size, where)
            return centred(label) if is_card else beside(label)
        if code >= RING:
            ring, layer = divmod(code - RING, RINGS)
            return laid(parts.laid_ring(which, where, [*rings.values()][ring], layer))
        if code >= LETTERS_FROM:
            return laid(parts.laid_letter(code - LETTERS_FROM, where))
        if code >= DOTS_FROM:
            return laid(parts.laid_dot(which, code - DOTS_FROM, where))
        if code >= OUTSIDE_FROM:
            return laid(parts.laid_outside(which, code - OUTSIDE_FROM, where))
        if code >= PLAYERS_FROM:
            return laid(parts.laid_player(which, code - PLAYERS_FROM, where, code - PLAYERS_FROM == seat))
        return laid(parts.laid_thing(which, code, where))

    lettered = marked and where.height >= parts.LETTERS_FROM
    offset = parts.letter_offset(which, where) if lettered else (0, 0)
    seen = [seat is None or may_see(which, seat, entity) for entity in range(scenario.entities)]
    puts = parts.line_places(which, seat, size, where)
    numbers = [SPECTATOR if seat is None else seat, where.left, where.top, 0 if is_card else where.side, *offset]
    numbers += [marked, parts.marks_lie_above(which), *[*rings, NONE, NONE][:RINGS], len(puts)]
    numbers += [*seen, *[0] * (MOST_ENTITIES - len(seen))]
    for line, at in zip(entries, puts, strict=False):
        numbers += [line.source, *at]
    things, players = len(scenario.things), scenario.players
    on_field = 0 if is_card else things * (1 + RINGS + marked) + players * (1 + DOTS)
    ground = parts.card(size, where) if is_card else parts.field(size, where)
    codes, slots = LINES_FROM + VALUES * len(entries), 1 + on_field + len(puts)
    return SpriteSheet(ground, place, slots, codes, paint, np.array(numbers), layered=True)


def sprites(game: Any, size: int) -> Sequence[SpriteSheet]:
    """A sheet for each seat: they see different things."""
    which = game.kernel.blank.scenario
    return [sheet_of(which, seat, size) for seat in range(len(game.seats))]
