"""Positions for questions about boards: where they come from, game by game.

BOARDS has the games that take part. Without a maker of its own a game's positions come from random play. Made positions
need not be reachable. Other packages add their games with `take_part`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isqrt
from typing import Any, ClassVar

import numpy as np

from mmgames import tasks
from mmgames.agents.finding import make_agent
from mmgames.agents.players import ask_for_move
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.look_names import USUAL
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.tasks import TaskSpec
from mmgames.tasks.boards import CELLS, BoardPosition, Maker, PositionSource, QuestionBoard, Rules
from mmgames.tasks.questions import Source, Style

KINDS = ("perceive", "ask", "rule")


# Makers: shuffled stones


def _shuffled(rng: np.random.Generator, counts: Mapping[int, int], side: int) -> np.ndarray:
    codes = np.repeat(list(counts), list(counts.values()))
    return rng.permutation(codes).reshape(side, side)


def _tic_tac_toe(board: QuestionBoard, rng: np.random.Generator, rules: Rules, band: str | None) -> BoardPosition:
    return BoardPosition(board.view(_shuffled(rng, {1: 3, 0: 3, -1: 3}, 3)))


def _tic_tac_toe_rule(board: QuestionBoard, rng: np.random.Generator, rules: Rules, band: str | None) -> BoardPosition:
    while True:
        crosses, noughts = 3, 3
        if rules == "released":
            crosses = int(rng.integers(1, 6))
            noughts = crosses - int(rng.integers(2))
        if crosses + noughts >= 9:
            continue
        matrix = _shuffled(rng, {1: crosses, 0: noughts, -1: 9 - crosses - noughts}, 3)
        if board.rules.full_lines(tuple(matrix.ravel().tolist())):
            continue
        # X begins, so it is X's turn when the marks are as many and O's when there is one more X.
        return BoardPosition(board.view(matrix, seat=crosses - noughts, mover=crosses - noughts))


REVERSI_BANDS = ("10-25", "26-40", "41-56")
GOMOKU_BANDS = ("0-45", "46-90", "91-135", "136-180", "181-225")
GOMOKU_STONES = "67-157"


def stones(rng: np.random.Generator, side: int, band: str) -> np.ndarray:
    """A board with a number of stones from the band, 30 to 70 % of them black (1), the others white (2)."""
    low, high = map(int, band.split("-"))
    number = int(rng.integers(low, high + 1))
    black = round(number * rng.uniform(0.3, 0.7))
    return _shuffled(rng, {0: side * side - number, 1: black, 2: number - black}, side)


def _reversi_view(board: QuestionBoard, rng: np.random.Generator, band: str | None) -> Any:
    matrix = stones(rng, 8, band or str(rng.choice(REVERSI_BANDS)))
    return board.view(matrix, number=max(0, int((matrix > 0).sum()) - 4))  # four discs lie there from the start


def _reversi(board: QuestionBoard, rng: np.random.Generator, rules: Rules, band: str | None) -> BoardPosition:
    return BoardPosition(_reversi_view(board, rng, band))


def _reversi_rule(board: QuestionBoard, rng: np.random.Generator, rules: Rules, band: str | None) -> BoardPosition:
    """Black is to move and can: after random legal moves; as released, any discs."""
    while True:
        view = _reversi_view(board, rng, band) if rules == "released" else _reversi_played(board, rng, band)
        if view is not None and any(action < board.num_moves for action in board.legal(view)):  # passing is no move
            return BoardPosition(view)


def _reversi_played(board: QuestionBoard, rng: np.random.Generator, band: str | None) -> Any | None:
    low, high = map(int, (band or str(rng.choice(REVERSI_BANDS))).split("-"))
    wanted = int(rng.integers(low, high + 1))
    game = board.game
    state = game.start(rng)
    while movers := game.movers(state):
        view = game.view(state, 0)
        if movers == (0,) and view.number + 4 >= wanted:
            return view if view.number + 4 <= high else None
        legal = game.legal(state, movers[0])
        state = game.play(state, {movers[0]: legal[int(rng.integers(len(legal)))]}, rng)
    return None


def _gomoku(board: QuestionBoard, rng: np.random.Generator, rules: Rules, band: str | None) -> BoardPosition:
    return BoardPosition(board.view(stones(rng, 15, band or GOMOKU_STONES)))


def _gomoku_rule(board: QuestionBoard, rng: np.random.Generator, rules: Rules, band: str | None) -> BoardPosition:
    """Black is to move and nobody has won: after random moves that make no five; as released, any stones with every
    five broken."""
    band = band or GOMOKU_STONES
    if rules == "paper":
        return BoardPosition(board.view(without_five(rng, band, board.game.num_actions)))
    low, high = map(int, band.split("-"))
    while True:
        matrix = broken_fives(stones(rng, 15, band), rng)
        if low <= int((matrix > 0).sum()) <= min(high, matrix.size - 1):
            return BoardPosition(board.view(matrix))


def runs(matrix: Sequence[Sequence[int]], length: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """All stretches of so many equal stones (codes above 0) in a row, a column or a diagonal."""
    height, width = len(matrix), len(matrix[0])
    for y in range(height):
        for x in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_y, last_x = y + down * (length - 1), x + right * (length - 1)
                if matrix[y][x] > 0 and last_y < height and 0 <= last_x < width:
                    cells = tuple((y + down * i, x + right * i) for i in range(length))
                    if all(matrix[row][column] == matrix[y][x] for row, column in cells):
                        yield cells


def broken_fives(matrix: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The board without a stone of every five in a row."""
    matrix = matrix.copy()
    while found := list(runs(matrix.tolist(), 5)):
        five = found[int(rng.integers(len(found)))]
        matrix[five[int(rng.integers(5))]] = 0
    return matrix


def without_five(rng: np.random.Generator, band: str, points: int) -> np.ndarray:
    """A board on which black is to move, reached by random moves of both that make no five."""
    low, high = map(int, band.split("-"))
    side = isqrt(points)
    wanted = 2 * int(rng.integers(-(-low // 2), min(high, points - 1) // 2 + 1))
    while True:
        matrix = [[0] * side for _ in range(side)]
        free = rng.permutation(points).tolist()
        placed = 0
        later: list[int] = []
        while free and placed < wanted:
            row, column = divmod(free.pop(), side)
            if makes_five(matrix, row, column, placed % 2 + 1):
                later.append(row * side + column)  # for the other colour it may do
                continue
            matrix[row][column] = placed % 2 + 1
            placed += 1
            free += later
            later = []
        if placed == wanted:
            return np.array(matrix)


def makes_five(matrix: Sequence[Sequence[int]], row: int, column: int, stone: int) -> bool:
    """Whether a stone at this point would stand in a line of five or more."""
    side = len(matrix)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        line = 1
        for way in (1, -1):
            y, x = row + way * down, column + way * right
            while 0 <= y < side and 0 <= x < side and matrix[y][x] == stone:
                line += 1
                y, x = y + way * down, x + way * right
        if line >= 5:
            return True
    return False


BREAKTHROUGH_PIECES = "6-32"


def _breakthrough(board: QuestionBoard, rng: np.random.Generator, rules: Rules, band: str | None) -> BoardPosition:
    """Pieces anywhere: after a few random moves hardly any are gone, and counting them would be no question."""
    return BoardPosition(board.view(stones(rng, 8, BREAKTHROUGH_PIECES)))


# Makers: the others


def _sudoku(board: QuestionBoard, rng: np.random.Generator, rules: Rules, band: str | None) -> BoardPosition:
    puzzle, _ = board.rules.make_puzzle(rng, *board.rules.CLUES[band or "any"])
    return BoardPosition(board.rules.SudokuView(0, puzzle, puzzle, 0))


SHOWN = 33 / 64
"""The share of Minesweeper's cells that are shown, mines too."""


def _minesweeper(board: QuestionBoard, rng: np.random.Generator, rules: Rules, band: str | None) -> BoardPosition:
    side, total = board.rules.LEVELS[band or "8x8"]
    size = side * side
    mines = rng.permutation(size)[:total].tolist()
    shown = rng.permutation(size)[: round(SHOWN * size)].tolist()
    cells = [board.rules.HIDDEN] * size
    around = board.rules.neighbours(side)
    for cell in shown:
        cells[cell] = board.rules.MINE if cell in mines else sum(place in mines for place in around[cell])
    view = board.rules.MinesweeperView(0, side, total, tuple(cells), 0)
    names = board.vocabulary.places(side)
    return BoardPosition(view, {"mines": tuple(names[mine] for mine in sorted(mines))})


def _minesweeper_rule(board: QuestionBoard, rng: np.random.Generator, rules: Rules, band: str | None) -> BoardPosition:
    """A field that is half open or more, by opening cells that hide no mine; as released, any cells are shown."""
    if rules == "released":
        return _minesweeper(board, rng, rules, band)
    game: Any = board.game
    while True:
        state = game.start(rng)
        while game.movers(state) and state.cells.count(board.rules.HIDDEN) > game.size // 2:
            safe = [cell for cell, code in enumerate(state.cells) if code < 0 and cell not in state.mines]
            state = game.play(state, {0: safe[int(rng.integers(len(safe)))]}, rng)
        if game.movers(state):
            names = board.vocabulary.places(game.side)
            return BoardPosition(game.view(state, 0), {"mines": tuple(names[mine] for mine in state.mines)})


CHESS_SET = {"K": 1, "Q": 1, "R": 2, "B": 2, "N": 2, "P": 8}
CHESS_BANDS = ("K", "KQ", "KQR", "KQRB", "KQRBN", "KQRBNP")
PLIES = (5, 55)


def _chess(board: QuestionBoard, rng: np.random.Generator, rules: Rules, band: str | None) -> BoardPosition:
    if rules == "released" and band is None:
        return _chess_play(board, rng, None)
    kinds = band or CHESS_BANDS[-1]
    squares = rng.permutation(64).tolist()
    signs = ["1"] * 64

    def put(sign: str) -> None:
        # Pawns stand anywhere but on the first and the last rank.
        place = next(i for i, square in enumerate(squares) if sign not in "Pp" or 8 <= square < 56)
        signs[squares.pop(place)] = sign

    for letters in (kinds, kinds.lower()):
        put(letters[0])  # both kings always
        for letter in letters[1:]:
            for _ in range(int(rng.integers(CHESS_SET[letter.upper()] + 1))):
                put(letter)
    rows = "/".join("".join(signs[first : first + 8]) for first in range(0, 64, 8))
    rows = re.sub("1+", lambda run: str(len(run[0])), rows)
    return BoardPosition(board.rules.ChessView(0, f"{rows} w - - 0 1", 0))


def _chess_rule(board: QuestionBoard, rng: np.random.Generator, rules: Rules, band: str | None) -> BoardPosition:
    if band is None:
        return _chess_play(board, rng, 0)
    while True:
        position = _chess(board, rng, rules, band)
        if board.vocabulary.position(position.view.fen).is_valid() and board.legal(position.view):
            return position


def _chess_play(board: QuestionBoard, rng: np.random.Generator, mover: int | None) -> BoardPosition:
    """5 to 55 random plies; with `mover`, only positions in which that seat moves."""
    while True:
        plies = int(rng.integers(PLIES[0], PLIES[1] + 1))
        if mover is not None and plies % 2 != mover:
            continue
        state = played(board, rng, plies)
        if state is not None:
            return BoardPosition(board.game.view(state, board.game.movers(state)[0]))


def played(board: QuestionBoard, rng: np.random.Generator, steps: int) -> Any | None:
    """The state after so many random steps; None if the game ends before."""
    game = board.game
    state = game.start(rng)
    for _ in range(steps):
        movers = game.movers(state)
        if not movers:
            return None
        moves = {}
        for seat in movers:
            legal = game.legal(state, seat)
            moves[seat] = legal[int(rng.integers(len(legal)))]
        state = game.play(state, moves, rng)
    return state if game.movers(state) else None


def random_play(board: QuestionBoard, rng: np.random.Generator, rules: Rules, band: str | None) -> BoardPosition:
    """A position up to halfway through a game of random moves, as a seat sees it that is to move."""
    while True:
        state = played(board, rng, int(rng.integers(max(1, min(60, board.loaded.spec.length) // 2) + 1)))
        if state is not None:
            movers = board.game.movers(state)
            return BoardPosition(board.game.view(state, movers[int(rng.integers(len(movers)))]))


def mixed_game(board: QuestionBoard, rng: np.random.Generator, name: str) -> Iterator[LiveGame]:
    """A game before each of its moves; some share of them is random, and the agent of that name makes the others."""
    live, chance = LiveGame(board.loaded, board.game), make_agent("random", board.loaded.spec)
    agents = [make_agent(name, board.loaded.spec) for _ in board.game.seats]
    for seat, agent in enumerate(agents):
        agent.begin(board.game, seat)
    live.start(rng)
    share = rng.random()
    while live.movers:
        yield live
        chosen = {seat: chance if rng.random() < share else agents[seat] for seat in live.movers}
        live.play({seat: ask_for_move(agent, live, Turn(live, seat, rng)) for seat, agent in chosen.items()})


def agent_play(name: str) -> Maker:
    """A maker for a game in which random moves come to little: positions of games that the agent of that name plays."""

    def maker(board: QuestionBoard, rng: np.random.Generator, rules: Rules, band: str | None) -> BoardPosition:
        while True:
            game = mixed_game(board, rng, name)
            live: LiveGame | None = next(game)
            for _ in range(int(rng.integers(board.loaded.spec.length))):
                live = next(game, None)
            if live is not None:
                return BoardPosition(live.view(live.movers[int(rng.integers(len(live.movers)))]))

    return maker


_CHESS_LINES = ("rank {}", "file {}")
_XY_LINES = ("the row y = {}", "the column x = {}")
_FIELDS = ("8x8", "12x12", "16x16")
_KITCHENS = ("cramped_room", "asymmetric_advantages", "coordination_ring", "forced_coordination", "counter_circuit")
_cooking = agent_play("greedy")

BOARDS: dict[str, PositionSource] = {
    boards.game: boards
    for boards in (
        PositionSource("mmgames/TicTacToe-v0", _tic_tac_toe, _tic_tac_toe_rule),
        PositionSource("mmgames/Reversi-v0", _reversi, _reversi_rule, REVERSI_BANDS, signs=".bw", moves=64),
        PositionSource("mmgames/Sudoku-v0", _sudoku, _sudoku, ("easy", "medium", "hard")),
        PositionSource("mmgames/Minesweeper-v0", _minesweeper, _minesweeper_rule, _FIELDS, option="level", moves=CELLS),
        PositionSource("mmgames/Gomoku-v0", _gomoku, _gomoku_rule, GOMOKU_BANDS, signs=".bw"),
        PositionSource(
            "mmgames/Chess-v0", _chess, _chess_rule, CHESS_BANDS, lines=_CHESS_LINES, played_when_released=True
        ),
        PositionSource("mmgames/Breakthrough-v0", _breakthrough, random_play, lines=_CHESS_LINES, signs=".bw"),
        PositionSource("mmgames/CoinDilemma-v0", random_play, random_play, lines=_XY_LINES),
        PositionSource(
            "mmgames/Overcooked-v0", _cooking, _cooking, _KITCHENS, _XY_LINES, option="layout", called="kitchen"
        ),
    )
}


def board(game: str, band: str | None = None, look: str = USUAL) -> QuestionBoard:
    return QuestionBoard(BOARDS[game], band, look)


SUMMARIES = {
    "perceive": "write down the board of {} as a matrix",
    "ask": "answer a question with options about a board of {}",
    "rule": "name one legal move in a position of {}",
}


def task_specs(kind: str) -> Iterator[TaskSpec]:
    """The tasks of one kind, for all games that are registered."""
    return (task_spec(id, kind) for id in BOARDS if id in registry.specs)


def task_spec(id: str, kind: str) -> TaskSpec:
    game = registry.specs[id]
    return TaskSpec(
        name=f"{game.name}-{kind.capitalize()}",
        kind=kind,
        game=id,
        summary=SUMMARIES[kind].format(game.name),
        source=f"mmgames.tasks.{kind}:{kind.capitalize()}",
        namespace=game.namespace,
        extras=game.extras,
        released=f"mmgames.datasets._released.lvlm_playground:Released{kind.capitalize()}",
    )


def take_part(boards: PositionSource) -> None:
    """Give a registered game the three tasks: its rules need `cells(view)` and its words need `CODES`."""
    if boards.game not in registry.specs:
        raise MmgamesError(f"There is no environment {boards.game!r}; register the game before its tasks.")
    BOARDS[boards.game] = boards
    for kind in KINDS:
        tasks.register(task_spec(boards.game, kind))


class BoardSource(Source):
    """What all who ask about positions of boards have in common."""

    paper: ClassVar[str] = "lvlm-playground"
    looks: ClassVar[bool] = True

    def __init__(self, spec: TaskSpec, style: Style, rules: Rules = "paper", band: str | None = None) -> None:
        super().__init__(spec, style)
        self.board = board(spec.game, band, style.look)
        self.board.check(spec.id, rules, band)
        self.rules, self.band = rules, band
