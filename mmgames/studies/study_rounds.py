"""Rounds of a study: a game, or a question, in which participants are waited for as long as the study allows."""

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mmgames.agents.base import Agent
from mmgames.agents.chat_messages import data_url
from mmgames.agents.retries import NO_RETRIES
from mmgames.core.game import Seat
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.errors import RunStopped
from mmgames.play.browser_game import PERSON, BrowserGame
from mmgames.play.hosted_game import Refused
from mmgames.running.episodes import CutShort, EpisodeRecord, Forfeit, MatchPlan
from mmgames.studies.study_file import Study
from mmgames.studies.study_folder import DESCRIBED, RoundFile, with_limits
from mmgames.text.refusals import Illegal

MOST_BUTTONS = 30
HANDED_OVER = 5.0  # seconds in which a game takes up what was refused, before its sender is told


class Participating(Agent):
    """The agent of a participant: it answers what its browser sends, and its replies are kept as a model's are."""

    may_be_asked_again = False
    name = PERSON
    concurrent = True
    retry_policy = NO_RETRIES

    def __init__(
        self, ask: Callable[[dict[str, Any]], tuple[str, float]], kept_seconds: Callable[[int], float]
    ) -> None:
        """`ask` gives the reply, and the seconds from when it was asked for to when it came."""
        self._ask, self._kept_seconds = ask, kept_seconds
        self.seconds: list[float] = []
        """How long each reply took, also those that were given before a restart."""

    def describe(self) -> dict[str, Any]:
        return dict(DESCRIBED)

    def answer(self, observation: dict[str, Any]) -> str:
        reply, seconds = self._ask(observation)
        self.seconds.append(round(seconds, 4))
        self.last_call = {"seconds": self.seconds[-1]}
        return reply

    def recall(self, observation: dict[str, Any], reply: str) -> None:
        self.seconds.append(self._kept_seconds(len(self.seconds)))


class _Place:
    """Where the record of one round goes."""

    def __init__(self, file: RoundFile, number: int) -> None:
        self._file, self._number = file, number

    def reserve(self, plan: MatchPlan, fresh: bool = False, again: int | None = None) -> tuple[str, int, int]:
        return self._file.name, self._number, self._file.seed

    def add(self, name: str, record: Mapping[str, Any]) -> None:
        self._file.add(self._number, record)


class GameRound(BrowserGame):
    """A game of a study. Refusals count, turns have an end, and who gives up loses."""

    TAKES_BACK = False

    def __init__(
        self,
        study: Study,
        file: RoundFile,
        number: int,
        seats: Sequence[str],
        members: Mapping[str, str],
        when_over: Callable[[], None],
    ) -> None:
        self._study, self._file_of_round, self._members, self._when_over = study, file, dict(members), when_over
        self._people: dict[Seat, Participating] = {}
        self._since: dict[Seat, float] = {}
        self._shown_at = time.monotonic()
        super().__init__(file.game.id, seats, _Place(file, number), file.seed, file.game.options)
        assert self._player is not None
        self._player.journal = file.journal

    def planned(self, plan: MatchPlan) -> MatchPlan:
        return with_limits(plan, self._study, self._file_of_round.game)

    def visitor(self, seat: Seat) -> Any:
        def kept(call: int) -> float:
            return self._file_of_round.journal.kept_seconds(f"{self._episode}:{self.seats[seat]}", call)

        self._people[seat] = Participating(lambda observation: self._reply_of(seat), kept)
        return self._people[seat]

    # In the game's own thread

    def _play(self) -> None:
        super()._play()
        if not self._paused:
            self._when_over()

    def _introduction(self, live: LiveGame, seat: Seat) -> dict[str, Any]:
        return {**super()._introduction(live, seat), "draws": False, "draw_rule": ""}

    def _see(self, live: LiveGame) -> None:
        super()._see(live)
        self._shown_at = time.monotonic()

    def _reply_of(self, seat: Seat) -> tuple[str, float]:
        """What the participant sends; waits for it, but not for ever."""
        with self._changed:
            self._since.setdefault(seat, self._shown_at)
            limit = self._study.turn_seconds
            there = self._changed.wait_for(
                lambda: self._paused or self._left or seat in self._said or seat == self._resigned,
                limit - (time.monotonic() - self._since[seat]),
            )
            if self._paused and seat not in self._said:
                raise RunStopped("The study goes on when it is started again.")
            if not there:
                self.give_up(seat, f"took longer than {limit:g} seconds")
            if self._left:
                raise CutShort(self._left)
            if seat == self._resigned:
                raise Forfeit
            said, refused, when = self._said[seat]
            seconds = when - self._since.pop(seat)
            if refused:
                del self._said[seat]  # and it is asked for again
                self._since[seat] = when
                self._changed.notify_all()
            return said, seconds

    def _more(self) -> Mapping[str, Any]:
        return {**super()._more(), "participants": self._members}

    def _finish(self, live: LiveGame, record: EpisodeRecord) -> None:
        count = dict.fromkeys(self.seats, 0)
        own = {self.seats[seat]: person.seconds for seat, person in self._people.items()}
        for place, reply in enumerate(record.get("replies", ())):
            seat, number = reply["seat"], count[reply["seat"]]
            count[seat] += 1
            if seat in own and number < len(own[seat]):
                record["seconds"][place] = own[seat][number]
        super()._finish(live, record)

    def _keeps(self, record: EpisodeRecord) -> bool:
        return not self._paused

    def _told(self, record: Mapping[str, Any], ending: Any, unsaved: str) -> dict[str, Any]:
        told = super()._told(record, ending, unsaved)
        told["end"]["file"] = ""  # replays are the experimenter's
        return told

    # In the server's threads

    def move(self, seat: Seat, number: Any, said: Any) -> None:
        """As everybody's; but what is refused counts as a reply, and moves are kept by name, as a model says them."""
        try:
            with self._changed:
                before = self._live
                super().move(seat, number, said)
                assert before is not None
                self._said[seat] = (_in_words(before, seat, said), False, time.monotonic())
        except Refused as refusal:
            if refusal.status == 422:
                self._refuse(seat, said)
            raise

    def _refuse(self, seat: Seat, said: Any) -> None:
        with self._changed:
            if self._live is not None and seat not in self._said:
                self._said[seat] = (said if isinstance(said, str) else str(said), True, time.monotonic())
                self._changed.notify_all()
                self._changed.wait_for(lambda: seat not in self._said or self.record is not None, HANDED_OVER)

    @property
    def number(self) -> int:
        """Which position is shown."""
        return self._number

    def turn_of(self, seat: Seat, rng: Any) -> Turn | None:
        """The turn of a seat that is waited for, for an agent in its place."""
        with self._changed:
            waits = self._live is not None and self._number and seat in self._live.movers and seat not in self._said
            return Turn(self._live, seat, rng) if waits and self._live is not None else None

    def seconds_left(self, seat: Seat) -> float | None:
        """How long somebody has who is waited for; None: nobody waits for this one."""
        with self._changed:
            since = self._since.get(seat)
            return None if since is None else max(0.0, self._study.turn_seconds - (time.monotonic() - since))


def _in_words(live: LiveGame, seat: Seat, said: Any) -> str:
    """A move that was clicked, by its name; one without, or one that would be read otherwise, as JSON holds it."""
    if isinstance(said, str):
        return said
    if not isinstance(said, int):
        return json.dumps(said)
    name = live.loaded.words.names(live.view(seat)).get(said)
    read = live.move_of(seat, name) if name is not None else None
    return str(said) if name is None or isinstance(read, Illegal) or read != said else name


class QuestionRound:
    """A question of a task, and the participant who answers it."""

    def __init__(
        self, study: Study, file: RoundFile, number: int, participant: str, when_over: Callable[[], None]
    ) -> None:
        self._study, self._file, self._number, self._participant = study, file, number, participant
        self._when_over = when_over
        self._changed = threading.Condition()
        self._shown: dict[str, Any] | None = None
        self._asked = 0
        self._begun = 0.0
        self._said: str | None = None
        self._left = ""
        self._paused = False
        self._thread = threading.Thread(target=self._play, name=f"question-{number}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _play(self) -> None:
        person = Participating(
            self._reply, lambda call: self._file.journal.kept_seconds(f"question {self._number}", call)
        )
        asker = self._asker = self._file.asker(person, self._study)
        try:
            row = {**asker(self._number), "participant": self._participant, "seconds": person.seconds}
        except RunStopped:
            return
        finally:
            asker.close()
        if self._left:
            row["given_up"] = {"why": self._left}
        self._file.add(self._number, row)
        self._when_over()

    def _reply(self, observation: dict[str, Any]) -> tuple[str, float]:
        shown = observation.get("rgb")
        pictures = [] if shown is None else [shown] if shown.ndim == 3 else list(shown)
        text = "\n\n".join(filter(None, (str(observation.get("system", "")), str(observation.get("text", "")))))
        with self._changed:
            self._begun = time.monotonic()
            self._asked += 1
            drawn = [data_url(one) for one in pictures]
            self._shown = {"call": self._asked, "text": text, "pictures": drawn, "answers": self._answers()}
            self._said = None
            self._changed.wait_for(
                lambda: self._paused or self._left or self._said is not None, self._study.turn_seconds
            )
            self._shown = None
            if self._paused and self._said is None:
                raise RunStopped("The study goes on when it is started again.")
            if self._said is None:
                self._left = self._left or f"took longer than {self._study.turn_seconds:g} seconds"
            return self._said or "", time.monotonic() - self._begun

    def _answers(self) -> list[str]:
        """The possible answers, where the question tells them and they are few enough for buttons."""
        env: Any = self._asker.env
        names = list(env.question.names.values()) if "legal_actions" in env.source.keys else []
        return names if len(names) <= MOST_BUTTONS else []

    def shown(self) -> dict[str, Any] | None:
        """What is asked just now; None while nothing is."""
        with self._changed:
            if self._shown is None:
                return None
            left = max(0.0, self._study.turn_seconds - (time.monotonic() - self._begun))
            return {**self._shown, "left": left}

    def answer(self, call: Any, said: Any) -> None:
        if not isinstance(said, str) or not said.strip():
            raise Refused("Write an answer first.", 422)
        with self._changed:
            if self._shown is None or call != self._shown["call"] or self._said is not None:
                raise Refused("This question has been answered already.", 409)
            self._said = said
            self._changed.notify_all()

    def give_up(self, why: str) -> None:
        with self._changed:
            self._left = self._left or why
            self._changed.notify_all()

    def pause(self) -> None:
        with self._changed:
            self._paused = True
            self._changed.notify_all()

    def join(self, timeout: float | None = None) -> None:
        self._thread.join(timeout)
