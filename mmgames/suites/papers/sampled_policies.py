"""The exploitability of an agent; one that does not tell its policy is asked often in every view of a game."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from mmgames.agents.base import Agent
from mmgames.agents.finding import make_agents
from mmgames.agents.identity import description, fresh_agent, given_names
from mmgames.core import registry
from mmgames.core.seeding import public_seed
from mmgames.errors import MmgamesError, RunStopped, Unavailable, what_was_raised
from mmgames.running.episodes import seed_as_recorded
from mmgames.running.journal import Journal
from mmgames.running.records import Fields
from mmgames.running.resumable import FinishedWork, ResultRow, ResumableWork, make_rows_here
from mmgames.suites import people
from mmgames.suites.entries import Run, players_name, records_path
from mmgames.suites.protocols import refusal_kinds
from mmgames.suites.results import settings
from mmgames.text.replies import said_reading
from mmgames.version import __version__

QUERIES = 25
REDRAWN = 100
"""So many policies are drawn for the error of one that was sampled."""

POLICY_FIELDS: Fields = {
    "number": lambda value: isinstance(value, int),
    "shares": lambda value: isinstance(value, list),
    "replies": lambda value: isinstance(value, list),
    "failed": lambda value: value is None or isinstance(value, str),
}


def minus_exploitability(run: Run) -> np.ndarray:
    """One exact value: minus the exploitability of the agent's policy.

    An agent that does not tell its policy is asked 25 times per view; what it replied is kept like episodes are. What
    an illegal reply costs is the same as in a match: asked again, then any legal move. The error is that of asking so
    often: the policy is drawn again as its answers leave it open.
    """
    from mmgames.baselines.search.exploitability import exact, exploitability, information_sets

    if isinstance(run.agent, tuple):
        raise MmgamesError(f"{run.entry.id}: exploitability is measured of one agent, not of a pair.")
    people.refuse_policy(run.agent, run.entry.id)
    run.starts.note(run.entry, "", 0, public_seed(run.seed))  # the whole game
    game = registry.load(run.entry.id).game(**run.entry.options)
    agents = make_agents([run.agent] * len(game.seats), game.spec)
    views = list(information_sets(game).items())
    if all(agent.tells_probabilities for agent in agents):
        known = {view: exact(agents[seat], game, seat, state) for view, (seat, state) in views}
        run.counts.resampled = np.array([])
        return np.array([-exploitability(game, known)])
    done = _asked_views(run, agents, game, views)
    run.details["settings"] = settings.of(agents[0], run.reading)
    rows = list(done.rows)
    failures = [row for row in rows if row["failed"]]
    run.counts.fail([row["failed"] for row in failures], len(done.earlier))
    for row in rows:
        again = sum("again" in reply for reply in row["replies"])
        run.counts.replies += len(row["replies"]) - again
        run.counts.again += again
        refused = refusal_kinds(row["replies"])
        run.counts.illegal += len(refused)
        run.counts.kinds.update(refused)
        run.counts.drawn += row["drawn"]
    if failures:
        run.counts.missing = 1
        run.counts.broken = int(any(not row.get("unavailable") for row in failures))
        return np.array([])
    policy = {view: dict(map(tuple, row["shares"])) for (view, _), row in zip(views, rows, strict=True)}
    run.counts.with_drawn = [any(row["drawn"] for row in rows)]
    rng = np.random.default_rng((public_seed(run.seed), len(views)))
    redrawn = ({view: _drawn_again(own, rng) for view, own in policy.items()} for _ in range(REDRAWN))
    run.counts.resampled = np.array([-exploitability(game, other) for other in redrawn])
    return np.array([-exploitability(game, policy)])


def _drawn_again(shares: Mapping[Any, float], rng: np.random.Generator) -> dict[Any, float]:
    """A policy that may have given these answers: who said the same thing every time may still do another now and then
    (Dirichlet, half an answer more for each action)."""
    counts = [QUERIES * share + 0.5 for share in shares.values()]
    return dict(zip(shares, rng.dirichlet(counts).tolist(), strict=True))


def _asked_views(run: Run, agents: Sequence[Agent], game: Any, views: Sequence[Any]) -> FinishedWork:
    """A row for each view: what the agent does there, from the run's folder as far as it was asked before."""
    said = description(agents[0] if agents[0].describes_itself else run.agent)  # type: ignore[arg-type]
    about = {"policy": run.entry.id, "agent": players_name(run.agent), "queries": QUERIES}
    about["seed"] = seed_as_recorded(run.seed)
    about |= {"options": dict(run.entry.options), "version": __version__, **given_names((run.agent,))} | (
        {} if said is None else {"description": said}
    )
    about |= said_reading(run.reading)

    def make_rows(missing: list[int], journal: Journal | None) -> Iterable[ResultRow]:
        def asker(own: Sequence[Agent]) -> _ViewAsker:
            return _ViewAsker(own, game, views, run, journal)

        return make_rows_here(
            missing, asker(agents), lambda: asker([fresh_agent(agent) for agent in agents]), run.concurrency
        )

    path = records_path(run, registry.find(run.entry.id).name)
    label = f"{registry.find(run.entry.id).name}, views"
    work = ResumableWork(path, about, POLICY_FIELDS, "number", len(views), True, run.budget, label, run.progress)
    return work.run(make_rows)


class _ViewAsker:
    """Asks agents, one for each seat, what they do in numbered views."""

    def __init__(
        self, agents: Sequence[Agent], game: Any, views: Sequence[Any], run: Run, journal: Journal | None
    ) -> None:
        self.agents, self.game, self.views, self.journal = agents, game, views, journal
        self.name, self.seed, self.reading = players_name(run.agent), public_seed(run.seed), run.reading

    def __call__(self, number: int) -> ResultRow:
        from mmgames.baselines.search.exploitability import sample_policy

        seat, state = self.views[number][1]
        row: ResultRow = {"number": number, "shares": [], "replies": [], "drawn": 0, "failed": None}
        agent = self.agents[seat]
        agent.keep(self.journal, f"view {number}")
        try:
            rng = np.random.default_rng((self.seed, number))
            found = sample_policy(agent, self.game, seat, state, QUERIES, rng, self.reading)
            row["shares"] = [list(item) for item in found.shares.items()]
            row |= {"replies": found.replies, "drawn": found.drawn}
        except RunStopped:
            raise
        except Exception as error:
            row["failed"] = f"{self.name}: {what_was_raised(error)}"
            row |= {"unavailable": True} if isinstance(error, Unavailable) else {}
        return row

    def close(self) -> None:
        for agent in self.agents:
            agent.close()
