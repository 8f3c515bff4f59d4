"""What an agent is: the base class with all that an agent may do, and the adapter for objects that are none.

Whoever asks or tells an agent something has an `Agent` in hand: `as_agent` makes one of any object with `act(turn)` or
`answer(observation)`, in the one place where agents enter (`agents/finding.py`).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from mmgames.agents.retries import DEFAULT_RETRIES, RetryPolicy
from mmgames.core.constructor_options import kept_options
from mmgames.errors import MmgamesError

if TYPE_CHECKING:
    import numpy as np

    from mmgames.agents.prompt_template import Scene
    from mmgames.agents.token_replies import TokenPrompt, TokenReply
    from mmgames.core.game import Action, Game, Seat
    from mmgames.core.turn import Turn
    from mmgames.text.refusals import Illegal

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Acts(Protocol):
    """Any object that chooses an action, or names it in words."""

    def act(self, turn: Turn) -> Any: ...


class Answers(Protocol):
    """Any object that answers observations in words."""

    def answer(self, observation: dict[str, Any]) -> str: ...


AgentLike = Acts | Answers
"""What may be given where an agent is wanted: an `Agent`, or an object with one of these methods."""


class CallJournal(Protocol):
    """Keeps what an agent is asked and replies; `running/journal.py` has those that there are."""

    def ask(self, agent: Agent, scope: str, call: int, observation: dict[str, Any]) -> Any:
        """The agent's answer: the kept one, if it was given before and the agent can `recall` it, else its own."""

    def completion_tokens(self, scope: str) -> float | None:
        """What a scope's calls say that their answers took, thoughts included; None where one does not say it."""

    def clocked(self, scope: str, answer: int, seconds: float) -> float:
        """The seconds that count for an answer: those that are kept, or these, which are kept now."""


class BatchPlayer(Protocol):
    """Plays a seat of many episodes at once; what `Agent.batch_player` makes."""

    def act(self, seen: dict[str, np.ndarray], rows: np.ndarray, masks: np.ndarray, draws: np.ndarray) -> np.ndarray:
        """Actions for some episodes, from what the seat sees (a dict of arrays), the rows of the game, the legal
        actions, and a random number from [0, 1) for each episode."""

    def choose(self, which: np.ndarray) -> None:
        """Which episodes the next `act` is about; it may keep memory for each."""

    def forget(self, which: np.ndarray) -> None:
        """These episodes start anew."""


class RemembersEpisodes(Protocol):
    """A `BatchPlayer` that keeps something of every episode; one without this keeps nothing that must be saved."""

    def memory(self) -> dict[str, np.ndarray]:
        """What it keeps of the episodes under way: arrays that are copied to save it and written into to go on."""


def _written(method: str, about: str) -> Any:
    """A question of an agent: whether it has a method of its own."""
    return property(lambda agent: agent._writes(method), doc=about)


class Agent:
    """Chooses actions for a seat. Write `act(turn)`, or `answer(observation)`, or both; all else may stay as it is.

    An agent that only answers plays through `agents/answering.py`. What is told to an agent (`begin`, `end`, …) does
    nothing unless you write it. What it may offer (`batch_player`, `probabilities`, …) is asked for where one of the
    questions at the end (`can_play_batches`, `tells_probabilities`, …) says that it is written.
    """

    name: str | None = None
    """What results call it; None: the name of its class."""
    concurrent: bool = False
    """Where several seats move at once it may be asked in a thread, at the same time as the others."""
    style: Mapping[str, Any] = _NOTHING
    """How it wants games and questions shown, if it answers: observe, size, frames, reasoning, legal_in_text."""
    model: str = ""
    """The model behind its answers, by which a price is looked up."""
    last_call: Mapping[str, Any] = _NOTHING
    """What its last answer took, for the journal: model, tokens_in, tokens_out, finish, …"""
    retry_policy: RetryPolicy = DEFAULT_RETRIES
    """How often it is asked again while it raises `Unavailable`; `NO_RETRIES` if it asks its service again itself."""
    illegal_replies: int = 0
    """How many replies of this episode it threw away itself."""
    may_be_asked_again: bool = True
    """Whether it is asked once more, free of charge, when what it said in words was not read; people are told at once
    where they type."""
    requests_per_answer: int = 1
    """How many requests to its model one answer takes."""
    draw_rule: str = "declines every draw"
    """What it does when it is offered a draw, to be said after its name."""
    policy: ClassVar[Any]
    """Of a class that plays in batches: a kernel `policy(row, seat, noise) -> action`, or None for any legal action."""

    # What it is asked

    def act(self, turn: Turn) -> Any:
        """Its action in this turn, or words that name one."""
        raise NotImplementedError(f"{self.class_name} has no act(turn).")

    def answer(self, observation: dict[str, Any]) -> str:
        """Its reply to an observation: to a question of a task, or to a position as `style` shows it."""
        raise NotImplementedError(f"{self.class_name} has no answer(observation).")

    def choices(self, turn: Turn) -> Collection[Action]:
        """Asked right after act(turn): all actions that it might as well have chosen, being as good to it, in any
        order. Who predicts its move is right with any of them. Empty: only the one that it chose."""
        return ()

    def probabilities(self, turn: Turn) -> Mapping[Action, float]:
        """How likely each legal action is in this turn, exactly; without it an agent is asked often instead."""
        raise NotImplementedError(f"{self.class_name} does not tell its probabilities.")

    def takes_draw(self, turn: Turn) -> bool:
        """Whether it agrees to a draw that the other offers, who is to move; `draw_rule` says in words when it does."""
        return False

    def batch_player(self, env: Any, seat: Seat) -> BatchPlayer:
        """A player of a seat in all episodes of a batched environment."""
        raise NotImplementedError(f"{self.class_name} plays one episode at a time.")

    def messages(self, observation: dict[str, Any]) -> list[dict[str, Any]]:
        """What a model behind its answers would be shown now; what a run would take is estimated from it."""
        from mmgames.agents.chat_messages import chat_messages

        return chat_messages(observation)

    def complete_batch(self, prompts: Sequence[TokenPrompt]) -> list[TokenReply | Exception]:
        """What the model behind its answers writes after each of these prompts, of any seats and episodes, token by
        token; an exception in place of a reply is about that prompt alone."""
        raise NotImplementedError(f"{self.class_name} does not tell its tokens.")

    # What it is told

    def find_members(self, find: Callable[[str | AgentLike], Agent]) -> None:
        """It is about to get a seat: agents that it is made of, by name or as objects, are found with this."""

    def begin(self, game: Game[Any, Any], seat: Seat) -> None:
        """An episode is about to start."""

    def end(self, view: Any) -> None:
        """An episode that was begun is over, however it ended: played out, cut short, forfeited, failed or abandoned.
        The seat's last view; None when nothing was dealt."""

    def close(self) -> None:
        """The match or the environment is done with it; an episode may still follow, for which it opens again what it
        needs."""

    def refused(self, illegal: Illegal) -> None:
        """Its last answer was no move and it is about to be asked again."""

    def forget(self) -> None:
        """A question of a task comes next: nothing of the one before is to be remembered."""

    def draw_with(self, rng: np.random.Generator) -> None:
        """An answer is asked for next: what it draws at random itself, it draws from this alone."""

    def read_with(self, read: Callable[[str], Any]) -> None:
        """An answer is asked for next: what a reply would be read as, an `Illegal` if it is none. Who weighs several
        replies, and gives one of them, needs it."""

    def placed(self, scene: Scene) -> None:
        """An answer is asked for next: of which game, at which stage of it, in which role and seat, and which of its
        turns it is. Who is asked in other words elsewhere needs it."""

    def recall(self, observation: dict[str, Any], reply: str) -> None:
        """It gave this reply in a run that was killed: remember it as if it had just been given. An agent that answers
        and writes this goes on in the middle of an episode."""

    def keep(self, journal: CallJournal | None, scope: str) -> None:
        """From now on its calls go through this journal, as those of this scope."""

    # Who it is

    def describe(self) -> Any:
        """What sets it apart from others of its class, such as its model and temperature, as JSON holds it. With its
        name it tells whose results a file has. Unless you write it, the options that its class takes and it keeps."""
        return kept_options(self.given)

    def fresh(self) -> Agent:
        """Another agent like this one, which may share its client or weights but no memory: what a second seat gets
        when one object is given for several. Unless you write it, a deep copy."""
        try:
            return copy.deepcopy(self)
        except Exception as error:
            raise MmgamesError(
                f"The agent {self.class_name} has several seats and cannot be copied ({type(error).__name__}: "
                f"{error}); give it a method fresh() that makes another one, or give each seat an object of its own."
            ) from error

    @property
    def given(self) -> Any:
        """The object that was given as this agent: itself, unless it is an adapter."""
        return self

    @property
    def class_name(self) -> str:
        """What messages call it."""
        return type(self.given).__name__

    # What it can do

    can_play = _written("act", "Whether it chooses actions itself.")
    can_answer = _written("answer", "Whether it answers observations in words.")
    can_play_batches = _written("batch_player", "Whether it chooses for many episodes without a compiled policy.")
    tells_probabilities = _written("probabilities", "Whether it tells exactly how likely its actions are.")
    tells_tokens = _written("complete_batch", "Whether it writes many replies at once and tells their tokens.")
    keeps_calls = _written("keep", "Whether what it asks and is told belongs into a journal.")
    can_recall = _written("recall", "Whether replies of an earlier run can be given to it in place of calls.")
    hears_of_ends = _written("end", "Whether it wants to see the last view of an episode, which is made for it alone.")
    describes_itself = _written("describe", "Whether it says itself what sets it apart.")
    makes_fresh_ones = _written("fresh", "Whether it says itself how another one like it is made.")

    @property
    def only_answers(self) -> bool:
        """Whether it needs the bridge of `agents/answering.py` to play."""
        return self.can_answer and not self.can_play

    @property
    def has_policy(self) -> bool:
        """Whether its class says with `policy` how it plays in batches.

        What a subclass that chooses otherwise (its own `act`) has inherited does not count.
        """
        for kind in type(self.given).__mro__:
            if "policy" in vars(kind):
                return True
            if "act" in vars(kind):
                return False
        return False

    @property
    def compiled_policy(self) -> Any:
        """The `policy` of its class, of an agent that `has_policy`."""
        return type(self.given).policy

    def _writes(self, method: str) -> bool:
        """Whether a method is its own, and not the default of this class."""
        own = getattr(self, method)
        return callable(own) and getattr(own, "__func__", None) is not getattr(Agent, method)


def forwarded(to: str, name: str) -> Any:
    """An attribute of an agent that is the one of another object, or the default where that one has none."""
    return property(lambda agent: getattr(getattr(agent, to), name, getattr(Agent, name)))


def _told(method: str) -> Any:
    """A method of an adapter that tells the object, if that wants to know."""
    return lambda agent, *what: agent._forward(method, *what)


class AdaptedAgent(Agent):
    """Any object with `act` or `answer`, which is told and asked as much of what an agent may be as it has."""

    name, concurrent, style = (forwarded("given", name) for name in ("name", "concurrent", "style"))
    model, last_call, retry_policy = (forwarded("given", name) for name in ("model", "last_call", "retry_policy"))
    illegal_replies, draw_rule = (forwarded("given", name) for name in ("illegal_replies", "draw_rule"))
    may_be_asked_again = forwarded("given", "may_be_asked_again")
    requests_per_answer = forwarded("given", "requests_per_answer")
    find_members, begin, end, close = map(_told, ("find_members", "begin", "end", "close"))
    refused, forget, draw_with = map(_told, ("refused", "forget", "draw_with"))
    read_with, placed, recall, keep = map(_told, ("read_with", "placed", "recall", "keep"))

    def __init__(self, given: Any) -> None:
        self._given = given

    @property
    def given(self) -> Any:
        return self._given

    def act(self, turn: Turn) -> Any:
        return self.given.act(turn)

    def answer(self, observation: dict[str, Any]) -> str:
        reply: str = self.given.answer(observation)
        return reply

    def choices(self, turn: Turn) -> Collection[Action]:
        return self._forward("choices", turn) or ()

    def takes_draw(self, turn: Turn) -> bool:
        return bool(self._forward("takes_draw", turn))

    def messages(self, observation: dict[str, Any]) -> list[dict[str, Any]]:
        made: list[dict[str, Any]] | None = self._forward("messages", observation)
        return super().messages(observation) if made is None else made

    def probabilities(self, turn: Turn) -> Mapping[Action, float]:
        likely: Mapping[Action, float] = self.given.probabilities(turn)
        return likely

    def batch_player(self, env: Any, seat: Seat) -> BatchPlayer:
        player: BatchPlayer = self.given.batch_player(env, seat)
        return player

    def complete_batch(self, prompts: Sequence[TokenPrompt]) -> list[TokenReply | Exception]:
        replies: list[TokenReply | Exception] = self.given.complete_batch(prompts)
        return replies

    def describe(self) -> Any:
        return self.given.describe() if self.describes_itself else super().describe()

    def fresh(self) -> Agent:
        return as_agent(self.given.fresh()) if self.makes_fresh_ones else super().fresh()

    def _forward(self, method: str, *what: Any) -> Any:
        return getattr(self.given, method)(*what) if self._writes(method) else None

    def _writes(self, method: str) -> bool:
        return callable(getattr(self.given, method, None))


def as_agent(given: Any) -> Agent:
    """An object as an agent: itself if it is one, otherwise in an adapter."""
    return given if isinstance(given, Agent) else AdaptedAgent(given)
