"""WirePuzzle: the manual, the panel, what each seat gets to see, and the scripted pair."""

from __future__ import annotations

import copy
import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmgames
from mmgames.agents.base import Agent
from mmgames.agents.finding import make_agent
from mmgames.baselines.puzzles.wire_puzzle import Expert, Solver, advised_wire
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.puzzles._conversation.rules import EXPERT, SOLVER, ConversationState
from mmgames.puzzles.wire_puzzle import manual
from mmgames.puzzles.wire_puzzle.manual import COLOURS, right_wire
from mmgames.puzzles.wire_puzzle.picture import PAINTS
from mmgames.puzzles.wire_puzzle.rules import Panel
from tests.rules.talking import states

ROOMS = registry.load("mmgames/WirePuzzle-v0")
FOUR = Panel(("red", "blue", "red", "white"), (False,) * 4, "KX47T3")  # two reds and odd: cut the last red, 3


class Says:
    """Says the same thing whenever asked."""

    def __init__(self, text: str) -> None:
        self.text = text

    def act(self, turn: Turn) -> str:
        return self.text


def live_at(panel: Panel, **options) -> LiveGame:
    live = LiveGame(ROOMS, ROOMS.game(**options))
    live.go_on_from(ConversationState(panel), np.random.default_rng(0))
    return live


def say(live: LiveGame, *texts: str) -> LiveGame:
    for text in texts:
        (seat,) = live.movers
        live.play({seat: live.check(seat, text)})
    return live


def converse(solver: Agent, expert: Agent, seed: int, panel: Panel | None = None, **options) -> LiveGame:
    """A whole episode."""
    live = LiveGame(ROOMS, ROOMS.game(**options))
    live.start(np.random.default_rng(seed))
    if panel is not None:
        live.go_on_from(ConversationState(panel), np.random.default_rng(seed))
    rng = np.random.default_rng([seed, 1])
    while live.movers:
        (seat,) = live.movers
        say(live, (solver, expert)[seat].act(Turn(live, seat, rng)))
    return live


def by_hand(wires: tuple[str, ...], odd: bool) -> int:
    """The manual again, written out as a person would."""
    count, last = wires.count, wires[-1]
    if len(wires) == 3:
        if count("red") == 0:
            return 2
        if last == "white":
            return 3
        if count("blue") > 1:
            return max(i for i, wire in enumerate(wires, 1) if wire == "blue")
        return 3
    if len(wires) == 4:
        if count("red") > 1 and odd:
            return max(i for i, wire in enumerate(wires, 1) if wire == "red")
        if last == "yellow" and count("red") == 0:
            return 1
        if count("blue") == 1:
            return 1
        if count("yellow") > 1:
            return 4
        return 2
    if len(wires) == 5:
        if last == "black" and odd:
            return 4
        if count("red") == 1 and count("yellow") > 1:
            return 1
        if count("black") == 0:
            return 2
        return 1
    if count("yellow") == 0 and odd:
        return 3
    if count("yellow") == 1 and count("white") > 1:
        return 4
    if count("red") == 0:
        return 6
    return 4


# The manual and the panel


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_the_table_names_the_right_wire_for_every_panel(count):
    for wires in itertools.product(COLOURS, repeat=count):
        for odd in (False, True):
            assert right_wire(wires, odd) == by_hand(wires, odd)


def test_the_manual_tells_every_rule_of_the_table():
    text = manual.text()
    assert sum(line[:1].isdigit() and line[1] == "." for line in text.splitlines()) == 17
    assert "If two or more wires are red and the serial number ends in an odd digit, cut the last red wire." in text
    assert "If exactly one wire is yellow and two or more wires are white, cut the fourth wire." in text
    assert text.count("Otherwise cut the ") == 4


def test_half_of_the_serial_numbers_are_odd_and_with_the_released_rules_none():
    for rules, low, high in (("paper", 0.47, 0.53), ("released", 0.0, 0.0)):
        game = ROOMS.game(rules=rules)
        rng = np.random.default_rng(0)
        panels = [game.start(rng).device for _ in range(4_000)]
        assert low <= np.mean([panel.odd for panel in panels]) <= high
        assert {len(panel.wires) for panel in panels} == {3, 4, 5, 6}
        assert {wire for panel in panels for wire in panel.wires} == set(COLOURS)
        assert all(len(panel.serial) == 6 and panel.serial[-1].isdigit() for panel in panels)


def test_a_shuffled_manual_has_the_form_of_the_standard_one_and_always_names_a_wire():
    rng = np.random.default_rng(0)
    for _ in range(30):
        drawn = manual.shuffled(rng)
        assert [sorted(len(rule.when) for rule in rules) for rules in drawn] == [
            sorted(len(rule.when) for rule in rules) for rules in manual.STANDARD
        ]
        assert all(rules[-1].when == () for rules in drawn)
        for count in (3, 4, 5, 6):
            for wires in rng.choice(COLOURS, (20, count)).tolist():
                assert {right_wire(tuple(wires), odd, drawn) for odd in (False, True)} <= set(range(1, count + 1))


def test_a_manual_imagined_by_the_solver_explains_all_that_happened():
    game, rng = ROOMS.game(manual="shuffled"), np.random.default_rng(1)
    for seed in range(30):
        for state in states(ROOMS, seed, manual="shuffled"):
            panel, other = state.device, game.imagine(state, SOLVER, rng).device
            if game.solved(panel):
                assert other.right_wire == panel.right_wire
            else:
                assert not other.cut[other.right_wire - 1]


def test_cutting_the_right_wire_solves_it_for_both():
    live = say(live_at(FOUR), "cut_wire_3")
    assert live.movers == ()
    assert live.totals == [1.0, 1.0]


def test_a_wrong_cut_is_a_mistake_and_nothing_is_put_back():
    live = say(live_at(FOUR), "cut_wire_1")
    assert live.state.mistakes == 1
    assert live.state.device.cut == (True, False, False, False)
    # Cut wires still count: with one red left uncut the last red one is still right.
    assert say(live, "", "cut_wire_3").totals == [1.0, 1.0]


def test_cutting_a_wire_again_is_another_mistake():
    live = say(live_at(FOUR), "cut_wire_1", "", "cut_wire_1")
    assert live.state.mistakes == 2
    assert "that wire was cut before; that was a mistake." in ROOMS.words.history(live.view(SOLVER))


def test_several_cuts_in_one_message_stop_at_the_first_mistake():
    live = say(live_at(FOUR), "cut_wire_1\ncut_wire_3")
    assert live.state.device.cut == (True, False, False, False)
    assert live.state.mistakes == 1


def test_only_wires_that_exist_can_be_cut():
    live = say(live_at(FOUR), "cut_wire_5\ncut_wire_0\ncut_wire_6")
    assert live.state.mistakes == 0
    assert live.view(EXPERT).heard == ("cut_wire_5\ncut_wire_0\ncut_wire_6",)
    assert live_at(FOUR).game.legal(ConversationState(FOUR), SOLVER) == tuple(f"cut_wire_{n}" for n in (1, 2, 3, 4))


@given(st.lists(st.sampled_from(["cut_wire_", "3", "2", "\n", " ", "cut_wire_3", "please ", "?", ", "])).map("".join))
def test_only_a_line_of_its_own_cuts_a_wire(text):
    live = say(live_at(FOUR), text)
    alone = [line.strip(" ,") for line in text.split("\n")]
    expected = [line for line in alone if line in ("cut_wire_2", "cut_wire_3")]
    assert [result.action for result in live.state.dialogue[0].results] == expected[:1]


@given(st.text())
def test_prose_cuts_nothing(text):
    assert say(live_at(FOUR), text).state.device == FOUR


# What each seat gets to see


def observations(live: LiveGame, seat: int, **options) -> dict:
    env = mmgames.parallel_env("mmgames/WirePuzzle-v0", size=128, **options)
    return env.observer.observe(live.view(seat))


def test_the_expert_learns_nothing_that_is_not_said():
    other = Panel(("black", "yellow", "white"), (False,) * 3, "AB34C2")
    keys = ("rgb", "text", "legal_actions", "features")
    seen = []
    for panel, text in ((FOUR, "Hello.\ncut_wire_1"), (FOUR, "cut_wire_2\nHello."), (other, "Hello.")):
        seen.append(observations(say(live_at(panel), text), EXPERT, observe=keys))
    for observation in seen[1:]:
        assert observation["text"] == seen[0]["text"]
        assert np.array_equal(observation["rgb"], seen[0]["rgb"])
        assert np.array_equal(observation["features"], seen[0]["features"])
    assert "> Hello." in seen[0]["text"] and "cut_wire" not in seen[0]["text"]
    assert seen[0]["legal_actions"] == ()


def test_what_is_said_reaches_the_expert():
    live = say(live_at(FOUR), "The serial number is KX47T3.")
    assert "KX47T3" in observations(live, EXPERT)["text"]


def test_with_a_picture_the_solvers_text_does_not_tell_what_is_on_it():
    live = say(live_at(FOUR), "cut_wire_1", "And now?")
    beside = observations(live, SOLVER, observe=("rgb", "text"))["text"]
    now = beside[beside.index("## Now") :]
    assert not any(word in now for word in (*COLOURS, "KX47T3"))
    assert "cut_wire_1: that was a mistake." in now and "> And now?" in now
    alone = observations(live, SOLVER, observe="text")["text"]
    assert "1 red (cut), 2 blue, 3 red, 4 white. The serial number is KX47T3." in alone


def test_the_solver_has_no_manual():
    assert "Otherwise cut" not in observations(live_at(FOUR), SOLVER)["text"]
    assert "Otherwise cut" in observations(live_at(FOUR), EXPERT)["text"]


@pytest.mark.parametrize("size", [64, 128, 512])
def test_every_change_of_the_panel_shows_in_the_picture(size):
    game, draw = ROOMS.game(), ROOMS.picture.draw

    def picture(panel: Panel, mistakes: int = 0) -> np.ndarray:
        return draw(game.view(ConversationState(panel, mistakes=mistakes), SOLVER), size)

    base = picture(FOUR)
    shown = [base, picture(FOUR, 1), picture(FOUR, 2)]
    shown += [picture(FOUR._replace(cut=tuple(i == n for i in range(4)))) for n in range(4)]
    shown += [picture(FOUR._replace(serial=f"KX47T{digit}")) for digit in (1, 6)]
    for n in range(4):
        for colour in set(COLOURS) - {FOUR.wires[n]}:
            shown.append(picture(FOUR._replace(wires=(*FOUR.wires[:n], colour, *FOUR.wires[n + 1 :]))))
    assert {image.shape for image in shown} == {base.shape}
    assert len({image.tobytes() for image in shown}) == len(shown)


def test_wire_colours_are_far_apart():
    for one, other in itertools.combinations(PAINTS.values(), 2):
        assert np.abs(np.subtract(one, other)).sum() > 180


def test_features_tell_the_panel_to_the_solver_alone():
    game = ROOMS.game()
    features = {}
    for panel in (FOUR, FOUR._replace(serial="KX47T4"), FOUR._replace(wires=("red", "blue", "red", "black"))):
        state = ConversationState(panel)
        for seat in (SOLVER, EXPERT):
            features[panel, seat] = ROOMS.picture.features(game.view(state, seat)).tobytes()
    assert len({value for (_, seat), value in features.items() if seat == SOLVER}) == 3
    assert len({value for (_, seat), value in features.items() if seat == EXPERT}) == 1


def test_an_environment_can_be_copied_and_pickled_in_the_middle_of_a_talk():
    env = mmgames.aec_env("mmgames/WirePuzzle-v0", size=64)
    env.reset(seed=4)
    for text in ("Hello\ncut_wire_1", "Hi", "How are you?"):
        if env.live.movers:
            env.step(text)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for twin in twins:
        assert twin.state_value == env.state_value
        assert twin.observe("solver")["text"] == env.observe("solver")["text"]
    before = env.state_value
    for twin in twins:
        twin.step("Only you hear this.")
    assert twins[0].state_value == twins[1].state_value != before == env.state_value


@pytest.mark.parametrize("rules", ["paper", "released"])
def test_step_rewards_add_up_to_the_score(rules):
    env = mmgames.aec_env("mmgames/WirePuzzle-v0", observe="text", rules=rules)
    random = make_agent("random", ROOMS.spec)
    scores = []
    for seed in range(30):
        env.reset(seed=seed)
        rng, totals = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0)
        for role in env.agent_iter():
            _, reward, terminated, *_ = env.last()
            totals[role] += reward
            env.step(None if terminated else random.act(Turn(env.live, env.possible_agents.index(role), rng)))
        assert totals["solver"] == totals["expert"] == env.game.score(env.state_value)
        scores.append(totals["solver"])
    assert {0.0, 1.0} == set(scores)


# The scripted pair


@pytest.mark.parametrize("seeds,options", [(1_000, {}), (200, {"memory": "last"}), (200, {"rules": "released"})])
def test_the_scripted_pair_solves_every_panel_without_a_mistake(seeds, options):
    for seed in range(seeds):
        live = converse(Solver(), Expert(), seed, **options)
        events = live.game.events(live.state)
        assert (events["solved"], events["mistakes"], events["turns"]) == (1, 0, 2), live.view(None)


@pytest.mark.parametrize("noise", ["", "What?", "cut_wire", "Cut wire 9.", "Do not cut wire 1.", "?!\n\x00漢字🙂"])
@pytest.mark.parametrize("memory", ["full", "last"])
def test_without_an_answer_the_solver_asks_and_at_last_tries_different_wires(noise, memory):
    tried = 0
    for seed in range(20):
        live = converse(Solver(), Says(noise), seed, memory=memory)
        cuts = [result.action for entry in live.state.dialogue for result in entry.results]
        assert len(set(cuts)) == len(cuts) >= 1
        assert cuts[-1] == f"cut_wire_{live.state.device.right_wire}" or len(cuts) == 3
        assert all("Which wire should I cut?" in entry.message.speech for entry in live.state.dialogue[:14:2])
        tried += live.totals[SOLVER]
    assert tried > 4


def test_the_solver_says_when_advice_was_wrong_and_does_not_repeat_it():
    live = converse(Solver(), Says("Cut wire 1."), 0, panel=FOUR)
    assert live.state.dialogue[2].results[0].mistake
    assert live.state.dialogue[4].message.speech.startswith("I have cut wire 1, and it was wrong.")
    assert live.game.events(live.state)["actions"] <= 3


@pytest.mark.parametrize(
    "advice,wire",
    [
        ("Please cut wire 3, counted from the top.", 3),
        ("cut_wire_2", 2),
        ("You have four wires, two are red. So cut wire number 3!", 3),
        ("Cut the third wire.", 3),
        ("Snip the last red wire now", 3),
        ("Do not cut wire 1. Cut wire 2.", 2),
        ("Cut the last one.", 4),
        ("Should you cut wire 1? Yes: cut wire 1.", 1),
        ("If the last wire is red, cut wire 2.", None),
        ("Cut wire 1 or wire 2.", None),
        ("Don't cut wire 3.", None),
        ("Is wire 3 red?", None),
        ("Cut wire 5.", None),
        ("Cut the last yellow wire.", None),
        ("", None),
    ],
)
def test_the_solver_understands_plain_advice_and_nothing_into_it(advice, wire):
    assert advised_wire(advice, FOUR) == wire


def answer(*messages: str) -> str:
    live = live_at(FOUR)
    for message in messages[:-1]:
        say(live, message, "Go on.")
    say(live, messages[-1])
    return Expert().act(Turn(live, EXPERT, np.random.default_rng(0)))


@pytest.mark.parametrize(
    "messages,said",
    [
        (("There are 4 wires: red, blue, red, white. The serial number is KX47T3.",), "cut wire 3,"),
        (("1: red, 2: blue, 3: red, 4: white. Serial odd.",), "cut wire 3,"),
        (("Wires are RED, BLUE, RED and WHITE; the last digit is 8",), "cut wire 1,"),
        (("1 red\n2 blue\n3 red\n4 white", "It is not odd."), "cut wire 1,"),
        (("I see red, blue, red, white.",), "odd or an even"),
        (("I see yellow, blue and white.",), "cut wire 2,"),
        (("There are 4 wires: red, blue, white. Odd.",), "how many wires"),
        (("Help!",), "how many wires"),
        (("",), "how many wires"),
    ],
)
def test_the_expert_answers_when_it_is_certain_and_asks_otherwise(messages, said):
    assert said in answer(*messages)


@given(st.text())
def test_the_expert_has_an_answer_to_anything(text):
    assert answer(text)
