"""Chess: the rules of python-chess, moves that are counted right, pieces where they stand, a search that mates."""

from functools import partial

import chess
import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames.baselines.search.chess import MATE, AlphaBeta
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.games.chess import picture, position, rules, words
from mmgames.games.chess.rules import Chess, ChessView, at_rest, from_fen, legal_moves, mover_of
from mmgames.games.chess.words import MOVES
from mmgames.kernels.kernel_game import ask
from mmgames.kernels.records import RecordState
from mmgames.text.refusals import Illegal
from tests.cases import cases
from tests.refusing import refused

CASES = cases(__file__)

ID = "mmgames/Chess-v0"
GAME: Chess = mmgames.load_game(ID)
RNG = np.random.default_rng(0)


def after(*moves: str) -> RecordState:
    """The state after moves in coordinates."""
    state = GAME.start(RNG)
    for name in " ".join(moves).split():
        action, fen = words.NAMES.index(name), fen_of(state)
        assert action in legal_moves(fen), f"{name} in {fen}"
        state = GAME.play(state, {mover_of(fen): action}, RNG)
    return state


def named(fen: str, name: str) -> RecordState:
    return GAME.play(at_rest(fen), {mover_of(fen): words.NAMES.index(name)}, RNG)


def fen_of(state: RecordState) -> str:
    return GAME.view(state, None).fen


def test_moves_and_pieces_have_their_codes_and_words():
    assert rules.NUM_ACTIONS == len(set(words.NAMES)) == 1968
    assert sum(len(name) == 5 for name in words.NAMES) == 176
    keys = [(move.from_square, move.to_square, move.promotion or 0) for move in MOVES]
    assert keys == sorted(keys)
    assert {"e1g1", "a7b8n", "g1f3", "a1h8"} <= set(words.NAMES) and "a1b4" not in words.NAMES
    rows = rules.cells(GAME.view(after("e2e4"), 0))
    assert rows[0] == (-4, -2, -3, -5, -6, -3, -2, -4), "row 0 is rank 8"
    assert rows[1] == (-1,) * 8 and rows[7] == (4, 2, 3, 5, 6, 3, 2, 4)
    assert rows[4] == (0, 0, 0, 0, 1, 0, 0, 0)
    assert set(words.CODES) == set(range(-6, 7)) and words.CODES[-2] == "a black knight"
    view = GAME.view(after("e2e4 d7d5 e4e5 f7f5"), 0)
    beside = words.history(view)
    assert "your turn" in beside and "Castling rights: white king's side and queen's side, black" in beside
    assert "en passant on f6" in beside
    assert "4 . . . . . . . ." in words.describe(view) and "Last move: f7f5 (black pawn)." in words.describe(view)
    assert "f7f5" not in beside
    quiet = ChessView(0, "4k3/8/8/8/8/8/R7/4K3 w - - 61 80", 0)
    assert "61 plies" in words.history(quiet) and "Castling rights: none" in words.history(quiet)


def test_games_end_as_they_should():
    for moves, fen, why, returns in CASES["ends"]:
        state = named(fen, moves) if fen else after(moves)
        view = GAME.view(state, 0)
        assert view.ending is not None and view.ending.startswith(why)
        assert view.winner == (returns.index(1.0) if any(returns) else None)
        assert GAME.movers(state) == () and list(GAME.returns(state)) == returns
        told = words.history(view)
        assert view.ending in told and ("has won" in told) == any(returns)


def test_a_repetition_counts_castling_rights_and_the_side_to_move():
    moves = "e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8"
    state = after(moves)
    assert GAME.movers(state) == (0,), "with the right to castle the first position was another one"
    assert GAME.view(state, 0).times == 2
    assert "second time" in words.history(GAME.view(state, 0))
    assert GAME.movers(after(moves, "e1e2 e8e7 e2e1 e7e8")) == ()


def perft(positions: np.ndarray, depth: int) -> int:
    out = np.empty(rules.MOST_MOVES, np.int64)
    count = position.list_legal(positions[0], out)
    if depth == 1:
        return int(count)
    total = 0
    for action in out[:count].tolist():
        children = positions.copy()
        position.push(children[0], action)
        assert position.can_move(children[0]) == (position.list_legal(children[0], np.empty_like(out)) > 0)
        total += perft(children, depth - 1)
    return total


def test_the_kernels_count_the_known_numbers_of_games_and_know_what_cannot_mate():
    for fen, depth, leaves in CASES["leaves"]:
        assert perft(from_fen(fen).position.array.copy(), depth) == leaves
    ours, theirs = ("3NK3/8/8", "2NNK3/8/8", "3NBK2/8/8", "4K3/8/8"), ("3NK3/8/7n", "3BK3/8/7b", "3BK3/8/6b1")
    for pieces in (*ours, *theirs, "3NK3/8/7q", "3NK3/8/7p"):
        fen = f"8/8/4k3/8/8/{pieces} w - - 0 1"
        placed, real = from_fen(fen).position, chess.Board(fen)
        for sign, colour in ((1, chess.WHITE), (-1, chess.BLACK)):
            assert ask(rules.cannot_mate, placed, sign) == real.has_insufficient_material(colour)


def read(text: str, fen: str = chess.STARTING_FEN) -> str | Illegal:
    """The name of the move that a reply is taken for."""
    live = LiveGame(registry.load(ID), GAME)
    live.go_on_from(at_rest(fen), RNG)
    said = live.read(mover_of(fen), text)
    return said if isinstance(said, Illegal) else words.NAMES[said]


def test_moves_are_read_as_python_chess_reads_them_and_a_text_that_fits_two_names_both() -> None:
    for fen, texts, name in CASES["read"]:
        for text in texts:
            assert read(text, fen) == name, text
    assert read("♘f3") == read("Nf3") and read("♞c3") == read("Nc3") and read("♙e4") == read("e4")
    assert isinstance(read("♘e4"), Illegal)
    for fen, texts, *_ in CASES["not read"]:
        for text in texts:
            assert isinstance(read(text, fen), Illegal), text
    for fen, text, both in CASES["ambiguous"]:
        unclear = read(text, fen)
        assert isinstance(unclear, Illegal) and "ambiguous" in unclear.reason
        assert unclear.reason.rstrip(".").partition("could be ")[2].split(", ") == list(both)


def test_meanings_are_those_of_python_chess():
    fen = "r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    board = chess.Board(fen)
    view = ChessView(0, fen, 0)
    for piece in ("", *"NBRQKbnrqk"):
        for source in ("", "b", "e", "1", "5", "e5", "b7"):
            for target in (file + rank for file in "abcdegh" for rank in "1456789"):
                for text in (piece + source + target, f"{piece}{source}x{target}=Q"):
                    wanted = text[0].upper() + text[1:] if text[0] in "nrqk" else text
                    try:
                        move = board.parse_san(wanted)
                    except chess.AmbiguousMoveError:
                        assert len(words.meanings(view, text)) > 1, text
                    except ValueError:
                        assert words.meanings(view, text) == set(), text
                    else:
                        assert {words.NAMES[a] for a in words.meanings(view, text)} == {move.uci()}, text


def test_the_rule_task_reads_moves_in_the_same_way():
    env = gymnasium.make("mmgames/Chess-Rule-v0", disable_env_checker=True, observe="text").unwrapped
    for seed in range(5):
        env.reset(seed=seed)
        for action, name in env.question.names.items():
            assert env.source.read(env.question, f"**{name.upper()}**") == action
            assert env.source.read(env.question, f"{name[:2]}-{name[2:]}") == action
            assert isinstance(env.source.read(env.question, f"--{name}"), Illegal)


def lone(code: int, cell: int) -> ChessView:
    sign = words.SIGNS[code]
    row, column = divmod(cell, 8)
    line = (str(column) if column else "") + sign + (str(7 - column) if column < 7 else "")
    rows = ["8"] * 8
    rows[row] = line
    return ChessView(None, "/".join(rows) + " w - - 0 1", None)


def test_the_last_move_is_gold_and_a_checked_king_red():
    def ground(view: ChessView, square: str) -> tuple[int, ...]:
        column, row = "abcdefgh".index(square[0]), 8 - int(square[1])
        x, y = picture.corner(row * 8 + column, 512)
        return tuple(picture.draw(view)[y + 2, x + 2].tolist())

    view = GAME.view(after("e2e4 f7f6 d1h5"), 0)
    assert ground(view, "d1") in picture.LAST_MOVE and ground(view, "h5") in picture.LAST_MOVE
    assert ground(view, "e8") in picture.CHECK
    assert ground(view, "e1") in picture.SQUARES
    assert ground(GAME.view(after("f2f3 e7e5 g2g4 d8h4"), 0), "e1") in picture.CHECK


@pytest.mark.parametrize("size", [64, 65, 72, 73, 80, 96, 112, 127])
def test_in_small_pictures_too_every_rank_has_its_whole_number(size):
    left, _ = picture.corner(0, size)
    strip = picture.draw(lone(1, 0), size)[: picture.corner(56, size)[1] + picture._layout(size)[2] + 1, : left - 1]
    inked = (strip.min(axis=2) < 200).any(axis=1)
    edges = np.flatnonzero(np.diff(np.r_[False, inked, False].astype(int)))
    heights = edges[1::2] - edges[::2]
    assert len(heights) == 8 and heights.min() >= 5 and heights.max() == heights.min()


def test_the_search_finds_mates_takes_what_hangs_and_keeps_what_it_has():
    for fen, name, plies in CASES["searched"]:
        action, value = AlphaBeta().best(at_rest(fen), np.random.default_rng(0))
        assert words.NAMES[action] == name and value == MATE - plies
    best = AlphaBeta(nodes=20_000).best
    assert words.NAMES[best(at_rest("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"), RNG)[0]] == "e4d5"
    move, value = best(at_rest("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1"), RNG)
    assert value > 500 and GAME.movers(named("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", words.NAMES[move])) == (1,)
    action, value = AlphaBeta().best(at_rest("6k1/6p1/8/7Q/8/8/1rr5/7K w - - 0 1"), RNG)
    assert (words.NAMES[action], value) == ("h5e8", 0)
    state = at_rest("7k/8/8/8/8/8/Q7/K7 w - - 0 1")
    for name in ("a2b2", "h8g8", "b2a2", "g8h8", "a2b2", "h8g8"):
        state = GAME.play(state, {GAME.movers(state)[0]: words.NAMES.index(name)}, RNG)
    action, value = AlphaBeta(nodes=5000).best(state, RNG)
    assert words.NAMES[action] != "b2a2" and value > 500


def test_the_search_beats_random_play_with_both_colours_and_impossible_options_are_refused():
    for seat, agents in enumerate((("alpha_beta:nodes=4000", "random"), ("random", "alpha_beta:nodes=4000"))):
        assert mmgames.match(ID, list(agents), episodes=3, seed=1).returns()[:, seat].tolist() == [1.0] * 3
    for options in [{"nodes": 0}, {"nodes": 2.5}, {"depth": 0}, {"depth": True}, {"depth": "deep"}]:
        refused(partial(AlphaBeta, **options), "give a whole number")
