"""People's rows in a suite: recorded rounds in place of play, and recorded answers in place of asking.

What was recorded counts only where it is what the entry plays: the same game and options, the same agents in the other
seats, the same deals. An entry of which nothing is recorded is unplayed; records that do not fit are refused.
"""

import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mmgames import tasks
from mmgames.agents.base import Agent
from mmgames.agents.finding import find_agent
from mmgames.agents.identity import agent_name, split_name
from mmgames.agents.people import RecordedPeople
from mmgames.core import registry
from mmgames.core.spec import LOOK
from mmgames.errors import MmgamesError, Unavailable
from mmgames.running import records
from mmgames.running.episodes import MatchPlan, episode_seed, make_plan, seed_as_recorded
from mmgames.running.journal import fingerprint
from mmgames.running.matches import MatchResult, fields
from mmgames.running.replays import replay
from mmgames.running.resumable import ResultRow, ResumableWork
from mmgames.suites.entries import Players, SuiteEntry

AGENT = "records"
PERSON = "person"
GIVEN_UP = "people"
"""The name of what an illegal reply costs people, in tables."""


def recorded_people(agent: Any) -> RecordedPeople | None:
    """The people whom an agent stands for; None: it is somebody else."""
    if isinstance(agent, str) and split_name(agent)[0].partition(":")[0] == AGENT:
        agent = find_agent(agent, next(iter(registry.specs.values()))).given
    return agent if isinstance(agent, RecordedPeople) else None


def among(players: Players) -> RecordedPeople | None:
    """The people among those who play; those of two folders did not play together."""
    found = [one for player in _each(players) if (one := recorded_people(player)) is not None]
    if len({one.folder for one in found}) > 1:
        raise MmgamesError("People of two folders have not played together; name the records of one study.")
    return found[0] if found else None


def _each(players: Players) -> tuple[Any, ...]:
    return tuple(players) if isinstance(players, (tuple, list)) else (players,)


class _File:
    """One results file of people, and the fingerprints of what they were shown."""

    def __init__(self, path: Path, about: Mapping[str, Any], rows: Sequence[dict[str, Any]]) -> None:
        self.path, self.about, self.rows = path, about, rows

    @property
    def id(self) -> str:
        return str(self.about.get("match", self.about.get("task")))

    def options(self) -> dict[str, Any]:
        if "match" in self.about:
            return dict(self.about.get("options", {}))
        own = ("task", "agent", "named", "description", "seed", "version", "reading")
        return {name: value for name, value in self.about.items() if name not in own}

    def shown(self) -> dict[tuple[str, int], str]:
        """What was shown in each call, as a fingerprint."""
        path = self.path.with_suffix(".calls.jsonl")
        rows = records.read(path)[1] if path.exists() else []
        return {(row["scope"], row["call"]): row["prompt"] for row in rows if "prompt" in row}


def files_of(people: RecordedPeople) -> list[_File]:
    """The results files of a folder in which people have a seat, or answer, and have done so."""
    found = []
    for path in sorted(people.folder.rglob("*.jsonl")):
        if path.name.endswith(".calls.jsonl"):
            continue
        about, rows = records.read(path)
        if rows and PERSON in (*about.get("agents", ()), about.get("agent")):
            found.append(_File(path, about, rows))
    return found


def unrecorded(
    agent: Players, entries: Iterable[SuiteEntry], more: Callable[[SuiteEntry], Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The entries of which a folder holds nothing; none for whoever plays. `more` are options beside theirs.

    Where an environment has several entries, those that differ in options from all that is recorded are among them.
    """
    people = among(agent)
    if people is None:
        return []
    files = files_of(people)
    if not files:
        raise MmgamesError(f"{people.folder} holds no records of people; name the folder that `mmgames study` wrote.")
    entries = list(entries)
    there = {entry.key: [file for file in files if file.id == entry.id] for entry in entries}
    fits = {
        entry.key: any(_same(file, {**entry.options, **more(entry)}) for file in there[entry.key]) for entry in entries
    }
    found = []
    for entry in entries:
        another = any(fits[other.key] for other in entries if other.id == entry.id)
        if not there[entry.key] or (another and not fits[entry.key]):
            found.append({"environment": entry.id, "variant": entry.variant, "unrecorded": True})
    return found


def _same(file: _File, options: Mapping[str, Any]) -> bool:
    return settled(file.id, file.options()) == settled(file.id, options)


def settled(id: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """All options of a game or a task that settle what is played or asked, with the defaults."""
    if id in registry.specs:
        own = {name: value for name, value in options.items() if name in (*registry.find(id).options, LOOK)}
        return _as_kept(registry.load(id).game(**own).options)
    found = inspect.signature(tasks.find(id).source_class("released" in options)).parameters
    usual = {name: one.default for name, one in found.items() if one.default is not inspect.Parameter.empty}
    return _as_kept({**usual, **{name: value for name, value in options.items() if name != "reading"}})


def _as_kept(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as a file has them."""
    kept: dict[str, Any] = json.loads(json.dumps(dict(options), default=str))
    return kept


# Games


def recorded_match(
    id: str,
    agents: Players,
    episodes: int,
    seed: Any,
    *,
    out: Path | None,
    progress: bool = False,
    on_illegal: Any = "retry",
    reading: Any = "paragraph",
    max_steps: int | None = None,
    clock: Any = None,
    **options: Any,
) -> MatchResult:
    """What `match` would be, from what people have played; episodes that nobody has played are not in it."""
    if clock is not None:
        raise MmgamesError("What people have played was played without this clock; leave clock out for them.")
    people = among(agents)
    assert people is not None
    plan = make_plan(id, agents, seed, on_illegal, options, max_steps, reading)
    rows = _fitting_rows(people, plan, episodes)
    work = ResumableWork(
        out, plan.about(), fields(len(plan.agents)), "episode", episodes, False, None, plan.id, progress
    )
    done = work.run(lambda missing, journal: (rows[number] for number in missing if number in rows))
    return MatchResult(plan, list(done.rows), done.earlier)


def _fitting_rows(people: RecordedPeople, plan: MatchPlan, episodes: int) -> dict[int, ResultRow]:
    """The rows of a folder that are episodes of a plan, by number; a sentence if there are others alone."""
    files = [file for file in files_of(people) if file.about.get("match") == plan.id]
    wanted = [PERSON if recorded_people(agent) else agent_name(agent) for agent in plan.agents]
    files = _only(
        files, lambda file: file.about["agents"], wanted, f"{people.folder}: people's {plan.id} was played by"
    )
    options = settled(plan.id, dict(plan.options))
    files = _only(
        files, lambda file: settled(plan.id, file.options()), options, f"{people.folder}: people played {plan.id} with"
    )
    files = _only(
        files, lambda file: file.about.get("max_steps"), plan.max_steps, f"{people.folder}: {plan.id} had max_steps"
    )
    game = registry.load(plan.id).game(**dict(plan.options))
    whole = fields(len(plan.agents))
    numbers = {episode_seed(plan.seed, number, game): number for number in range(episodes)}
    found: dict[int, ResultRow] = {}
    for file in files:
        for line, row in enumerate(file.rows, 2):
            records.check_row(row, whole, f"{file.path} is damaged: line {line}", "Remove the line or the file.")
    for row in (row for file in files for row in file.rows):
        number = numbers.get(row.get("seed", -1))
        if (
            number is None
            or "deputies" in row
            or (row.get("unfinished") and not (row.get("given_up") or plan.max_steps))
        ):
            continue  # another deal, an agent's moves, or a game of which nobody knows who left it
        if not row["failed"]:
            for _ in replay(row):  # what does not replay is no record
                pass
        if number not in found or found[number]["failed"]:
            found[number] = {**row, "episode": number}
    if not found and any(file.rows for file in files):
        dealt, here = ", ".join({str(file.about["seed"]): "" for file in files}), seed_as_recorded(plan.seed)
        raise MmgamesError(
            f"{people.folder}: people's {plan.id} was dealt from seed {dealt}, and not from {here}; say "
            f"--seed {dealt}, and measure models with it too, or choose other environments with --only."
        )
    return found


def _only(files: list[_File], of: Callable[[_File], Any], wanted: Any, what: str) -> list[_File]:
    """Those files that are as an entry wants them; a sentence if there are others alone."""
    fitting = [file for file in files if of(file) == wanted]
    if files and not fitting:
        raise MmgamesError(
            f"{what} {_told(of(files[0]))}, and this entry wants {_told(wanted)}; choose others with --only or --skip."
        )
    return fitting


def _told(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={one!r}" for name, one in value.items()) or "no options"
    return " and ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def groups(people: RecordedPeople) -> dict[str, str]:
    """Of each participant, who stands for all with whom it has played, or they with others."""
    above: dict[str, str] = {}

    def top(code: str) -> str:
        while above.setdefault(code, code) != code:
            code = above[code]
        return code

    for row in (row for file in files_of(people) for row in file.rows):
        codes = participants(row)
        for code in codes:
            above[top(code)] = top(codes[0])
    return {code: top(code) for code in list(above)}


def participants(row: Mapping[str, Any]) -> list[str]:
    return [*row.get("participants", {}).values(), *([row["participant"]] if "participant" in row else [])]


def clusters(people: RecordedPeople, rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """What each row hangs together with."""
    known = groups(people)
    return [known[own[0]] if (own := participants(row)) else f"row {place}" for place, row in enumerate(rows)]


# Questions


class RecordedReplies:
    """Answers what people have answered, if they were shown the same; it stands where a journal does."""

    def __init__(self, people: RecordedPeople, id: str, options: Mapping[str, Any], seed: Any) -> None:
        files = [file for file in files_of(people) if file.about.get("task") == id]
        own = f"{people.folder}: people's {id} was asked with"
        files = _only(files, lambda file: settled(id, file.options()), settled(id, options), own)
        files = _only(
            files, lambda file: file.about["seed"], seed_as_recorded(seed), f"{people.folder}: {id} was asked from seed"
        )
        self.id, self.folder = id, people.folder
        self.rows = {row["number"]: row for file in files for row in file.rows if not row["failed"]}
        self._shown = {key: prompt for file in files for key, prompt in file.shown().items()}

    def ask(self, agent: Agent, scope: str, call: int, observation: dict[str, Any]) -> str:
        row = self.rows[int(scope.rpartition(" ")[2])]
        replies = row.get("replies") or [row["reply"]]
        if call >= len(replies):
            raise Unavailable(f"{scope} was not answered so often.", can_retry=False)
        shown = self._shown.get((scope, call))
        if shown is not None and shown != fingerprint(observation):
            raise MmgamesError(
                f"{self.folder}: {scope} of {self.id} is another one now than the one that was answered; score it with "
                "the version of mmgames that asked it."
            )
        return str(replies[call])

    def completion_tokens(self, scope: str) -> float | None:
        return None

    def make_rows(self, asker: Callable[[int], ResultRow], missing: Sequence[int]) -> Iterator[ResultRow]:
        for number in missing:
            if number in self.rows:
                own = self.rows[number]
                row = asker(number)
                if row["failed"] or row["seed"] != own["seed"]:
                    raise MmgamesError(
                        row["failed"] or f"{self.folder}: question {number} of {self.id} had another seed."
                    )
                yield {**row, **{name: own[name] for name in ("participant", "given_up") if name in own}}


def refuse_policy(agent: Any, id: str) -> None:
    """People do not tell their policies, and are not asked often enough in every view to have one estimated."""
    if recorded_people(agent) is not None:
        raise MmgamesError(f"{id}: a policy cannot be told from records of people; leave it out with --skip.")
