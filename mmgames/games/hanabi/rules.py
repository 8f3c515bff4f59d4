"""Hanabi: all but what a seat knows (known.py) and the views, which are the state as far as a seat can fill it in.

The state holds the whole deck in the order in which it is dealt; a hand lists places in the deck, and what is known
about a card is kept by its place too. Hiding a card from somebody means hiding one entry of the deck. OpenSpiel's
engine judges the rules in the tests, move by move.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.games.hanabi.known import (
    COPIES,
    MOST_HINTS,
    MOST_LIVES,
    cards_held,
    features,
    hide,
    meaning_of_hint,
    num_features,
    shown,
    unseen,
)
from mmgames.games.hanabi.views import NOTHING, HanabiView
from mmgames.kernels.kernel import below, fork, inlined, kernel, noise, scramble
from mmgames.kernels.kernel_game import NOBODY, Kernel, KernelGame, ask
from mmgames.kernels.records import RecordState, blank_state, bool_, int8, record

TABLE = ("hints", "lives", "points", "dealt", "last_turns", "over", "fireworks", "discards")


def fields(players: int, colours: int, ranks: int, hand: int, most_moves: int) -> np.dtype[Any]:
    cards = 2 * colours * ranks
    return record(
        keeps_points=bool_,  # when the last life is lost
        # The table. `last_turns` counts down once the deck is empty.
        **dict.fromkeys(("moves", "hints", "lives", "points", "dealt", "last_turns"), int8),
        over=bool_,
        fireworks=(int8, colours),  # how many cards lie in each
        discards=(int8, (colours, ranks)),  # how many lie on the pile
        deck=(int8, cards),  # the kinds of the cards, colour * ranks + rank, or HIDDEN
        hands=(int8, (players, hand)),  # places in the deck, or NOTHING; slot 0 is the oldest card
        # What hints have said of each card of the deck: what it can still be (1 or 0), and what was named for it.
        colours_left=(int8, (cards, colours)),
        ranks_left=(int8, (cards, ranks)),
        named_colour=(int8, cards),
        named_rank=(int8, cards),
        # The moves: the action, the place of the card that left the hand, and, 1 or 0, whether it fitted its firework,
        # whether that was complete then and gave a hint token back, and which slots a hint touched.
        actions=(int8, most_moves),
        spent=(int8, most_moves),
        fitted=(int8, most_moves),
        completed=(int8, most_moves),
        touched=(int8, (most_moves, hand)),
    )


@kernel
def set_up(state):
    """The table before the first move, with all hands dealt; the deck is not looked at."""
    players, hand = state.hands.shape
    state.moves, state.points, state.over = 0, 0, False
    state.hints, state.lives, state.last_turns = MOST_HINTS, MOST_LIVES, players
    state.fireworks[:] = 0
    state.discards[:, :] = 0
    state.colours_left[:, :] = 1
    state.ranks_left[:, :] = 1
    state.named_colour[:] = NOTHING
    state.named_rank[:] = NOTHING
    state.actions[:] = NOTHING
    state.spent[:] = NOTHING
    state.fitted[:] = 0
    state.completed[:] = 0
    state.touched[:, :] = 0
    state.dealt = 0
    for seat in range(players):
        for slot in range(hand):
            state.hands[seat, slot] = state.dealt
            state.dealt += 1


@kernel
def shuffle(state, first, noise):
    """The cards of the deck from that place on."""
    for place in range(len(state.deck) - 1, first, -1):
        noise = scramble(noise)
        other = first + below(noise, place - first + 1)
        state.deck[place], state.deck[other] = state.deck[other], state.deck[place]


@kernel
def start(state, noise):
    colours, ranks = state.discards.shape
    cards = 0
    for kind in range(colours * ranks):
        for _ in range(COPIES[ranks, kind % ranks]):
            state.deck[cards] = kind
            cards += 1
    shuffle(state, 0, noise)
    set_up(state)


@inlined
def mover(state):
    return state.moves % len(state.hands)


@kernel
def turn(state):
    return NOBODY if state.over else mover(state)


@kernel
def moves(state, seat, out):
    """Discards, plays, hints of colours and hints of ranks, each in order."""
    (players, hand), (colours, ranks), n = state.hands.shape, state.discards.shape, 0
    held = cards_held(state, seat)
    for slot in range(held if state.hints < MOST_HINTS else 0):
        out[n] = slot
        n += 1
    for slot in range(held):
        out[n] = hand + slot
        n += 1
    if state.hints == 0:
        return n
    for offset in range(players - 1):
        held_colours, _ = shown(state, (seat + 1 + offset) % players)
        for colour in range(colours):
            if held_colours >> colour & 1:
                out[n] = 2 * hand + offset * colours + colour
                n += 1
    for offset in range(players - 1):
        _, held_ranks = shown(state, (seat + 1 + offset) % players)
        for rank in range(ranks):
            if held_ranks >> rank & 1:
                out[n] = 2 * hand + (players - 1) * colours + offset * ranks + rank
                n += 1
    return n


@inlined
def take_card(state, seat, slot):
    """The card in a slot leaves the hand and the younger ones move up; its place in the deck."""
    last = state.hands.shape[1] - 1
    place = state.hands[seat, slot]
    for i in range(slot, last):
        state.hands[seat, i] = state.hands[seat, i + 1]
    state.hands[seat, last] = NOTHING
    state.spent[state.moves] = place
    return place


@inlined
def draw_card(state, seat):
    """The next card of the deck is the youngest of a hand."""
    state.hands[seat, state.hands.shape[1] - 1] = state.dealt
    state.dealt += 1


@inlined
def discard(state, seat, slot):
    ranks = state.discards.shape[1]
    kind = state.deck[take_card(state, seat, slot)]
    state.discards[kind // ranks, kind % ranks] += 1
    state.hints += 1


@inlined
def play_card(state, seat, slot):
    """The next card of a firework stays there, and the last one gives a hint token; any other card costs a life."""
    ranks = state.discards.shape[1]
    kind = state.deck[take_card(state, seat, slot)]
    colour, rank = kind // ranks, kind % ranks
    if state.fireworks[colour] == rank:
        state.fireworks[colour] += 1
        state.points += 1
        state.fitted[state.moves] = 1
        if rank == ranks - 1 and state.hints < MOST_HINTS:
            state.hints += 1
            state.completed[state.moves] = 1
    else:
        state.discards[colour, rank] += 1
        state.lives -= 1


@kernel
def hint(state, target, colour, rank):
    """Name a colour or a rank to a seat: what it points at is only that, and everything else is not."""
    colours, ranks = state.discards.shape
    state.hints -= 1
    for slot in range(cards_held(state, target)):
        place = state.hands[target, slot]
        touched = state.deck[place] // ranks == colour or state.deck[place] % ranks == rank
        if colour != NOTHING:
            for other in range(colours):
                if (other == colour) != touched:
                    state.colours_left[place, other] = 0
        else:
            for other in range(ranks):
                if (other == rank) != touched:
                    state.ranks_left[place, other] = 0
        if touched:
            state.touched[state.moves, slot] = 1
            if colour != NOTHING:
                state.named_colour[place] = colour
            else:
                state.named_rank[place] = rank


@kernel
def advance(state, action):
    """A legal action of the mover and the card drawn after it."""
    seat, (players, hand) = mover(state), state.hands.shape
    if state.dealt == len(state.deck):
        state.last_turns -= 1
    state.actions[state.moves] = action
    if action < hand:
        discard(state, seat, action)
    elif action < 2 * hand:
        play_card(state, seat, action - hand)
    else:
        offset, colour, rank = meaning_of_hint(state, action)
        hint(state, (seat + offset) % players, colour, rank)
    state.moves += 1
    if state.lives == 0:
        state.over = True
        if not state.keeps_points:
            state.points = 0
    elif state.last_turns == 0 or state.points == state.discards.size:
        state.over = True
    elif action < 2 * hand and state.dealt < len(state.deck):
        draw_card(state, seat)


@kernel
def step(state, actions, noise):
    advance(state, actions[mover(state)])


@kernel
def returns(state, out):
    out[:] = state.points


@kernel
def deal_anew(state, seat, allowed, noise, tries):
    """Deal a seat's own cards and the rest of the deck anew; says whether it could in so many tries.

    `allowed` holds the kinds each slot may get, as bits. Every such hand that the unseen cards can make is equally
    likely: slots are drawn one by one with the unseen counts as weights, and a hand is kept with the probability that
    corrects for drawing with replacement.
    """
    kinds = state.discards.size
    counts, used = np.zeros(kinds, np.int32), np.zeros(kinds, np.int32)
    unseen(state, seat, counts)
    kept = False
    while not kept and tries > 0:
        kept, tries = True, tries - 1
        used[:] = 0
        for slot in range(cards_held(state, seat)):
            total = 0
            for kind in range(kinds):
                total += counts[kind] * ((allowed[slot] >> kind) & 1)
            if total == 0:
                return False
            noise = scramble(noise)
            pick = below(noise, total)
            chosen = -1
            while pick >= 0:
                chosen += 1
                pick -= counts[chosen] * ((allowed[slot] >> chosen) & 1)
            noise = scramble(noise)
            if below(noise, counts[chosen]) < used[chosen]:
                kept = False
                break
            used[chosen] += 1
            state.deck[state.hands[seat, slot]] = chosen
    if not kept:
        return False
    first = place = np.int64(state.dealt)
    for kind in range(kinds):
        for _ in range(counts[kind] - used[kind]):
            state.deck[place] = kind
            place += 1
    shuffle(state, first, noise)
    return True


@kernel
def imagine(state, seat, noise):
    """Deal anew what a seat does not see, as likely as all it has seen and been told makes it."""
    allowed = np.zeros(state.hands.shape[1], np.int32)
    ranks = state.discards.shape[1]
    for slot in range(cards_held(state, seat)):
        place = state.hands[seat, slot]
        for kind in range(state.discards.size):
            allowed[slot] |= (state.colours_left[place, kind // ranks] & state.ranks_left[place, kind % ranks]) << kind
    attempt = 0
    while not deal_anew(state, seat, allowed, fork(noise, attempt), 1000):
        attempt += 1


class Hanabi(KernelGame[HanabiView]):
    colours: ClassVar[int] = 5
    ranks: ClassVar[int] = 5

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.settle(seats=tuple(f"player_{seat}" for seat in range(self.players)))
        self.size = size = self.players, self.colours, self.ranks, self.hand_size
        blank = blank_state(fields(*size, self.spec.length), keeps_points=self.options["score"] == "fireworks")
        num_actions = 2 * self.hand_size + (self.players - 1) * (self.colours + self.ranks)
        self.kernel = Kernel(blank, num_actions, num_features(*size), start, turn, moves, step, returns, features)

    @property
    def players(self) -> int:
        return self.options.get("players", 2)

    @property
    def hand_size(self) -> int:
        return 5 if self.players <= 3 else 4

    def view(self, state: RecordState, seat: Seat | None) -> HanabiView:
        seen = state.replace()
        ask(hide, seen, NOBODY if seat is None else seat)
        return HanabiView(seat, self.size, seen)

    def imagine(self, state: RecordState, seat: Seat, rng: np.random.Generator) -> RecordState:
        """The seat's own cards dealt anew: equally likely, all hands that the cards it sees and the hints allow."""
        imagined = state.replace()
        ask(imagine, imagined, seat, noise(rng))
        return imagined

    def redeal(self, state: RecordState, rng: np.random.Generator) -> RecordState:
        dealt = state.replace()
        ask(shuffle, dealt, state.dealt, noise(rng))
        return dealt

    def outcome(self, state: RecordState) -> tuple[Any, ...]:
        """The table and the hands with what is known of them; which slots the cards came from does not matter."""
        view = self.view(state, None)
        return *(getattr(state, name) for name in TABLE), *(view.hand(seat) for seat in range(self.players))

    def events(self, state: RecordState) -> Mapping[str, int]:
        view = self.view(state, None)
        counts = dict.fromkeys(("cards that fitted", "cards that did not fit", "discards", "hints"), 0)
        for move in view.last_moves(view.moves):
            fate = "cards that fitted" if move.fits else "cards that did not fit"
            counts[{"play": fate, "discard": "discards"}.get(move.kind, "hints")] += 1
        return counts


class TinyHanabi(Hanabi):
    """Two colours, three ranks, two players with three cards each."""

    colours = 2
    ranks = 3

    @property
    def hand_size(self) -> int:
        return 3
