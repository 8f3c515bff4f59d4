"""The talk between a solver, who sees a device and can act on it, and an expert, who has its manual.

A turn is a message of the solver and then one of the expert. The actions in a solver message run in order until
one is a mistake. What came of them goes to the solver alone; the expert hears speech.
"""

import os
import zlib
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.core.game import Game, Seat
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError
from mmgames.puzzles._conversation import SEATS, SEATS_OF_THREE, starts
from mmgames.readers import comma
from mmgames.text.speech import Message

SOLVER, EXPERT = 0, 1
_TRIES = 100


class Outcome(NamedTuple):
    """What an action did: the device after it, whether it was a mistake, and a key for the words module."""

    device: Any
    mistake: bool = False
    note: str = ""


class ActionResult(NamedTuple):
    action: str
    mistake: bool
    note: str
    repeated: bool = False  # a mistake that had been made before, and nothing has changed since


class Spoken(NamedTuple):
    """One message and what its actions did, as far as they ran."""

    seat: Seat
    message: Message
    results: tuple[ActionResult, ...] = ()


class ConversationState(NamedTuple):
    device: Any
    dialogue: tuple[Spoken, ...] = ()
    mistakes: int = 0
    best: float = 0.0  # the highest partial score so far
    wrong: frozenset[str] = frozenset()  # the actions that were mistakes in the situation as it is


class KnownMessage(NamedTuple):
    """One message as somebody knows it. `words` is None where they are forgotten."""

    seat: Seat
    turn: int
    words: str | None
    results: tuple[ActionResult, ...] = ()
    skipped: tuple[str, ...] = ()  # actions after the one that ended the run
    lost: int = 0


class ConversationView(NamedTuple):
    """What a seat may know (`seat` is None for a spectator, who may know all).

    The expert has no device, no mistakes and no verdict (None); the solver has no manual.
    """

    seat: Seat | None
    device: Any
    manual: Any
    dialogue: tuple[KnownMessage, ...]
    names: tuple[str, ...]  # the actions open to this seat now
    mover: Seat | None
    turn: int
    turns: int
    mistakes: int | None
    mistake_limit: int
    solved: bool | None
    released: bool
    experts: int = 1

    @property
    def is_expert(self) -> bool:
        return self.seat is not None and self.seat != SOLVER

    @property
    def roles(self) -> tuple[str, ...]:
        return SEATS if self.experts == 1 else SEATS_OF_THREE

    @property
    def heard(self) -> tuple[str, ...]:
        """What the other seat has said, oldest first, as far as it is remembered."""
        return tuple(said.words for said in self.dialogue if said.seat != self.seat and said.words is not None)


class ConversationGame(Game[ConversationState, ConversationView]):
    """A puzzle for two. Subclasses bring the device: a hashable value, and what can be done with it.

    They say how one is made (`new_device`), its action names (`names`), what an action does (`do`) and when the
    device is `solved`; if there is more to tell, also the `partial` score, what the solver may see of the device
    (`shown`), what of it decides which actions are right (`situation`), what of the manual depends on it (`manual`),
    how to `redraw` what a seat cannot know, and which facts the solver should keep to itself (`private`).
    """

    action_names: ClassVar[tuple[str, ...]] = ()
    """The actions of every device; a puzzle whose devices differ overrides `names`."""
    released_order: ClassVar[tuple[str, ...]] = ()
    """The same in the order in which the released engine looks for them in a line, where that is another."""
    start_fields: ClassVar[Mapping[str, type]] = {}
    """The fields of a device that a file of instances tells, and their kinds in JSON."""
    keeps_best: ClassVar[bool] = False
    """Whether the score is the best so far. If not, and always with the released rules, it is the latest."""

    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.released = self.options["rules"] == "released"
        self.turns = int(self.options["turns"]) + self.released
        self.mistake_limit = int(self.options["mistakes"])
        self.experts = int(self.options.get("experts", 1))
        self._round = 1 + self.experts  # messages in a turn
        # The extra message of the released rules gets no answer.
        self._messages = self._round * self.turns - self.released * self.experts
        if self.experts > 1:
            self.settle(seats=SEATS_OF_THREE, length=self._messages)
        given = self.options["instances"]
        self._loaded = self._load(given)
        self.starts = len(self._loaded) or (0 if isinstance(given, (str, os.PathLike)) else int(given))

    def new_device(self, rng: np.random.Generator) -> Any:
        raise NotImplementedError

    def names(self, device: Any) -> tuple[str, ...]:
        """Every action this device knows, the same for a whole episode: one message may act across stages."""
        return self.action_names

    def do(self, device: Any, name: str, rng: np.random.Generator) -> Outcome:
        raise NotImplementedError

    def solved(self, device: Any) -> bool:
        raise NotImplementedError

    def partial(self, device: Any) -> float:
        """How far the device is, 0 to 1."""
        return float(self.solved(device))

    def shown(self, device: Any) -> Any:
        """The part of the device that the solver sees."""
        return device

    def manual(self, device: Any) -> Any:
        """What only the expert's manual tells and the words and picture modules cannot know, such as a floor plan."""
        return None

    def part(self, manual: Any, expert: int) -> Any:
        """What one of two experts, 0 or 1, has of the manual."""
        raise NotImplementedError

    def redraw(self, device: Any, seat: Seat, rng: np.random.Generator) -> Any:
        """For the solver: the same device, with what `shown` leaves out drawn anew. For the expert: an untouched
        device that has the same `manual`."""
        return device if seat == SOLVER else self._draw(rng)

    def situation(self, device: Any) -> Any:
        """What of a device decides which actions are right now. A mistake that changes it was a setback; one that does
        not can be made again."""
        return self.shown(device)

    def private(self, device: Any) -> Mapping[str, str]:
        """Facts the solver sees and should not say, by name. Measures of privacy look for them in its speech."""
        return {}

    def device_from(self, start: Mapping[str, Any]) -> Any:
        """An untouched device as a file of instances describes it; a ValueError says what is wrong with it."""
        raise NotImplementedError

    def released_start(self, facts: Mapping[str, Any]) -> Mapping[str, Any]:
        """What `device_from` reads, from the fields that COMMA's released configurations have for this puzzle."""
        raise NotImplementedError

    def facts_of(self, device: Any) -> dict[str, Any]:
        """An untouched device as `device_from` reads it, in values that JSON has."""
        told = {name: getattr(device, name) for name in self.start_fields}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()}

    def start_facts(self, state: ConversationState) -> dict[str, Any]:
        """How a file of instances describes the start of an episode (see `starts`)."""
        return self.facts_of(state.device)

    def start(self, rng: np.random.Generator) -> ConversationState:
        return ConversationState(self._draw(rng))

    def instance(self, number: int) -> ConversationState:
        """The start that has this number, the same for everybody. `instances=n` draws from the first n."""
        return ConversationState(self._numbered(number))

    def dealt(self, rng: np.random.Generator) -> int | None:
        return int(rng.integers(self.starts)) if self.starts else None

    def _draw(self, rng: np.random.Generator) -> Any:
        number = self.dealt(rng)
        return self.new_device(rng) if number is None else self._numbered(number)

    def _numbered(self, number: int) -> Any:
        if self._loaded:
            return self._loaded[number]
        return self.new_device(np.random.default_rng([zlib.crc32(self.spec.name.encode()), number]))

    def _load(self, given: Any) -> tuple[Any, ...]:
        """The devices of a file of instances; none if a number was given."""
        if isinstance(given, (int, np.integer)) and not isinstance(given, bool) and given >= 0:
            return ()
        if not isinstance(given, (str, os.PathLike)):
            raise MmgamesError(f"{self.spec.id}: instances={given!r} is neither a number from 0 up nor a file's path.")
        devices = []
        for number, facts, released in starts.load(given, self.spec.name, self.spec.id):
            try:
                devices.append(self.device_from(self.released_start(facts) if released else facts))
            except (ValueError, KeyError, TypeError) as error:
                why: Any = f"it has no {error}" if isinstance(error, KeyError) else error
                which = number if released else number + 1
                raise MmgamesError(f"{self.spec.id}: instance {which} of {os.fspath(given)!r}: {why}.") from error
        return tuple(devices)

    def movers(self, state: ConversationState) -> tuple[Seat, ...]:
        if len(state.dialogue) >= self._messages or state.mistakes >= self.mistake_limit or self.solved(state.device):
            return ()
        return (len(state.dialogue) % self._round,)

    def legal(self, state: ConversationState, seat: Seat) -> tuple[str, ...]:
        return self.names(state.device) if seat == SOLVER and self.movers(state) == (SOLVER,) else ()

    def sample(self, state: ConversationState, seat: Seat, rng: np.random.Generator) -> str:
        """A single action by its name; a seat that can only speak stays silent."""
        return super().sample(state, seat, rng) if self.legal(state, seat) else ""

    def play(
        self, state: ConversationState, actions: Mapping[Seat, Message], rng: np.random.Generator
    ) -> ConversationState:
        seat = len(state.dialogue) % self._round
        message = actions[seat]
        device, dialogue, mistakes, best, wrong = state
        results: list[ActionResult] = []
        for name in message.actions if seat == SOLVER else ():
            before = self.situation(device)
            device, mistake, note = self.do(device, name, rng)
            results.append(ActionResult(name, mistake, note, mistake and name in wrong))
            mistakes += mistake
            best = max(best, self.partial(device))
            if self.situation(device) != before:
                wrong = frozenset()
            elif mistake:
                wrong |= {name}
            if self.solved(device) or (mistakes >= self.mistake_limit if self.released else mistake):
                break
        return ConversationState(device, (*dialogue, Spoken(seat, message, tuple(results))), mistakes, best, wrong)

    def succeeded(self, state: ConversationState) -> bool:
        """Whether the puzzle is solved in time: the released engine takes no success with its last, extra message."""
        in_time = not self.released or len(state.dialogue) < self._messages
        return in_time and self.solved(state.device)

    def score(self, state: ConversationState) -> float:
        if self.succeeded(state):
            return 1.0
        if self.released and len(state.dialogue) >= self._messages and state.mistakes < self.mistake_limit:
            return 0.0
        return state.best if self.keeps_best and not self.released else float(self.partial(state.device))

    def returns(self, state: ConversationState) -> tuple[float, ...]:
        return (self.score(state),) * self._round

    def events(self, state: ConversationState) -> Mapping[str, int]:
        over, solved = not self.movers(state), self.succeeded(state)
        return {
            "turns": -(-len(state.dialogue) // self._round),
            "messages": len(state.dialogue),
            "actions": sum(len(entry.results) for entry in state.dialogue),
            "mistakes": state.mistakes,
            "solved": int(solved),
            "out of mistakes": int(over and not solved and state.mistakes >= self.mistake_limit),
            "out of turns": int(over and not solved and state.mistakes < self.mistake_limit),
        }

    def record(self, state: ConversationState) -> Mapping[str, Any]:
        """The whole talk, and what a measure of it needs to know."""
        return {
            "transcript": [
                {
                    "seat": self.seats[entry.seat],
                    "speech": entry.message.speech,
                    "actions": list(entry.message.actions),
                    "results": [
                        {"action": done.action, "mistake": bool(done.mistake), "repeated": bool(done.repeated)}
                        for done in entry.results
                    ],
                }
                for entry in state.dialogue
            ],
            "action_names": list(self.names(state.device)),
            "private": dict(self.private(state.device)),
        }

    def view(self, state: ConversationState, seat: Seat | None) -> ConversationView:
        movers = self.movers(state)
        expert = seat is not None and seat != SOLVER
        manual = None if seat == SOLVER else self.manual(state.device)
        if seat and self.experts > 1:
            manual = self.part(manual, seat - EXPERT)
        return ConversationView(
            seat=seat,
            device=None if expert else self.shown(state.device) if seat == SOLVER else state.device,
            manual=manual,
            dialogue=self._known(state.dialogue, seat),
            names=self._listed(state.device) if seat == SOLVER and movers == (SOLVER,) else (),
            mover=movers[0] if movers else None,
            turn=-(-len(state.dialogue) // self._round) + (movers == (SOLVER,)),
            turns=self.turns,
            mistakes=None if expert else state.mistakes,
            mistake_limit=self.mistake_limit,
            solved=None if expert else self.succeeded(state),
            released=self.released,
            experts=self.experts,
        )

    def _listed(self, device: Any) -> tuple[str, ...]:
        """The actions in the order in which the solver is told of them."""
        return (self.released and self.released_order) or self.names(device)

    def _known(self, dialogue: tuple[Spoken, ...], seat: Seat | None) -> tuple[KnownMessage, ...]:
        forgetful = seat is not None and self.options["memory"] == "last"
        known = []
        for number in range(max(0, len(dialogue) - self._round) if forgetful else 0, len(dialogue)):
            speaker, message, results = dialogue[number]
            turn = number // self._round + 1
            if seat is not None and speaker != seat:
                heard = message.raw if self.released and speaker == SOLVER else message.speech
                known.append(KnownMessage(speaker, turn, heard))
            else:
                skipped = message.actions[len(results) :]
                spoken = None if forgetful else message.speech
                known.append(KnownMessage(speaker, turn, spoken, results, skipped, message.lost))
        return tuple(known)

    def imagine(self, state: ConversationState, seat: Seat, rng: np.random.Generator) -> ConversationState:
        """The same talk about a device that the seat cannot tell from the real one.

        For the expert that is another device, and another past of it: only what was heard of the solver's
        messages stays. A finished episode stays finished, by mistakes if nothing heard explains its end.
        """
        if seat == SOLVER:
            return state._replace(device=self.redraw(state.device, SOLVER, rng))
        over = not self.movers(state)
        for _ in range(_TRIES):
            imagined = self._relive(state, rng)
            if imagined is None:
                continue
            if over and self.movers(imagined):
                imagined = imagined._replace(mistakes=self.mistake_limit)
            return imagined
        return state

    def _relive(self, state: ConversationState, rng: np.random.Generator) -> ConversationState | None:
        """What was heard, played on another device; None if it would have ended before its time."""
        again = ConversationState(self.redraw(state.device, EXPERT, rng))
        for seat, message, _ in state.dialogue:
            if not self.movers(again):
                return None
            before = again
            if seat == SOLVER:
                last = len(again.dialogue) == self._messages - 1
                message = self._another_message(message, self._listed(again.device), last, rng)
            again = self.play(before, {seat: message}, rng)
            if not self.movers(again) and not self.released:
                again = self.play(before, {seat: message._replace(actions=(), raw=message.speech)}, rng)
        return None if self.movers(state) and not self.movers(again) else again

    def _another_message(
        self, message: Message, names: tuple[str, ...], last: bool, rng: np.random.Generator
    ) -> Message:
        """A message that sounds the same to the expert. It knows the action lines only with the released rules."""
        if self.released:
            return message._replace(actions=comma.read_actions(message.raw, names, last))
        actions = (names[rng.integers(len(names))],) if rng.random() < 0.5 else ()
        return message._replace(actions=actions, raw="\n".join((message.speech, *actions)).strip())
