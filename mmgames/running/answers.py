"""One turn of an episode: an agent is asked, and what it answers becomes a move, or costs what the match says."""

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from mmgames.agents.base import Agent
from mmgames.agents.players import STRIKES
from mmgames.core.game import Game
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError, RunStopped, Unavailable
from mmgames.running.clocks import SeatClocks
from mmgames.running.exit_guard import no_exit
from mmgames.running.journal import is_offline
from mmgames.running.records import kept_reply
from mmgames.text.refusals import ASKED_AGAIN, Illegal

OnIllegal = Literal["fail", "random", "retry", "retry_random", "silent", "lose"]
ON_ILLEGAL = get_args(OnIllegal)


class CutShort(Exception):
    """Raised by an agent whose person has left: the episode stays unfinished, and what was played of it is kept."""


class Forfeit(Exception):
    """An agent has lost by answers that were no moves: the first, one that came late, or STRIKES in a row where it was
    asked again."""


class DrawAgreed(Exception):
    """Raised by an agent when the two who play have agreed on a draw: the episode is over, and nobody has won."""


class TakeBack(Exception):
    """Raised by an agent whose person takes moves back: the episode goes on from `state`, as it was after `step` steps.

    Nothing may have been drawn since then, so that the record replays."""

    def __init__(self, step: int, state: Any) -> None:
        super().__init__(step)
        self.step, self.state = step, state


@dataclass
class TurnOutcome:
    """What became of one turn: the move for the rules and how the record writes it, or why there is none."""

    move: Any = None
    action: Any = None
    lost: Exception | None = None
    replies: list[dict[str, Any]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    latencies: list[list[Any]] = field(default_factory=list)  # of all answers, where there is a clock
    refusals: int = 0
    again: int = 0  # answers that were not read and asked again, which costs nothing
    late: int = 0
    drawn: bool = False  # the move is not the agent's: none of its answers was legal
    unread: int = 0  # refused words that a game of talk played all the same, as its rules say

    def take_back_last(self) -> None:
        """Forget that the last answer was asked again."""
        self.again -= 1
        del self.replies[-1:], self.seconds[-1:], self.latencies[-1:]


def take_answer(
    live: LiveGame, agent: Agent, turn: Turn, policy: OnIllegal, step: int, clocks: SeatClocks, strikes: int = STRIKES
) -> TurnOutcome:
    """The agent's answer in this turn, asked again as often as the match allows and its time lasts.

    An answer in words that was not read is asked again, and is no strike; not where the first refusal loses.
    """
    answer = TurnOutcome()
    strike, asks_left = 0, live.asks_again if policy != "lose" and agent.may_be_asked_again else 0
    last_said: tuple[Any, Any, float] | None = None  # what was not read, while it is asked again
    while strike < (1 if policy == "lose" else strikes):
        try:
            said, move, seconds = _asked(live, agent, turn, clocks)
        except RunStopped:
            raise
        except (Exception, SystemExit) as error:
            if last_said is None or not (isinstance(error, Unavailable) and is_offline()):
                answer.lost = error if isinstance(error, Exception) else MmgamesError(f"called sys.exit({error}).")
                return answer
            said, move, seconds = last_said  # a recorded run that did not ask again is taken as it was
            answer.take_back_last()
        flaw = live.flaw(turn.seat, said, move)
        why = flaw if asks_left and flaw is not None and flaw.kind in ASKED_AGAIN else None
        turn.asked_again = why is not None
        counts = why is not None or (flaw is not None and flaw.kind != "nothing said")  # silence is a message
        _note(answer, said, flaw if counts else move, seconds, (step, turn, clocks))
        if why is not None:
            asks_left, last_said, turn.refused = asks_left - 1, (said, move, seconds), why
            answer.again += 1
            continue
        strike, last_said = strike + 1, None
        if not isinstance(move, Illegal):
            answer.move, answer.action = move, as_recorded(live.game, said, move)
            answer.unread = int(counts)
            answer.refusals += answer.unread
            answer.replies[-1:] = [{**reply, "unread": True} if counts else reply for reply in answer.replies[-1:]]
            break
        answer.refusals += 1
        last = strike == strikes or move.kind == "too late"
        answer.late += move.kind == "too late"
        if policy == "fail":
            answer.lost = MmgamesError(f"chose an illegal action: {move.reason}")
            break
        if policy in ("random", "silent") or (policy == "retry_random" and last):
            instead = "" if policy == "silent" else turn.sample()
            answer.move = live.check(turn.seat, instead)
            answer.action = as_recorded(live.game, instead, answer.move)
            answer.drawn = True
            break
        if last:
            answer.lost = Forfeit()
            break
        turn.refused = move
    else:
        answer.lost = Forfeit()
    clocks.end_turn(turn.seat)
    return answer


def _asked(live: LiveGame, agent: Agent, turn: Turn, clocks: SeatClocks) -> tuple[Any, Any, float]:
    """What an agent says, the move that it is or why it is none, and how long it took; nobody is asked without time."""
    if (none := clocks.none_left(turn.seat)) is not None:
        return None, none, 0.0
    turn.seconds_left = None if clocks.clock is None else clocks.left[turn.seat]
    with no_exit:
        said, seconds = clocks.ask(turn.seat, lambda: agent.retry_policy.call(lambda: agent.act(turn)))
    late = clocks.late(turn.seat, seconds, said.raw if isinstance(said, Illegal) else said)
    return said, late or live.move_of(turn.seat, said), seconds


def _note(answer: TurnOutcome, said: Any, move: Any, seconds: float, where: tuple[int, Turn, SeatClocks]) -> None:
    """Keep what was said, where it was words, and how long it took."""
    step, turn, clocks = where
    if clocks.clock is not None:
        answer.latencies.append([step, turn.seat, seconds])
    refused = isinstance(move, Illegal)
    if isinstance(said, (str, Illegal)) or (refused and move.kind == "too late" and said is not None):
        text = said if isinstance(said, str) else said.raw if isinstance(said, Illegal) else repr(said)
        reply = {"step": step, "seat": turn.role, "reply": kept_reply(str(text))}
        again = {"again": True} if turn.asked_again else {}
        answer.replies.append({**reply, **move.as_record(), **again} if refused else reply)
        answer.seconds.append(round(seconds, 4))


def as_recorded(game: Game[Any, Any], said: Any, move: Any) -> Any:
    """An action as JSON holds it, such that `LiveGame.check` makes the same move of it again."""
    kind = game.spec.actions
    return str(said) if kind == "text" else int(move) if kind == "discrete" else np.asarray(move).tolist()
