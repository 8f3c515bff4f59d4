"""Recorded episodes and answered questions, step by step, as JSON for the page: pictures, prompts, replies, rewards.

A position is made when it is asked for. The states of the last episodes are remembered, so a scrubber moves at once.
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from mmgames.agents.chat_messages import data_url
from mmgames.agents.finding import find_seat
from mmgames.core.game import Game
from mmgames.core.observation import Observer
from mmgames.core.registry import LoadedGame
from mmgames.errors import MmgamesError
from mmgames.play import position_json
from mmgames.play.saved_games import SavedGames
from mmgames.running.endings import ending_of
from mmgames.running.replays import find_record, replay
from mmgames.tasks.replays import asked_again

REMEMBERED = 4
MOST_ROWS = 500  # of a file in a list


class RecordedEpisode:
    """An episode, replayed once: its states, who moved and what everybody had by then."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.states: list[Any] = []
        self.movers: list[tuple[int, ...]] = []
        self.totals: list[list[float]] = []
        for live in replay(record):
            self.states.append(live.state)
            self.movers.append(live.movers)
            self.totals.append([float(total) for total in live.totals])
        self.loaded: LoadedGame = live.loaded
        self.game: Game = live.game
        self.ending = ending_of(live, record)

    def about(self) -> dict[str, Any]:
        record = self.record
        return {
            "game": self.game.spec.name,
            "seats": list(self.game.seats),
            "absent": [self.game.seats[seat] for seat in self.game.absent(self.states[-1])],
            "agents": list(record.get("agents", [])),
            "steps": len(self.states) - 1,
            "returns": record.get("returns"),
            "ending": {**self.ending.as_json(), "events": record.get("events", {})},
            "deputies": record.get("deputies", {}),
            "failed": record.get("failed"),
            "forfeit": record.get("forfeit"),
            "unfinished": bool(record.get("unfinished")),
            "seed": record["seed"],
        }

    def step(self, number: int, role: str | None) -> dict[str, Any]:
        """Position `number`, as a seat or (None) a spectator sees it; what was done there and what it earned."""
        if not 0 <= number < len(self.states):
            raise MmgamesError(f"There is no step {number}; the episode has {len(self.states) - 1}.")
        seat = None if role is None else find_seat(self.game, role)
        state, words = self.states[number], self.loaded.words
        view = self.game.view(state, seat)
        return {
            "picture": data_url(self.loaded.picture.draw(view, position_json.SIZE)),
            "words": words.describe(view),
            "talk": [list(said) for said in words.talk(view)],
            "totals": self.totals[number],
            "deeds": [self._deed(number, mover) for mover in self.movers[number]],
        }

    def _deed(self, number: int, mover: int) -> dict[str, Any]:
        role, view = self.game.seats[mover], self.game.view(self.states[number], mover)
        last = number == len(self.states) - 1
        action = None if last else self.record["actions"][number][mover]
        name = self.loaded.words.names(view).get(action) if isinstance(action, (int, str)) else None
        replies = (one for one in self.record.get("replies", ()) if one["step"] == number and one["seat"] == role)
        return {
            "role": role,
            "prompt": Observer(self.loaded, self.game, observe=("rgb", "text")).text(view),
            "replies": [{"text": one["reply"], "refused": one.get("refused", "")} for one in replies],
            "action": None if action is None else name if name is not None else str(action),
            "reward": None if last else self.totals[number + 1][mover] - self.totals[number][mover],
        }


class RecordedEpisodes:
    """Episodes of the saved files. Several threads may ask."""

    def __init__(self, saved: SavedGames) -> None:
        self.saved = saved
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int, str], RecordedEpisode] = OrderedDict()

    def find(self, name: str, episode: int) -> RecordedEpisode:
        record = find_record(self.saved.path(name), episode)
        key = (name, episode, str(len(record["actions"])) + str(record["seed"]))
        with self._lock:
            if key not in self._kept:
                self._kept[key] = RecordedEpisode(record)
                while len(self._kept) > REMEMBERED:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]

    def question(self, name: str, number: int) -> dict[str, Any]:
        """A question of an evaluation, as often as it was asked, and what would have been right."""
        about, rows = self.saved.rows(name)
        found = [row for row in rows if row.get("number") == number]
        if "task" not in about or not found:
            raise MmgamesError(f"{name} has no question {number}.")
        row = found[-1]
        asked, answer = asked_again(about, row, position_json.SIZE)
        return {"task": about["task"], "asked": asked, "answer": answer, "score": row.get("score")}

    def files(self) -> list[dict[str, Any]]:
        """What there is: each file, what it is about, how many rows it has."""
        found = []
        for name in self.saved.files():
            try:
                about, rows = self.saved.rows(name)
            except MmgamesError as error:
                found.append({"file": name, "what": "", "who": [], "rows": 0, "wrong": str(error)})
                continue
            if not rows:
                continue  # a game that goes on is no replay
            who = about.get("agents") or [about.get("agent", "")]
            what = about.get("match") or about.get("task") or about.get("policy") or ""
            found.append({"file": name, "what": what, "who": list(map(str, who)), "rows": len(rows), "wrong": ""})
        return found

    def rows(self, name: str) -> dict[str, Any]:
        """The episodes or questions of a file, in short; the last row of each counts."""
        about, rows = self.saved.rows(name)
        kind = "episode" if "match" in about else "question" if "task" in about else ""
        last = {row.get("episode", row.get("number")): row for row in rows}
        listed = [(number, last[number]) for number in sorted(n for n in last if isinstance(n, int))]
        return {
            "what": about.get("match") or about.get("task") or "",
            "kind": kind,
            "who": list(map(str, about.get("agents") or [about.get("agent", "")])),
            "left_out": max(0, len(listed) - MOST_ROWS),
            "rows": [
                {
                    "number": number,
                    "returns": row.get("returns"),
                    "length": row.get("length"),
                    "score": row.get("score"),
                    "failed": row.get("failed"),
                    "unfinished": bool(row.get("unfinished")),
                }
                for number, row in listed[:MOST_ROWS]
            ],
        }
