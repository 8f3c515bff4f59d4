"""Chess in tables: codes of pieces, every move that geometry allows, keys of the hash, what pieces are worth.

Squares are counted from a1 to h8.
"""

import numpy as np

SIDE = 8
CELLS = SIDE * SIDE
PIECES = "PNBRQK"  # codes 1 to 6 for White, -1 to -6 for Black
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
NOWHERE = -1
MOST_MOVES = 256


def _geometric_moves() -> list[tuple[int, int, int]]:
    """From, to, new piece: every way of a queen or a knight on an empty board, and the promotions of pawns."""
    found = []
    for source in range(CELLS):
        for target in range(CELLS):
            right, up = target % SIDE - source % SIDE, target // SIDE - source // SIDE
            line = right == 0 or up == 0 or abs(right) == abs(up)
            if source != target and (line or {abs(right), abs(up)} == {1, 2}):
                found.append((source, target, 0))
                if abs(right) < 2 and (source // SIDE, up) in ((6, 1), (1, -1)):
                    found += [(source, target, piece) for piece in (KNIGHT, BISHOP, ROOK, QUEEN)]
    return found


FROM, TO, BECOMES = np.array(_geometric_moves(), np.int16).T.copy()
NUM_ACTIONS = len(FROM)
ACTIONS = np.full((6, 64, 64), NOWHERE, np.int16)  # by new piece (0 none), from, to
ACTIONS[BECOMES, FROM, TO] = np.arange(NUM_ACTIONS)


def _ends(steps: list[tuple[int, int]], far: bool) -> np.ndarray:
    """[square, way, step]: the squares reached one after the other, NOWHERE beyond the edge."""
    reached = np.full((64, len(steps), 8), NOWHERE, np.int16)
    for square in range(64):
        for way, (right, up) in enumerate(steps):
            for step in range(7 if far else 1):
                file, rank = square % 8 + right * (step + 1), square // 8 + up * (step + 1)
                if 0 <= file < 8 and 0 <= rank < 8:
                    reached[square, way, step] = rank * 8 + file
                else:
                    break
    return reached


_STRAIGHT, _DIAGONAL = [(1, 0), (-1, 0), (0, 1), (0, -1)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]
RAYS = _ends(_STRAIGHT + _DIAGONAL, True)
JUMPS = _ends([(r, u) for r in (-2, -1, 1, 2) for u in (-2, -1, 1, 2) if abs(r) != abs(u)], False)[:, :, 0].copy()
WAYS = np.full((7, 64, 8, 8), NOWHERE, np.int16)  # by kind of piece: where it goes on an empty board; pawns nowhere
WAYS[KNIGHT, :, :, 0], WAYS[KING, :, :, 0] = JUMPS, RAYS[:, :, 0]
WAYS[ROOK, :, :4], WAYS[BISHOP, :, 4:], WAYS[QUEEN] = RAYS[:, :4], RAYS[:, 4:], RAYS
ALIGNED = np.zeros((64, 64), np.bool_)  # whether a queen on one square attacks the other if nothing is between them
for _square in range(64):
    ALIGNED[_square, [place for place in RAYS[_square].ravel() if place != NOWHERE]] = True
# The rights that a move from or to a square leaves: bits 1 and 2 White's king's and queen's side, 4 and 8 Black's.
RIGHTS = np.full(64, 15)
for _square, _lost in ((0, 2), (4, 3), (7, 1), (56, 8), (60, 12), (63, 4)):
    RIGHTS[_square] &= ~_lost

_noise = np.random.default_rng(1968)
PIECE_KEYS = _noise.integers(-(2**63), 2**63, (13, 64))  # by code + 6
RIGHT_KEYS = _noise.integers(-(2**63), 2**63, 16)
FILE_KEYS = _noise.integers(-(2**63), 2**63, 8)
MOVER_KEY = int(_noise.integers(-(2**63), 2**63))

WORTH = np.array([0, 100, 320, 330, 500, 920, 0])
PHASES = np.array([0, 0, 1, 1, 2, 4, 0])
FULL_PHASE = 24


def _values() -> tuple[np.ndarray, np.ndarray]:
    """[code + 6, square]: what a piece is worth there to White, in hundredths of a pawn, early and late in the game."""
    middle, end = np.zeros((13, 64), np.int64), np.zeros((13, 64), np.int64)
    for square in range(64):
        file, rank = square % 8, square // 8
        centre = min(file, 7 - file) + min(rank, 7 - rank)  # 0 in a corner, 6 in the middle
        inner = min(file, 7 - file)
        wing = abs(file - 3.5) > 1  # where a king hides
        early = {
            PAWN: (0, -2, 0, 6, 14, 26, 50, 0)[rank] + (10 if inner == 3 and rank in (3, 4) else 0)
            - (12 if inner == 3 and rank == 1 else 0),
            KNIGHT: 9 * centre - 34 - (6 if rank == 0 else 0),
            BISHOP: 4 * centre - 12 - (10 if rank == 0 else 0),
            ROOK: (18 if rank == 6 else 0) + 3 * inner - 4,
            QUEEN: 2 * centre - 6 - (4 if rank == 0 else 0),
            KING: (24 if rank == 0 and wing else 0) - 16 * rank - (18 if not wing else 0),
        }  # fmt: skip
        late = {
            PAWN: (0, 4, 8, 16, 32, 60, 100, 0)[rank],
            KNIGHT: 7 * centre - 26,
            BISHOP: 4 * centre - 12,
            ROOK: 10 if rank == 6 else 4,
            QUEEN: 5 * centre - 14,
            KING: 9 * centre - 30,
        }
        for kind in range(PAWN, KING + 1):
            for table, extra in ((middle, early), (end, late)):
                table[6 + kind, square] = WORTH[kind] + extra[kind]
                table[6 - kind, square ^ 56] = -(WORTH[kind] + extra[kind])
    return middle, end


MIDDLE_VALUES, END_VALUES = _values()
