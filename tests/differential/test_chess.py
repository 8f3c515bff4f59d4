"""python-chess judges Chess, move by move: from the start of a game and from endings with few pieces,
where repetitions, stalemates and fifty quiet moves are common."""

import chess
import numpy as np
import pytest

import mmgames
from mmgames.games.chess.position import in_check
from mmgames.games.chess.rules import ENDINGS as HOW
from mmgames.games.chess.rules import KERNEL, NUM_FEATURES, at_rest, fen_before, moves_since
from mmgames.games.chess.words import ACTION_OF, MOVES
from mmgames.kernels.kernel_game import ask
from mmgames.kernels.records import RecordState

GAME = mmgames.load_game("mmgames/Chess-v0")
ENDINGS = ("KQk", "KRk", "KPk", "KPPkp", "KRkr", "KBNk", "KRPkrp", "KQQQk", "KNNkb", "KRRkbnpp")


def random_position(pieces: str, rng: np.random.Generator) -> chess.Board:
    """Such pieces anywhere on the board, in a position that could be."""
    while True:
        board = chess.Board(None)
        for piece, square in zip(pieces, rng.permutation(64).tolist(), strict=False):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        board.turn = bool(rng.integers(2))
        if board.is_valid() and not board.is_game_over():
            return board


def ending(board: chess.Board) -> str:
    """How python-chess says that a game has ended, in our words."""
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    if board.is_insufficient_material():
        return "insufficient material"
    if board.halfmove_clock >= 100:
        return "fifty moves without a capture or a pawn move"
    return "threefold repetition" if board.is_repetition(3) else ""


def seen_by(board: chess.Board, colour: bool) -> np.ndarray:
    """The features of a side up to its turn, from python-chess's board."""
    planes = []
    for side in (colour, not colour):
        for piece in chess.PIECE_TYPES:
            plane = np.zeros((8, 8), np.float32)
            for square in board.pieces(piece, side):
                rank = square // 8 if colour == chess.BLACK else 7 - square // 8
                plane[rank, square % 8] = 1
            planes.append(plane.ravel())
    castling = [
        right(side)
        for side in (colour, not colour)
        for right in (board.has_kingside_castling_rights, board.has_queenside_castling_rights)
    ]
    files = np.zeros(8)
    if board.has_legal_en_passant():
        files[board.ep_square % 8] = 1
    return np.concatenate([*planes, castling, files]).astype(np.float32)


def compare(board: chess.Board, state: RecordState) -> None:
    """All that a position says, on both sides."""
    said, movers, view = HOW[state.ending], GAME.movers(state), GAME.view(state, None)
    assert said == ending(board), board.fen()
    assert view.fen == board.fen(), "an en passant square stands there only where it can be used"
    assert movers == (() if said else (0,) if board.turn else (1,))
    assert ask(in_check, state.position) == board.is_check()
    times = next(n for n in range(1, 5) if not board.is_repetition(n + 1))
    assert state.times == view.times == times
    for seat, colour in enumerate(chess.COLORS):
        out = GAME.features(state, seat)
        assert out.shape == (NUM_FEATURES,) and (out[:780] == seen_by(board, colour)).all()
        wanted = [movers == (seat,), seat, min(1, board.halfmove_clock / 100), times > 1, times > 2]
        np.testing.assert_allclose(out[780:], wanted, rtol=1e-6)
    if not said:
        legal = [ACTION_OF[move.from_square, move.to_square, move.promotion] for move in board.generate_legal_moves()]
        assert list(KERNEL.legal(state, movers[0])) == sorted(legal), board.fen()


def test_known_positions_look_alike_to_both_sides():
    for moves in ("", "e4", "e4 a6 e5 d5", "Nf3 Nf6 g3 g6 Bg2 Bg7 O-O"):
        board = chess.Board()
        for move in moves.split():
            board.push_san(move)
        compare(board, at_rest(board.fen()))


def play(board: chess.Board, state: RecordState, rng: np.random.Generator, wavering: float = 0.0) -> str:
    """Random moves to the end of a game; how it ended. Wavering players often take their last move back."""
    out = np.empty(KERNEL.moves_capacity, np.int64)
    compare(board, state)
    while movers := GAME.movers(state):
        action = int(out[rng.integers(ask(KERNEL.moves, state, movers[0], out))])
        if len(board.move_stack) > 1 and rng.random() < wavering:
            last = board.move_stack[-2]
            if board.is_legal(chess.Move(last.to_square, last.from_square)):
                action = ACTION_OF[last.to_square, last.from_square, None]
        state = GAME.play(state, {movers[0]: action}, rng)
        board.push(MOVES[action])
        compare(board, state)
    winner = None if not board.is_checkmate() else 1 if board.turn == chess.WHITE else 0
    assert GAME.returns(state) == tuple(0.0 if winner is None else 1.0 if seat == winner else -1.0 for seat in (0, 1))
    return HOW[state.ending]


def test_whole_games_and_endings_with_few_pieces():
    for games, wavering in [(4, 0.0), (4, 0.3)]:
        rng = np.random.default_rng(0)
        for _ in range(games):
            play(chess.Board(), GAME.start(rng), rng, wavering)
    rng = np.random.default_rng(1)
    found = set()
    for pieces in ENDINGS:
        for number in range(6):
            board = random_position(pieces, rng)
            found.add(play(board, at_rest(board.fen()), rng, wavering=0.4 * (number % 2)))
    assert found == set(HOW[1:])


@pytest.mark.parametrize("seed", range(3))
def test_the_moves_that_count_towards_a_draw_lead_to_the_position(seed):
    rng = np.random.default_rng(seed)
    state = GAME.start(rng)
    while movers := GAME.movers(state):
        legal = GAME.legal(state, movers[0])
        state = GAME.play(state, {movers[0]: legal[int(rng.integers(len(legal)))]}, rng)
        board = chess.Board(fen_before(state))
        for action in moves_since(state):
            board.push(MOVES[action])
        assert board.fen() == GAME.view(state, None).fen
        assert state.times == next(n for n in range(1, 5) if not board.is_repetition(n + 1))
