"""PasswordPuzzle: the words, the wheels, what each seat gets to see, and the scripted pair."""

import itertools
from string import ascii_lowercase

import numpy as np
import pytest

from mmgames.baselines.puzzles.password_puzzle import Expert, Solver, letters_in, turns_to, words_in
from mmgames.core import registry
from mmgames.puzzles._conversation.rules import SOLVER
from mmgames.puzzles.password_puzzle.manual import STANDARD, WORDS
from mmgames.puzzles.password_puzzle.rules import DOWN, SUBMIT, UP, Lock
from tests.players import Acts
from tests.rules.talking import converse, do, live_at, looks, misanswered, misread, say, states

ROOMS = registry.load("mmgames/PasswordPuzzle-v0")
# "house" with its letters first, last, in the middle, first and last of their wheels; "i" is one turn from "h".
LOCK = Lock("inutd", ("hij", "mno", "tuv", "stu", "cde"), "house", seen=tuple("inutd"))
TO_HOUSE = ("down_button_1", "up_button_2", "down_button_4", "up_button_5")


def spelled(wheels: tuple[str, ...]) -> set[str]:
    """Everything that can be spelled, by turning through all of it."""
    return {"".join(letters) for letters in itertools.product(*wheels)}


def test_the_lists_are_whole_and_letters_stand_anywhere_or_in_the_middle_of_their_wheels():
    assert len(STANDARD) == len(set(STANDARD)) == 35
    assert list(STANDARD) == sorted(STANDARD) and set(STANDARD) < set(WORDS)
    assert all(len(word) == 5 and word.isalpha() and word.islower() for word in WORDS)
    assert {"about", "there", "these", "write"} < set(STANDARD)
    for rules, places in (("paper", {0, 1, 2}), ("released", {1})):
        game, rng, seen = ROOMS.game(rules=rules), np.random.default_rng(1), set()
        for _ in range(300):
            lock = game.start(rng).device
            seen |= {wheel.index(letter) for wheel, letter in zip(lock.wheels, lock.password, strict=True)}
        assert seen == places


@pytest.mark.parametrize("drawn", ["standard", "shuffled"])
def test_every_wheel_has_three_neighbours_and_exactly_one_word_is_within_reach(drawn):
    game, rng, passwords = ROOMS.game(manual=drawn), np.random.default_rng(0), set()
    for _ in range(1_500):
        lock = game.start(rng).device
        for wheel in lock.wheels:
            first, second, third = map(ord, wheel)
            assert (second - first) % 26 == 1 and (third - second) % 26 == 1
        assert spelled(lock.wheels) & set(lock.manual) == {lock.password}
        assert lock.letters in spelled(lock.wheels)
        passwords.add(lock.password)
    assert passwords == set(STANDARD) or drawn == "shuffled"


def test_only_there_and_these_are_within_reach_of_each_other_with_the_released_rules():
    game, rng = ROOMS.game(rules="released"), np.random.default_rng(2)
    shared = set()
    for _ in range(1_000):
        lock = game.start(rng).device
        shared |= {(lock.password, other) for other in spelled(lock.wheels) & set(STANDARD) - {lock.password}}
    assert shared == {("there", "these"), ("these", "there")}
    lock = Lock("these", ("stu", "ghi", "def", "qrs", "def"), "there", seen=tuple("these"))
    assert do(live_at(ROOMS, lock, rules="released"), SUBMIT).state.mistakes == 1


def test_buttons_turn_a_wheel_through_its_three_letters_and_only_the_password_scores():
    live = live_at(ROOMS, LOCK)
    shown = [do(live, UP[0]).state.device.letters[0] for _ in range(4)]
    assert shown == ["j", "h", "i", "j"]
    shown = [do(live, DOWN[0]).state.device.letters[0] for _ in range(3)]
    assert shown == ["i", "h", "j"]
    assert live.state.mistakes == 0 and live.state.device.letters[1:] == LOCK.letters[1:]
    live = live_at(ROOMS, LOCK._replace(letters="znutd", wheels=("yza", *LOCK.wheels[1:])))
    assert [do(live, UP[0]).state.device.letters[0] for _ in range(2)] == ["a", "y"]
    live = do(live_at(ROOMS, LOCK), UP[0], SUBMIT)
    assert live.state.mistakes == 1 and live.state.device.letters == "jnutd"
    assert live.totals == [0.0, 0.0]
    assert do(live, SUBMIT, SUBMIT).movers == () and live.totals == [0.0, 0.0]
    live = say(live_at(ROOMS, LOCK), "\n".join(TO_HOUSE))
    assert live.state.device.letters == "house" and live.totals == [0.0, 0.0]
    view = live_at(ROOMS, LOCK).view(SOLVER)
    assert view.device == Lock("inutd", (), "", manual=None)
    other = LOCK._replace(wheels=("ghi", "nop", "stu", "rst", "bcd"), password="gosta")
    assert live_at(ROOMS, other).view(SOLVER) == view


@pytest.mark.parametrize("drawn", ["standard", "shuffled"])
@pytest.mark.parametrize("rules", ["paper", "released"])
def test_a_lock_imagined_by_the_solver_explains_all_that_happened(drawn, rules):
    options = {"manual": drawn, "rules": rules}
    game, rng, passwords = ROOMS.game(**options), np.random.default_rng(3), set()
    for seed in range(9):
        for state in states(ROOMS, seed, **options):
            lock = game.imagine(state, SOLVER, rng).device
            assert lock.password in lock.manual and lock.password not in lock.wrong
            assert lock.password in spelled(lock.wheels)
            assert all(set(seen) <= set(wheel) for seen, wheel in zip(lock.seen, lock.wheels, strict=True))
            assert rules == "released" or spelled(lock.wheels) & set(lock.manual) == {lock.password}
            passwords.add((seed, lock.password))
    assert len(passwords) > 9 or rules == "released"  # there the letters tell most words apart


def test_every_letter_of_every_wheel_shows_in_the_picture():
    words = {f"{LOCK.letters[:n]}{letter}{LOCK.letters[n + 1 :]}" for n in range(5) for letter in ascii_lowercase}
    assert looks(ROOMS, (LOCK._replace(letters=word) for word in words)) == len(words)


@pytest.mark.parametrize("memory", ["full", "last"])
@pytest.mark.parametrize("password,other", [("there", "these"), ("these", "there")])
def test_words_within_reach_of_each_other_cost_at_most_one_mistake(memory, password, other):
    wheels = tuple(f"{chr(ord(letter) - 1)}{letter}{chr(ord(letter) + 1)}" for letter in password)
    lock = Lock(other, wheels, password, seen=tuple(other))
    live = converse(live_at(ROOMS, lock, rules="released", memory=memory), Solver(), Expert())
    assert live.totals == [1.0, 1.0] and live.state.mistakes <= 1


def test_the_solver_finds_words_and_turns_the_short_way_and_the_expert_finds_the_letters_that_are_told():
    assert misread(ROOMS, words_in) == []
    far = LOCK._replace(wheels=("ijk", *LOCK.wheels[1:]), password="jouse")  # "h" is not on the first wheel
    for lock, solved in ((LOCK, True), (far, False)):
        live = converse(live_at(ROOMS, lock, turns=6), Solver(), Acts('The word is "house".'))
        assert (live.totals == [1.0, 1.0]) == solved
        assert SUBMIT not in [result.action for result in live.state.dialogue[2].results]
    assert turns_to("house", LOCK) == list(TO_HOUSE)
    assert turns_to("zouse", LOCK) is None
    assert turns_to("ahsfd", LOCK._replace(letters="yhsfd")) == ["up_button_1"] * 2
    assert misread(ROOMS, letters_in, "letters") == []
    assert misanswered(ROOMS, Expert(), LOCK) == []
