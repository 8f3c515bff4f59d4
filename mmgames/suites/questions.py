"""Questions of a task to an agent: one after the other or many at a time, counted, kept, and never paid for twice."""

import functools
import itertools
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np

from mmgames import tasks
from mmgames.agents.base import Agent, CallJournal
from mmgames.agents.finding import find_agent
from mmgames.agents.identity import description, fresh_agent, given_names
from mmgames.agents.prompt_template import Scene
from mmgames.core import registry
from mmgames.core.seeding import RunSeed, SealedSeed
from mmgames.errors import MmgamesError, RunStopped, Unavailable, what_was_raised
from mmgames.running.episodes import seed_as_recorded
from mmgames.running.journal import Journal, is_offline
from mmgames.running.processes import run_jobs, stdout_for_results
from mmgames.running.ray_cluster import Cluster
from mmgames.running.records import Fields, kept_reply
from mmgames.running.resumable import ResultRow, ResumableWork, make_rows_elsewhere, make_rows_here
from mmgames.running.statistics import mean_and_error
from mmgames.suites import people
from mmgames.suites.entries import Players, Run, SuiteEntry, players_name, records_path
from mmgames.suites.results import settings
from mmgames.tasks.env import TaskEnv
from mmgames.tasks.questions import task_style
from mmgames.text.refusals import NOT_RECORDED
from mmgames.text.replies import said_reading

QUESTIONS_PER_JOB = 50
EXACT_CHANCE = "exact, for these questions"
FIELDS: Fields = {
    "number": lambda value: isinstance(value, int),
    "score": lambda value: value is None or isinstance(value, (int, float)),
    "failed": lambda value: value is None or isinstance(value, str),
}
Answerers = Mapping[str, Callable[[Any, Any, np.random.Generator], Any]]
"""Who answers without being asked: name -> answer(source, question, rng)."""
GUESS_OR_KNOW: Answerers = {
    "random": lambda source, question, rng: source.guess(question, rng),
    "oracle": lambda source, question, rng: source.truth(question)["answer"],
}


Seeds = RunSeed | Sequence[tuple[int, int]]
"""The seed of a run, or for each question its own and that of an answer by chance."""


def question_seeds(seed: RunSeed, id: str, number: int) -> list[int]:
    """The seed of a question, and that of an answer by chance."""
    if isinstance(seed, SealedSeed):
        return [seed.derive(use, id, number) for use in ("question", "answer")]
    entropy = (seed, zlib.crc32(id.encode()), number)
    return np.random.SeedSequence(entropy).generate_state(2, np.uint32).tolist()


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
        seed: Seeds,
        name: str = "",
        journal: CallJournal | None = None,
    ) -> None:
        self.id, self.seed, self.name = id, seed, name or players_name(agent)
        self.agent = None if isinstance(agent, str) else agent
        self.knows = self.answerers()[agent] if isinstance(agent, str) else None
        self.journal = journal or Journal(None, {})
        shown: dict[str, Any] = {"observe": "text"} if isinstance(agent, str) else task_style(agent)
        self.env: Any = gymnasium.make(id, actions="text", disable_env_checker=True, **{**shown, **options}).unwrapped

    @staticmethod
    def answerers() -> Answerers:
        """Who answers these questions without being asked."""
        return GUESS_OR_KNOW

    def __call__(self, number: int) -> ResultRow:
        """The row of one question: what was replied, and what that earned."""
        env = self.env
        own_seed, observation = self.put(number)
        rng = np.random.default_rng(self.seeds(number)[1])
        if self.agent is not None:
            self.agent.forget()  # a question has nothing to do with the one before
            self.agent.placed(Scene(env.task.name.partition("-")[0], env.task.kind))
            self.agent.draw_with(rng)
            self.agent.read_with(lambda reply: env.source.read(env.question, reply))
        failed, unavailable, ended = None, False, False
        replies: list[str] = []
        again: list[dict[str, Any]] = []  # those of them that were not read and asked again, with why
        info: dict[str, Any] = {}
        reply = score = asked = None
        while not ended and not unavailable:
            asked = env.question
            try:
                if self.knows is not None:
                    reply = env.source.as_reply(self.knows(env.source, asked, rng))
                else:
                    reply = self._reply(number, len(replies), observation)
                    if not again and self.agent is not None and self.agent.may_be_asked_again:
                        reply = self._asked_again(number, reply, replies, again)
            except RunStopped:
                raise
            except Exception as error:
                # Whatever an agent does wrong costs its own question only.
                reply, failed = None, f"{self.name}: {what_was_raised(error)}"
                unavailable = isinstance(error, Unavailable)
            replies.append(kept_reply(reply if isinstance(reply, str) else repr(reply)))
            observation, score, ended, _, info = env.step(reply)
        row = {"number": number, "seed": own_seed, "reply": replies[-1], "score": score}
        if len(replies) > 1:
            row["replies"] = replies
        if again:
            row["again"] = again
        if unavailable:
            row |= {"score": None, "unavailable": True}
        elif "illegal" in info:
            row |= {key: info[key] for key in ("illegal", "illegal_kind") if key in info}
        chance = env.source.chance(asked)
        row |= {} if chance is None else {"chance": chance}
        row |= self.remarks(asked, reply, info)
        if not unavailable and (theirs := env.source.released_score(asked, reply)) is not None:
            row["released_score"] = theirs
        return {**row, "failed": failed}

    def _asked_again(self, number: int, reply: Any, replies: list[str], again: list[dict[str, Any]]) -> Any:
        """The reply that counts: this one, or if it was not read, what is replied to the question asked once more."""
        for _ in range(self.env.asks_again):
            if (shown := self.env.ask_again(reply)) is None:
                break
            try:
                following = self._reply(number, len(replies) + 1, shown)
            except Unavailable:
                if not is_offline():
                    raise
                break  # a recorded run that did not ask again is taken as it was
            again.append({"number": len(replies), **self.env.source.read(self.env.question, reply).as_record()})
            replies.append(kept_reply(reply if isinstance(reply, str) else repr(reply)))
            reply = following
        return reply

    def seeds(self, number: int) -> list[int]:
        """What settles a question, and what settles an answer by chance."""
        if isinstance(self.seed, Sequence):
            return list(self.seed[number])
        return question_seeds(self.seed, self.id, number)

    def put(self, number: int) -> tuple[int, Any]:
        """Put the question with this number; the seed it comes from, and what is observed."""
        own_seed = self.seeds(number)[0]
        which = None if self.env.source.rows is None else {"number": number}
        return own_seed, self.env.reset(seed=own_seed, options=which)[0]

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
        return agent.retry_policy.call(lambda: self.journal.ask(agent, f"question {number}", call, observation))


def check_questions(entry: SuiteEntry, players: Players, asker: type[Asker], otherwise: str = "", **shown: Any) -> None:
    """A sentence if these cannot answer the questions of an entry, or if its task cannot be made; `shown` is how its
    questions are shown to agents that do not say it themselves."""
    found = None
    if not (isinstance(players, str) and players in asker.answerers()):
        found = None if isinstance(players, tuple) else _agent_of(entry.id, players)
        if found is None or not found.can_answer:
            who = ", ".join(map(repr, asker.answerers()))
            raise MmgamesError(
                f"{entry.id}: questions are answered by {who}, a chat model or an object with answer(observation), and "
                f"{players_name(players)!r} can only play.{otherwise}"
            )
    TaskEnv(entry.id, actions="text", **{**shown, **task_style(found), **entry.options})


def _agent_of(id: str, agent: Players) -> Agent:
    return find_agent(agent, registry.find(tasks.find(id).game))  # type: ignore[arg-type]


def _asker_elsewhere(
    asker: type[Asker], id: str, options: Mapping[str, Any], agent: Players, seed: Seeds, name: str, journal: Any
) -> Asker:
    """An Asker in a worker of a cluster, to which agents travel as they were given."""
    return asker(id, options, _agent_of(id, agent), seed, name, journal)


def _ask_some(
    asker: type[Asker], id: str, options: Mapping[str, Any], agent: Any, seed: Seeds, numbers: Iterable[int]
) -> list[ResultRow]:
    return list(map(asker(id, options, agent, seed), numbers))


def ask(run: Run, asker: type[Asker]) -> list[ResultRow]:
    """The rows of a run's questions, by number, and the run's counts; kept in a file of its folder when there is one.

    Those who answer without being asked (`asker.answerers`) do it in other processes, many questions at a time.
    """
    entry, task, own_name = run.entry, tasks.find(run.entry.id).name, players_name(run.agent)
    known = isinstance(run.agent, str) and run.agent in asker.answerers()
    found = None if known else _agent_of(entry.id, run.agent)
    said = description(found if found is not None and found.describes_itself else run.agent)  # type: ignore[arg-type]
    described = {} if said is None else {"description": said}
    options = {**entry.options, **said_reading(run.reading)}
    given = list(zip(run.starts.seeds(entry), run.starts.seeds(entry, name="answer_seed"), strict=True))
    seed: Seeds = given or run.seed
    recorded = seed_as_recorded([one for pair in given for one in pair] or run.seed)
    about = {"task": entry.id, "agent": own_name, **given_names((run.agent,)), **described, "seed": recorded, **options}
    what = (entry.id, options)

    who = people.recorded_people(run.agent)

    def make_rows(missing: list[int], journal: Journal | None) -> Iterable[ResultRow]:
        if who is not None:
            kept = people.RecordedReplies(who, entry.id, entry.options, run.seed)
            return kept.make_rows(asker(*what, found, seed, own_name, kept), missing)  # type: ignore[arg-type]
        if found is None:
            starts = range(0, len(missing), QUESTIONS_PER_JOB)
            jobs = [(missing[first : first + QUESTIONS_PER_JOB],) for first in starts]
            some = functools.partial(_ask_some, asker, *what, run.agent, seed)
            return itertools.chain.from_iterable(run_jobs(some, jobs, run.processes))
        if isinstance(run.processes, Cluster) and not is_offline():
            there = functools.partial(_asker_elsewhere, asker, *what, run.agent, seed, own_name)
            return make_rows_elsewhere(missing, there, run.processes, journal, run.concurrency)
        first = asker(*what, found, seed, own_name, journal)
        return make_rows_here(
            missing, first, lambda: asker(*what, fresh_agent(found), seed, own_name, journal), run.concurrency
        )

    path = records_path(run, task)
    asks = found is not None and who is None
    label = f"{task}, {own_name}"
    work = ResumableWork(path, about, FIELDS, "number", run.episodes, asks, run.budget, label, run.progress)
    with stdout_for_results(run.processes):
        done = work.run(make_rows)
    every = list(done.rows)
    rows = [row for row in every if row["score"] is not None]
    if theirs := [100 * row["released_score"] for row in rows if "released_score" in row]:
        run.details["released_rule"] = mean_and_error(np.array(theirs))
    for row in every:
        number = row["number"]
        chance = given[number][1] if given else question_seeds(run.seed, entry.id, number)[1]
        run.starts.note(entry, "", number, row["seed"], answer_seed=chance)
    if found is not None and who is None:
        run.details["settings"] = settings.of(found, run.reading, entry.options)
    counts = run.counts
    counts.policy, counts.replies, counts.missing = "wrong", len(rows), len(every) - len(rows)
    counts.illegal = sum("illegal" in row for row in rows)
    counts.again = sum(len(row.get("again", ())) for row in rows)
    counts.kinds.update(row.get("illegal_kind", NOT_RECORDED) for row in rows if "illegal" in row)
    counts.fail([row["failed"] for row in every if row["failed"]], len(done.earlier))
    counts.deals = [str(row["number"]) for row in rows]
    counts.lost = [str(row["number"]) for row in every if row["score"] is None]
    counts.clusters = [row.get("seed", row["number"]) for row in rows]  # questions of one seed are about one episode
    if who is not None:
        counts.people.update(row["participant"] for row in rows if "participant" in row)
        counts.given_up = sum("given_up" in row for row in rows)
        counts.missing += max((row["number"] for row in every), default=-1) + 1 - len(every)
        counts.clusters = [*people.clusters(who, rows)]
    if rows and all("chance" in row for row in rows):
        run.details["chance"] = {"mean": 100 * float(np.mean([row["chance"] for row in rows])), "source": EXACT_CHANCE}
    return rows
