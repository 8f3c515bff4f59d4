"""The words that all solver and expert puzzles share; a puzzle adds its task, its manual and its device.

What a seat says is quoted, each line behind "> ", so that nobody can speak in the environment's name.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mmgames.core.prompt import Reasoning
from mmgames.puzzles._conversation.rules import SOLVER, ConversationView, KnownMessage
from mmgames.readers import comma
from mmgames.text import speech
from mmgames.text.facts import Count, Fact
from mmgames.text.prose import paragraphs
from mmgames.text.refusals import Illegal, RefusalKind
from mmgames.text.speech import LIMIT, Message

_SAID = paragraphs(__package__, "words")


def _paragraph(part: str, released: bool) -> str:
    """A paragraph, or the one that the released rules have in its place."""
    return (_SAID.get(f"{part}, released") if released else None) or _SAID[part]


_NOTE = "note: "
_MISTAKE, _DONE = "that was a mistake.", "done."


class PuzzleWords:
    """The words of a puzzle: its module has the methods as `functions`.

    manual  the manual's text, for the expert and spectators
    device  the device in words
    notes   what results with a note that has a number say instead of "done" or "that was a mistake"

    The rest is in words.md of its package, a paragraph each: the `task`, what the solver should know about every such
    device, no facts about this one; what the solver's picture has `shown`; how its actions are `written`, with
    examples; what a result with a `note:` says; and where that is special, what the expert's picture, the `page`,
    shows.
    """

    def __init__(
        self,
        package: str | None,
        manual: Callable[[Any], str],
        device: Callable[[Any], str],
        notes: Mapping[str, str] | None = None,
        told: Callable[[Any], Sequence[Fact | Count]] = lambda device: (),
    ) -> None:
        said = {**_SAID, **paragraphs(package, "words")}
        self._task, self._shown, self._written, self._page = (
            said[part] for part in ("task", "shown", "written", "page")
        )
        self._manual, self._device, self._told, self._notes = manual, device, told, dict(notes or {})
        self._notes |= {part.removeprefix(_NOTE): text for part, text in said.items() if part.startswith(_NOTE)}

    def facts(self, view: ConversationView) -> Sequence[Fact | Count]:
        """What can be said of the device; who does not see it has none."""
        return () if view.device is None else self._told(view.device)

    def names(self, view: ConversationView) -> dict[str, str]:
        return {name: name for name in view.names}

    MOVE_TYPES = (Message,)

    def read(self, view: ConversationView, text: str) -> Message:
        message = speech.read(text, view.names, view.released)
        if not view.released:
            return message
        whole = text[:LIMIT].rpartition("\n")[0] if message.lost else text  # a name may be cut through
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
        ends = _paragraph("ends", view.released).format(turns=view.turns, mistakes=view.mistake_limit)
        together = _SAID["together" if view.experts == 1 else "three together"].format(ends=ends)
        parts = [f"{together} {_paragraph('hears', view.released)}"]
        if not view.is_expert:
            parts.append(self._task)
        if view.seat != SOLVER:
            parts.append(f"The manual:\n{self._manual(view.manual)}")
        return "\n\n".join(parts)

    def you(self, view: ConversationView) -> str:
        if view.seat is None:
            return "You are watching."
        half = f" {_SAID['half'].format(role=view.roles[view.seat])}" if view.is_expert and view.experts > 1 else ""
        return _SAID["expert" if view.is_expert else "solver"] + half

    def answer_format(self, view: ConversationView, reasoning: Reasoning) -> str:
        acts = view.seat == SOLVER
        think = _paragraph(reasoning, view.released).format(
            done=", and its action lines are carried out" if acts else ""
        )
        how = f"{_paragraph('act', view.released)} {self._written}" if acts else _SAID["talk"]
        return f"{how} {think} At most {LIMIT:,} characters of a message count."

    def legend(self, view: ConversationView) -> str:
        return self._page if view.is_expert else f"{self._shown} {_SAID['lamps']}"

    def notation(self, view: ConversationView) -> str:
        return "" if view.is_expert else self._written

    def history(self, view: ConversationView) -> str:
        """How far the talk is and what was said; for the solver also what came of its actions."""
        return "\n".join([self.status(view), *(line for said in view.dialogue for line in self._said(said, view))])

    def status(self, view: ConversationView) -> str:
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
            return f"{now} The {view.roles[view.mover]} is to speak."
        if view.mover != view.seat:
            return f"{now} The {view.roles[view.mover]} is writing."
        if view.turn == view.turns:
            now += " This is your last message."
        return now if view.dialogue else f"{now} Nobody has said anything yet."

    def talk(self, view: ConversationView) -> list[tuple[str, str]]:
        """What was said, and for those who know, what came of it."""
        told: list[tuple[str, str]] = []
        for said in view.dialogue:
            told += [(view.roles[said.seat], said.words)] if said.words else []
            told += [("", line) for line in self._said(said._replace(words=None), view)]
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

    def _said(self, said: KnownMessage, view: ConversationView) -> list[str]:
        who = "you" if said.seat == view.seat else f"the {view.roles[said.seat]}"
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
