"""Searches that a network guides, without PyTorch, and boards turned over as they learn from them."""

from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mmgames
from mmgames.agents.finding import known_agents, make_agent, shipped_policy
from mmgames.baselines.learning import checkpoint_files
from mmgames.baselines.learning.board_policy import BoardCheckpoint, BoardNetwork
from mmgames.baselines.learning.guided_search import GuidedSearch
from mmgames.baselines.learning.guided_trees import halving
from mmgames.core import registry
from mmgames.errors import MmgamesError
from mmgames.games.tic_tac_toe.rules import CROSS, EMPTY, KERNEL, NOUGHT, board_state
from mmgames.kernels.kernel_game import NOBODY, Kernel
from mmgames.kernels.records import RecordState, copied
from mmgames.kernels.symmetries import FLIP_COLUMNS, FLIP_ROWS, TRANSPOSE, action_points, laid_over
from tests.environments import begun
from tests.refusing import refused

TIC = "mmgames/TicTacToe-v0"
SHAPE = dict(planes=3, rows=3, columns=3, sheets=1, elsewhere=0, blocks=1, channels=4)
SHAPE |= dict(policy_channels=4, value_channels=2, value_layer=8)
MARKS = {"x": CROSS, "o": NOUGHT, ".": EMPTY}


def arrays(seed: int = 0) -> dict[str, np.ndarray]:
    shapes: dict[str, tuple[int, ...]] = {
        "stem.weights": (4, 3, 3, 3), "blocks.0.first.weights": (4, 4, 3, 3), "blocks.0.second.weights": (4, 4, 3, 3),
        "policy_mix.weights": (4, 4, 1, 1), "policy_sheets": (1, 4, 1, 1), "value_mix.weights": (2, 4, 1, 1),
        "value_layer": (8, 18), "value_out": (1, 8),
    }  # fmt: skip
    rng = np.random.default_rng(seed)
    made = {}
    for name, shape in shapes.items():
        made[f"{name}.weight"] = (0.4 * rng.standard_normal(shape)).astype(np.float16)
        made[f"{name}.bias"] = (0.1 * rng.standard_normal(shape[0])).astype(np.float16)
    return made


def about(**changes: Any) -> dict[str, Any]:
    said = dict(game=TIC, actions=9, trainer="alphazero", shape=SHAPE, weight=0.25, considered=9)
    return {**said, **changes}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    checkpoint_files.write(tmp_path / "policy.npz", about(), arrays())
    return tmp_path / "policy.npz"


def searched(board: str, mover: int, simulations: int) -> GuidedSearch:
    """A search from a position of TicTacToe with a network that knows nothing."""
    network, search = BoardNetwork(SHAPE, arrays()), GuidedSearch(KERNEL, 1, simulations, 9, 0.25)
    search.place(board_state(tuple(MARKS[sign] for sign in board), mover).array, np.array([mover]))
    search.show()
    for simulation in range(-1, simulations):
        search.logits[:], search.values[:] = network(search.planes)
        search.grow(simulation, 0.0)
    search.gather(np.array([False]))
    return search


def test_halving_spends_all_simulations_and_favours_the_better_half() -> None:
    plan = halving(8, 24)
    assert plan.shape == (9, 24) and plan[8].tolist() == [0] * 8 + [1] * 4 + [2] * 4 + [3, 3, 4, 4, 5, 5, 6, 6]
    assert plan[1].tolist() == list(range(24))
    for row in plan[1:]:  # nothing is to be tried for the n-th time that was not tried before
        for place, wanted in enumerate(row):
            assert wanted == 0 or wanted - 1 in row[:place]


@pytest.mark.parametrize(
    ("board", "mover", "best", "worth"),
    [("xx.oo....", 0, 2, 1.0), ("xx.oo....", 1, 5, 1.0), ("x...o...x", 1, None, 0.0), ("xx..o....", 1, 2, None)],
)
def test_wins_are_taken_and_threats_parried_by_any_network(board: str, mover: int, best: Any, worth: Any) -> None:
    search = searched(board, mover, 300)
    legal = [cell for cell, sign in enumerate(board) if sign == "."]
    targets = search.targets[0]
    assert [slot for slot in range(9) if targets[slot] >= 0] == legal
    assert targets[legal].sum() == pytest.approx(1.0, abs=1e-5)
    if best is None:  # in a corner beside two of the other's, only the edges hold
        assert search.chosen[0] in (1, 3, 5, 7)
    else:
        assert search.chosen[0] == best
    if worth == 1.0:
        assert search.found_values[0] == pytest.approx(1.0) and targets[best] == pytest.approx(1.0)


def test_trees_add_up() -> None:
    search = searched(".........", 0, 40)
    nodes, edges = search.trees.nodes[0], search.trees.edges[0]
    used = int(search.trees.games["used"][0])
    assert nodes["visits"][0] == 41 and used <= 41
    for node in range(used):
        children = edges["child"][node, : nodes["tried"][node]]
        own = 1 if nodes["turn"][node] >= 0 else nodes["visits"][node]
        assert nodes["visits"][node] == own + nodes["visits"][children].sum()
        assert set(nodes["parent"][children].tolist()) <= {node}


def test_the_agent_plays_whole_games_the_same_each_time(file: Path) -> None:
    for simulations in (0, 12):
        agent = f"alphazero:{file},simulations={simulations},noise=1"
        games = [mmgames.match(TIC, agent, episodes=6, seed=seed, on_illegal="fail") for seed in (4, 4, 5)]
        moves = [[row["actions"] for row in result.finished] for result in games]
        assert moves[0] == moves[1] and len(moves[0]) == 6
        assert simulations == 0 or moves[0] != moves[2]
    env = begun(gym.make(TIC, others=f"alphazero:{file},simulations=0"))
    env.step(4)
    state = env.unwrapped.live.state  # type: ignore[attr-defined]
    before = board_state((EMPTY,) * 4 + (CROSS,) + (EMPTY,) * 4, 1)
    logits, _ = BoardNetwork(SHAPE, arrays())(KERNEL.planes_of(before, 1)[None])
    logits[0, 4] = -np.inf
    assert state.last == logits[0].argmax()


def test_files_that_do_not_fit_are_refused_in_a_sentence(file: Path, tmp_path: Path) -> None:
    cases = {
        "other": (about(game="mmgames/Gomoku-v0"), arrays(), "was trained for mmgames/Gomoku-v0, not for"),
        "trainer": (about(trainer="ippo"), arrays(), "was not trained by alphazero"),
        "says": ({"game": TIC}, arrays(), "does not say its actions, shape"),
        "shape": (about(shape={"planes": 3}), arrays(), "describes no network"),
        "wide": (about(shape={**SHAPE, "channels": 5}), arrays(), "finite numbers of shape"),
        "lacks": (about(), {k: v for k, v in arrays().items() if k != "value_out.bias"}, "'value_out.bias' is missing"),
        "nan": (about(), {**arrays(), "value_out.bias": np.array([np.nan], np.float16)}, "finite numbers"),
    }
    for name, (said, kept, sentence) in cases.items():
        checkpoint_files.write(tmp_path / f"{name}.npz", said, kept)
        with pytest.raises(MmgamesError, match=sentence):
            gym.make(TIC, others=f"alphazero:{tmp_path / name}.npz").reset(seed=0)
    (tmp_path / "text.npz").write_text("no checkpoint")
    for name, sentence in (("text", "is no checkpoint"), ("nowhere", "There is no checkpoint")):
        refused(partial(gym.make, TIC, others=f"alphazero:{tmp_path / name}.npz"), sentence)
    with pytest.raises(MmgamesError, match=r"ippo: .*alphazero|was trained for|does not say its"):
        gym.make(TIC, others=f"ippo:{file}").reset(seed=0)
    for option, value in (("simulations", "-1"), ("simulations", "many"), ("noise", "-1"), ("file", "7")):
        refused(partial(make_agent, f"alphazero:{option}={value}", registry.find(TIC)), f"{option}='?{value}")


def winning_moves(kernel: Any, state: RecordState, seat: int) -> list[int]:
    found, actions, totals = [], np.zeros(2, np.int64), np.zeros(2)
    for action in kernel.legal(state, seat):
        after = RecordState(copied(state.array)).record
        actions[seat] = action
        kernel.step(after, actions, np.uint64(0))
        kernel.returns(after, totals)
        found += [action] if totals[seat] == 1 else []
    return found


@pytest.mark.parametrize(("name", "least"), [("Breakthrough", 17), ("Gomoku", 10)])
def test_networks_that_come_with_mmgames_see_wins_at_once(name: str, least: int) -> None:
    """After random moves, in positions where the mover can win at once, the likeliest move does; in Gomoku, whose
    crammed random positions no player ever sees, in half of them, where chance would find one in a hundred."""
    game = registry.load(name).game()
    kernel, path = game.kernel, shipped_policy(game.spec.id, "alphazero")  # type: ignore[attr-defined]
    assert path is not None
    checkpoint = BoardCheckpoint(path)
    slots, rng = action_points(checkpoint.check_game(game)).slots, np.random.default_rng(0)
    state, actions, seen, seen_wins = RecordState(copied(kernel.blank.array)), np.zeros(2, np.int64), 0, 0
    kernel.start(state.record, np.uint64(0))
    while seen < 20:
        seat = state.turn
        legal = np.array(kernel.legal(state, seat))
        if name == "Gomoku":  # the same few points, so that lines come about
            legal = legal[: max(12, len(legal) - 195)]
        if wins := winning_moves(kernel, state, seat):
            logits, values = checkpoint.network(kernel.planes_of(state, seat)[None])
            everywhere = np.array(kernel.legal(state, seat))
            best = everywhere[logits[0, slots[seat, everywhere]].argmax()]
            seen, seen_wins = seen + 1, seen_wins + (best in wins and values[0] > 0)
            kernel.start(state.record, np.uint64(0))
        else:
            actions[seat] = rng.choice(legal)
            kernel.step(state.record, actions, np.uint64(0))
            if state.turn < 0:
                kernel.start(state.record, np.uint64(0))
    assert seen_wins >= least


def test_games_of_boards_can_be_learned_from_themselves() -> None:
    assert "alphazero" in known_agents(registry.find("Gomoku"))
    assert "alphazero" not in known_agents(registry.find("KuhnPoker"))
    refused(lambda: gym.make(TIC, others="alphazero").reset(seed=0), "mmgames train alphazero mmgames/TicTacToe-v0")


BOARD_GAMES = ("TicTacToe", "Breakthrough", "Reversi", "Gomoku")


def kernel_of(name: str) -> Kernel:
    return registry.load(name).game().kernel  # type: ignore[attr-defined]


def started(kernel: Kernel) -> RecordState:
    state = RecordState(copied(kernel.blank.array))
    kernel.start(state.record, np.uint64(0))
    return state


def test_ways_to_lay_a_board_upon_itself() -> None:
    assert laid_over(0, (2, 2)).tolist() == [0, 1, 2, 3] and laid_over(FLIP_COLUMNS, (2, 2)).tolist() == [1, 0, 3, 2]
    assert laid_over(FLIP_ROWS, (2, 2)).tolist() == [2, 3, 0, 1]
    assert laid_over(TRANSPOSE, (2, 2)).tolist() == [0, 2, 1, 3]
    assert len({tuple(laid_over(way, (3, 3))) for way in range(8)}) == 8


@pytest.mark.parametrize("name", BOARD_GAMES)
def test_every_action_of_a_seat_has_a_place_of_its_own(name: str) -> None:
    kernel = kernel_of(name)
    points, rng = action_points(kernel), np.random.default_rng(1)
    assert points.slots.min() >= 0 and points.slots.max() < points.size
    state = started(kernel)
    actions = np.zeros(2, np.int64)
    while (mover := state.turn) != NOBODY:
        legal = kernel.legal(state, mover)
        assert len(set(points.slots[mover, list(legal)].tolist())) == len(legal)
        actions[mover] = rng.choice(legal)
        kernel.step(state.record, actions, np.uint64(0))


@pytest.mark.parametrize("name", BOARD_GAMES)
def test_games_that_are_turned_over_stay_turned_over(name: str) -> None:
    """Two games are played side by side, one with each action where the other one's lands when the board is turned."""
    kernel = kernel_of(name)
    points, rng = action_points(kernel), np.random.default_rng(2)
    assert len(points.cell_sources) == len(kernel.symmetries) + 1 > 1
    for cells, slots in zip(points.cell_sources, points.slot_sources, strict=True):
        state, other = started(kernel), started(kernel)
        while (mover := state.turn) != NOBODY:
            assert other.turn == mover
            seen, seen_there = (kernel.planes_of(each, mover) for each in (state, other))
            np.testing.assert_array_equal(seen.reshape(len(seen), -1)[:, cells].reshape(seen.shape), seen_there)
            legal, legal_there = (np.array(kernel.legal(each, mover)) for each in (state, other))
            mask, mask_there = np.zeros((2, points.size), np.bool_)
            mask[points.slots[mover, legal]], mask_there[points.slots[mover, legal_there]] = True, True
            np.testing.assert_array_equal(mask[slots], mask_there)
            pick = rng.choice(legal)
            (lands,) = np.flatnonzero(slots == points.slots[mover, pick])
            (there,) = legal_there[points.slots[mover, legal_there] == lands]
            actions = np.zeros(2, np.int64)
            actions[mover] = pick
            kernel.step(state.record, actions, np.uint64(0))
            actions[mover] = there
            kernel.step(other.record, actions, np.uint64(0))
        totals, totals_there = np.zeros(2), np.zeros(2)
        kernel.returns(state.record, totals), kernel.returns(other.record, totals_there)
        assert other.turn == NOBODY and totals.tolist() == totals_there.tolist()
