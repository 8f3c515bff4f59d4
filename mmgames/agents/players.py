"""Players: the agents in the seats of one game, through all their episodes, and how one of them is asked for a move.

The one place that decides when an agent is told what, for matches and environments alike; `Agent` says what it may
count on.
"""

import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from mmgames.agents.base import Agent
from mmgames.core.game import Action, Seat
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.text.refusals import Illegal

STRIKES = 3
"""So many answers in a row that are no move, and an agent is not asked again."""

Answer = TypeVar("Answer")


class Players:
    def __init__(self, agents: Mapping[Seat, Agent]) -> None:
        self.agents = dict(agents)
        self.asking: Seat | None = None
        """Whose agent is being told or asked something: if that raises, it is this one's fault."""
        self._begun: list[Seat] = []

    def begin(self, live: LiveGame) -> None:
        """An episode is about to be dealt."""
        self.end(live, quietly=True)
        live.state = None
        for seat, agent in self.agents.items():
            self.asking = seat
            agent.begin(live.game, seat)
            self._begun.append(seat)
        self.asking = None

    def end(self, live: LiveGame, quietly: bool = False) -> None:
        """The episode is over, for whatever reason; all hear of it, even if one of them raises.

        `quietly` leaves it at that, for when the episode has failed already or nobody waits for its end.
        """
        begun, self._begun = self._begun, []
        raised: tuple[Seat, Exception] | None = None
        for seat in begun:
            self.asking = seat
            try:
                if self.agents[seat].hears_of_ends:
                    self.agents[seat].end(None if live.state is None else live.view(seat))
            except Exception as error:
                raised = raised or (seat, error)
        self.asking = None
        if raised and not quietly:
            self.asking = raised[0]
            raise raised[1]

    def close(self) -> None:
        """No more episodes: let the agents close what they keep open, such as a connection or a chess engine.

        One that cannot is warned of: what was played counts all the same.
        """
        for agent in self.agents.values():
            try:
                agent.close()
            except Exception as error:
                warnings.warn(f"{agent.class_name}.close() raised {type(error).__name__}: {error}", stacklevel=2)

    def ask(self, turns: Mapping[Seat, Turn], question: Callable[[Turn], Answer]) -> dict[Seat, Answer]:
        """What each mover answers, agents that say they are `concurrent` at the same time.

        Who raises is in `asking`; if several do, it is the first of the seats, as if they had been asked in turn.
        """
        together = [seat for seat in turns if self.agents[seat].concurrent]
        apart = together[:-1]  # the last of them is asked here, while the others wait: one alone needs no thread
        if not apart:
            answers = {}
            for seat in [*(seat for seat in turns if seat not in together), *together] if together else turns:
                self.asking = seat
                answers[seat] = question(turns[seat])
            self.asking = None
            return {seat: answers[seat] for seat in turns} if together else answers
        for turn in turns.values():
            _ = turn.view  # made here, once: only the agents' own work is done in threads
        with ThreadPoolExecutor(len(apart)) as pool:
            waiting = {seat: pool.submit(question, turns[seat]) for seat in apart}
            own: dict[Seat, Answer] = {}
            failed: dict[Seat, Exception] = {}
            for seat in sorted(turns, key=lambda seat: seat in together):
                if seat not in waiting:
                    try:
                        own[seat] = question(turns[seat])
                    except Exception as error:
                        failed[seat] = error
            for seat in turns:
                self.asking = seat
                if seat in failed:
                    raise failed[seat]
                if seat in waiting:
                    own[seat] = waiting[seat].result()
        self.asking = None
        return {seat: own[seat] for seat in turns}


def ask_for_move(agent: Agent, live: LiveGame, turn: Turn) -> Action:
    """The move an agent makes in this turn; an illegal one is an error in the agent.

    One that answers in words is told why a reply was no move, and asked again, before it has made the error.
    """

    def error(what: str) -> MmgamesError:
        return MmgamesError(f"{live.game.spec.id}: the agent {agent.class_name} in seat {turn.role!r} {what}")

    for _ in range(STRIKES):
        said = agent.retry_policy.call(lambda: agent.act(turn))
        try:
            move = live.move_of(turn.seat, said)
        except MmgamesError as why:
            raise error(f"gave no action: {why}") from why
        if not isinstance(move, Illegal):
            return move
        turn.refused = move
        if not isinstance(said, (str, Illegal)):
            break
    raise error(f"chose an illegal action: {move.reason}")
