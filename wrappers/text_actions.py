"""Text in, action out: answer an environment in words, whichever face it has."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

import gymnasium
import pettingzoo
from gymnasium import spaces
from pettingzoo.utils.wrappers import BaseParallelWrapper, BaseWrapper

from mmgames.core.constants import MAX_MESSAGE
from mmgames.core.game import Seat
from mmgames.core.spaces import AnyText
from mmgames.envs.all_seats import AllSeatsEnv
from mmgames.envs.base import GameEnv
from mmgames.envs.solo import SoloEnv
from mmgames.errors import MmgamesError, unknown
from mmgames.text.refusals import ASKED_AGAIN, Illegal
from mmgames.text.replies import Reading, check_reading

OnIllegal = Literal["penalty", "retry", "random"]


class _Taken(NamedTuple):
    """What becomes of a reply: the action for the environment, what infos tell of it, whether to ask again instead."""

    action: Any
    told: dict[str, Any]
    again: bool = False


class _Replies:
    """Reads the replies of all seats of an environment, and counts those that are no move."""

    def __init__(self, face: GameEnv, on_illegal: str, retries: int, reading: Reading) -> None:
        if on_illegal not in get_args(OnIllegal):
            raise unknown("on_illegal", on_illegal, "TextActions", get_args(OnIllegal))
        if not isinstance(retries, int) or retries < 0:
            raise MmgamesError(f"TextActions: retries={retries!r} is out of range; it must be 0 or more.")
        if check_reading(reading, "TextActions") not in ("paragraph", face.live.reading):
            raise MmgamesError(
                f"TextActions: make the environment with reading={reading!r}, which asks in its form too."
            )
        self.face, self.on_illegal, self.retries = face, on_illegal, retries
        self.forget()

    def forget(self) -> None:
        self.illegal: dict[Seat, int] = {}
        self.retried: dict[Seat, int] = {}
        self.again: dict[Seat, bool] = {}  # who was asked again in this turn

    def take(self, seat: Seat, reply: Any) -> _Taken:
        check_text(reply)
        live = self.face.live
        action = self._read(seat, reply)
        told: dict[str, Any] = {"reply": reply}
        why = live.flaw(seat, reply, action)
        may_ask = self.on_illegal != "penalty" and not self.again.get(seat) and live.reader is None
        if why is not None and why.kind in ASKED_AGAIN and may_ask:
            self.again[seat] = True
            form = f"{why.reason} {live.loaded.words.asked_form(live.view(seat))}"
            return _Taken(None, {**told, **self.counted(seat), "again": form}, again=True)
        if isinstance(action, Illegal):
            told.update(action.as_info())
            self.illegal[seat] = self.illegal.get(seat, 0) + 1
            retried = self.retried.get(seat, 0)
            if self.on_illegal == "retry" and retried < self.retries:
                self.retried[seat] = retried + 1
                told["retries_left"] = self.retries - retried - 1
                return _Taken(None, {**told, **self.counted(seat)}, again=True)
            if self.on_illegal == "random":
                assert live.rng is not None
                action = live.sample(seat, live.rng)
                told["random_move"] = self._name(seat, action)
        elif why is not None and why.kind != "nothing said":  # a game of talk plays on, and silence is a message
            self.illegal[seat] = self.illegal.get(seat, 0) + 1
        self.retried[seat], self.again[seat] = 0, False
        return _Taken(action, {**told, **self.counted(seat)})

    def counted(self, seat: Seat) -> dict[str, int]:
        return {"illegal_replies": self.illegal.get(seat, 0)}

    def _read(self, seat: Seat, reply: str) -> Any | Illegal:
        """The action for the environment's step()."""
        live = self.face.live
        move = live.read(seat, reply)
        talks = live.game.spec.actions == "text"  # there the message itself is the action
        return reply if talks and not isinstance(move, Illegal) else move

    def _name(self, seat: Seat, action: Any) -> Any:
        """What an action is called; texts and numbers stand for themselves."""
        live = self.face.live
        if live.game.spec.actions == "discrete":
            return live.loaded.words.names(live.view(seat))[action]
        return action


def check_text(reply: Any) -> None:
    if not isinstance(reply, str):
        raise MmgamesError(f"TextActions: step() takes the reply as text, not {type(reply).__name__}.")


class TextActions(gymnasium.Wrapper, gymnasium.utils.RecordConstructorArgs):
    """`step(reply)` takes raw text and plays the legal move that it names; see `mmgames.text.replies`.

    Given an AEC or a parallel environment it makes an `AecTextActions` or a `ParallelTextActions` of it.

    A reply that names no legal move follows `on_illegal`:

    - "penalty": the environment's own treatment of illegal actions (reward -1 and the end, or an error);
    - "retry": the same observation again, reward 0, up to `retries` times in a row, then the penalty;
    - "random": a random legal move, drawn from the environment's generator.

    Except with "penalty", a reply that was not read at all (not in the asked form, not clear, nothing said) is asked
    again once in a turn, before any of this: the same observation, reward 0, and `again` in the info, a line that says
    why and shows the form. It counts as no illegal reply.

    Every info has `reply` (the raw text) and `illegal_replies` (how many there were in this episode); after an
    illegal one also `illegal` (the reason), `illegal_kind` (one of `KINDS`) and, with "retry", `retries_left`, with
    "random", `random_move` (the name of what was played instead). Text games take the message as it is.
    """

    def __new__(cls, env: Any = None, *args: Any, **kwargs: Any) -> Any:
        if isinstance(env, pettingzoo.AECEnv):
            return AecTextActions(env, *args, **kwargs)
        if isinstance(env, pettingzoo.ParallelEnv):
            return ParallelTextActions(env, *args, **kwargs)
        return super().__new__(cls)

    def __init__(
        self, env: gymnasium.Env, on_illegal: OnIllegal = "penalty", retries: int = 2, reading: Reading = "paragraph"
    ) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self, on_illegal=on_illegal, retries=retries, reading=reading)
        super().__init__(env)
        face = env.unwrapped
        if not isinstance(face, SoloEnv):
            raise MmgamesError(f"TextActions needs an mmgames environment, not {face}.")
        self.action_space = AnyText(MAX_MESSAGE)
        self._face = face
        self._replies = _Replies(face, on_illegal, retries, reading)
        self._observation: Any = None
        self._over = True

    def reset(self, **kwargs: Any) -> tuple[Any, dict]:
        self._observation, info = self.env.reset(**kwargs)
        self._replies.forget()
        self._over = False
        return self._observation, {**info, "illegal_replies": 0}

    def step(self, reply: str) -> tuple[Any, float, bool, bool, dict]:
        check_text(reply)
        face = self._face
        # Where there is no turn to answer, the environment says what is the matter.
        asked = not self._over and face._goes_on()
        taken = self._replies.take(face.seat, reply) if asked else _Taken(reply, {"reply": reply})
        if taken.again:
            return self._observation, 0.0, False, False, {**face._info(face.seat), **taken.told}
        self._observation, reward, terminated, truncated, info = self.env.step(taken.action)
        self._over = terminated or truncated
        return self._observation, float(reward), terminated, truncated, {**info, **taken.told}


class _AllSeatsText:
    """What the two PettingZoo faces share."""

    env: Any

    def __init__(
        self, env: Any, on_illegal: OnIllegal = "penalty", retries: int = 2, reading: Reading = "paragraph"
    ) -> None:
        super().__init__(env)  # type: ignore[call-arg]  # of the wrapper that it is mixed into
        self._face: Any = env.unwrapped
        if not isinstance(self._face, AllSeatsEnv):
            raise MmgamesError(f"TextActions needs an mmgames environment, not {self._face}.")
        self._replies = _Replies(self._face, on_illegal, retries, reading)

    def action_space(self, agent: str) -> spaces.Space:
        self.env.action_space(agent)  # a seat that is not there is said so
        return AnyText(MAX_MESSAGE)


class AecTextActions(_AllSeatsText, BaseWrapper):
    """`TextActions` for an AEC environment: `step(reply)` answers for the seat that is to move.

    What infos tell of a reply stands in `infos` of the seat that gave it. With "retry" the same seat stays selected.
    """

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        super().reset(seed=seed, options=options)
        self._replies.forget()
        for role in self._face.infos:
            self._face.infos[role] = {**self._face.infos[role], "illegal_replies": 0}

    def step(self, action: Any) -> None:
        face = self._face
        role = face.agent_selection if face.agents else None
        if role is None or face.terminations[role] or face.truncations[role]:
            super().step(action)
            return
        seat = face.possible_agents.index(role)
        taken = self._replies.take(seat, action)
        if taken.again:
            face._cumulative_rewards[role] = 0.0  # last() has told it already
        else:
            super().step(taken.action)
        for number, other in enumerate(face.possible_agents):
            if other in face.infos:
                told = taken.told if other == role else self._replies.counted(number)
                face.infos[other] = {**face.infos[other], **told}


class ParallelTextActions(_AllSeatsText, BaseParallelWrapper):
    """`TextActions` for a parallel environment: `step({role: reply})` takes a reply of every seat that moves.

    With "retry" nobody moves until all replies can be read: those that could are held, and only the seats whose infos
    have `retries_left` need to be asked again.
    """

    _held: Mapping[str, str] = MappingProxyType({})

    def reset(self, seed: int | None = None, options: dict | None = None) -> tuple[dict, dict]:
        observations, infos = super().reset(seed=seed, options=options)
        self._replies.forget()
        self._held = {}
        return observations, {role: {**info, "illegal_replies": 0} for role, info in infos.items()}

    def step(self, actions: Mapping[str, Any]) -> tuple[dict, dict, dict, dict, dict]:
        face, roles = self._face, self._face.possible_agents
        given = {**self._held, **actions}
        movers = [seat for seat in (face.live.movers if face.agents else ()) if roles[seat] in given]
        taken = {roles[seat]: self._replies.take(seat, given[roles[seat]]) for seat in movers}
        told = {role: self._replies.counted(seat) for seat, role in enumerate(roles)}
        told |= {role: one.told for role, one in taken.items()}
        if any(one.again for one in taken.values()):
            self._held = {role: given[role] for role, one in taken.items() if not one.again}
            infos = {role: {**info, **told[role]} for role, info in face._infos().items()}
            nothing = dict.fromkeys(roles, False)
            return face._observations(), dict.fromkeys(roles, 0.0), nothing, dict(nothing), infos
        self._held = {}
        moves = {**given, **{role: one.action for role, one in taken.items()}}
        observations, rewards, terminations, truncations, infos = super().step(moves)
        infos = {role: {**info, **told[role]} for role, info in infos.items()}
        return observations, rewards, terminations, truncations, infos
