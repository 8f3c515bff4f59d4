"""Questions of a task to an agent: one after the other or many at a time, counted, kept, and never paid for twice."""

from __future__ import annotations

import functools
import itertools
import pickle
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import gymnasium
import numpy as np

from mmgames import tasks
from mmgames.agents.base import Agent
from mmgames.agents.finding import find_agent
from mmgames.agents.identity import description, fresh_agent
from mmgames.agents.retries import PATIENCE
from mmgames.core import registry
from mmgames.errors import MmgamesError, Unavailable
from mmgames.running.journal import Asking, BudgetSpent, Journal, JournalAtHome, is_offline
from mmgames.running.matches import failed_rows, finished_rows
from mmgames.running.processes import Kept, run_jobs
from mmgames.running.progress import Progress
from mmgames.running.ray_cluster import Cluster
from mmgames.running.records import Fields, Records
from mmgames.running.threads import crew
from mmgames.suites.suite import Players, Run, SuiteRow, players_name, records_path
from mmgames.text.refusals import NOT_RECORDED

QUESTIONS_PER_JOB = 50
FIELDS: Fields = {
    "number": lambda value: isinstance(value, int),
    "score": lambda value: value is None or isinstance(value, (int, float)),
    "failed": lambda value: value is None or isinstance(value, str),
}
Knowing = Mapping[str, Callable[[Any, Any, np.random.Generator], Any]]
"""Who answers without being asked: name -> answer(source, question, rng)."""


class Asker:
    """Asks an agent the questions of a task; a question depends on the seed and its number alone.

    A reply that is no answer earns nothing, and neither does an agent that raises. What a service did not answer has
    no score at all. A question that may be asked again is, and the last answer counts.
    """

    def __init__(
        self,
        id: str,
        options: Mapping[str, Any],
        agent: str | Agent,
        seed: int,
        knowing: Knowing,
        name: str = "",
        journal: Asking | None = None,
    ) -> None:
        self.id, self.seed, self.name = id, seed, name or players_name(agent)
        self.agent = None if isinstance(agent, str) else agent
        self.knows = knowing[agent] if isinstance(agent, str) else None
        self.journal = journal or Journal(None, {})
        shown: dict[str, Any] = {"observe": "text"} if isinstance(agent, str) else task_style(agent)
        self.env: Any = gymnasium.make(id, actions="text", disable_env_checker=True, **{**shown, **options}).unwrapped

    def __call__(self, number: int) -> dict[str, Any]:
        """The row of one question: what was replied, and what that earned."""
        env = self.env
        own_seed, observation = self.put(number)
        rng = np.random.default_rng(self.seeds(number)[1])
        if self.agent is not None:
            self.agent.forget()  # a question has nothing to do with the one before
            self.agent.draw_with(rng)
        failed, unavailable, ended = None, False, False
        replies: list[str] = []
        info: dict[str, Any] = {}
        reply = score = asked = None
        while not ended and not unavailable:
            asked = env.question
            try:
                if self.knows is not None:
                    reply = self.knows(env.source, asked, rng)
                else:
                    reply = self._reply(number, len(replies), observation)
            except BudgetSpent:
                raise
            except Exception as error:
                # Whatever an agent does wrong costs its own question only.
                reply, failed = None, f"{self.name}: {type(error).__name__}: {error}"
                unavailable = isinstance(error, Unavailable)
            replies.append(reply if isinstance(reply, str) else repr(reply))
            observation, score, ended, _, info = env.step(reply)
        row = {"number": number, "seed": own_seed, "reply": replies[-1], "score": score}
        if len(replies) > 1:
            row["replies"] = replies
        if unavailable:
            row |= {"score": None, "unavailable": True}
        elif "illegal" in info:
            row |= {key: info[key] for key in ("illegal", "illegal_kind") if key in info}
        row |= self.remarks(asked, reply, info)
        return {**row, "failed": failed}

    def seeds(self, number: int) -> list[int]:
        """What settles a question, and what settles an answer by chance."""
        entropy = (self.seed, zlib.crc32(self.id.encode()), number)
        return np.random.SeedSequence(entropy).generate_state(2, np.uint32).tolist()

    def put(self, number: int) -> tuple[int, Any]:
        """Put the question with this number; the seed it comes from, and what is observed."""
        own_seed = self.seeds(number)[0]
        return own_seed, self.env.reset(seed=own_seed)[0]

    def close(self) -> None:
        if self.agent is not None:
            self.agent.close()

    def remarks(self, question: Any, reply: Any, info: Mapping[str, Any]) -> dict[str, Any]:
        """What else a row should keep."""
        return {}

    def _reply(self, number: int, call: int, observation: dict[str, Any]) -> Any:
        """What the agent replies, now or in a run that was cut short."""
        agent = self.agent
        assert agent is not None
        return PATIENCE.call(lambda: self.journal.ask(agent, f"question {number}", call, observation))


def task_style(agent: Agent | None) -> dict[str, Any]:
    """How an agent wants its questions, as far as a task can give them so; who knows the answers does not look."""
    style = {} if agent is None else agent.style
    return {name: style[name] for name in ("observe", "size", "reasoning") if name in style}


def answerer(entry: SuiteRow, players: Players, knowing: Iterable[str], otherwise: str = "") -> Agent:
    """Who answers the questions of an entry; a sentence if that is somebody who can only play."""
    found = None
    if not isinstance(players, tuple):
        found = find_agent(players, registry.find(tasks.find(entry.id).game))
    if found is None or not found.can_answer:
        who = ", ".join(map(repr, knowing))
        raise MmgamesError(
            f"{entry.id}: questions are answered by {who}, a chat model or an object with answer(observation), and "
            f"{players_name(players)!r} can only play.{otherwise}"
        )
    return found


def _on_threads(found: Agent, make: Callable[[Agent], Asker], numbers: Sequence[int], together: int) -> Iterator[dict]:
    """Each thread has an environment and an agent of its own."""
    taken: list[Agent] = []
    lock = threading.Lock()

    def worker() -> Callable[[int], dict]:
        with lock:
            own = fresh_agent(found) if taken else found
            taken.append(own)
            return make(own)

    try:
        yield from crew(numbers, worker, together)
    finally:
        for agent in taken:
            agent.close()


def _ask_there(packed: bytes, number: int) -> dict[str, Any]:
    with _ASKERS.taken(packed) as asker:
        return asker(number)


def _unpacked_asker(packed: bytes) -> Asker:
    make, id, options, agent, seed, name = pickle.loads(packed)
    found = find_agent(agent, registry.find(tasks.find(id).game))
    return make(id, options, found, seed, name, JournalAtHome())


_ASKERS = Kept(_unpacked_asker)
"""What a worker of a cluster asks with."""


def ask(
    run: Run, knowing: Iterable[str], make: Callable[..., Asker], some: Callable[..., list[dict]]
) -> list[dict[str, Any]]:
    """The rows of a run's questions, by number, and the run's counts; kept in a file of its folder when there is one.

    `make(id, options, agent, seed, name, journal)` makes an Asker. Agents that `knowing` names are asked in other
    processes by `some(id, options, agent, seed, numbers)`; both are functions of a module.
    """
    entry, name = run.entry, tasks.find(run.entry.id).name
    path = records_path(run, name)
    known = isinstance(run.agent, str) and run.agent in knowing
    found = None if known else find_agent(run.agent, registry.find(tasks.find(entry.id).game))  # type: ignore[arg-type]
    said = description(found if found is not None and found.describes_itself else run.agent)  # type: ignore[arg-type]
    described = {} if said is None else {"description": said}
    about = {"task": entry.id, "agent": players_name(run.agent), **described, "seed": run.seed, **entry.options}
    records = Records(path, about, FIELDS) if path is not None else None
    calls = path.with_suffix(".calls.jsonl") if path is not None and found is not None else None
    with records or nullcontext(), Journal(calls, about, run.budget) as journal:
        kept = {} if records is None else finished_rows(records, "number", run.episodes)
        before = 0 if records is None else len(failed_rows(records, "number", run.episodes))
        missing = sorted(set(range(run.episodes)) - set(kept))
        asked: Iterable[dict]
        what = (entry.id, entry.options)
        if found is None:
            starts = range(0, len(missing), QUESTIONS_PER_JOB)
            jobs = [(*what, run.agent, run.seed, missing[first : first + QUESTIONS_PER_JOB]) for first in starts]
            asked = itertools.chain.from_iterable(run_jobs(some, jobs, run.processes))
        elif isinstance(run.processes, Cluster) and not is_offline():
            packed = run.processes.dumps((make, *what, run.agent, run.seed, players_name(run.agent)))
            there, each = functools.partial(_ask_there, packed), [(number,) for number in missing]
            asked = run_jobs(there, each, run.processes, home=journal, together=run.concurrency)
        else:
            own_name = players_name(run.agent)
            asked = _on_threads(
                found, lambda agent: make(*what, agent, run.seed, own_name, journal), missing, run.concurrency
            )
        with Progress(run.episodes, f"{name}, {players_name(run.agent)}", len(kept), run.progress) as bar:
            for row in asked:
                if records is not None:
                    records.add(row)
                kept[row["number"]] = row
                bar.advance()
    every = [kept[number] for number in sorted(kept)]
    rows = [row for row in every if row["score"] is not None]
    counts = run.counts
    counts.policy, counts.replies, counts.missing = "wrong", len(rows), len(every) - len(rows)
    counts.illegal = sum("illegal" in row for row in rows)
    counts.kinds.update(row.get("illegal_kind", NOT_RECORDED) for row in rows if "illegal" in row)
    counts.fail([row["failed"] for row in every if row["failed"]], before)
    return rows
