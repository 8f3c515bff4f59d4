"""LVLM-Playground: perceive, ask, rule and play in six games; the overall of a task weighs games by their stars."""

import argparse
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import sqrt
from typing import Any, Self

import numpy as np

from mmgames import tasks
from mmgames.agents.answering import Answering
from mmgames.agents.base import Agent
from mmgames.agents.finding import find_agent, make_agent
from mmgames.core import registry
from mmgames.core.observation import Observer
from mmgames.core.spec import LOOK
from mmgames.core.turn import Turn
from mmgames.errors import unknown
from mmgames.running.episodes import make_plan
from mmgames.running.statistics import mean_and_error
from mmgames.suites.entries import Players, PublishedFigure, Run, SuiteEntry, in_per_cent
from mmgames.suites.pages import described, layout, prose
from mmgames.suites.pages.layout import Cell, PaperTable, TableRow
from mmgames.suites.pages.plots import FEWEST_AXES
from mmgames.suites.pages.tables import figure, with_error
from mmgames.suites.papers import published
from mmgames.suites.papers.stars import STARS, overall, star_rows
from mmgames.suites.protocols import play_match
from mmgames.suites.questions import GUESS_OR_KNOW, Asker, ask, check_questions
from mmgames.suites.results import unplayed
from mmgames.suites.results.settings import short_name
from mmgames.suites.spoken import answers
from mmgames.suites.suite import Suite
from mmgames.tasks.positions import board
from mmgames.text.tables import markdown_table

GAMES = ("TicTacToe", "Reversi", "Sudoku", "Minesweeper", "Gomoku", "Chess")
TABLES = {"Perceive": "Table 2", "Ask": "Table 3", "Rule": "Table 4"}
"""Where the paper has the scores of the tasks; those of Play are told in words, and Table 8 counts valid moves."""
RANDOM_RUNS, MODEL_RUNS = 1000, 200
"""What the paper's figures are over: plays of the random row, questions to a model."""
BALANCED = "balanced"
MEASURES = {
    "Perceive": "right cells in per cent",
    "Ask": "right answers in per cent",
    "Rule": "legal moves in per cent",
    "Play": "unbeaten in per cent",
}


# Answering


LEGAL_RANDOM = "legal_random"
"""Who plays any legal move. `random` is the paper's: any move at all, and the first that is not legal ends the game."""


class PlaygroundAsker(Asker):
    def __init__(self, id: str, options: Mapping[str, Any], agent: str | Agent, *rest: Any) -> None:
        if isinstance(agent, str) and "shots" in tasks.find(id).options("released" in options):
            options = {"shots": 0, **options}  # who does not look needs no examples
        super().__init__(id, options, agent, *rest)

    def remarks(self, question: Any, reply: Any, info: Mapping[str, Any]) -> dict[str, Any]:
        """Of a board that was read, how often each kind of cell was read as each."""
        read = self.env.source.read(question, reply)
        if not isinstance(read, tuple):
            return {}
        return {"cells": [[*pair, times] for pair, times in answers.cells_of(question.answer, read).items()]}


def answer(run: Run) -> np.ndarray:
    """The scores of a task's questions, 0 to 100; kept in a file of the run's folder when there is one."""
    rows = ask(run, PlaygroundAsker)
    cells: Counter[tuple[int, int]] = Counter()
    for truth, read, times in chain.from_iterable(row.get("cells", ()) for row in rows):
        cells[truth, read] += times
    if cells:
        run.details["cells"] = [[*pair, times] for pair, times in cells.items()]
    return np.array([100 * row["score"] for row in rows])


# Playing


PLAYS_ALONE = " Name games with only= (--only) to let it play those."
READING = {"size": 512, "reasoning": "direct", "legal_in_text": False}
"""How whoever answers sees a game, unless it is said otherwise. Which moves are legal it has to know."""


def unbeaten(opponent: str | None) -> Callable[[Run], np.ndarray]:
    """A protocol: the agent moves first against `opponent`; not to lose counts. Alone, to solve it counts.

    Three replies in a row that are no move lose; the paper's `random` is not asked again. A game that reaches
    `max_steps` is neither won nor drawn. Valid moves are those on the board: flags in Minesweeper and passing in
    Reversi are none.
    """

    def protocol(run: Run) -> np.ndarray:
        other = run.entry.options.get("opponent", opponent)
        style = {name: value for name, value in run.entry.options.items() if name in READING}
        rest = {name: value for name, value in run.entry.options.items() if name not in (*READING, "opponent")}
        moves = board(registry.find(run.entry.id).id).num_moves
        named = "random" if run.agent == LEGAL_RANDOM else AnyMove(moves) if run.agent == "random" else run.agent
        found = find_agent(named, registry.find(run.entry.id))  # type: ignore[arg-type]
        own = {**READING, **found.style, "legal_in_text": READING["legal_in_text"], **style}
        player: Any = Answering(found, **own) if found.only_answers else named
        agents = player if other is None else (player, other)
        told = replace(run, entry=replace(run.entry, options=rest))
        run.counts.policy = "lose" if run.agent == "random" else run.on_illegal
        result = play_match(told, agents, run.episodes, measured=(0,), on_illegal=run.counts.policy)
        # An episode in which the agent fails is lost; one in which its opponent or a service does tells nothing.
        first = registry.load(run.entry.id).game(**_own(rest)).seats[0]
        counted = [
            row for row in result.episodes if row.get("failed_seat", first) == first and not row.get("unavailable")
        ]
        run.counts.missing += len(result.episodes) - len(counted) - sum(bool(row["failed"]) for row in result.episodes)
        run.counts.broken = 0
        run.counts.deals = [str(row["episode"]) for row in counted]
        run.counts.lost = sorted({str(row["episode"]) for row in result.episodes} - set(run.counts.deals), key=int)
        kept = [_kept(row, alone=other is None) for row in counted]
        valid = [sum(step[0] is not None and step[0] < moves for step in row["actions"]) for row in counted]
        summary = result.summary()
        run.details.update(
            valid_moves=mean_and_error(np.array(valid, float)),
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


def _own(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of Play that are the game's own."""
    return {name: value for name, value in options.items() if name not in (*READING, "opponent", "max_steps")}


class AnyMove(Agent):
    """Names any move on the board, legal or not, without looking."""

    def __init__(self, moves: int) -> None:
        self.moves = moves

    def act(self, turn: Turn) -> int:
        return int(turn.rng.integers(self.moves))


class LvlmPlayground(Suite):
    """A suite of questions and games. Agents are `random`, `oracle` (who knows), or an object with
    `answer(observation) -> str`; the games are also played by any agent with `act(turn)`."""

    READER = "lvlm-playground"

    def check(self, entry: SuiteEntry, players: Players) -> None:
        if _kind(entry) == "Play":
            loaded, options = registry.load(entry.id), entry.options
            for player in filter(None, [players, options.get("opponent")]):
                make_agent("random" if player == LEGAL_RANDOM else player, loaded.spec)
            make_plan(entry.id, "random", 0, "retry", _own(options), options.get("max_steps"))
            style = {name: value for name, value in options.items() if name in READING}
            Observer(loaded, loaded.game(**_own(options)), **style)
            return
        check_questions(entry, players, PlaygroundAsker, PLAYS_ALONE)

    def first_prompts(self, entry: SuiteEntry, style: Mapping[str, Any], seed: int) -> list[str]:
        if _kind(entry) == "Play":
            given = {name: value for name, value in entry.options.items() if name in READING}
            style = {**READING, **style, "legal_in_text": READING["legal_in_text"], **given}
            entry = replace(entry, options=_own(entry.options))
        return super().first_prompts(entry, style, seed)

    def asker(self, entry: SuiteEntry) -> type[Asker] | None:
        return PlaygroundAsker if entry.protocol is answer else None

    def find_other(self, name: str) -> str:
        return name

    def with_released(self, path: str | os.PathLike[str]) -> Self:
        from mmgames.datasets._released.lvlm_playground import annotation_file

        asked = [entry for entry in self.entries if entry.protocol is answer and not entry.variant]
        return self.over_questions(path, asked, annotation_file)

    def evaluate(self, agent: Players, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """As every suite; `overall` has the weighted mean of each task over the games that were asked about.

        Options go to the tasks and games that have them.
        """
        given = (
            *("episodes", "seed", "processes", "out", "progress", "only", "concurrency"),
            *("budget", "strict", "left_out", "instances", "write_instances"),
        )
        options = {name: kwargs.pop(name) for name in list(kwargs) if name not in given}
        only = self.ids_of(kwargs.pop("only", ()))
        found = [entry for entry in self.entries if not only or entry.id in only]
        if agent == LEGAL_RANDOM:
            found = [entry for entry in found if _kind(entry) == "Play"]
        known = {name for entry in found for name in _accepts(entry, agent)}
        for name in options:
            if name not in known and name not in READING:  # who reads nothing is shown nothing
                raise unknown("option", name, self.title, sorted(known))
        entries = []
        for entry in found:
            own = {name: value for name, value in options.items() if name in _accepts(entry, agent)}
            most = None if agent == "random" and not self.released else entry.most  # its games are short
            entries.append(replace(entry, options={**entry.options, **own}, most=most))
        return Suite.evaluate(replace(self, entries=tuple(entries)), agent, *args, **kwargs)

    def mean_of(self, entry: SuiteEntry) -> str:
        return _task(entry)

    def complete(self, result: dict[str, Any], entries: Sequence[SuiteEntry]) -> dict[str, Any]:
        scores: dict[str, dict[str, list[float | None]]] = {}
        for row, entry in zip(result["rows"], entries, strict=True):
            game = entry.id.partition("/")[2].partition("-")[0]
            scores.setdefault(_task(entry), {}).setdefault(game, []).append(row["raw"])
        return {**result, "overall": {task: _weighted(task, found) for task, found in scores.items()}}

    def radar_axes(self, only: Sequence[str]) -> Collection[str]:
        ids = self.ids_of(only)
        return {_task(entry) for entry in self.entries if not ids or entry.id in ids}

    radar_title = "score of each task, weighted over the games"

    def radar(self, result: dict[str, Any]) -> dict[str, float]:
        return {task: value / 100 for task, value in result["overall"].items() if value is not None}

    def headline(self, result: dict[str, Any]) -> list[str]:
        return [
            f"{task}, weighted over the games: {figure(value)}{unplayed.over(result, task)}"
            for task, value in sorted(result["overall"].items(), key=lambda told: BALANCED not in told[0])
        ]

    def remarks(self, result: dict[str, Any]) -> list[str]:
        lines = []
        for row in result["rows"]:
            if "valid_moves" in row:
                lines.append(f"{short_name(row)}: {_moves(row)}")
            if "floor" in row and "chance" in row:
                floor, chance = (with_error(row[name], 1) for name in ("floor", "chance"))
                lines.append(f"{short_name(row)}: without looking {floor} ({row['floor']['by']}), by chance {chance}")
        return lines

    def plot(self, args: argparse.Namespace, results: Sequence[dict[str, Any]]) -> dict[str, str]:
        """A radar of those who were measured at enough tasks to have a shape."""
        shaped = [result for result in results if len(result["overall"]) >= FEWEST_AXES]
        return super().plot(args, [{**result, "agent": result["agent"] + unplayed.over(result)} for result in shaped])

    def paper_tables(self, results: Sequence[dict[str, Any]]) -> list[PaperTable]:
        return described.tables("lvlm_playground", results, published=theirs)

    def page(self, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str]) -> str:
        said, slips = prose.paragraphs("lvlm_playground"), prose.items("lvlm_playground", "slips")
        parts: list[PaperTable | str] = [said["intro"], *self.paper_tables(results), "## Table 1: stars", said["stars"]]
        parts += [markdown_table(("", *STARS), star_rows()), *described.tables("lvlm_playground", results, "appendix")]
        return layout.page(self.title, command, results, parts, slips, pictures)


def _moves(row: dict[str, Any]) -> str:
    parts = [f"{with_error(row['valid_moves'], 1)} valid moves a game"]
    parts += [f"{row['forfeits']} lost by invalid replies"] if row["forfeits"] else []
    return ", ".join(parts + ([f"{row['unfinished']} unfinished"] if row["unfinished"] else []))


def _kind(entry: SuiteEntry) -> str:
    return entry.id.rpartition("-v")[0].rpartition("-")[2] if entry.protocol is answer else "Play"


def _task(entry: SuiteEntry) -> str:
    """What an entry counts for in the overall: its kind, and balanced questions apart from the paper's."""
    return f"{_kind(entry)}, {BALANCED}" if entry.variant == BALANCED else _kind(entry)


def _weighted(task: str, found: Mapping[str, Sequence[float | None]]) -> float | None:
    """The score of a task over its games; None if one of them has none: the others' mean would be another measure."""
    if any(value is None for values in found.values() for value in values):
        return None
    scores = {game: float(np.mean(values)) for game, values in found.items()}  # type: ignore[arg-type]
    return overall(task.partition(",")[0], scores)


def _accepts(entry: SuiteEntry, agent: Players) -> list[str]:
    if _kind(entry) == "Play":
        spec = registry.find(entry.id)
        plays = agent in (*GUESS_OR_KNOW, LEGAL_RANDOM)  # by itself, and reads nothing
        reading = () if plays or not find_agent(agent, spec).only_answers else READING  # type: ignore[arg-type]
        return [*spec.options, LOOK, "max_steps", *reading, *(["opponent"] if len(spec.seats) == 2 else [])]
    settled = [] if entry.variant == "" else list(entry.options)  # what sets a row apart cannot be set
    own = tasks.find(entry.id).options("released" in entry.options)
    return [name for name in (*own, LOOK, "size", "reasoning") if name not in settled]


# Whom the agent plays against, and who plays for "oracle": the same with more time, or a solver.
OPPONENTS: dict[str, tuple[str | None, str]] = {
    "TicTacToe": ("minimax", "minimax"),
    "Reversi": ("disc_minimax:depth=3", "minimax:depth=5"),
    "Sudoku": (None, "solver"),
    "Minesweeper": (None, "solver"),
    "Gomoku": ("minimax:depth=2", "minimax:depth=4"),
    "Chess": ("alpha_beta", "alpha_beta:nodes=150000"),
}


def _runs(row: TableRow) -> int:
    return RANDOM_RUNS if row.name == "Random" else MODEL_RUNS


def theirs(name: str) -> list[TableRow]:
    """The rows of a published table, scores in per cent, with the errors that their numbers of questions give."""
    rows = list(published.tables("lvlm_playground")[name].rows.values())
    if name not in TABLES.values():
        return rows
    made = []
    for row in rows:
        shares = {game: cell.value or 0.0 for game, cell in row.cells.items()}
        errors = {game: 100 * sqrt(share * (1 - share) / _runs(row)) for game, share in shares.items()}
        told = {} if name == TABLES["Perceive"] else errors
        made.append(TableRow(row.name, {g: Cell(100 * share, told.get(g)) for g, share in shares.items()}, row.group))
    return made


def _entries() -> Iterator[SuiteEntry]:
    there = [name for name in GAMES if f"mmgames/{name}-v0" in registry.specs]
    for kind, table in TABLES.items():
        for name in there:
            figures = {}
            for row in theirs(table):
                who, cell = "random" if row.name == "Random" else row.name, row.cells[name]
                figures[who] = PublishedFigure(cell.value or 0.0, cell.error, f"of {_runs(row)}")
            id = f"mmgames/{name}-{kind}-v0"
            yield in_per_cent(id, MEASURES[kind], answer, published=figures)
    for name in there:
        id, even = f"mmgames/{name}-Ask-v0", {"balanced": True}
        yield in_per_cent(id, MEASURES["Ask"], answer, options=even, variant=BALANCED)
    for name in there:
        opponent, oracle = OPPONENTS[name]
        slow = {"Gomoku": 50, "Chess": 20}.get(name)  # the oracle's search takes its time
        own = {"begins": "o"} if name == "TicTacToe" else {}  # the paper's model is O and begins
        play = unbeaten(opponent)
        yield in_per_cent(f"mmgames/{name}-v0", MEASURES["Play"], play, oracle, options=own, most=100, oracle_most=slow)


SUITE = LvlmPlayground(
    name="lvlm-playground",
    title="LVLM-Playground",
    entries=tuple(_entries()),
    on_illegal="retry",  # three invalid replies in a row lose
)
