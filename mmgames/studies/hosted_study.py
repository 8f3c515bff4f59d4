"""A study as it goes on: who comes in, what each participant is shown next, the lobby, the rounds, the progress."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mmgames.core import registry
from mmgames.errors import MmgamesError
from mmgames.play.browser_game import BrowserGame, BrowserGames
from mmgames.play.hosted_game import Refused
from mmgames.play.saved_games import SavedGames
from mmgames.studies import assignment, flat_table
from mmgames.studies.study_file import Study
from mmgames.studies.study_folder import StudyFolder
from mmgames.studies.study_rounds import GameRound, QuestionRound
from mmgames.studies.study_state import Group, Participant, Round, StudyState, hashed

CLOSING = 5.0  # seconds that rounds have to stop
MOST_RECRUIT = 200  # characters of what a recruiting service calls somebody
HERE = 15.0  # seconds since a browser was last heard of in which somebody counts as here


class StudyGames(BrowserGames):
    """The games that are played just now. Nobody is turned out but by the limits of the study."""

    def __init__(self, study: HostedStudy, folder: Path) -> None:
        super().__init__(SavedGames(folder), patience=float("inf"))
        self._study = study

    def host(self, game: BrowserGame) -> None:
        with self._lock:
            self._games[game.id] = game
        game.start()

    def sweep(self) -> None:
        self._study.tick()
        super().sweep()

    def close(self) -> None:
        self._study.close()


class HostedStudy:
    """All that participants and the experimenter may ask; several threads may ask at the same time."""

    def __init__(self, study: Study, folder: Path) -> None:
        self.study = study
        self.state = StudyState(folder, study)
        self.folder = StudyFolder(folder, study, self.state.seed)
        self.games = StudyGames(self, self.folder.folder)
        self._lock = threading.RLock()
        self._playing: dict[int, GameRound | QuestionRound] = {}
        self._heard: dict[str, float] = {}
        self._since: dict[str, float] = {}
        """Since when somebody waits for others."""
        self._wrong: list[str] = []
        self._closed = False
        for one in list(self.state.rounds.values()):
            if not one.over:
                self._go_on(one)

    # Participants

    def welcome(self) -> dict[str, Any]:
        """What somebody sees who has the link alone."""
        with self._lock:
            study, away = self.study, f"{self.study.away_seconds / 60:g} minutes"
            rule = f"Who is away for longer than {away}, or leaves, loses the place to somebody else."
            more = {"rule": rule, "links": study.links, "recruit": study.recruit}
            return {"title": study.title, "consent": study.consent, "full": self._full(), **more}

    def _full(self) -> bool:
        there = [one for one in self.state.participants.values() if not one.gone]
        return self.study.participants is not None and len(there) >= self.study.participants

    def join(self, ticket: Any = None, recruit: Any = None) -> str:
        """Somebody has agreed to take part; the key of the browser. Of those who do not agree nothing is kept."""
        ticket, recruit = (one if isinstance(one, str) else "" for one in (ticket, recruit))
        with self._lock:
            self.tick()
            if self.study.links and self.state.tickets.get(hashed(ticket)) is not False:
                raise Refused("Everybody comes by a link of one's own, which works once; ask for another one.", 403)
            if self.study.recruit and not 0 < len(recruit) <= MOST_RECRUIT:
                raise Refused("Come by the link of the service that sent you; it says who you are.", 403)
            if self.study.recruit and any(one.recruit == hashed(recruit) for one in self.state.participants.values()):
                raise Refused("You have taken part already. Thank you for coming.", 409)
            if self._full():
                raise Refused("All places in this study are taken. Thank you for coming.", 409)
            one, key = self.state.join(ticket if self.study.links else "", recruit if self.study.recruit else "")
            self._heard[one.code] = time.monotonic()
            return key

    def find(self, key: Any) -> Participant:
        found = self.state.by_key(key) if isinstance(key, str) else None
        if found is None:
            raise Refused("This study does not know you; open the link that you were given once more.", 403)
        self._heard[found.code] = time.monotonic()
        return found

    def shown(self, key: Any) -> dict[str, Any]:
        """What a participant is shown now: `stage` says what it is."""
        with self._lock:
            me = self.find(key)
            self.tick()
            return {"title": self.study.title, "code": me.code, **self._stage(me)}

    def _stage(self, me: Participant) -> dict[str, Any]:
        study = self.study
        if me.gone:
            return {"stage": "gone", "why": me.gone, **self._completion(me.outcome)}
        if study.instructions and "instructions" not in me.done:
            return {"stage": "instructions", "text": study.instructions}
        if study.before and "before" not in me.done:
            return {"stage": "before", "questions": [vars(one) for one in study.before]}
        if me.group is None:
            return {"stage": "lobby", "waits": study.group}
        group = self.state.groups[me.group]
        at = group.over[me.code]
        if at < len(group.steps):
            return {"step": at, "steps": len(group.steps), **self._round(me, group, at)}
        if study.after and "after" not in me.done:
            return {"stage": "after", "questions": [vars(one) for one in study.after]}
        return {"stage": "thanks", "text": study.thanks, **self._completion("done")}

    def _completion(self, outcome: str) -> dict[str, str]:
        """What participants tell the service that has sent them."""
        code = self.study.codes.get(outcome, "")
        return {
            "completion": code,
            "return_to": self.study.return_to.replace("{code}", quote(code, "")) if code else "",
        }

    def _round(self, me: Participant, group: Group, at: int) -> dict[str, Any]:
        step = group.steps[at]
        game = self.study.games[step.game]
        told = {"game": game.name, "round": step.round + 1, "rounds": game.rounds, "text": game.instructions}
        current = self.state.round_of(me.code)
        if current is None:
            return {**told, "stage": "waiting" if me.ready == at else "between", "task": game.is_task}
        playing = self._playing.get(current.id)
        if isinstance(playing, GameRound):
            seat = next(seat for seat, role in enumerate(playing.seats) if current.members.get(role) == me.code)
            left = playing.seconds_left(seat)
            return {**told, "stage": "round", "id": playing.id, "key": playing.keys[seat], "left": left}
        asked = playing.shown() if playing is not None else None
        return {**told, "stage": "question", "asked": asked, "left": (asked or {}).get("left")}

    def go_on(self, key: Any, stage: Any, step: Any = None, answers: Any = None) -> None:
        """A participant is done with what was shown."""
        with self._lock:
            me = self.find(key)
            now = self._stage(me)
            if stage != now["stage"] or (stage == "between" and step != now["step"]):
                return  # a button that was pressed twice
            if stage == "instructions":
                self.state.note("did", participant=me.code, what="instructions")
            elif stage in ("before", "after"):
                self._answered(me, stage, answers)
            elif stage == "between":
                self.state.note("ready", participant=me.code, step=now["step"])
            self._since[me.code] = time.monotonic()
            self.tick()

    def _answered(self, me: Participant, when: str, answers: Any) -> None:
        given = answers if isinstance(answers, Mapping) else {}
        asked = self.study.before if when == "before" else self.study.after
        try:
            read = {one.id: one.read(given.get(one.id)) for one in asked}
        except MmgamesError as error:
            raise Refused(str(error), 422) from error
        self.state.answer(me.code, when, read)
        if self.study.most_misses is not None and me.misses > self.study.most_misses:
            self._lose(me, "missed too many checks of attention", "attention")

    def answer(self, key: Any, call: Any, said: Any) -> None:
        """The answer to a question of a task."""
        with self._lock:
            current = self.state.round_of(self.find(key).code)
            playing = None if current is None else self._playing.get(current.id)
        if not isinstance(playing, QuestionRound):
            raise Refused("Nothing is asked just now.", 409)
        playing.answer(call, said)

    def withdraw(self, key: Any) -> None:
        """A participant leaves the study; what was played stays under its code."""
        with self._lock:
            self._lose(self.find(key), "left the study", "left")

    # How it goes on

    def tick(self) -> None:
        """Form groups, begin the rounds for which all are there, and go on without those who do not come."""
        with self._lock:
            if self._closed:
                return
            self._free_places()
            self._form_groups()
            for group in self.state.groups.values():
                self._tick_group(group)

    def _free_places(self) -> None:
        """Who is away for long has lost the place; who is done keeps it."""
        for one in self.state.participants.values():
            heard = self._heard.setdefault(one.code, time.monotonic())
            if time.monotonic() - heard > self.study.away_seconds and self._stage(one)["stage"] not in (
                "gone",
                "thanks",
            ):
                self._lose(one, f"were away for more than {self.study.away_seconds:g} seconds", "away")

    def _form_groups(self) -> None:
        study = self.study
        waiting = []
        for one in self.state.participants.values():
            arrived = one.group is None and not one.gone and self._stage(one)["stage"] == "lobby"
            if not arrived:
                continue
            since = self._since.setdefault(one.code, time.monotonic())
            if study.group > 1 and time.monotonic() - since > study.waiting_seconds:
                self._alone(one)
            elif study.group == 1 or self.here(one.code):
                waiting.append(one)
        while len(waiting) >= study.group:
            members, waiting = waiting[: study.group], waiting[study.group :]
            self._group([one.code for one in members])

    def _group(self, codes: list[str]) -> Group:
        whole = [group for group in self.state.groups.values() if len(group.members) == self.study.group]
        used = [one.cell for one in whole if not any(self.state.participants[code].gone for code in one.members)]
        order, shift = assignment.next_cell(self.study, used)
        number = len(self.state.groups)
        self.state.note("group", group=number, members=codes, order=order, shift=shift)
        return self.state.groups[number]

    def _alone(self, one: Participant) -> None:
        """Nobody has come: what can be played alone is, and the rest is left out."""
        self._group([one.code])

    def _tick_group(self, group: Group) -> None:
        there = [code for code in group.members if not self.state.participants[code].gone]
        for place, code in enumerate(group.members):
            at = group.over[code]
            if code not in there or at >= len(group.steps) or self.state.round_of(code) is not None:
                continue
            step, me = group.steps[at], self.state.participants[code]
            if step.shared and len(there) < self.study.group:
                self.state.note("skipped", participant=code, group=group.number, step=at)
            elif me.ready == at and not step.shared:
                self._begin(group, at, place)
            elif me.ready == at:
                self._together(group, at, there)

    def _together(self, group: Group, at: int, there: list[str]) -> None:
        people = [self.state.participants[code] for code in there]
        if all(one.ready == at and group.over[one.code] == at for one in people):
            self._begin(group, at, 0)
            return
        waiting = [one for one in people if one.ready == at]
        since = max(self._since.setdefault(one.code, time.monotonic()) for one in waiting)
        if time.monotonic() - since > self.study.waiting_seconds:
            for one in people:
                if one.ready < at and self.state.round_of(one.code) is None:
                    self._lose(one, f"did not come within {self.study.waiting_seconds:g} seconds", "away")

    def _begin(self, group: Group, at: int, member: int) -> None:
        step = group.steps[at]
        seats, seated = assignment.seating(self.study, step, group.cell, group.members, member)
        game = self.study.games[step.game]
        roles = [""] if game.is_task else registry.load(game.id).game(**game.options).seats
        members = {roles[seat]: code for seat, code in seated.items()}
        file = self.folder.file(step.game, seats)
        try:
            number = file.next_number(self.state.taken((step.game, seats)), self.state.seen(members.values()))
        except MmgamesError as error:
            self._wrong.append(str(error))
            for code in members.values():
                self.state.note("skipped", participant=code, group=group.number, step=at)
            return
        own: dict[str, Any] = {
            "id": len(self.state.rounds),
            "group": group.number,
            "step": at,
            "number": number,
            "members": members,
        }
        self.state.note("round", **own, game=step.game, seats=list(seats), deal=file.deal(number))
        self._go_on(self.state.rounds[own["id"]])

    def _go_on(self, one: Round) -> None:
        """Play a round: from its start, or from where it was when the study was stopped."""
        file = self.folder.file(*one.file)
        if one.number in file.kept:
            self.state.note("over", id=one.id)
            return

        def over() -> None:
            with self._lock:
                if not one.over:
                    self.state.note("over", id=one.id)
                self._playing.pop(one.id, None)

        if file.game.is_task:
            asked = QuestionRound(self.study, file, one.number, one.members[""], over)
            self._playing[one.id] = asked
            asked.start()
        else:
            played = GameRound(self.study, file, one.number, one.file[1], one.members, over)
            self._playing[one.id] = played
            self.games.host(played)

    def _lose(self, one: Participant, why: str, outcome: str) -> None:
        if one.gone:
            return
        current = self.state.round_of(one.code)
        self.state.note("gone", participant=one.code, why=why, outcome=outcome)
        playing = None if current is None else self._playing.get(current.id)
        if isinstance(playing, GameRound) and current is not None:
            role = next(role for role, code in current.members.items() if code == one.code)
            playing.give_up(playing.seats.index(role), why)
        elif isinstance(playing, QuestionRound):
            playing.give_up(why)

    def moves_made(self) -> list[int]:
        """How far the rounds are that are played just now."""
        return [one.number for one in self._playing.values() if isinstance(one, GameRound)]

    def here(self, code: str) -> bool:
        return time.monotonic() - self._heard.get(code, -HERE) < HERE

    # The experimenter

    def progress(self) -> dict[str, Any]:
        """How far everybody is, how the groups are spread, and what was recorded."""
        with self._lock:
            self.tick()
            stages = {one.code: self._stage(one) for one in self.state.participants.values()}
            people = [
                {
                    "code": one.code,
                    "group": one.group,
                    "stage": stages[one.code]["stage"],
                    "game": stages[one.code].get("game", ""),
                    "step": 0 if one.group is None else self.state.groups[one.group].over[one.code],
                    "steps": 0 if one.group is None else len(self.state.groups[one.group].steps),
                    "why": one.gone,
                    "outcome": one.outcome,
                    "misses": one.misses,
                    "here": self.here(one.code),
                }
                for one in self.state.participants.values()
            ]
            rounds = Counter((one.file[0], one.over) for one in self.state.rounds.values())
            used = Counter(group.cell for group in self.state.groups.values())
            rows = assignment.orders(len(self.study.games), self.study.order == "balanced")
            names = [" → ".join(self.study.games[place].name for place in row) for row in rows]
            return {
                "title": self.study.title,
                "places": self.study.participants,
                "people": people,
                "games": [
                    {"game": game.name, "over": rounds[place, True], "now": rounds[place, False]}
                    for place, game in enumerate(self.study.games)
                ],
                "cells": [
                    {"order": names[order], "shift": shift, "groups": used[order, shift]}
                    for order, shift in assignment.cells(self.study)
                ],
                "wrong": self._wrong[-5:],
            }

    def close(self) -> None:
        """Stop; what is in progress goes on when the study is started again."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            playing = list(self._playing.values())
        for one in playing:
            one.pause()
        limit = time.monotonic() + CLOSING
        for one in playing:
            one.join(max(0.0, limit - time.monotonic()))
        with self._lock:
            self.folder.close()
            self.state.close()
            flat_table.write(self.folder.folder.parent, self.state)
