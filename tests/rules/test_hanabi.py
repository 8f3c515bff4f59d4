"""Hanabi: nothing hidden leaks, hands are imagined fairly, and the bots are good."""

import itertools
import re
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import mmgames
from mmgames.agents.finding import make_agent
from mmgames.baselines.planners.hanabi import choose, rule_bot
from mmgames.baselines.planners.hanabi_beliefs import MIND, think
from mmgames.baselines.search.hanabi_oracle import TEAM, Oracle, likely_hands, search, surprises, unfold
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.games.hanabi import picture, words
from mmgames.games.hanabi.known import hide, unseen
from mmgames.games.hanabi.rules import advance, imagine
from mmgames.kernels.records import RecordState
from mmgames.text.refusals import Illegal
from mmgames.text.replies import parse
from tests.refusing import refused
from tests.rules.hanabi import FORMS, fresh_state, make, some_action


def live_game(form: str, moves: int, seed: int = 0, **options: Any) -> LiveGame:
    """A game after some moves of players who look at their cards now and then."""
    rng = np.random.default_rng(seed)
    live = LiveGame(registry.load(FORMS[form][0]), make(form, **options))
    live.start(rng)
    for _ in range(moves):
        if live.movers:
            legal = list(live.game.legal(live.state, live.movers[0]))
            live.play({live.movers[0]: some_action(live.state, legal, True, rng)})
    return live


def hidden(state: RecordState, seat: int) -> RecordState:
    seen = state.replace()
    hide(seen.record, seat)
    return seen


def test_imagined_hands_are_as_likely_as_counting_makes_them() -> None:
    live = live_game("tiny", 0, seed=5)
    game = live.game
    for action in (6, 8, 3, 7):
        legal = list(game.legal(live.state, live.movers[0]))
        live.play({live.movers[0]: action if action in legal else legal[0]})
    view, rng = live.view(0), np.random.default_rng(1)
    counts = np.zeros(6, np.int32)
    unseen(view.state.record, 0, counts)
    cards = [kind for kind, count in enumerate(counts) for _ in range(count)]
    own = view.hand(0)
    exact = Counter(
        hand
        for hand in itertools.permutations(cards, len(own))
        if all(kind // 3 in card.colours and kind % 3 in card.ranks for kind, card in zip(hand, own, strict=True))
    )
    assert any(card.hinted for card in own) and 2 < len(exact) < 200
    draws = 4000
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(draws):
        imagined = game.view(game.imagine(live.state, 0, rng), None).hand(0)
        seen[tuple(card.colour * 3 + card.rank for card in imagined)] += 1
    assert set(seen) == set(exact)
    for hand, ways in exact.items():
        share = ways / exact.total()
        assert abs(seen[hand] / draws - share) < 5 * np.sqrt(share / draws)


def played(form: str, policy: Any, games: int, **settings: Any) -> np.ndarray:
    """The scores of a compiled policy in all seats; None plays at random."""
    name, options = FORMS[form]
    env = mmgames.vector_env(name, games, **options, **settings)
    env.reset(seed=9)
    streams, actions = np.arange(games, dtype=np.uint64), np.zeros((games, len(env.seats)), np.int64)
    scores, open_games = np.zeros(games), np.ones(games, bool)
    while open_games.any():
        for seat in range(len(env.seats)):
            env.act(seat, policy, streams, actions)
        _, rewards, terminated, _, _ = env.step(actions)
        scores += rewards[:, 0] * open_games
        open_games &= ~terminated
    return scores


@pytest.mark.parametrize(
    ("form", "least"), [("2 players", 21.5), ("3 players", 21), ("4 players", 21), ("5 players", 19), ("tiny", 5.3)]
)
def test_the_rule_bot_is_a_good_team(form: str, least: float) -> None:
    assert played(form, rule_bot, 400).mean() > least


@pytest.mark.parametrize("form", FORMS)
def test_the_rule_bot_does_not_look_at_its_own_cards(form: str) -> None:
    game, rng, luck = make(form), np.random.default_rng(6), np.uint64(1)
    for _ in range(5):
        state = fresh_state(game, rng)
        while not state.over:
            seat = state.moves % game.players
            action = rule_bot(state.record, seat, luck)
            assert rule_bot(hidden(state, seat).record, seat, luck) == action
            advance(state.record, action)


def test_the_oracle_does_not_look_either_and_tries_hands_that_fit_what_it_was_told() -> None:
    game, rng, luck = make("2 players"), np.random.default_rng(7), np.uint64(3)
    state, minds = fresh_state(game, rng), np.zeros(1, MIND)
    for move in itertools.takewhile(lambda _: not state.over, itertools.count()):
        seat = state.moves % 2
        think(state.record, minds[0])
        if move % 3:
            advance(state.record, choose(state.record, minds[0], TEAM, seat))
            continue
        action = search(state.record, seat, luck, 3)
        assert action in game.kernel.legal(state, seat)
        assert search(hidden(state, seat).record, seat, luck, 3) == action
        advance(state.record, action)
    for seed in range(3):
        state, minds = bot_game("2 players", 17 + seed, seed)
        seat, hands, counts = state.moves % 2, np.zeros((40, 5), np.int64), np.zeros(25, np.int32)
        seen = hidden(state, seat)
        assert likely_hands(seen.record, minds[0], TEAM, seat, np.uint64(seed), hands) == 40
        unseen(seen.record, seat, counts)
        for hand in hands:
            assert (np.bincount(hand, minlength=25) <= counts).all()
            for place, (colour, rank) in zip(seen.hands[seat], (divmod(kind, 5) for kind in hand), strict=True):
                assert seen.colours_left[place][colour] and seen.ranks_left[place][rank]


def bot_game(form: str, moves: int, seed: int) -> tuple[RecordState, np.ndarray]:
    """A state and its mind, in an array, after some moves of the bot that finishes the oracle's games."""
    game, minds = make(form), np.zeros(1, MIND)
    state = fresh_state(game, np.random.default_rng(seed))
    for _ in range(moves):
        think(state.record, minds[0])
        if not state.over:
            advance(state.record, choose(state.record, minds[0], TEAM, state.moves % game.players))
    think(state.record, minds[0])
    return state, minds


@pytest.mark.parametrize("form", ["2 players", "4 players"])
def test_moves_of_partners_do_not_surprise_who_knows_the_own_hand(form: str) -> None:
    for seed in range(3):
        state, _ = bot_game(form, 24, seed)
        seat = state.moves % len(state.hands)
        states, minds = np.repeat(state.array, 91), np.zeros(91, MIND)
        unfold(state.record, states, minds)
        assert surprises(state.record, states, minds, TEAM, seat, 10) == 0
        others = []
        for luck in range(30):
            world = state.replace()
            imagine(world.record, seat, np.uint64(luck))
            others.append(surprises(world.record, states, minds, TEAM, seat, 10))
        assert np.mean(np.array(others) > 0) > 0.5


def test_agents_act_on_their_view_as_their_policies_act_on_states() -> None:
    live = live_game("3 players", 10)
    seat = live.movers[0]
    turn = Turn(live, seat, np.random.default_rng(1))
    assert make_agent("rule_bot", live.game.spec).act(turn) == rule_bot(live.state.record, seat, np.uint64(0))
    assert make_agent("oracle:samples=2", live.game.spec).act(turn) in live.game.legal(live.state, seat)
    for samples in (0, -1, 1.5, "many"):
        refused(lambda samples=samples: Oracle(samples), "1 to 10000")  # type: ignore[arg-type]


def test_slots_are_numbered_alike_in_moves_and_words_and_hints_may_be_spelt_in_other_ways() -> None:
    live = live_game("2 players", 5)
    seat = live.movers[0]
    view, everything = live.view(seat), live.view(None)
    names = words.names(view)
    for slot, card in enumerate(everything.hand(seat)):
        action = parse(f"(Play {slot})", names)
        assert not isinstance(action, Illegal)
        after = live.game.view(live.game.play(live.state, {seat: action}, np.random.default_rng(0)), seat)
        (move,) = after.last_moves(1)
        assert (move.slot, move.colour, move.rank) == (slot, card.colour, card.rank)
        assert f"you played slot {slot}, {words.LETTERS[card.colour]}{card.rank + 1}" in words.describe(after)
        assert f"- slot {slot}: you know" in words.describe(view)
    view = live_game("2 players", 0).view(0)
    names, aliases = words.names(view), words.aliases(view)
    for action, name in names.items():
        letter = re.search(r"color (\w)", name)
        if letter:
            colour = words.COLOURS[words.LETTERS.index(letter[1])]
            for spelling in (name.replace("color", "colour"), f"reveal player +1 color {colour}", name.lower()):
                assert parse(spelling, names, aliases) == action
    assert isinstance(parse("(Reveal player +2 rank 1)", names, aliases), Illegal)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [128, 512])
def test_cards_and_hints_can_be_told_apart_in_the_picture(form: str, size: int) -> None:
    live = live_game(form, 6, seed=2)  # nobody has named the oldest card of player_0 in it
    view, (players, colours, ranks, hand) = live.view(0), live.view(0).size
    deck, known = np.array(view.state.deck), view.state
    colours_left, ranks_left = np.array(known.colours_left), np.array(known.ranks_left)
    other = view.state.hands[1][0]  # the oldest card of player_1
    frames = set()
    for kind in range(colours * ranks):
        deck[other] = kind
        frame = picture.draw(replace(view, state=view.state.replace(deck=deck)), size)
        assert frame.shape[1] == size
        frames.add(frame.tobytes())
    assert len(frames) == colours * ranks
    own = view.state.hands[0][0]  # the oldest card of player_0, face down: what is known about it
    card = view.hand(0)[0]
    others = [({*card.colours} ^ {colour}, {*card.ranks}) for colour in range(colours)]
    others += [({*card.colours}, {*card.ranks} ^ {rank}) for rank in range(ranks)]
    for left, numbers in others:
        colours_left[own] = [colour in left for colour in range(colours)]
        ranks_left[own] = [rank in numbers for rank in range(ranks)]
        told = known.replace(colours_left=colours_left, ranks_left=ranks_left)
        frames.add(picture.draw(replace(view, state=told), size).tobytes())
    assert len(frames) == colours * ranks + colours + ranks
    assert players * hand == sum(len(view.hand(seat)) for seat in range(players)) or view.deck == 0


def test_the_careless_bot_slips_as_often_as_it_says() -> None:
    def strays(slips: float) -> float:
        loaded = registry.load("Hanabi")
        careless, sure = (make_agent(name, loaded.spec) for name in (f"careless_bot:slips={slips}", "rule_bot"))
        rng, live, differ, moves = np.random.default_rng(1), LiveGame(loaded, loaded.game()), 0, 0
        for seed in range(8):
            live.start(np.random.default_rng(seed))
            while live.movers:
                (seat,) = live.movers
                turn = Turn(live, seat, rng)
                right = sure.act(turn)
                differ += careless.act(turn) != right
                moves += 1
                live.play({seat: right})
        return differ / moves

    assert strays(0.0) == 0 and 0.12 < strays(0.2) < 0.24 and strays(1.0) > 0.85
    refused(lambda: make_agent("careless_bot:slips=2", registry.find("Hanabi")), "from 0 to 1")
