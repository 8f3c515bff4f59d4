"""The results files of a study: as a match or an evaluation writes them, each with its journal of replies.

Every round has a number in its file, and the number its deal. A number is given out once, and nobody gets a deal twice.
"""

import json
import re
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mmgames.agents.base import Agent
from mmgames.core import registry
from mmgames.core.seeding import fresh_rng
from mmgames.errors import MmgamesError
from mmgames.play.browser_game import PERSON
from mmgames.play.position_json import SIZE
from mmgames.running.episodes import EpisodePlayer, MatchPlan, episode_seed, make_plan
from mmgames.running.journal import Journal
from mmgames.running.matches import described, fields
from mmgames.running.records import Records
from mmgames.studies.study_file import Study, StudyGame
from mmgames.suites import asker_of
from mmgames.suites.questions import FIELDS, Asker

DESCRIBED = {"page": SIZE}
"""What a record says of people: they were shown a game on a page, with pictures of this size."""


class Somebody(Agent):
    """Stands for a person where only what is said of people matters."""

    may_be_asked_again = False
    name = PERSON

    def describe(self) -> dict[str, Any]:
        return dict(DESCRIBED)

    def answer(self, observation: dict[str, Any]) -> str:
        raise MmgamesError("Nobody sits here.")


class RoundFile:
    """The file for the rounds of a game with the same agents in its seats, or for the questions of a task."""

    def __init__(self, folder: Path, study: Study, place: int, seats: Sequence[str], seed: int) -> None:
        self.game: StudyGame = study.games[place]
        self.seed = seed
        label = "-".join([str(place + 1), self.game.name, *(() if self.game.is_task else seats)])
        self.name = re.sub(r"[^\w.=,-]+", "_", label)[:120] + ".jsonl"
        self.about = self._about_task(study) if self.game.is_task else self._about_match(study, seats)
        path = folder / self.name
        self._lock = threading.Lock()
        self._records = Records(path, self.about, FIELDS if self.game.is_task else fields(len(seats)))
        number = "number" if self.game.is_task else "episode"
        self.kept = {row[number] for row in self._records.rows}
        self.journal = Journal(path.with_suffix(".calls.jsonl"), self.about)

    def _about_match(self, study: Study, seats: Sequence[str]) -> dict[str, Any]:
        plan = study_plan(study, self.game, [Somebody() if seat == PERSON else seat for seat in seats], self.seed)
        player = EpisodePlayer(plan)
        try:
            return described(plan, player.agents)
        finally:
            player.close()

    def _about_task(self, study: Study) -> dict[str, Any]:
        said = {"task": self.game.id, "agent": PERSON, "description": DESCRIBED, "seed": self.seed}
        return {**said, **task_options(study, self.game)}

    def add(self, number: int, row: Mapping[str, Any]) -> None:
        with self._lock:
            self._records.append(row)
            self.kept.add(number)

    def deal(self, number: int) -> str:
        """What is dealt under a number, so that the same deal has the same name; nothing where all are alike."""
        own = json.dumps([self.game.id, self.game.options], sort_keys=True, default=str)
        if self.game.is_task:
            return f"{own} question {number}"
        game = registry.load(self.game.id).game(**self.game.options)
        seed = episode_seed(self.seed, number, game)
        if game.starts:
            return f"{own} start {game.dealt(fresh_rng(seed)[0])}"
        return f"{own} seed {seed}" if game.draws else ""

    def next_number(self, taken: Collection[int], seen: Collection[str]) -> int:
        """The lowest number that is not given out and whose deal nobody of the players has seen."""
        game = None if self.game.is_task else registry.load(self.game.id).game(**self.game.options)
        tries = len(taken) + len(seen) + 1 + (game.starts if game is not None else 0)
        for number in range(tries):
            if number not in taken and self.deal(number) not in (*seen,):
                return number
        raise MmgamesError(f"{self.game.name} has no deal left that these participants have not seen.")

    def asker(self, agent: Agent, study: Study) -> Asker:
        """What asks the questions of a task, as suites do."""
        made = asker_of(self.game.id)
        return made(self.game.id, task_options(study, self.game), agent, self.seed, PERSON, self.journal)

    def close(self) -> None:
        self._records.close()
        self.journal.close()


def task_options(study: Study, game: StudyGame) -> dict[str, Any]:
    return dict(game.options)


def study_plan(study: Study, game: StudyGame, agents: Sequence[Any], seed: int) -> MatchPlan:
    """What is played in a round, with the limits of the study."""
    plan = make_plan(game.id, list(agents), seed, "retry", game.options)
    return with_limits(plan, study, game)


def with_limits(plan: MatchPlan, study: Study, game: StudyGame) -> MatchPlan:
    return replace(plan, max_steps=game.max_steps, strikes=study.refusals)


class StudyFolder:
    """All files of a study; several threads may use it."""

    def __init__(self, folder: Path, study: Study, seed: int) -> None:
        self.folder, self.study, self.seed = folder / "records", study, seed
        self._lock = threading.Lock()
        self._files: dict[tuple[int, tuple[str, ...]], RoundFile] = {}

    def file(self, place: int, seats: Sequence[str]) -> RoundFile:
        key = (place, tuple(seats))
        with self._lock:
            if key not in self._files:
                self._files[key] = RoundFile(self.folder, self.study, place, seats, self.seed)
            return self._files[key]

    def close(self) -> None:
        with self._lock:
            for file in self._files.values():
                file.close()
            self._files.clear()
