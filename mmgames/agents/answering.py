"""Whoever answers observations in words can play: the one bridge from `answer(observation)` to `act(turn)`.

The picture and the prompt go in, the reply is read as a move. Tasks ask with `answer` directly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mmgames.agents.base import Agent, AgentLike, CallJournal, as_agent, forwarded
from mmgames.agents.identity import agent_name, description, fresh_agent
from mmgames.agents.prompt_template import Scene
from mmgames.core.game import Game, Seat
from mmgames.core.prompt import section
from mmgames.text.refusals import Illegal

if TYPE_CHECKING:
    from mmgames.core.turn import Turn

SEEN = {"observe": ("rgb", "text"), "size": 512, "frames": None, "reasoning": "direct", "legal_in_text": True}
"""How a game is shown to whoever answers, unless it or a suite says otherwise."""


def described_style(said: Any) -> dict[str, Any]:
    """How an agent was shown a game, by what it says of itself; what it does not say is as usual."""
    own = said if isinstance(said, Mapping) else {}
    style = {name: own.get(name, value) for name, value in SEEN.items()}
    seen = style["observe"]
    return {**style, "observe": tuple(seen.split("+") if isinstance(seen, str) else seen)}


class Answering(Agent):
    """An agent that plays by what `agent.answer(observation)` replies.

    `agent.style` and the keywords, which come first, say how games are shown to it: `observe`, `size`, `frames`,
    `reasoning`, `legal_in_text`. When a reply was no move, the next prompt says why. All else that an agent may offer
    (see `Agent`) is the answering agent's own.
    """

    retry_policy = forwarded("agent", "retry_policy")
    illegal_replies = forwarded("agent", "illegal_replies")
    draw_rule = forwarded("agent", "draw_rule")
    may_be_asked_again = forwarded("agent", "may_be_asked_again")

    def __init__(self, agent: AgentLike, **style: Any) -> None:
        self.agent = as_agent(agent)
        self._chosen = style
        self.style = {**SEEN, **self.agent.style, **style}
        other = (f" {name}={value}" for name, value in style.items() if value != SEEN[name])
        self.name = agent_name(self.agent) + "".join(other)  # games seen otherwise are other results
        self.concurrent = bool(self.agent.concurrent)
        self._journal: CallJournal | None = None
        self._scope, self._call, self._round = "", 0, 0

    def keep(self, journal: CallJournal | None, scope: str) -> None:
        """From now on calls go through this journal, as those of this scope."""
        self._journal, self._scope, self._call = journal, scope, 0

    def describe(self) -> Any:
        said = description(self.agent)
        return {**said, **self._chosen} if isinstance(said, dict) else said

    def fresh(self) -> Answering:
        return Answering(fresh_agent(self.agent), **self._chosen)

    def begin(self, game: Game[Any, Any], seat: Seat) -> None:
        self._round = 0
        self.agent.begin(game, seat)

    def end(self, view: Any) -> None:
        self.agent.end(view)

    def close(self) -> None:
        self.agent.close()

    def takes_draw(self, turn: Turn) -> bool:
        return self.agent.takes_draw(turn)

    def act(self, turn: Turn) -> Any:
        style = dict(self.style)
        observation = turn.observe(style.pop("observe"), **style)
        if turn.refused is not None and turn.tells_why:
            self.agent.refused(turn.refused)
            form = f" {turn.asked_form}" if turn.asked_again else ""
            said = section("Refused", f"Your last reply was no move: {turn.refused.reason}{form}")
            observation["text"] = f"{observation['text']}\n\n{said}" if "text" in observation else said
        self._round += turn.refused is None
        self.agent.placed(Scene(turn.game.spec.name, *turn.standing, turn.role, self._round))
        self.agent.draw_with(turn.rng)
        self.agent.read_with(turn.read)
        if self._journal is None:
            reply = self.agent.answer(observation)
        else:
            reply = self._journal.ask(self.agent, self._scope, self._call, observation)
            self._call += 1
        if isinstance(reply, str):
            return reply
        return Illegal("not in the asked form", f"a reply must be text, not {type(reply).__name__}.", repr(reply))


def shown_so(agent: Agent, style: Mapping[str, Any]) -> Agent:
    """An agent that is shown games in this style, if it only answers; what it was given before comes first."""
    if isinstance(agent, Answering):
        return Answering(agent.agent, **{**style, **agent._chosen})
    return Answering(agent, **style) if agent.only_answers else agent
