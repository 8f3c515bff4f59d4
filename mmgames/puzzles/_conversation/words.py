"""The words that all solver and expert puzzles share; a puzzle adds its task, its manual and its device.

What a seat says is quoted, each line behind "> ", so that nobody can speak in the environment's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mmgames.core.prompt import Reasoning
from mmgames.puzzles._conversation import SEATS
from mmgames.puzzles._conversation.rules import EXPERT, SOLVER, ConversationView, KnownMessage
from mmgames.readers import comma
from mmgames.text import speech
from mmgames.text.facts import Count, Fact
from mmgames.text.reasoning import strip_reasoning
from mmgames.text.refusals import Illegal, RefusalKind
from mmgames.text.speech import LIMIT, Message

_TOGETHER = (
    "A solver and an expert work on a device together. The solver sees it and can act on it but has no manual; the "
    "expert has the manual but never sees the device. They talk in turns: in each the solver sends one message, then "
    "the expert sends one. {ends} Both win or lose together."
)
_ENDS = {
    False: "After {turns} turns, or at mistake number {mistakes}, it is over.",
    True: (
        "After {turns} messages of the solver, or at mistake number {mistakes}, it is over; the last message gets no "
        "answer and counts for nothing."
    ),
}
_HEARS = {
    False: "The expert hears only what is said: not the lines that act, not what came of them.",
    True: "The expert reads the solver's whole message, but is not told what came of the actions.",
}
_YOU = {
    SOLVER: "You are the solver. Tell the expert what it needs to know, follow its advice, and do not act on guesses.",
    EXPERT: (
        "You are the expert. You cannot act; you help by talking. Ask for what you need to know about the device, "
        "look it up in the manual and tell the solver clearly what to do."
    ),
    None: "You are watching.",
}
_THINK = {
    "direct": "Write only your message: whatever you write is heard{done}.",
    "cot": (
        "Think step by step first, between <think> and </think>; that part is for you alone. Whatever comes after "
        "</think> is your message: it is heard{done}."
    ),
}
_ACT = {
    False: (
        "Talk to the expert in plain words. To act, write the name of an action alone on a line. Such lines are "
        "carried out in order until one is a mistake. A line that holds anything more than one name, or ends in a "
        "question mark, is speech. You may talk, act, or do both."
    ),
    True: (
        "Talk to the expert in plain words. To act, write the name of an action. A line that holds one, also inside a "
        "sentence, carries it out; if it holds several, the one that is listed first. Lines are read in order, and a "
        "mistake does not stop the rest. You may talk, act, or do both."
    ),
}
_LAMPS = (
    "The large lamp at the top right is dark while you work on it, green once it is solved and red when it is over "
    "otherwise; of the small lights beside it one more turns bright red with every mistake."
)
_PAGE = "It is the page of the manual; a small picture shows only its cover. All of it is in the text above."
_TALK = "Talk to the solver in plain words. Nothing in your message acts on the device."
_MISTAKE, _DONE = "that was a mistake.", "done."


def device_facts(told: Callable[[Any], Sequence[Fact | Count]]) -> Callable[[ConversationView], Sequence[Fact | Count]]:
    """`facts` of a words module, from what can be said of the device; who does not see it has none."""
    return lambda view: () if view.device is None else told(view.device)


class PuzzleWords:
    """The words of a puzzle: its module has the methods as `functions`.

    task    what the solver should know about every such device; no facts about this one
    manual  the manual's text, for the expert and spectators
    device  the device in words
    shown   what the solver's picture shows
    written how the solver's actions are written, with examples
    page    what the expert's picture shows
    notes   what a result with a note says instead of "done" or "that was a mistake"
    """

    def __init__(
        self,
        task: str,
        manual: Callable[[Any], str],
        device: Callable[[Any], str],
        *,
        shown: str,
        written: str,
        page: str = _PAGE,
        notes: Mapping[str, str] | None = None,
    ) -> None:
        self._task = task
        self._manual = manual
        self._device = device
        self._shown, self._written, self._page = shown, written, page
        self._notes = dict(notes or {})

    def functions(self) -> tuple[Callable[..., Any], ...]:
        """What a words module holds, in alphabetical order."""
        return (
            *(self.answer_format, self.describe, self.ending, self.history, self.legend, self.names, self.notation),
            *(self.read, self.rules, self.status, self.talk, self.you),
        )

    def names(self, view: ConversationView) -> dict[str, str]:
        return {name: name for name in view.names}

    MOVE_TYPES = (Message,)

    def read(self, view: ConversationView, text: str) -> Message:
        message = speech.read(text, view.names, view.released)
        if not view.released:
            return message
        said, cut = strip_reasoning(text)
        whole = said[:LIMIT].rpartition("\n")[0] if cut or message.lost else said  # a name may be cut through
        return message._replace(actions=comma.read_actions(whole, view.names, view.turn == view.turns))

    def unclear(self, view: ConversationView, text: str) -> Illegal | None:
        """An empty message, or an action that there is not; the released engine knows neither."""
        if view.released:
            return None
        if not speech.read(text).raw:
            return Illegal("nothing said", "the message is empty.", text)
        if unread := speech.unread(text, view.names):
            sentence = len(unread.split()) > 3  # more than a label and a name: something else was meant
            kind: RefusalKind = "not in the asked form" if sentence else "not possible here"
            return Illegal(kind, f"{unread[:80]!r} is no action here.", text)
        return None

    def rules(self, view: ConversationView) -> str:
        ends = _ENDS[view.released].format(turns=view.turns, mistakes=view.mistake_limit)
        parts = [f"{_TOGETHER.format(ends=ends)} {_HEARS[view.released]}"]
        if view.seat != EXPERT:
            parts.append(self._task)
        if view.seat != SOLVER:
            parts.append(f"The manual:\n{self._manual(view.manual)}")
        return "\n\n".join(parts)

    def you(self, view: ConversationView) -> str:
        return _YOU[view.seat]

    def answer_format(self, view: ConversationView, reasoning: Reasoning) -> str:
        acts = view.seat == SOLVER
        think = _THINK[reasoning].format(done=", and its action lines are carried out" if acts else "")
        how = f"{_ACT[view.released]} {self._written}" if acts else _TALK
        return f"{how} {think} At most {LIMIT:,} characters of a message count."

    def legend(self, view: ConversationView) -> str:
        return self._page if view.seat == EXPERT else f"{self._shown} {_LAMPS}"

    def notation(self, view: ConversationView) -> str:
        return "" if view.seat == EXPERT else self._written

    def history(self, view: ConversationView) -> str:
        """How far the talk is and what was said; for the solver also what came of its actions."""
        return "\n".join(
            [self._progress(view), *(line for said in view.dialogue for line in self._said(said, view.seat))]
        )

    def status(self, view: ConversationView) -> str:
        return self._progress(view)

    def talk(self, view: ConversationView) -> list[tuple[str, str]]:
        """What was said, and for those who know, what came of it."""
        told: list[tuple[str, str]] = []
        for said in view.dialogue:
            told += [(SEATS[said.seat], said.words)] if said.words else []
            told += [("", line) for line in self._said(said._replace(words=None), view.seat)]
        return told

    def describe(self, view: ConversationView) -> str:
        """All of it: the device, for those who see it, then the talk."""
        if view.device is None:
            return self.history(view)
        return f"{self._device(view.device)}\n{self.history(view)}"

    def ending(self, view: ConversationView) -> str:
        if view.solved:
            mistakes = "1 mistake" if view.mistakes == 1 else f"{view.mistakes or 'no'} mistakes"
            return f"The device is solved, in turn {view.turn}, with {mistakes}."
        return f"The device is not solved: {self._why_not(view)}."

    def _why_not(self, view: ConversationView) -> str:
        return "there was one mistake too many" if view.mistakes == view.mistake_limit else "the turns are used up"

    def _progress(self, view: ConversationView) -> str:
        if view.mover is None:
            if view.solved is None:
                return "It is over."
            if view.solved:
                return f"It is over: the device is solved, in turn {view.turn}. Mistakes: {view.mistakes}."
            return f"It is over: {self._why_not(view)}, and the device is not solved."
        now = f"Turn {view.turn} of {view.turns}."
        if view.mistakes is not None:
            now += f" Mistakes so far: {view.mistakes} of {view.mistake_limit}."
        if view.seat is None:
            return f"{now} The {SEATS[view.mover]} is to speak."
        if view.mover != view.seat:
            return f"{now} The {SEATS[view.mover]} is writing."
        if view.turn == view.turns:
            now += " This is your last message."
        return now if view.dialogue else f"{now} Nobody has said anything yet."

    def _said(self, said: KnownMessage, listener: int | None) -> list[str]:
        who = "you" if said.seat == listener else f"the {SEATS[said.seat]}"
        lines = []
        if said.words:
            lines.append(f"Turn {said.turn}, {who}:\n" + "\n".join(f"> {line}" for line in said.words.split("\n")))
        elif said.words == "":
            lines.append(f"Turn {said.turn}, {who}: (said nothing)")
        if said.lost:
            lines.append(f"Turn {said.turn}, message too long: its last {said.lost:,} characters did not count.")
        for result in said.results:
            came = self._notes.get(result.note) or (_MISTAKE if result.mistake else _DONE)
            lines.append(f"Turn {said.turn}, {result.action}: {came}")
        if said.skipped:
            lines.append(f"Turn {said.turn}, not carried out: {', '.join(said.skipped)}")
        return lines
