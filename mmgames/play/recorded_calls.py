"""The calls of a run, from its results files and the journals beside them: who was asked what place, and what was said.

A journal keeps every call with what it took, a record what came of it. The n-th reply of a seat in an episode is its
n-th call, so that the two are brought together by counting.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mmgames.core import registry
from mmgames.errors import MmgamesError
from mmgames.running.journal import CLOCKED
from mmgames.running.records import read
from mmgames.tasks.replays import refused_at
from mmgames.text.refusals import NOT_RECORDED

NUMBERED = {"match": "episode", "task": "number", "policy": "number"}
"""The kinds of results files, by the word with which they say what they are about, and what numbers their rows."""


@dataclass(frozen=True)
class RecordedCall:
    """One call. `number` counts the calls of a seat in an episode; of questions and views, the calls about one."""

    episode: int
    seat: str
    number: int
    agent: str
    step: int | None = None  # of the record; None where it has none
    reply: str | None = None
    refused: str = ""  # why the reply was no move or no answer
    kind: str = ""  # of the refusal
    took: Mapping[str, Any] = field(default_factory=dict)  # the row of the journal


class CallsFile:
    """A results file with its journal; `rows` are those that count, by number."""

    def __init__(self, path: Path) -> None:
        self.about, rows = read(path)
        self.kind = next((kind for kind in NUMBERED if kind in self.about), "")
        self.game = str(self.about.get(self.kind, ""))
        number = NUMBERED.get(self.kind, "")
        self.rows: dict[int, dict[str, Any]] = {row[number]: row for row in rows if isinstance(row.get(number), int)}
        self._journal = _read_journal(path.with_suffix(".calls.jsonl"))

    def calls(self) -> Iterator[RecordedCall]:
        """All calls in the order of episodes and steps; those that no record has come last."""
        if self.kind == "match":
            return self._in_episodes()
        return self._about_one() if self.kind else iter(())

    def _in_episodes(self) -> Iterator[RecordedCall]:
        players, left = self._players(), dict(self._journal)
        for episode in sorted(self.rows):
            row, count = self.rows[episode], Counter[str]()
            for reply, seconds in zip(row.get("replies", ()), row.get("seconds", ()), strict=False):
                seat = reply["seat"]
                took = left.pop((f"{episode}:{seat}", count[seat]), {"seconds": seconds})
                yield RecordedCall(
                    episode, seat, count[seat], players.get(seat, ""), reply["step"], reply["reply"], *_why(reply), took
                )
                count[seat] += 1
        for (scope, number), took in sorted(left.items()):
            episode_text, _, seat = scope.partition(":")
            if episode_text.isdecimal():
                episode = int(episode_text)
                ended = len(self.rows[episode].get("actions", ())) if episode in self.rows else None
                yield RecordedCall(episode, seat, number, players.get(seat, ""), ended, took.get("reply"), took=took)

    def _about_one(self) -> Iterator[RecordedCall]:
        for (scope, number), took in sorted(self._journal.items(), key=lambda item: (_number(item[0][0]), item[0][1])):
            episode = _number(scope)
            row = self.rows.get(episode, {})
            replies = row.get("replies") or [row.get("reply")]
            reply: Any = replies[number] if number < len(replies) else None
            if "illegal" in row and number == len(replies) - 1:  # of a question, where the last answer counts
                reply = {"refused": row["illegal"], "kind": row.get("illegal_kind", NOT_RECORDED)}
            reply = refused_at(row, number) or reply
            why = _why(reply) if isinstance(reply, Mapping) else ("", "")
            yield RecordedCall(episode, "", number, str(self.about["agent"]), None, took.get("reply"), *why, took)

    def _players(self) -> dict[str, str]:
        """Who sits where."""
        agents = list(map(str, self.about.get("agents", ())))
        try:
            seats = registry.load(self.game).game(**self.about.get("options", {})).seats
        except MmgamesError:  # a game that is not installed here
            return {}
        return dict(zip(seats, agents, strict=False))


def _read_journal(path: Path) -> dict[tuple[str, int], dict[str, Any]]:
    """What was answered, by scope and number; what was never answered, with why."""
    kept: dict[tuple[str, int], dict[str, Any]] = {}
    for row in read(path)[1] if path.exists() else ():
        key = (str(row.get("scope")), int(row.get("call", 0)))
        if not row.get("begun") and CLOCKED not in row and not ("failed" in row and key in kept):
            kept[key] = row
    return kept


def _why(reply: Mapping[str, Any]) -> tuple[str, str]:
    return (reply["refused"], reply.get("kind", NOT_RECORDED)) if "refused" in reply else ("", "")


def _number(scope: str) -> int:
    """The number of a question or a view, from a scope such as `question 3`."""
    last = scope.rpartition(" ")[2]
    return int(last) if last.isdecimal() else -1
