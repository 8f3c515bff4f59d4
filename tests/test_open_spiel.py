"""OpenSpiel's world: every game of the installed wheel is tried, and those that qualify keep the contract."""

import importlib.util
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest

import mmgames
from mmgames.agents.finding import GENERAL_AGENTS, RESTRICTED_AGENTS, known_agents
from mmgames.baselines.search.cfr import CFR
from mmgames.core import registry
from mmgames.core.game import Game
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.games.open_spiel import boards, picture, rules, wheel
from tests.cases import cases
from tests.environments import begun
from tests.refusing import refused

CASES = cases(__file__)

EVERYWHERE = set(GENERAL_AGENTS) - set(RESTRICTED_AGENTS) | {"ippo"}

ID = "mmgames/OpenSpiel-v0"
DOCS = Path(__file__).parent.parent / "docs"
LOADED = registry.load(ID)

STEPS = 6  # of every game; a step costs what the game's size says, and none of them is too large for so few


def page_writer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("open_spiel_page", DOCS / "open_spiel_page.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def surveyed() -> tuple[dict[str, Game], dict[str, str]]:
    return page_writer().survey()


def make(engine: str) -> Game:
    return mmgames.load_game(ID, game=engine)


def positions(engine: str, seed: int = 0, most: int = 20) -> Iterator[LiveGame]:
    """A random episode, position by position."""
    live, rng = LiveGame(LOADED, make(engine)), np.random.default_rng(seed)
    live.start(rng)
    for _ in range(most):
        yield live
        if not live.movers:
            return
        legal = live.game.legal(live.state, live.movers[0])
        live.play({live.movers[0]: legal[int(rng.integers(len(legal)))]})


def test_every_game_of_the_wheel_plays_or_says_why_not(surveyed: Any) -> None:
    games, reasons = surveyed
    for name in games:
        env = begun(mmgames.aec_env(ID, game=name, observe=("rgb", "text", "legal_actions", "action_mask"), size=64), 1)
        rng = np.random.default_rng(1)
        for _ in range(STEPS):
            agent = env.agent_selection
            if env.terminations[agent]:
                break
            observation = env.observe(agent)
            assert env.observation_space(agent).contains(observation), name
            legal = np.flatnonzero(observation["action_mask"])
            names = observation["legal_actions"]
            assert len(set(names)) == len(names) == len(legal) > 0, name
            env.step(int(legal[rng.integers(len(legal))]))
        print(f"{name}: qualifies")
    for name, reason in reasons.items():
        print(f"{name}: {reason}")
        assert reason.endswith(".") and "\n" not in reason, name
    assert set(games) | set(reasons) == set(wheel.registered()) <= set(pyspiel.registered_names())
    assert not set(CASES["core"]) - set(games)
    assert {"matrix_pd", "mfg_garnet", "tarok", "misere", "efg_game", "crossword"} <= set(reasons)
    writer = page_writer()
    written = (DOCS / "open-spiel-games.md").read_text("utf-8")
    if f"OpenSpiel {writer.version()}," not in written:
        pytest.skip(f"the page was written for another version than {writer.version()}")
    assert writer.page(*surveyed) == written, "write it anew: python docs/open_spiel_page.py"
    assert f"{len(surveyed[0])} qualify" in written


BAD = CASES["bad engines"]
SAID = {engine: part for part, engines in BAD.items() for engine in engines}
SAID |= {"hex(board_size=100000)": "memory", "leduc_poker(players=99)": "10", "mfg_garnet": "mean-field"}
SAID |= {"stones_and_gems": "seed", "connect_four(row=3)": "Did you mean 'rows'"}
SAY = """
import sys, mmgames
for engine in eval(sys.argv[1]):
    try:
        mmgames.load_game("OpenSpiel", game=engine)
    except mmgames.MmgamesError as error:
        print(repr(engine), error, sep="\\t")
"""


def test_no_bad_name_or_parameter_ends_the_process_and_each_gets_a_sentence() -> None:
    done = subprocess.run([sys.executable, "-c", SAY, repr(list(SAID))], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = dict(line.split("\t") for line in done.stdout.splitlines())
    assert list(told) == [repr(engine) for engine in SAID]
    for engine, part in SAID.items():
        assert part in told[repr(engine)], engine
    for engine in (None, 3.5, True, ["hex"]):
        refused(partial(mmgames.load_game, ID, game=engine), "it is text such as 'hex'")


def test_facts_follow_the_chosen_game() -> None:
    for engine, seats, facts in CASES["facts"]:
        spec = make(engine).spec
        assert spec.seats == tuple(f"player_{seat}" for seat in range(seats))
        assert [spec.information, spec.utility, spec.chance, spec.length] == facts
        assert registry.find(ID).seats == ("player_0", "player_1"), "what is registered stays as it is"


@pytest.mark.parametrize("engine", ["bargaining", "euchre", "hearts", "kuhn_poker", "leduc_poker", "universal_poker"])
def test_what_can_be_imagined_does_not_reach_a_seat(engine: str) -> None:
    rng = np.random.default_rng(3)
    differs = False
    for live in positions(engine, most=12):
        for seat in range(len(live.game.seats)):
            imagined = live.game.imagine(live.state, seat, rng)
            differs |= imagined != live.state
            observer = Observer(LOADED, live.game, ("rgb", "text", "action_mask", "features"), 64)
            true, possible = observer.observe(live.view(seat)), observer.observe(live.game.view(imagined, seat))
            assert all(np.array_equal(true[key], possible[key]) for key in true)
            assert live.game.movers(imagined) == live.movers
    assert differs, "nothing was imagined otherwise"


@pytest.mark.parametrize("engine", ["liars_dice", "hanabi", "phantom_ttt", "gin_rummy"])
def test_without_imagination_there_are_no_searches_and_a_sentence_says_so(engine: str) -> None:
    game = make(engine)
    assert game.spec.information == "imperfect" and not game.spec.searchable
    assert set(known_agents(game.spec)) == EVERYWHERE
    live = next(positions(engine))
    refused(lambda: live.game.imagine(live.state, 0, np.random.default_rng(0)), "cannot draw the hidden parts")


def test_searches_are_offered_where_they_fit_and_win() -> None:
    fit = {"hex(board_size=4)": {"minimax", "mcts"}, "chinese_checkers(players=3)": {"mcts"}, "leduc_poker": {"cfr"}}
    fit |= {"backgammon": set(), "2048": set()}
    assert {engine: set(known_agents(make(engine).spec)) - EVERYWHERE for engine in fit} == fit
    depths = {"tic_tac_toe": None, "pig": 13, "connect_four": 4, "go(board_size=5)": 2, "y": 1}
    assert {engine: make(engine).search_depth for engine in depths} == depths
    assert mmgames.match(ID, ["minimax:depth=3", "random"], 10, game="connect_four").returns()[:, 0].mean() > 0.5
    assert mmgames.match(ID, ["random", "minimax"], 6, game="tic_tac_toe").returns()[:, 1].min() >= 0.0


def test_cfr_finds_the_information_sets_of_leduc_poker_and_the_value_of_kuhn_poker() -> None:
    assert len(CFR(1).policy(make("leduc_poker"))) == 936  # as the literature counts them
    game = make("kuhn_poker")
    policy = CFR(2000).policy(game)
    assert value(game, policy, game.start(np.random.default_rng(0))) == pytest.approx(-1 / 18, abs=2e-3)


def value(game: Game, policy: Any, state: Any) -> float:
    """What the first seat gets on average when both seats play a policy."""
    movers = game.movers(state)
    if not movers:
        return game.returns(state)[0]
    chances = game.chance(state) if movers == (-1,) else policy[game.view(state, movers[0])].items()
    rng = np.random.default_rng(0)
    return sum(share * value(game, policy, game.play(state, {movers[0]: way}, rng)) for way, share in chances)


@pytest.mark.parametrize("engine", ["connect_four", "leduc_poker", "oware"])
def test_features_within_bounds_are_openspiels_own(engine: str) -> None:
    for live in positions(engine):
        wanted = getattr(live.state.spiel, live.game.facts.tensor)(0)
        assert np.array_equal(picture.features(live.view(0)), np.array(wanted, np.float32))


@pytest.mark.parametrize("engine", ["2048", "backgammon", "mancala", "phantom_go", "universal_poker"])
def test_larger_numbers_can_be_read_back_from_the_features(engine: str) -> None:
    largest = 0.0
    for live in positions(engine, most=60):
        scaled = picture.features(live.view(0)).astype(float)
        assert np.abs(scaled).max() <= 1
        size = np.abs(scaled)
        back = np.sign(scaled) * np.where(size <= 0.5, 2 * size, np.exp((2 * size - 1) * math.log(rules.LARGEST)))
        tensor = np.array(getattr(live.state.spiel, live.game.facts.tensor)(0))
        assert np.allclose(back, tensor, rtol=1e-4)
        largest = max(largest, tensor.max())
    assert largest > 1


def test_names_and_words_are_openspiels_and_a_game_without_a_tensor_says_so() -> None:
    refused(lambda: gymnasium.make(ID, game="cribbage", observe="features"), "no tensor for cribbage")

    class Twins:
        """A state whose moves OpenSpiel would call the same."""

        def legal_actions(self, seat: int) -> list[int]:
            return [2, 5, 7, 9]

        def action_to_string(self, seat: int, action: int) -> str:
            return {2: "Pass", 5: "Pass", 7: " go \n on ", 9: ""}[action]

    assert rules.named_moves(Twins(), 0) == ((2, "Pass #2"), (5, "Pass #5"), (7, "go on"), (9, "move #9"))
    for live in positions("twixt", most=10):
        view = live.view(0)
        assert "\x1b" not in view.sight and view.sight in LOADED.words.describe(view)
    for live in positions("leduc_poker"):
        view = live.view(0)
        assert view.knowledge == live.state.spiel.information_state_string(0)
        assert view.knowledge in LOADED.words.history(view), "with a picture the record still is told in words"


def test_pictures_keep_their_shape_differ_and_break_lines_only_where_letters_gain() -> None:
    for engine in ("hive", "solitaire", "dots_and_boxes", "go(board_size=9)"):
        drawn = [picture.draw(live.view(0), 256) for live in positions(engine, most=30)]
        assert {frame.shape for frame in drawn} == {(256, 256, 3)}
        assert len({frame.tobytes() for frame in drawn}) > 10, engine
    board = "\n".join(["." * 19] * 19)
    lines, high, wide = picture._layout(board, 480, 440, 64)
    assert "\n".join(lines) == board and high * len(lines) <= 440 and wide * 19 <= 480
    long = "[Private: 5][Round 2][Player: 1][Pot: 6][Money: 97 97][Public: 0][Ante: 3 3]"
    lines, _, wide = picture._layout(long, 480, 440, 64)
    assert len(lines) > 1 and "".join(lines) == long and all(re.fullmatch(r"(\[.+?\])+", line) for line in lines)
    assert wide * max(map(len, lines)) <= 480


KNOWN_BOARDS = {  # a game, cells that are drawn, and moves of the first position that can be clicked
    "connect_four": (42, 7), "connect_four(columns=12,rows=4)": (48, 9), "tic_tac_toe": (9, 9), "hex": (121, 121),
    "go(board_size=9)": (81, 81), "go(board_size=19)": (361, 361), "checkers": (64, 0), "nim": (4, 0),
    "mancala": (14, 0), "backgammon": (143, 0),
}  # fmt: skip


@pytest.mark.parametrize("engine", KNOWN_BOARDS)
def test_boards_that_people_know_are_drawn_whole_and_moves_are_named_and_lie_where_they_lead(engine: str) -> None:
    cells, clicked = KNOWN_BOARDS[engine]
    for at, live in enumerate(positions(engine, most=150)):
        if live.movers == (-1,) and at < 2:
            continue
        view = live.view(max(0, live.movers[0]) if live.movers else 0)
        layout = boards.layout(engine, view.sight, 40, 512)
        assert layout is not None and len(layout.cells) == cells, view.sight
        corners = [layout.corner(cell.x + 1, cell.y + 1) for cell in layout.cells]
        assert max(map(max, corners)) <= 512 and min(map(min, corners)) > 0
        plain, places = LOADED.words.plain_names(view), picture.regions(view, 512)
        assert len(set(plain.values())) == len(view.legal), plain
        if not at:
            assert len(places) == clicked
        if engine in ("tic_tac_toe", "hex") and at < 9:
            before = picture.draw(view, 512)
            mover, action = live.movers[0], max(places)
            after = picture.draw(live.game.view(live.game.play(live.state, {mover: action}, None), mover), 512)  # type: ignore[arg-type]
            ((left, top, right, bottom),) = places[action]
            assert (before != after)[top:bottom, left:right].any(), "what is clicked is what changes"
            changed = (before != after).any(2)[60:]
            assert changed.sum() == changed[top - 60 : bottom - 60, left:right].sum()
    assert "tensor" not in LOADED.words.rules(view)
