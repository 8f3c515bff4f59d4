"""Any chess engine that speaks UCI, such as Stockfish, as a player: `uci:/path/to/engine,time=0.5,skill=3`.

The engine starts with the first move it is asked for and ends with `close()`, when its player is forgotten, or with the
program. One thread in the background talks to all engines, so that notebooks and servers with a loop of their own work.
"""

import asyncio
import contextlib
import os
import shutil
import subprocess
import threading
import weakref
from collections.abc import Coroutine
from functools import lru_cache
from typing import Any

import chess
import chess.engine

from mmgames.agents.base import Agent
from mmgames.core.game import Game, Seat
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.games.chess.rules import fen_before, moves_since
from mmgames.games.chess.words import ACTION_OF, MOVES
from mmgames.kernels.records import RecordState

DEFAULT = "stockfish"
ALSO_LOOK_IN = "/usr/games"  # Debian's place for it, which not every PATH names
START_SECONDS = 20.0  # to say hello
SPARE_SECONDS = 20.0  # beyond its time for a move
LONGEST_SECONDS = 3600.0  # for a move without a time
QUIT_SECONDS = 2.0  # to quit when asked to
KILL_SECONDS = 1.0  # to be gone when killed


class Uci(Agent):
    """Plays what the engine at `path` says; `stockfish`, or another name, is looked for where programs are.

    `time` is in seconds a move and counts unless `depth` or `nodes` is given. `skill` is the engine's option
    "Skill Level" (0 to 20 with Stockfish).
    """

    def __init__(
        self,
        path: str | None = None,
        time: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        skill: int | None = None,
    ) -> None:
        self.path = DEFAULT if path is None else str(path)
        if path is not None:
            find_engine(self.path)  # the default may be missing as long as nobody plays with it
        limits: dict[str, Any] = {"time": time, "depth": depth, "nodes": nodes}
        for name, value in limits.items():
            number = isinstance(value, (int, float) if name == "time" else int) and not isinstance(value, bool)
            if value is not None and not (number and value > 0):
                kind = "a number" if name == "time" else "a whole number"
                raise MmgamesError(f"uci: {name}={value!r} is not possible; give {kind} above 0.")
        if skill is not None and (not isinstance(skill, int) or isinstance(skill, bool)):
            raise MmgamesError(f"uci: skill={skill!r} is not possible; give a whole number.")
        if time is None and depth is None and nodes is None:
            time = 0.1
        self.limit = chess.engine.Limit(time=time, depth=depth, nodes=nodes)
        self.skill = skill
        self._engine: _Engine | None = None
        self._failed = ""  # why it did not start; waiting for it once is enough

    def begin(self, game: Game, seat: Seat) -> None:
        """A new game: the engine hears of it, and one that has ended is started again."""
        if self._engine is not None and self._engine.ended:
            self.close()
        elif self._engine is not None:
            self._engine.game = object()

    def act(self, turn: Turn) -> int:
        return self.choose(turn.imagine())

    def choose(self, state: RecordState) -> int:
        """The engine's move in a state."""
        board = chess.Board(fen_before(state))
        for action in moves_since(state):  # what counts towards a draw
            board.push(MOVES[action])
        if self._failed:
            raise MmgamesError(self._failed)
        if self._engine is None:
            program = find_engine(self.path)
            try:
                self._engine = _Engine(self.path, program, self.skill)
            except MmgamesError as error:
                self._failed = str(error)
                raise
        move = self._engine.play(board, self.limit)
        return ACTION_OF[move.from_square, move.to_square, move.promotion]

    def close(self) -> None:
        """End the engine; the next move starts another."""
        self._failed = ""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_engine": None}  # a copy gets an engine of its own


def find_engine(path: str) -> str:
    """Where the program is, or a sentence that it is nowhere."""
    if os.path.dirname(path):
        if not os.path.isfile(path):
            raise MmgamesError(f"There is no chess engine at {path}; give the path of a program that speaks UCI.")
        if not os.access(path, os.X_OK):
            raise MmgamesError(f"The chess engine at {path} is not executable; run chmod +x on it.")
        return path
    found = shutil.which(path) or shutil.which(path, path=ALSO_LOOK_IN)
    if found is None:
        raise MmgamesError(
            f"There is no program {path!r} on the PATH; install it (Debian: apt-get install {DEFAULT}) or name an "
            "engine by its path, such as uci:/path/to/engine."
        )
    return found


class _Engine:
    """A running engine and the sentences for what can go wrong with it."""

    def __init__(self, path: str, program: str, skill: int | None) -> None:
        self.path = path
        self.game: object = object()
        self._process = os.getpid()
        opened = chess.engine.popen_uci(program, stderr=subprocess.DEVNULL)
        try:
            self._transport, self._protocol = _wait(opened, START_SECONDS)
        except (OSError, chess.engine.EngineError, TimeoutError) as error:
            late = f"it did not answer `uci` with `uciok` within {START_SECONDS:g} seconds"
            why = late if isinstance(error, TimeoutError) else str(error).strip(".")
            raise MmgamesError(f"{path} did not start as a UCI engine ({why}).") from error
        self._kill = weakref.finalize(self, _kill, self._transport, self._process)
        if skill is not None:
            try:
                _wait(self._protocol.configure({"Skill Level": skill}), START_SECONDS)
            except (chess.engine.EngineError, TimeoutError) as error:
                self.close()
                late = f"it did not answer within {START_SECONDS:g} seconds"
                why = late if isinstance(error, TimeoutError) else str(error).strip(".")
                raise MmgamesError(f"{path} does not take skill={skill}: {why}.") from error

    @property
    def ended(self) -> bool:
        """Whether it cannot be asked any more, here at least: a forked process needs an engine of its own."""
        return not self._kill.alive or self._protocol.returncode.done() or self._process != os.getpid()

    def play(self, board: chess.Board, limit: chess.engine.Limit) -> chess.Move:
        seconds = LONGEST_SECONDS if limit.time is None else limit.time + SPARE_SECONDS
        try:
            move = _wait(self._protocol.play(board, limit, game=self.game), seconds).move
        except chess.engine.EngineTerminatedError as error:
            code = self._protocol.returncode
            status = f" (exit status {code.result()})" if code.done() else ""
            raise MmgamesError(f"The engine {self.path} has ended in the middle of a game{status}.") from error
        except TimeoutError as error:
            self.close()
            raise MmgamesError(f"The engine {self.path} did not answer within {seconds:g} seconds.") from error
        except chess.engine.EngineError as error:
            raise MmgamesError(f"The engine {self.path} answered wrongly: {str(error).strip('.')}.") from error
        if move is None:
            raise MmgamesError(f"The engine {self.path} gave no move in {board.fen()}.")
        return move

    def close(self) -> None:
        """Ask it to quit, and see to it that it does."""
        if not self.ended:
            with contextlib.suppress(chess.engine.EngineError, TimeoutError):
                _wait(self._protocol.quit(), QUIT_SECONDS)
        self._kill()


@lru_cache(maxsize=1)
def _loop(process: int) -> asyncio.AbstractEventLoop:
    """The loop in the background, one for a process. Its thread does not keep a program from ending."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="mmgames-uci", daemon=True).start()
    return loop


def _wait(question: Coroutine[Any, Any, Any], seconds: float) -> Any:
    return asyncio.run_coroutine_threadsafe(asyncio.wait_for(question, seconds), _loop(os.getpid())).result()


def _kill(transport: asyncio.SubprocessTransport, process: int) -> None:
    """End an engine from any thread and at any time, also while the program itself ends; never that of a parent."""
    if os.getpid() == process:
        with contextlib.suppress(ProcessLookupError):
            transport.kill()
        # Closed before the loop has heard of the end, the transport would take the exit status away from it.
        loop = _loop(process)
        loop.call_soon_threadsafe(loop.call_later, KILL_SECONDS, transport.close)
