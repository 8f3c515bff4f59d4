"""LVLM-Playground: perceive, ask, rule and play in six games; the overall of a task weighs games by their stars."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Literal, get_args

import gymnasium
import numpy as np

from mmgames import tasks
from mmgames.core import registry
from mmgames.core.agents import Turn, description, make_agent
from mmgames.core.errors import MmgamesError, unknown
from mmgames.core.observation import Observer
from mmgames.core.progress import Progress
from mmgames.core.prompt import section
from mmgames.core.records import Fields, Records
from mmgames.core.replies import Illegal
from mmgames.core.table import markdown
from mmgames.core.workers import run_jobs
from mmgames.episodes import make_plan
from mmgames.matches import finished_rows, mean_and_error
from mmgames.suites.stars import ABILITIES, STARS, overall, star_rows
from mmgames.suites.suite import (
    Figure,
    Players,
    Run,
    Suite,
    SuiteRow,
    make_row,
    play_match,
    players_name,
    records_path,
)
from mmgames.suites.tables import figure, short_name, with_error
from mmgames.tasks.env import TaskEnv

GAMES = ("TicTacToe", "Reversi", "Sudoku", "Minesweeper", "Gomoku", "Chess")
UNKNOWN = "its number of positions and its error are not known here"

# The random row, in per cent, and what is known about it.
RANDOM: dict[str, dict[str, tuple[float, str]]] = {
    "Perceive": {
        "TicTacToe": (33.2, "guessing one of 3 codes gives 33.3 on average"),
        "Reversi": (33.3, "guessing one of 3 codes gives 33.3 on average"),
        "Sudoku": (10.3, "guessing one of 10 codes gives 10.0 on average"),
        "Minesweeper": (9.3, "guessing one of 11 codes gives 9.1 on average"),
        "Gomoku": (33.2, "guessing one of 3 codes gives 33.3 on average"),
        "Chess": (7.9, "guessing one of 13 codes gives 7.7 on average"),
    },
    "Ask": {},
    "Rule": {
        "TicTacToe": (34.2, "3 of 9 cells are empty, which gives 33.3 on average"),
        "Reversi": (12.7, "any of 64 cells is named"),
        "Minesweeper": (42.2, "any closed cell is expected to give 48.4; see also the row without mines"),
        "Gomoku": (50.8, "any of 225 points is named"),
        "Chess": (1.4, "any of the 1,968 moves that a piece could make is named"),
    },
}
BEST_PERCEIVE = dict(zip(GAMES, (99.3, 97.4, 94.2, 77.6, 63.3, 44.7), strict=True))
MEASURES = {
    "Perceive": "right cells in per cent",
    "Ask": "right answers in per cent",
    "Rule": "legal moves in per cent",
    "Play": "unbeaten in per cent",
}


# Answering


QUESTIONS_PER_JOB = 50
Knows = Literal["random", "oracle"]
"""Who answers without looking: by guessing, or by knowing."""


def answers(id: str, options: Mapping[str, Any], agent: Any, seed: int, numbers: Iterable[int]) -> Iterator[dict]:
    """Questions with these numbers, what was replied and what that earned; a question depends on seed and number."""
    unseen: dict[str, Any] = {"observe": "text"} if agent in get_args(Knows) else {}
    env: Any = gymnasium.make(id, actions="text", disable_env_checker=True, **unseen, **options).unwrapped
    for number in numbers:
        entropy = (seed, zlib.crc32(id.encode()), number)
        own_seed, guessing = np.random.SeedSequence(entropy).generate_state(2, np.uint32).tolist()
        observation, _ = env.reset(seed=own_seed)
        source, asked = env.source, env.question
        failed = None
        try:
            if agent == "random":
                reply = source.guess(asked, np.random.default_rng(guessing))
            elif agent == "oracle":
                reply = source.truth(asked)["answer"]
            else:
                reply = agent.answer(observation)
        except Exception as error:
            # Whatever an agent does wrong costs its own question only.
            reply, failed = None, f"{players_name(agent)}: {type(error).__name__}: {error}"
        row = {"number": number, "seed": own_seed, "reply": reply if isinstance(reply, str) else repr(reply)}
        row["score"] = env.step(reply)[1]
        if asked.names and "mines" in asked.facts:
            read = source.read(asked, reply)
            named = "" if isinstance(read, Illegal) else asked.names.get(read, "")
            row["safe"] = bool(named) and named.split()[-1] not in asked.facts["mines"]
        yield {**row, "failed": failed}


FIELDS: Fields = {
    "number": lambda value: isinstance(value, int),
    "score": lambda value: isinstance(value, (int, float)),
    "failed": lambda value: value is None or isinstance(value, str),
}


def answer_some(*job: Any) -> list[dict]:
    return list(answers(*job))


def answer(run: Run) -> np.ndarray:
    """The scores of a task's questions, 0 to 100; kept in a file of the run's folder when there is one."""
    entry, name = run.entry, tasks.find(run.entry.id).name
    path = records_path(run, name)
    said = description(run.agent)  # type: ignore[arg-type]
    described = {} if said is None else {"description": said}
    about = {"task": entry.id, "agent": players_name(run.agent), **described, "seed": run.seed, **entry.options}
    records = Records(path, about, FIELDS) if path is not None else None
    with records or nullcontext():
        kept = {} if records is None else finished_rows(records, "number", run.episodes)
        missing = sorted(set(range(run.episodes)) - set(kept))
        asked: Iterable[dict]
        what = (entry.id, entry.options, run.agent, run.seed)
        if isinstance(run.agent, str):
            starts = range(0, len(missing), QUESTIONS_PER_JOB)
            jobs = [(*what, missing[first : first + QUESTIONS_PER_JOB]) for first in starts]
            asked = itertools.chain.from_iterable(run_jobs(answer_some, jobs, run.processes))
        else:
            asked = answers(*what, missing)
        with Progress(run.episodes, f"{name}, {players_name(run.agent)}", len(kept), run.progress) as bar:
            for row in asked:
                if records is not None:
                    records.add(row)
                kept[row["number"]] = row
                bar.advance()
    rows = [kept[number] for number in sorted(kept)]
    failures = [row["failed"] for row in rows if row["failed"]]
    run.details.update(failed=len(failures), first_failure=failures[0] if failures else None)
    if rows and "safe" in rows[0]:
        run.details["safe"] = [100.0 * (row["score"] > 0 and row["safe"]) for row in rows]
    return np.array([100 * row["score"] for row in rows])


# Playing


READING = {"size": 512, "reasoning": "direct", "legal_in_text": False}
"""How whoever answers sees a game, unless it is said otherwise."""


class Reader:
    """Lets whoever answers observations play: the picture and the prompt go in, the reply is read as a move.

    The prompt does not list the legal moves: to know them is part of what is measured.
    """

    def __init__(self, agent: Any, **style: Any) -> None:
        self.agent, self.style = agent, {**READING, **style}
        other = (f" {name}={value}" for name, value in self.style.items() if value != READING[name])
        self.name = players_name(agent) + "".join(other)  # games seen otherwise are other results

    def describe(self) -> Any:
        return description(self.agent)

    def act(self, turn: Turn) -> Any:
        observation = turn.observe(("rgb", "text"), **self.style)
        if turn.refused is not None:
            observation["text"] += "\n\n" + section("Refused", f"Your last reply was no move: {turn.refused.reason}")
        reply = self.agent.answer(observation)
        if isinstance(reply, str):
            return reply
        return Illegal(f"a reply must be text, not {type(reply).__name__}.", repr(reply))


def unbeaten(opponent: str | None) -> Callable[[Run], np.ndarray]:
    """A protocol: the agent moves first against `opponent`; not to lose counts. Alone, to solve it counts.

    Three replies in a row that are no move lose. A game that reaches `max_steps` is neither won nor drawn.
    """

    def protocol(run: Run) -> np.ndarray:
        other = run.entry.options.get("opponent", opponent)
        style = {name: value for name, value in run.entry.options.items() if name in READING}
        rest = {name: value for name, value in run.entry.options.items() if name not in (*READING, "opponent")}
        player = Reader(run.agent, **style) if _reads(run.agent) else run.agent
        agents = player if other is None else (player, other)
        told = replace(run, entry=replace(run.entry, options=rest))
        result = play_match(told, agents, run.episodes, on_illegal="retry")
        # An episode in which the agent fails is lost; one in which its opponent does tells nothing.
        first = registry.load(run.entry.id).game(**_own(rest)).seats[0]
        counted = [row for row in result.episodes if row.get("failed_seat", first) == first]
        kept = [_kept(row, alone=other is None) for row in counted]
        moves = [row["length"] if other is None else (row["length"] + 1) // 2 for row in counted]
        summary = result.summary()
        run.details.update(
            valid_moves=mean_and_error(np.array(moves, float)),
            forfeits=summary["seats"][0]["forfeits"],
            unfinished=summary["unfinished"],
        )
        return 100.0 * np.array(kept, float)

    return protocol


def _kept(row: Mapping[str, Any], alone: bool) -> bool:
    """Whether a game was not lost or, alone, solved."""
    if row["failed"] or row.get("unfinished"):
        return False
    return row["returns"][0] > 0 if alone else row["returns"][0] >= 0


def _reads(agent: Any) -> bool:
    """Whether an agent answers observations and does not play by itself."""
    return callable(getattr(agent, "answer", None)) and not hasattr(agent, "act")


def _own(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of Play that are the game's own."""
    return {name: value for name, value in options.items() if name not in (*READING, "opponent", "max_steps")}


class LvlmPlayground(Suite):
    """A suite of questions and games. Agents are `random`, `oracle` (who knows), or an object with
    `answer(observation) -> str`; the games are also played by any agent with `act(turn)`."""

    def check(self, entry: SuiteRow, players: Players) -> None:
        if _kind(entry) == "Play":
            loaded, options = registry.load(entry.id), entry.options
            for player in filter(None, [None if _reads(players) else players, options.get("opponent")]):
                make_agent(player, loaded.spec)
            make_plan(entry.id, "random", 0, "retry", _own(options), options.get("max_steps"))
            style = {name: value for name, value in options.items() if name in READING}
            Observer(loaded, loaded.game(**_own(options)), **style)
            return
        TaskEnv(entry.id, actions="text", **entry.options)
        if players not in get_args(Knows) and not callable(getattr(players, "answer", None)):
            raise MmgamesError(
                f"{entry.id}: questions are answered by 'random', 'oracle' or an object with answer(observation), "
                f"not by {players_name(players)!r}. Name games with only= (--only) to let an agent play."
            )

    def find(self, name: str) -> str:
        known = {entry.id for entry in self.entries}
        return next((id for id in (name, f"mmgames/{name}", f"mmgames/{name}-v0") if id in known), name)

    def evaluate(self, agent: Players, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """As every suite; `overall` has the weighted mean of each task over the games that were asked about.

        Options go to the tasks and games that have them.
        """
        given = ("episodes", "seed", "processes", "out", "progress", "only")
        options = {name: kwargs.pop(name) for name in list(kwargs) if name not in given}
        only = self._ids(kwargs.pop("only", ()))
        found = [entry for entry in self.entries if not only or entry.id in only]
        known = {name for entry in found for name in _accepts(entry, agent)}
        for name in options:
            if name not in known:
                raise unknown("option", name, self.title, sorted(known))
        entries = []
        for entry in found:
            own = {name: value for name, value in options.items() if name in _accepts(entry, agent)}
            entries.append(replace(entry, options={**entry.options, **own}))
        chosen = LvlmPlayground(self.name, self.title, tuple(entries))
        result = Suite.evaluate(chosen, agent, *args, **kwargs)
        scores: dict[str, dict[str, list[float]]] = {}
        rows: list[dict[str, Any]] = []
        for row, entry in zip(result["rows"], entries, strict=True):
            if row["raw"] is not None:
                scores.setdefault(_kind(entry), {}).setdefault(_game(entry), []).append(row["raw"])
            safe = row.pop("safe", None)
            rows.append(row)
            if safe is not None:
                run = Run(_safe(entry), agent, len(safe), result["seed"], 1, None, False)
                rows.append(make_row(run, agent, np.array(safe)))
        means = {task: {game: float(np.mean(found[game])) for game in found} for task, found in scores.items()}
        return {**result, "rows": rows, "overall": {task: overall(task, found) for task, found in means.items()}}

    radar_title = "score of each task, weighted over the games"

    def radar(self, result: dict[str, Any]) -> dict[str, float]:
        return {task: value / 100 for task, value in result["overall"].items()}

    def remarks(self, result: dict[str, Any]) -> list[str]:
        lines = [f"{task}, weighted over the games: {figure(value)}" for task, value in result["overall"].items()]
        return [*lines, *(f"{short_name(row)}: {_moves(row)}" for row in result["rows"] if "valid_moves" in row)]

    def sections(self, results: Sequence[dict[str, Any]]) -> list[str]:
        found = [task for task in ABILITIES if any(task in result["overall"] for result in results)]
        weighted = [
            [result["agent"], *(figure(result["overall"].get(task), 1) for task in found)] for result in results
        ]
        played = [
            [
                *(short_name(row), row["agent"], str(row["episodes"]), with_error(row["valid_moves"], 1)),
                *(str(row["forfeits"]), str(row["unfinished"])),
            ]
            for result in results
            for row in result["rows"]
            if "valid_moves" in row
        ]
        head = ("game", "agent", "games", "valid moves ± s.e.", "lost by three invalid replies", "unfinished")
        return [
            "## The paper's best",
            "The best figure of any model in the paper, in per cent. At Play every model scored 0.",
            markdown(("", *BEST_PERCEIVE), [["Perceive", *(figure(value, 1) for value in BEST_PERCEIVE.values())]]),
            "## Weighted over the games",
            "A game weighs as much as it has stars for the abilities that the task needs.",
            markdown(("agent", *found), weighted),
            *(["## Play", _PLAYED, markdown(head, played)] if played else []),
            "## Stars",
            "The published ones, which scores use; in brackets what the published formula gives, where it differs.",
            markdown(("", *STARS), star_rows()),
        ]


_PLAYED = (
    "The agent moves first, against full minimax in TicTacToe, a search of three moves that counts discs in Reversi, "
    "one of two moves in Gomoku and our alpha-beta search in Chess. Sudoku and Minesweeper have to be solved."
)


def _moves(row: dict[str, Any]) -> str:
    parts = [f"{with_error(row['valid_moves'], 1)} valid moves a game"]
    parts += [f"{row['forfeits']} lost by three invalid replies"] if row["forfeits"] else []
    return ", ".join(parts + ([f"{row['unfinished']} unfinished"] if row["unfinished"] else []))


def _kind(entry: SuiteRow) -> str:
    return entry.id.rpartition("-v")[0].rpartition("-")[2] if entry.protocol is answer else "Play"


def _game(entry: SuiteRow) -> str:
    return entry.id.partition("/")[2].partition("-")[0]


def _accepts(entry: SuiteRow, agent: Players) -> list[str]:
    if _kind(entry) == "Play":
        spec = registry.find(entry.id)
        reading = READING if _reads(agent) else ()
        return [*spec.options, "max_steps", *reading, *(["opponent"] if len(spec.seats) == 2 else [])]
    settled = [] if entry.variant == "" else list(entry.options)  # what sets a row apart cannot be set
    return [name for name in (*tasks.find(entry.id).options(), "size", "reasoning") if name not in settled]


def _safe(entry: SuiteRow) -> SuiteRow:
    """The other reading of Minesweeper's Rule: a move, opening or flagging, on a closed cell that hides no mine."""
    note = "a closed cell without a mine is expected to give 40.9"
    figures = {name: replace(found, note=note) for name, found in entry.published.items()}
    return replace(entry, measure="legal moves where no mine is, in per cent", published=figures)


# Whom the agent plays against, and who plays for "oracle": the same with more time, or a solver.
OPPONENTS: dict[str, tuple[str | None, str]] = {
    "TicTacToe": ("minimax", "minimax"),
    "Reversi": ("disc_minimax:depth=3", "minimax:depth=5"),
    "Sudoku": (None, "solver"),
    "Minesweeper": (None, "solver"),
    "Gomoku": ("minimax:depth=2", "minimax:depth=4"),
    "Chess": ("alpha_beta", "alpha_beta:nodes=150000"),
}


def _entries() -> Iterator[SuiteRow]:
    there = [name for name in GAMES if f"mmgames/{name}-v0" in registry.specs]
    for kind, published in RANDOM.items():
        for name in there:
            figures = {}
            if name in published:
                value, note = published[name]
                figures["random"] = Figure(value, None, f"{note}; {UNKNOWN}")
            id = f"mmgames/{name}-{kind}-v0"
            yield SuiteRow(id, MEASURES[kind], answer, "oracle", (0.0, 100.0), figures)
    for name in there:
        opponent, oracle = OPPONENTS[name]
        most = 20 if name == "Chess" else 100  # a game of chess takes seconds
        yield SuiteRow(f"mmgames/{name}-v0", MEASURES["Play"], unbeaten(opponent), oracle, (0.0, 100.0), {}, most=most)


SUITE = LvlmPlayground(name="lvlm-playground", title="LVLM-Playground", entries=tuple(_entries()))
