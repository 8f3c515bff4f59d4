"""LVLM-Playground: perceive, ask, rule and play in six games; the overall of a task weighs games by their stars."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mmgames import tasks
from mmgames.core import registry
from mmgames.core.agents import find_agent, make_agent
from mmgames.core.answering import Answering, only_answers
from mmgames.core.errors import unknown
from mmgames.core.journal import Journal
from mmgames.core.observation import Observer
from mmgames.core.replies import Illegal
from mmgames.core.table import markdown
from mmgames.episodes import make_plan
from mmgames.matches import mean_and_error
from mmgames.suites.asking import Asker, Knowing, answerer, ask, task_style
from mmgames.suites.stars import ABILITIES, STARS, overall, star_rows
from mmgames.suites.suite import (
    Figure,
    Players,
    Run,
    Suite,
    SuiteRow,
    make_row,
    play_match,
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


KNOWING: Knowing = {
    "random": lambda source, question, rng: source.guess(question, rng),
    "oracle": lambda source, question, rng: source.truth(question)["answer"],
}
"""Who answers without looking: by guessing, or by knowing."""


class PlaygroundAsker(Asker):
    def remarks(self, question: Any, reply: Any, info: Mapping[str, Any]) -> dict[str, Any]:
        if not question.names or "mines" not in question.facts:
            return {}
        read = self.env.source.read(question, reply)
        named = "" if isinstance(read, Illegal) else question.names.get(read, "")
        return {"safe": bool(named) and named.split()[-1] not in question.facts["mines"]}


def asker(
    id: str, options: Mapping[str, Any], agent: Any, seed: int, name: str = "", journal: Journal | None = None
) -> Asker:
    return PlaygroundAsker(id, options, agent, seed, KNOWING, name, journal)


def answer_some(id: str, options: Mapping[str, Any], agent: Any, seed: int, numbers: Iterable[int]) -> list[dict]:
    return list(map(asker(id, options, agent, seed), numbers))


def answer(run: Run) -> np.ndarray:
    """The scores of a task's questions, 0 to 100; kept in a file of the run's folder when there is one."""
    rows = ask(run, KNOWING, asker, answer_some)
    if rows and "safe" in rows[0]:
        run.details["safe"] = [100.0 * (row["score"] > 0 and row["safe"]) for row in rows]
    return np.array([100 * row["score"] for row in rows])


# Playing


PLAYS_ALONE = " Name games with only= (--only) to let it play those."
READING = {"size": 512, "reasoning": "direct", "legal_in_text": False}
"""How whoever answers sees a game, unless it is said otherwise. Which moves are legal it has to know."""


def unbeaten(opponent: str | None) -> Callable[[Run], np.ndarray]:
    """A protocol: the agent moves first against `opponent`; not to lose counts. Alone, to solve it counts.

    Three replies in a row that are no move lose. A game that reaches `max_steps` is neither won nor drawn.
    """

    def protocol(run: Run) -> np.ndarray:
        other = run.entry.options.get("opponent", opponent)
        style = {name: value for name, value in run.entry.options.items() if name in READING}
        rest = {name: value for name, value in run.entry.options.items() if name not in (*READING, "opponent")}
        found = find_agent(run.agent, registry.find(run.entry.id))  # type: ignore[arg-type]
        own = {**READING, **getattr(found, "style", {}), "legal_in_text": READING["legal_in_text"], **style}
        player = Answering(found, **own) if only_answers(found) else run.agent
        agents = player if other is None else (player, other)
        told = replace(run, entry=replace(run.entry, options=rest))
        result = play_match(told, agents, run.episodes, measured=(0,))
        # An episode in which the agent fails is lost; one in which its opponent or a service does tells nothing.
        first = registry.load(run.entry.id).game(**_own(rest)).seats[0]
        counted = [
            row for row in result.episodes if row.get("failed_seat", first) == first and not row.get("unavailable")
        ]
        run.counts.missing, run.counts.broken = len(result.episodes) - len(counted), 0
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


def _reads(agent: Any, id: str) -> bool:
    """Whether an agent answers observations and does not play by itself."""
    return agent not in KNOWING and only_answers(find_agent(agent, registry.find(id)))


def _own(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of Play that are the game's own."""
    return {name: value for name, value in options.items() if name not in (*READING, "opponent", "max_steps")}


class LvlmPlayground(Suite):
    """A suite of questions and games. Agents are `random`, `oracle` (who knows), or an object with
    `answer(observation) -> str`; the games are also played by any agent with `act(turn)`."""

    def check(self, entry: SuiteRow, players: Players) -> None:
        if _kind(entry) == "Play":
            loaded, options = registry.load(entry.id), entry.options
            for player in filter(None, [players, options.get("opponent")]):
                make_agent(player, loaded.spec)
            make_plan(entry.id, "random", 0, "retry", _own(options), options.get("max_steps"))
            style = {name: value for name, value in options.items() if name in READING}
            Observer(loaded, loaded.game(**_own(options)), **style)
            return
        known = isinstance(players, str) and players in KNOWING
        found = None if known else answerer(entry, players, KNOWING, PLAYS_ALONE)
        TaskEnv(entry.id, actions="text", **{**task_style(found), **entry.options})

    def first_prompts(self, entry: SuiteRow, style: Mapping[str, Any], seed: int) -> list[str]:
        if _kind(entry) == "Play":
            given = {name: value for name, value in entry.options.items() if name in READING}
            style = {**READING, **style, "legal_in_text": READING["legal_in_text"], **given}
            entry = replace(entry, options=_own(entry.options))
        return super().first_prompts(entry, style, seed)

    def find(self, name: str) -> str:
        known = {entry.id for entry in self.entries}
        return next((id for id in (name, f"mmgames/{name}", f"mmgames/{name}-v0") if id in known), name)

    def evaluate(self, agent: Players, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """As every suite; `overall` has the weighted mean of each task over the games that were asked about.

        Options go to the tasks and games that have them.
        """
        given = ("episodes", "seed", "processes", "out", "progress", "only", "concurrency", "budget")
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
        return Suite.evaluate(replace(self, entries=tuple(entries)), agent, *args, **kwargs)

    def complete(self, result: dict[str, Any], entries: Sequence[SuiteRow]) -> dict[str, Any]:
        scores: dict[str, dict[str, list[float | None]]] = {}
        rows: list[dict[str, Any]] = []
        for row, entry in zip(result["rows"], entries, strict=True):
            scores.setdefault(_kind(entry), {}).setdefault(_game(entry), []).append(row["raw"])
            safe = row.pop("safe", None)
            rows.append(row)
            if safe is not None:
                run = Run(_safe(entry), result["agent"], len(safe), result["seed"], 1, None, False)
                rows.append(make_row(run, result["agent"], np.array(safe)))
        return {**result, "rows": rows, "overall": {task: _weighted(task, found) for task, found in scores.items()}}

    def radar_axes(self, only: Sequence[str]) -> Collection[str]:
        ids = self._ids(only)
        return {_kind(entry) for entry in self.entries if not ids or entry.id in ids}

    radar_title = "score of each task, weighted over the games"

    def radar(self, result: dict[str, Any]) -> dict[str, float]:
        return {task: value / 100 for task, value in result["overall"].items() if value is not None}

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


def _weighted(task: str, found: Mapping[str, Sequence[float | None]]) -> float | None:
    """The score of a task over its games; None if one of them has none: the others' mean would be another measure."""
    if any(value is None for values in found.values() for value in values):
        return None
    return overall(task, {game: float(np.mean(values)) for game, values in found.items()})  # type: ignore[arg-type]


def _accepts(entry: SuiteRow, agent: Players) -> list[str]:
    if _kind(entry) == "Play":
        spec = registry.find(entry.id)
        reading = READING if _reads(agent, entry.id) else ()
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


SUITE = LvlmPlayground(
    name="lvlm-playground",
    title="LVLM-Playground",
    entries=tuple(_entries()),
    on_illegal="retry",  # three invalid replies in a row lose
)
