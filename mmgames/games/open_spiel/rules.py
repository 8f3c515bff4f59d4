"""Any sequential game of OpenSpiel, under the contract: what depends on the game is settled when it is chosen."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyspiel

from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec, Outcome
from mmgames.errors import MmgamesError
from mmgames.games.open_spiel import wheel
from mmgames.games.open_spiel.engine import SpielGame, SpielState, load_engine

LARGEST = 2.0**20  # the largest number a tensor may hold
POSITIONS = 10_000  # how many positions minimax looks at for a move, about, unless told how deep to look
SHORT = 9  # moves; games no longer than this are searched to their end
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")  # colours of a terminal

_KIND = pyspiel.GameType
_UTILITY: dict[Any, Literal["zero_sum", "general_sum", "identical"]] = {
    _KIND.Utility.ZERO_SUM: "zero_sum",
    _KIND.Utility.IDENTICAL: "identical",
}


@dataclass(frozen=True, slots=True)
class OpenSpielView:
    """What OpenSpiel tells one seat, in words and as a tensor, and nothing else."""

    engine: str
    seat: Seat | None
    mover: Seat | None  # nobody: the game is over
    sight: str  # what lies before the seat
    knowledge: str  # what it knows besides, its own record of the game among it; nothing where nothing is hidden
    legal: tuple[tuple[int, str], ...]  # the seat's moves and their names
    returns: tuple[float, ...]  # at the end
    tensor: bytes  # float32, scaled


class OpenSpiel(SpielGame[OpenSpielView]):
    """A game of OpenSpiel's; `wheel.facts` says which are possible."""

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        engine = load_engine(self.engine)
        kind = engine.get_type()
        self.facts = wheel.facts(self.engine)
        self.hidden = kind.information != _KIND.Information.PERFECT_INFORMATION
        self._sees, self._knows = kind.provides_observation_string, kind.provides_information_state_string
        zero = kind.utility == _KIND.Utility.CONSTANT_SUM and engine.utility_sum() == 0
        self.settle(
            seats=tuple(f"player_{seat}" for seat in range(engine.num_players())),
            information="imperfect" if self.hidden else "perfect",
            utility="zero_sum" if zero else _UTILITY.get(kind.utility, "general_sum"),
            chance="none" if kind.chance_mode == _KIND.ChanceMode.DETERMINISTIC else "explicit",
            length=max(1, engine.max_game_length()),
            outcome=Outcome(lowest=min(0.0, float(engine.min_utility()))),
            searchable=self.facts.imagines or not self.hidden,
        )

    def engine_in_full(self) -> str:
        engine = self.options["game"]
        if not isinstance(engine, (str, int)) or isinstance(engine, bool):  # 2048 is the name of a game
            raise MmgamesError(f"{self.spec.id}: game={engine!r} is not possible; it is text such as 'hex'.")
        engine = str(engine).strip()
        wheel.facts(engine)
        return engine

    @property
    def search_depth(self) -> int | None:
        if self.spec.length <= SHORT:
            return None
        return max(1, int(math.log(POSITIONS) / math.log(max(2, self.facts.branching))))

    def view(self, state: SpielState, seat: Seat | None) -> OpenSpielView:
        spiel = state.spiel
        over = spiel.is_terminal()
        mover = None if over else spiel.current_player()
        sight, knowledge = self._told(spiel, seat)
        return OpenSpielView(
            self.engine,
            seat,
            mover,
            sight,
            knowledge,
            named_moves(spiel, mover) if seat is not None and seat == mover else (),
            tuple(spiel.returns()) if over else (),
            self._tensor(spiel, seat or 0),
        )

    def _told(self, spiel: Any, seat: Seat | None) -> tuple[str, str]:
        if seat is None and self.hidden:
            return _clean(str(spiel)), ""
        sight = _clean(spiel.observation_string(seat or 0)) if self._sees else ""
        knowledge = _clean(spiel.information_state_string(seat)) if self.hidden and self._knows else ""
        if not sight and not self._sees:  # all there is
            return knowledge or _clean(spiel.information_state_string(seat or 0)), ""
        return sight, "" if knowledge == sight else knowledge

    def _tensor(self, spiel: Any, seat: Seat) -> bytes:
        if not self.facts.tensor:
            return b""
        values = np.array(getattr(spiel, self.facts.tensor)(seat), np.float64)
        size = np.abs(values)
        if self.facts.counts:
            # One to one and in order: half of what is at most 1, and the logarithm of what is more.
            beyond = 0.5 + 0.5 * np.log(np.maximum(size, 1.0)) / math.log(LARGEST)
            values = np.where(size <= 1, values / 2, np.sign(values) * beyond)
            size = np.abs(values)
        if size.size and size.max() > 1:
            raise MmgamesError(
                f"{self.spec.id}: the tensor of {self.engine} holds {values[size.argmax()]:g}, which features cannot."
            )
        return values.astype(np.float32).tobytes()

    def imagine(self, state: SpielState, seat: Seat, rng: np.random.Generator) -> SpielState:
        """The hidden parts drawn again by OpenSpiel; when the game is over, the state as it is."""
        if not self.hidden or state.spiel.is_terminal():
            return state
        if not self.facts.imagines:
            raise MmgamesError(
                f"{self.spec.id}: OpenSpiel cannot draw the hidden parts of {self.engine} again, so nobody can "
                "imagine them."
            )
        imagined = SpielState(self.engine, state.spiel.resample_from_infostate(seat, rng.random))
        if self.view(imagined, seat) != self.view(state, seat):
            raise MmgamesError(
                f"{self.spec.id}: OpenSpiel has drawn the hidden parts of {self.engine} in a way that "
                f"{self.seats[seat]} can tell from what it knows."
            )
        return imagined


def named_moves(spiel: Any, mover: Seat) -> tuple[tuple[int, str], ...]:
    """OpenSpiel's name of each move; where names are the same the number of the action stands behind them."""
    actions: Sequence[int] = spiel.legal_actions(mover)
    names = [" ".join(spiel.action_to_string(mover, action).split()) for action in actions]
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
    return tuple(
        (action, name if name and seen[name] == 1 else f"{name or 'move'} #{action}")
        for action, name in zip(actions, names, strict=True)
    )


def _clean(text: str) -> str:
    """Without a terminal's colours, spaces at the ends of lines, and empty lines at the end."""
    return "\n".join(line.rstrip() for line in _ESCAPES.sub("", text).splitlines()).rstrip("\n")
