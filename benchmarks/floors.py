"""What is had without looking, in every entry of every suite: `python -m benchmarks.floors --only viki`.

Questions are answered with the best constant, with what is best by the words beside the pictures, and with the right
answer to another question, as if pictures were swapped. Games are played by always the same move, the next one where it
is not legal; puzzles by pressing in a fixed order without a word; Spy with empty clues and votes by what others said.
The best is chosen on one seed and measured on another, on as many episodes whether these serve one question or many.
`mmgames/suites/floors/floors.json` keeps all of it, and results show scores above it. `--check SEED` chooses and
measures anew, and tells by how many standard errors that is above.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mmgames import suites, tasks
from mmgames.agents.base import Agent
from mmgames.core import registry
from mmgames.core.turn import Turn
from mmgames.games.spy import seat_names
from mmgames.running.processes import run_jobs
from mmgames.suites.entries import SuiteEntry
from mmgames.suites.floors import blind
from mmgames.suites.floors.kept import FILE, name_of
from mmgames.text.command_line import read_arguments

SUITES = ("vs-bench", "lvlm-playground", "comma", "vision-zero", "viki")
SEED, CHOSEN_BY = 202, 1000
"""Of what is kept, and how far beyond it and any other seed lies the one on which players are chosen."""
TRIES = ("attempts", "feedback")  # who does not look has nothing to try again with
EMPTY_CLUE = "I see a picture."


def asked(entry: SuiteEntry, number: int, seed: int) -> dict[str, dict[str, Any]]:
    """What constants, words alone, swapped pictures and chance earn in an entry that asks."""
    known = tasks.find(entry.id).options()
    own = {name: value for name, value in entry.options.items() if name in known and name not in TRIES}
    found = blind.measure(entry.id, number, number, seed, **own)
    return {name: _measured(sign_of(entry) * one["mean"], one["standard_error"], number) for name, one in found.items()}


class Always(Agent):
    """The move with this number, and where it is not legal the next one that is; in a puzzle, which was no mistake."""

    def __init__(self, first: int, name: str = "") -> None:
        self.first, self.name = first, f"always {name or first}"

    def act(self, turn: Turn) -> Any:
        legal = list(turn.legal)
        if legal and isinstance(legal[0], str):
            wrong: set[str] = set()
            for done in (done for said in turn.view.dialogue for done in said.results):
                wrong = {*wrong, done.action} if done.mistake else set()
            left = sorted(name for name in legal if name not in wrong) or sorted(legal)
            return left[self.first % len(left)]
        return min(legal, key=lambda action: (action < self.first, action)) if legal else ""


class AnyMove(Agent):
    """Any legal move."""

    name = "random moves"

    def act(self, turn: Turn) -> Any:
        return turn.sample()


class Listens(Agent):
    """Never looks at its picture in Spy: says nothing of content or what was said, and votes by what others said."""

    def __init__(self, copies: bool, vote: str) -> None:
        self.copies, self.vote, self.name = copies, vote, f"{'copies' if copies else 'says nothing'}, votes {vote}"

    def act(self, turn: Turn) -> str:
        view = turn.view
        others = [clue for clue in view.clues if clue.seat != view.seat]
        if view.stage != "vote":
            return others[-1].words if self.copies and others else EMPTY_CLUE
        if not others or self.vote == "N/A":
            return "N/A"
        by = {"first": lambda one: -one.seat, "last": lambda one: one.seat, "shortest": lambda one: -len(one.words)}
        return seat_names(view.players)[max(others, key=by[self.vote]).seat]


def players(suite: str, entry: SuiteEntry) -> Iterator[Agent]:
    if suite == "vision-zero":
        votes = ("N/A", "first", "last", "shortest") if "civilians" in entry.variant else ("N/A",)
        yield from (Listens(copies, vote) for copies in (False, True) for vote in votes)
        return
    game = registry.load(entry.id).game(**entry.options)
    number = getattr(game, "num_actions", None) if suite != "comma" else 4
    few = np.unique(np.linspace(0, (number or 4) - 1, 4 if entry.most else 8).astype(int))
    yield from (AnyMove(), *(Always(int(first)) for first in few))


def played(suite: str, entry: SuiteEntry, fitted: int, number: int, seed: int) -> dict[str, dict[str, Any]]:
    """What the best of the players that never look collects."""

    def score(agent: Agent, episodes: int, own_seed: int) -> tuple[float, float | None, int]:
        found: Any = suites.find(suite)
        found = found if entry.key in {one.key for one in found.every} else found.of_edition(2)
        others = (one for one in found.every if one.key != entry.key)
        skipped = [{"environment": one.id, "variant": one.variant, "skipped": True} for one in others]
        (row,) = found.evaluate(agent, episodes, own_seed, only=entry.id, left_out=skipped)["rows"]
        return row["raw"], row["standard_error"], row["episodes"]

    tried = {agent: score(agent, fitted, seed + CHOSEN_BY)[0] for agent in players(suite, entry)}
    best = max(tried, key=lambda agent: tried[agent])
    mean, error, episodes = score(best, number, seed)
    return {best.name: _measured(mean, error, episodes)}


def _measured(mean: float, error: float | None, number: int) -> dict[str, Any]:
    return {"mean": round(mean, 4), "standard_error": None if error is None else round(error, 4), "episodes": number}


def entries(suite: str) -> list[SuiteEntry]:
    """The entries of a suite, those of VS-Bench's second edition too."""
    found: Any = suites.find(suite)
    second = found.of_edition(2).every if suite == "vs-bench" else ()
    return list({entry.key: entry for entry in (*second, *found.every)}.values())


def floor(suite: str, entry: SuiteEntry, quick: int, seed: int) -> tuple[str, SuiteEntry, dict[str, Any]]:
    asks = suites.find(suite).asker(entry) is not None
    ways = asked(entry, 20 * quick, seed) if asks else played(suite, entry, quick, 5 * quick, seed)
    best = max(ways, key=lambda name: sign_of(entry) * ways[name]["mean"])
    return suite, entry, {"by": best, **ways[best], "ways": ways}


def sign_of(entry: SuiteEntry) -> int:
    """-1 where less is better."""
    return -1 if entry.normal[0] > entry.normal[1] else 1


def as_lines(kept: Mapping[str, Mapping[str, Any]]) -> str:
    """JSON with a line for each entry."""
    inside = [
        f'"{suite}": {{\n' + ",\n".join(f"{json.dumps(name)}: {json.dumps(own[name])}" for name in sorted(own)) + "\n}"
        for suite, own in sorted(kept.items())
    ]
    return "{\n" + ",\n".join(inside) + "\n}\n"


def main() -> int:
    args = read_arguments(__doc__, __file__)
    jobs = [
        (suite, entry, args.episodes, args.check or SEED)
        for suite in SUITES
        for entry in entries(suite)
        if not args.only or suite in args.only or name_of(entry) in args.only
    ]
    above = []
    for suite, entry, found in run_jobs(floor, jobs, args.processes):
        kept = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}  # others may write it too
        name = name_of(entry)
        line = f"{suite} {name}: {found['mean']:.2f} ± {found['standard_error'] or 0:.2f}, {found['by']}"
        if args.check:
            known = kept[suite][name]
            error = np.hypot(known["standard_error"] or 0, found["standard_error"] or 0)
            apart = sign_of(entry) * (found["mean"] - known["mean"])
            above.append(float(apart / error if error else np.copysign(np.inf, apart) if apart else 0.0))
            line += f"; {above[-1]:+.1f} standard errors above the floor"
        else:
            kept.setdefault(suite, {})[name] = found
            FILE.write_text(as_lines(kept), "utf-8")
        print(line, flush=True)
    many = sum(one > 2 for one in above)
    if above:
        print(f"highest {max(above):.1f}, {many} of {len(above)} beyond 2")
    return int(max(above, default=0.0) > 3.5 or many > 0.05 * len(above))


if __name__ == "__main__":
    raise SystemExit(main())
