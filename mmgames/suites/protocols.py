"""How matches of a suite are played: protocols that give the values of a row, and what is counted beside them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mmgames.agents.answering import shown_so
from mmgames.agents.base import AgentLike
from mmgames.agents.finding import find_agent
from mmgames.agents.people import RecordedPeople
from mmgames.core import registry
from mmgames.core.game import Seat
from mmgames.core.spec import GameSpec
from mmgames.running.matches import MatchResult, match
from mmgames.running.variates import luck_of
from mmgames.suites import people
from mmgames.suites.entries import RowCounts, Run, records_path
from mmgames.suites.results import settings
from mmgames.suites.spoken import failures
from mmgames.text.refusals import NOT_RECORDED


def shown(style: Mapping[str, Any], protocol: Callable[[Run], np.ndarray]) -> Callable[[Run], np.ndarray]:
    """A protocol in which whoever answers observations sees games in this style."""

    def seen_so(player: Any, spec: GameSpec) -> Any:
        found = None if people.recorded_people(player) is not None else find_agent(player, spec)
        return player if found is None or (styled := shown_so(found, style)) is found else styled

    def styled(run: Run) -> np.ndarray:
        each = run.agent if isinstance(run.agent, tuple) else (run.agent,)
        own = tuple(seen_so(player, registry.find(run.entry.id)) for player in each)
        return protocol(replace(run, agent=own if isinstance(run.agent, tuple) else own[0]))

    return styled


def self_play(run: Run) -> np.ndarray:
    """The agent in every seat; an episode's value is the mean over its seats."""
    return play_match(run, run.agent, run.episodes).returns().mean(axis=1)


def against(opponent: str) -> Callable[[Run], np.ndarray]:
    """A protocol: half of the episodes in the first seat, half in the second, always against `opponent`."""

    def protocol(run: Run) -> np.ndarray:
        values = []
        for seat in (0, 1):
            agents = (run.agent, opponent) if seat == 0 else (opponent, run.agent)
            games = (run.episodes + 1 - seat) // 2
            if not games:
                continue
            result = play_match(run, agents, games, f"seat-{seat}", (seat,))
            values.append(result.returns()[:, seat])
        return np.concatenate(values)

    return protocol


def play_match(
    run: Run, agents: Any, episodes: int, part: str = "", measured: Collection[Seat] | None = None, **how: Any
) -> MatchResult:
    """A match of the entry's game, kept in the run's folder; what happened in it goes into the details and counts.

    `measured` are the seats of the agent that the run is about; without it, those in which it sits. `how` are further
    keywords of the match, such as `on_illegal`.
    """
    how.setdefault("on_illegal", run.on_illegal)
    how.setdefault("reading", run.reading)
    how.setdefault("clock", run.clock)
    who = people.among(agents)
    workers: dict[str, Any] = {"processes": run.processes, "concurrency": run.concurrency, "budget": run.budget}
    result = (match if who is None else people.recorded_match)(
        run.entry.id,
        agents,
        episodes,
        run.starts.seeds(run.entry, part) or run.seed,
        out=records_path(run, registry.find(run.entry.id).name, part),
        progress=run.progress,
        **({} if who is not None else workers),
        **how,
        **run.entry.options,
    )
    if measured is None:
        own = run.agent if isinstance(run.agent, tuple) else (run.agent,)
        measured = [seat for seat, player in enumerate(result.plan.agents) if _among(player, own)]
    _count(run.counts, result, measured, part)
    spec, seated = registry.find(run.entry.id), [result.plan.agents[seat] for seat in measured] if who is None else []
    told = [settings.of(find_agent(one, spec), run.reading) for one in {id(one): one for one in seated}.values()]
    run.details.update({"settings": settings.together([*filter(None, told)])} if any(told) else {})
    if who is not None:
        _count_people(run.counts, result, who)
    for row in result.episodes:
        run.starts.note(run.entry, part, row["episode"], row["seed"])
    if named := failures.together([run.details.get("failures", {}), failures.counted(result.episodes)]):
        run.details["failures"] = named
    if run.variates and result.finished:
        found = luck_of(result.finished, result.plan.agents)
        run.counts.luck.append(np.zeros((len(result.finished), 0)) if found is None else found)
    if not part:
        run.details["events"] = result.summary()["events"]
    return result


def _count_people(counts: RowCounts, result: MatchResult, found: RecordedPeople) -> None:
    """Who they were, what they gave up, and which of their values hang together; a start in between may be missing."""
    rows, last = result.episodes, max((row["episode"] for row in result.episodes), default=-1)
    counts.policy = people.GIVEN_UP
    counts.missing += last + 1 - len(rows)
    counts.people.update(code for row in rows for code in people.participants(row))
    counts.given_up += sum("given_up" in row for row in rows)
    counts.clusters += people.clusters(found, result.finished)


def _among(player: str | AgentLike, others: Sequence[str | AgentLike]) -> bool:
    return any(player is one or (isinstance(player, str) and player == one) for one in others)


def _count(counts: RowCounts, result: MatchResult, measured: Collection[Seat], part: str) -> None:
    """Add up what the measured seats replied, and what failed."""
    roles = registry.load(result.plan.id).game(**dict(result.plan.options)).seats
    own = {roles[seat] for seat in measured}
    for row in result.episodes:
        drawn, unread = (row.get(name, [0] * len(roles)) for name in ("drawn", "unread"))
        for seat in measured:
            moves = sum(actions[seat] is not None for actions in row["actions"])
            counts.replies += moves - drawn[seat] - unread[seat] + row["illegal"][seat]
            counts.illegal += row["illegal"][seat]
            counts.drawn += drawn[seat]
            counts.again += row["asked_again"][seat] if "asked_again" in row else 0
        counts.kinds.update(refusal_kinds(reply for reply in row.get("replies", ()) if reply["seat"] in own))
        (counts.lost if row["failed"] else counts.deals).append(f"{part} {row['episode']}".strip())
        counts.with_drawn += [] if row["failed"] else [any(drawn[seat] for seat in measured)]
        if row["failed"]:
            counts.missing += 1
            counts.broken += row.get("failed_seat") in own and not row.get("unavailable")
    counts.fail([row["failed"] for row in result.episodes if row["failed"]], len(result.earlier))


def refusal_kinds(replies: Iterable[Mapping[str, Any]]) -> list[str]:
    """The kinds of the replies that were refused, and not only asked again; records of before kinds were kept do not
    tell."""
    return [reply.get("kind", NOT_RECORDED) for reply in replies if "refused" in reply and "again" not in reply]
