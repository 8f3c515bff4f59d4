"""PongDuel: Pong's rules with both paddles played, on an emulator that lets several players act."""

from collections.abc import Sequence

import multi_agent_ale_py as multi_ale
import numpy as np

from mmgames.games.pong.rules import Pong, PongState, cartridge

TWO_PLAYERS = 3  # the number of the cartridge's plain game for two
WITH_BUTTON = {0: 1, 3: 11, 4: 12}  # the same knob with the button pressed


class MultiAle:
    """The Arcade Learning Environment for several players; the first player has the right paddle."""

    def __init__(self) -> None:
        multi_ale.ALEInterface.setLoggerMode("error")
        self._ale = multi_ale.ALEInterface()
        self._ale.setFloat("repeat_action_probability", 0.0)
        self._ale.loadROM(str(cartridge()))
        self._ale.setMode(TWO_PLAYERS)
        self._at = b""

    def first(self) -> bytes:
        self._ale.reset_game()
        self._at = self._snapshot()
        return self._at

    def run(self, snapshot: bytes, keys: Sequence[tuple[int, ...]]) -> tuple[bytes, bytes, bytes]:
        ale = self._ale
        if snapshot != self._at:
            state = ale.decodeState(np.frombuffer(snapshot, np.uint8).copy())
            ale.restoreState(state)
            ale.deleteState(state)
        for pair in keys:
            ale.act(pair)
        self._at = self._snapshot()
        return self._at, ale.getRAM().tobytes(), ale.getScreen().tobytes()

    def _snapshot(self) -> bytes:
        state = self._ale.cloneState()
        encoded = self._ale.encodeState(state).tobytes()
        self._ale.deleteState(state)
        return encoded


class PongDuel(Pong):
    """Two seats, right and left."""

    emulator = MultiAle
    computer = False

    def returns(self, state: PongState) -> Sequence[float]:
        left, right = state.points
        return float(right - left), float(left - right)

    def _pressed(self, state: PongState, keys: list[tuple[int, ...]]) -> Sequence[tuple[int, ...]]:
        """Serve while the ball is out of play. In play the button would make a hit harder, so it is left alone."""
        if state.scene.ball is not None:
            return keys
        return [tuple(WITH_BUTTON[key] for key in pair) for pair in keys]
