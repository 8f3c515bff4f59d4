"""LVLM-Playground: perceive, ask, rule and play in six games; the overall of a task weighs games by their stars."""

from __future__ import annotations

import inspect
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import log10
from typing import Any

import gymnasium
import numpy as np

from mmgames import tasks
from mmgames.core import registry
from mmgames.core.errors import MmgamesError, unknown
from mmgames.core.progress import Progress
from mmgames.core.records import Records
from mmgames.core.replies import Illegal
from mmgames.matches import mean_and_error
from mmgames.suites.suite import Entry, Figure, Players, Run, Suite, play_match, players_name

GAMES = ("TicTacToe", "Reversi", "Sudoku", "Minesweeper", "Gomoku", "Chess")
NOTE = "the paper does not say over how many positions"

# The random row, in per cent.
RANDOM: dict[str, dict[str, tuple[float, str]]] = {
    "Perceive": dict(zip(GAMES, ((figure, NOTE) for figure in (33.2, 33.3, 10.3, 9.3, 33.2, 7.9)), strict=True)),
    "Ask": {},
    "Rule": {
        "TicTacToe": (34.2, NOTE),
        "Reversi": (12.7, NOTE),
        "Minesweeper": (42.2, "any closed cell is expected to give 48.4; see also the row without mines"),
        "Gomoku": (50.8, NOTE),
        "Chess": (1.4, NOTE),
    },
}
MEASURES = {
    "Perceive": "right cells in per cent",
    "Ask": "right answers in per cent",
    "Rule": "legal moves in per cent",
    "Play": "unbeaten in per cent",
}


# Stars


ABILITIES = {
    "Perceive": ("perception",),
    "Ask": ("perception", "reasoning"),
    "Rule": ("perception", "reasoning", "decision"),
    "Play": ("perception", "reasoning", "decision", "adversary"),
}

STARS: dict[str, dict[str, float]] = {
    "TicTacToe": {"perception": 0.5, "reasoning": 0.5, "decision": 0.5, "adversary": 0.5},
    "Reversi": {"perception": 1.5, "reasoning": 1.5, "decision": 2.5, "adversary": 2.5},
    "Sudoku": {"perception": 3.5, "reasoning": 2.0, "decision": 2.0},
    "Minesweeper": {"perception": 4.0, "reasoning": 5.0, "decision": 3.0},
    "Gomoku": {"perception": 5.0, "reasoning": 4.0, "decision": 3.5, "adversary": 4.0},
    "Chess": {"perception": 3.5, "reasoning": 3.0, "decision": 5.0, "adversary": 5.0},
}
"""The paper's table; it does not follow the paper's formula everywhere (see `formula_stars`)."""


@dataclass(frozen=True)
class Measures:
    """What the difficulty of a game is computed from."""

    log_states: float  # log10 of the number of states
    pieces: int  # kinds of them
    cells: int
    branching: float
    length: float
    hidden: float  # 1 for hidden information, 0 for none
    resources: int
    adversary: bool = True

    def raw(self) -> dict[str, float]:
        """The four difficulties before they are scaled to stars."""
        found = {
            "perception": 0.8 * self.log_states + 1.5 * log10(self.pieces) + 1.2 * log10(self.cells) ** 2,
            "reasoning": self.log_states + log10(self.branching) + self.hidden,
            "decision": log10(self.branching) + log10(self.length) + log10(self.resources),
        }
        return {**found, "adversary": self.length * log10(self.branching)} if self.adversary else found


PAPER_MEASURES = {
    "TicTacToe": Measures(9 * log10(3), 2, 9, 5, 7, 0, 1),
    "Reversi": Measures(64 * log10(3), 2, 64, 10, 60, 0, 1),
    "Sudoku": Measures(81 * log10(9), 9, 81, 5, 50, 0, 1, adversary=False),
    "Minesweeper": Measures(81.0, 10, 81, 41, 50, 1, 1, adversary=False),
    "Gomoku": Measures(225 * log10(3), 2, 225, 113, 45, 0, 1),
    "Chess": Measures(64 * log10(13), 12, 64, 35, 80, 0, 6),
}
FEWEST, MOST = 0.5, 5.0


def formula_stars(measures: Measures) -> dict[str, float]:
    """The stars of a game: the paper's formula, scaled so that its six games span half a star to five, in halves."""
    stars = {}
    for ability, value in measures.raw().items():
        known = [raw[ability] for raw in (game.raw() for game in PAPER_MEASURES.values()) if ability in raw]
        scaled = FEWEST + (MOST - FEWEST) * (value - min(known)) / (max(known) - min(known))
        stars[ability] = min(MOST, max(FEWEST, round(2 * scaled) / 2))
    return stars


def weight(task: str, stars: Mapping[str, float]) -> float:
    """What a game counts in a task: its stars over the abilities that the task needs."""
    if task not in ABILITIES:
        raise unknown("task", task, "LVLM-Playground", ABILITIES)
    return sum(stars.get(ability, 0.0) for ability in ABILITIES[task])


def overall(task: str, scores: Mapping[str, float], stars: Mapping[str, Mapping[str, float]] = STARS) -> float:
    """The mean of the games' scores, weighted. Give `stars` for games that the paper does not have."""
    for game in scores:
        if game not in stars:
            raise unknown("game", game, "the table of stars", stars)
    weights = {game: weight(task, stars[game]) for game in scores}
    if not weights:
        raise MmgamesError(f"There are no scores of {task} to be averaged.")
    return sum(weights[game] * score for game, score in scores.items()) / sum(weights.values())


# Answering


@dataclass(frozen=True)
class Answered:
    """One question, what was replied and what that earned."""

    reply: str
    score: float
    safe: bool  # a possible answer was named, and it touches no mine


def questions(run: Run) -> Iterator[Answered]:
    """As many questions as the run has episodes; each depends on the run's seed and its own number."""
    entry, agent = run.entry, run.agent
    seen: dict[str, Any] = {} if hasattr(agent, "answer") else {"observe": "text"}
    env: Any = gymnasium.make(entry.id, actions="text", disable_env_checker=True, **seen, **entry.options).unwrapped
    for number in range(run.episodes):
        entropy = (run.seed, zlib.crc32(entry.id.encode()), number)
        own_seed, guessing = np.random.SeedSequence(entropy).generate_state(2, np.uint32).tolist()
        observation, _ = env.reset(seed=own_seed)
        source, asked = env.source, env.question
        if agent == "random":
            reply = source.guess(asked, np.random.default_rng(guessing))
        elif agent == "oracle":
            reply = source.truth(asked)["answer"]
        else:
            reply = agent.answer(observation)  # type: ignore[union-attr]
        read = source.read(asked, reply)
        named = None if isinstance(read, Illegal) else asked.names.get(read)
        safe = named is not None and named.split()[-1] not in asked.facts.get("mines", ())
        yield Answered(str(reply), env.step(reply)[1], safe)


def answer(run: Run) -> np.ndarray:
    """The scores of a task's questions, 0 to 100; kept in a file of the run's folder when there is one."""
    label = f"{tasks.find(run.entry.id).name}-{players_name(run.agent)}"
    asked = questions(run)
    if run.out is None:
        with Progress(run.episodes, label, show=run.progress) as bar:
            found = []
            for done in asked:
                found.append(100 * done.score)
                bar.advance()
        return np.array(found)
    about = {"task": run.entry.id, "agent": players_name(run.agent), "seed": run.seed, **run.entry.options}
    with Records(run.out / (re.sub(r"[^\w.=,-]+", "_", label) + ".jsonl"), about) as records:
        kept = records.rows[: run.episodes]
        if len(kept) < run.episodes:
            for number, done in enumerate(asked):
                if number >= len(kept):
                    records.add({"number": number, "reply": done.reply, "score": done.score})
        return np.array([100 * row["score"] for row in records.rows[: run.episodes]])


def answer_safely(run: Run) -> np.ndarray:
    """Legal moves that touch no mine: the other reading of Minesweeper's rule task."""
    return np.array([100.0 * (done.score > 0 and done.safe) for done in questions(run)])


def unbeaten(opponent: str | None) -> Callable[[Run], np.ndarray]:
    """A protocol: the agent moves first against `opponent`; not to lose counts. Alone, to solve it counts."""

    def protocol(run: Run) -> np.ndarray:
        result = play_match(run, run.agent if opponent is None else (run.agent, opponent), run.episodes)
        returns = result.returns()[:, 0]
        kept = returns > 0 if opponent is None else returns >= 0
        moves = [row["length"] if opponent is None else (row["length"] + 1) // 2 for row in result.finished]
        run.details["valid_moves"] = mean_and_error(np.array(moves, float))
        return 100.0 * np.concatenate([kept, np.zeros(run.details["failed"])])  # an episode that failed is lost

    return protocol


class LvlmPlayground(Suite):
    """A suite of questions and games. Agents are `random`, `oracle` (who knows), or an object with
    `answer(observation) -> str`; the games are also played by any agent with `act(turn)`."""

    def check(self, entry: Entry, players: Players) -> None:
        if entry.protocol not in (answer, answer_safely):
            return super().check(entry, players)
        if players not in ("random", "oracle") and not callable(getattr(players, "answer", None)):
            raise MmgamesError(
                f"{entry.id}: questions are answered by 'random', 'oracle' or an object with answer(observation), "
                f"not by {players_name(players)!r}. Name games with only= (--only) to let an agent play."
            )
        return None

    def find(self, name: str) -> str:
        known = {entry.id for entry in self.entries}
        return next((id for id in (name, f"mmgames/{name}", f"mmgames/{name}-v0") if id in known), name)

    def evaluate(self, agent: Players, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """As every suite; `overall` has the weighted mean of each task over the games that were asked about.

        Options go to the tasks and games that have them.
        """
        own = ("episodes", "seed", "processes", "out", "progress", "only")
        options = {name: kwargs.pop(name) for name in list(kwargs) if name not in own}
        only = {self.find(name) for name in kwargs.get("only", ())}
        entries = []
        for entry in self.entries:
            if only and entry.id not in only:
                continue
            if hasattr(agent, "answer") and not hasattr(agent, "act") and "Play" in _kind(entry):
                continue
            entries.append(replace(entry, options={k: v for k, v in options.items() if k in _accepts(entry)}))
        for name in options:
            if not any(name in entry.options for entry in entries):
                raise unknown("option", name, self.title, sorted({k for entry in entries for k in _accepts(entry)}))
        chosen = LvlmPlayground(self.name, self.title, tuple(entries) if entries else self.entries)
        result = Suite.evaluate(chosen, agent, *args, **kwargs)
        scores: dict[str, dict[str, float]] = {}
        for row, entry in zip(result["rows"], entries, strict=True):
            if entry.protocol is not answer_safely and row["raw"] is not None:
                scores.setdefault(_kind(entry), {})[_game(entry)] = row["raw"]
        return {**result, "overall": {task: overall(task, found) for task, found in scores.items()}}


def _kind(entry: Entry) -> str:
    return entry.id.rpartition("-v")[0].rpartition("-")[2] if entry.protocol in (answer, answer_safely) else "Play"


def _game(entry: Entry) -> str:
    return entry.id.partition("/")[2].partition("-")[0]


def _accepts(entry: Entry) -> list[str]:
    if _kind(entry) == "Play":
        return list(registry.find(entry.id).options)
    return [*list(inspect.signature(tasks.find(entry.id).source_class()).parameters)[2:], "size", "reasoning"]


OPPONENTS: dict[str, str | None] = {
    "TicTacToe": "minimax",
    "Reversi": "disc_minimax:depth=3",
    "Sudoku": None,
    "Minesweeper": None,
    "Gomoku": "minimax:depth=2",
    "Chess": "alpha_beta",
}


def _entries() -> Iterator[Entry]:
    there = [name for name in GAMES if f"mmgames/{name}-v0" in registry.specs]
    for kind, published in RANDOM.items():
        for name in there:
            figures = {"random": Figure(published[name][0], None, published[name][1])} if name in published else {}
            id = f"mmgames/{name}-{kind}-v0"
            yield Entry(id, MEASURES[kind], answer, "oracle", (0.0, 100.0), figures)
            if (kind, name) == ("Rule", "Minesweeper"):
                note = "a closed cell without a mine is expected to give 40.9"
                figures = {"random": replace(figures["random"], note=note)}
                yield Entry(id, "legal moves that touch no mine", answer_safely, "random", (0.0, 100.0), figures)
    for name in there:
        opponent = OPPONENTS[name]
        oracle = opponent or registry.find(name).reference[0]
        yield Entry(f"mmgames/{name}-v0", MEASURES["Play"], unbeaten(opponent), oracle, (0.0, 100.0), {}, most=20)


SUITE = LvlmPlayground(name="lvlm-playground", title="LVLM-Playground", entries=tuple(_entries()))
