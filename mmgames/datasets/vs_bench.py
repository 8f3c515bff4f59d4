"""VS-Bench's strategic reasoning as data: 400 states of each game, and the question what the other seat does next.

A folder holds, for every game, `NAME.parquet` (a row per question, its pictures as PNG inside) and `NAME.jsonl` (the
same rows without the pictures), and `report.json` with the counts and what a uniform predictor scores.
`episodes.jsonl` has the games that were played; it makes a build that was stopped go on, and is the record of where the
rows come from.
"""

import os
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.core import registry
from mmgames.core.observation import check_size
from mmgames.datasets import files, selection
from mmgames.datasets.selection import Pick
from mmgames.errors import MmgamesError
from mmgames.running.processes import Workers, run_jobs
from mmgames.running.progress import Progress
from mmgames.running.records import Records
from mmgames.running.records import read as read_records
from mmgames.tasks import predict
from mmgames.tasks.predict import Episodes, Moment, uniform_accuracy
from mmgames.tasks.predict_recipes import RECIPES, ROWS, PredictRecipe, recipes, targets
from mmgames.tasks.questions import Style
from mmgames.text.command_line import arguments_of

STEPS_PER_JOB = 400
EPISODES_PER_DRAWING = 5
JOURNAL = "episodes.jsonl"


arguments = arguments_of(__package__, "vs_bench")


def build(
    out: str | os.PathLike[str],
    *,
    seed: int = 0,
    rows: int = ROWS,
    games: Sequence[str] | None = None,
    size: int = 512,
    strict: bool = False,
    runs: Sequence[str | os.PathLike[str]] | None = None,
    processes: Workers = 1,
    progress: bool = False,
) -> dict[str, Any]:
    """Make the data set in the folder `out`, or go on making it; its report.

    Without `games` it has the eight of the benchmark's first edition; those of the second are made if they are named.
    The result depends on the seed, the number of rows per game, the games and the size of the pictures only. A game
    that needs an extra which is not installed is left out, and made when the same is built again with it; with `strict`
    that is an error. With `runs`, folders of matches or evaluations, questions are about what was played there, whoever
    played it, and only of the games that they hold.
    """
    folder = Path(out)
    played = recorded_episodes(runs, games) if runs else {}
    games = list(played) if runs else games
    names = files.chosen(games, recipes(), "vs-bench")
    names = [name for name in names if games is not None or RECIPES[name].edition == 1]
    check_size(size, "the data set vs-bench")
    files.pyarrow()
    here, lacking = files.playable(names, strict, progress)
    settings = {"seed": int(seed), "rows": int(rows), "games": names, "size": int(size)}
    settings |= {"runs": [str(run) for run in runs]} if runs else {}
    with files.open_journal(folder, JOURNAL, "vs-bench", settings) as journal:
        report: dict[str, Any] = {"data set": "vs-bench", "seed": int(seed), "rows": int(rows), "games": {}}
        report |= {"left out": lacking} if lacking else {}
        seconds: dict[str, float] = {}
        for name in here:
            began = time.perf_counter()
            recipe = RECIPES[name]
            if runs:
                recipe = _recipe_of(recipe, played[name], rows)
            episodes = played.get(name) or _play_missing(journal, recipe, seed, rows, processes, progress)
            report["games"][name] = _make_set(folder, journal, recipe, episodes, seed, rows, size, processes, progress)
            seconds[name] = round(time.perf_counter() - began, 1)
        files.write_report(folder, report)
    return {**report, "seconds": seconds}


# Episodes


def _play_missing(
    journal: Records, recipe: PredictRecipe, seed: int, rows: int, processes: Workers, progress: bool
) -> list[dict[str, Any]]:
    """All episodes of a recipe; those that the journal does not have are played now."""
    kept = [row for row in journal.rows if row.get("game") == recipe.game and "choices" in row]
    have = {(row["pairing"], row["episode"]) for row in kept}
    jobs, missing = [], 0
    at_once = max(1, STEPS_PER_JOB // registry.find(recipe.game).length)
    for pairing, quota in enumerate(selection.quotas(recipe.mix, rows)):
        todo = [number for number in range(_episodes(recipe, quota, rows)) if (pairing, number) not in have]
        missing += len(todo)
        for first in range(0, len(todo), at_once):
            jobs.append((recipe.game, pairing, todo[first : first + at_once], seed))
    with Progress(
        len(kept) + missing, f"{recipe.game}, episodes", done=len(kept), show=progress and missing > 0
    ) as bar:
        for played in run_jobs(play_episodes, jobs, processes):
            for row in played:
                journal.add(row)
                kept.append(row)
                bar.advance()
    return kept


def recorded_episodes(
    runs: Sequence[str | os.PathLike[str]], games: Sequence[str] | None = None
) -> dict[str, list[dict[str, Any]]]:
    """By game: the episodes in these folders, as a journal keeps them; what failed or has other options is left out."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(file for run in runs for file in Path(run).glob("*.jsonl")):
        about, lines = ({}, []) if path.name.endswith(".calls.jsonl") else read_records(path)
        name = registry.find(about["match"]).name if "match" in about else ""
        if name not in RECIPES or (games is not None and name not in games):
            continue
        recipe, loaded = RECIPES[name], registry.load(name)
        for line in {line["episode"]: line for line in lines}.values():
            if not line["failed"] and dict(about["options"]) == dict(recipe.options) and line["actions"]:
                moves = [{seat: a for seat, a in enumerate(step) if a is not None} for step in line["actions"]]
                rules = loaded.game(**recipe.options)
                names = [
                    [live.loaded.words.names(live.view(seat))[action] for seat, action in step.items()]
                    for live, step in zip(predict.replay(loaded, rules, line["seed"], moves), moves, strict=True)
                ]
                own = {"game": name, "pairing": 0, "episode": len(found.get(name, ())), "seed": line["seed"]}
                kept = [[list(move) for move in step.items()] for step in moves]
                own |= {"opening": 0, "moves": kept, "choices": [[[] for _ in step] for step in moves]}
                found.setdefault(name, []).append({**own, "names": names, "agents": about["agents"]})
    if not found:
        raise MmgamesError(f"{', '.join(map(str, runs))}: no recorded episodes of games that are asked about.")
    return found


def _recipe_of(recipe: PredictRecipe, episodes: Sequence[Mapping[str, Any]], rows: int) -> PredictRecipe:
    """A recipe over recorded episodes: any of their states may be asked about, so far as there are enough."""
    most = max(recipe.per_episode, -(-rows // len(episodes)))
    if sum(len(one["moves"]) for one in episodes) < rows:
        raise MmgamesError(f"{recipe.game}: the runs hold fewer than {rows} states; ask for fewer --rows.")
    authors = tuple(episodes[0]["agents"])
    if not targets(authors):
        raise MmgamesError(f"{recipe.game}: nobody is asked what {' and '.join(authors)} will do; record others.")
    return replace(recipe, mix={authors: ROWS}, per_episode=most, episodes=None, opening=0, note="recorded episodes")


def _episodes(recipe: PredictRecipe, quota: int, rows: int) -> int:
    """How many episodes of a pairing are played for so many rows."""
    if recipe.episodes is not None:
        return max(-(-recipe.episodes * rows // ROWS), 2 * quota)
    return -(-quota // recipe.per_episode) + (2 if recipe.kinds else 0)


def play_episodes(game: str, pairing: int, numbers: Sequence[int], seed: int) -> list[dict[str, Any]]:
    """Records of episodes: who plays is the pairing's, all else follows from the numbers and the seed."""
    recipe = RECIPES[game]
    table, named = _table(game, pairing), bool(recipe.kinds or recipe.at_most)
    found = []
    for number in numbers:
        entropy = (seed, zlib.crc32(game.encode()), pairing, number)
        own_seed = int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0] >> np.uint64(1))
        moves, names, choices, opening = [], [], [], 0
        for live, step, might in table.play(own_seed):
            opening += might is None
            moves.append([[seat, int(action)] for seat, action in step.items()])
            choices.append([[int(action) for action in (might or {}).get(seat, ())] for seat in step])
            if named:
                names.append([live.loaded.words.names(live.view(seat))[action] for seat, action in step.items()])
        row = {"game": game, "pairing": pairing, "episode": number, "seed": own_seed, "opening": opening}
        found.append({**row, "moves": moves, "choices": choices, **({"names": names} if named else {})})
    return found


@cache
def _table(game: str, pairing: int) -> Episodes:
    recipe = RECIPES[game]
    return Episodes(recipe, list(recipe.mix)[pairing])


# Rows


def _make_set(
    folder: Path,
    journal: Records,
    recipe: PredictRecipe,
    episodes: Sequence[dict[str, Any]],
    seed: int,
    rows: int,
    size: int,
    processes: Workers,
    progress: bool,
) -> dict[str, Any]:
    """The two files of a game, unless they are there already, and the part of the report about them."""
    game = recipe.game
    roles = registry.load(game).game(**recipe.options).seats
    picks = selection.select(recipe, rows, episodes, len(roles), seed)
    counts = selection.check_balance(recipe, rows, picks, len(roles))
    if not files.finished(folder, journal, game):
        by_episode: dict[tuple[int, int], list[tuple[int, Pick]]] = {}
        for number, pick in enumerate(picks):
            by_episode.setdefault((pick.pairing, pick.episode), []).append((number, pick))
        records = {(record["pairing"], record["episode"]): record for record in episodes}
        chosen = [(records[key], wanted) for key, wanted in by_episode.items()]
        jobs = [
            (game, chosen[first : first + EPISODES_PER_DRAWING], size)
            for first in range(0, len(chosen), EPISODES_PER_DRAWING)
        ]
        made: dict[int, dict[str, Any]] = {}
        with Progress(rows, f"{game}, questions", show=progress) as bar:
            for numbered in run_jobs(make_rows, jobs, processes):
                for number, row in numbered:
                    made[number] = row
                    bar.advance()
        files.save(folder, journal, game, [made[number] for number in sorted(made)])
    table = files.checked_rows(folder, game, rows)
    if any(row["answer"] not in row["correct"] for row in table):
        raise files.damaged(folder / f"{game}.jsonl")
    for key, value in counts.items():  # seats by their names
        if key != "mix" and all(isinstance(seat, int) for seat in value):
            counts[key] = {roles[seat]: count for seat, count in value.items()}
    return {"rows": len(table), "uniform predictor": uniform_accuracy(table), **counts, "note": recipe.note}


def make_rows(
    game: str, chosen: Sequence[tuple[dict[str, Any], Sequence[tuple[int, Pick]]]], size: int
) -> list[tuple[int, dict[str, Any]]]:
    """The rows of some episodes, each with its number; the episodes are replayed, nobody has to think again."""
    recipe, loaded = RECIPES[game], registry.load(game)
    rules, style, frames = loaded.game(**recipe.options), Style(size=size), predict.shown_frames(recipe)
    found = []
    for record, picks in chosen:
        moves = [dict(step) for step in record["moves"]]
        wanted: dict[int, list[tuple[int, Pick]]] = {}
        for number, pick in picks:
            wanted.setdefault(pick.move, []).append((number, pick))
        states: list[Any] = []
        for move, live in enumerate(predict.replay(loaded, rules, record["seed"], moves[: max(wanted) + 1])):
            states = [*states[-frames:], live.state]
            for number, pick in wanted.get(move, ()):
                asked = predict.asked_of(rules, pick.seat, (number * selection.GOLDEN) % 1)
                shown = predict.last_states(states, frames)
                authors = tuple(record.get("agents") or list(recipe.mix)[pick.pairing])
                might = dict(zip(moves[move], record["choices"][move], strict=True))[pick.seat]
                moment = Moment(authors, record["seed"], move, pick.seat, asked, shown, moves[move], tuple(might))
                put = predict.question(loaded, rules, moment, style)
                found.append((number, question_row(f"{game}-{number:04d}", put, len(moves))))
    return found


def question_row(id: str, asked: Any, length: int) -> dict[str, Any]:
    facts = asked.facts
    return {
        "id": id,
        "game": facts["game"],
        "asked": facts["asked"],
        "predicted": facts["predicted"],
        "prompt": asked.text,
        "legal_actions": list(asked.names.values()),
        "answer": asked.names[asked.answer],
        "correct": [name for action, name in asked.names.items() if action in asked.correct],
        "agents": list(facts["agents"]),
        "seed": facts["seed"],
        "move": facts["move"],
        "episode_length": length,
        "pictures": [files.png(picture) for picture in asked.pictures],
    }


def table(report: dict[str, Any], out: str) -> str:
    """The rows of each game, and what a predictor scores that names any legal action with equal probability: how
    often it hits the very action, and how often one that comes to the same."""
    from mmgames.text.tables import text_table

    rows = []
    for name, facts in report["games"].items():
        uniform = facts["uniform predictor"]
        figures = (f"{100 * uniform['raw']:.1f} %", f"{100 * uniform['equivalent']:.1f} %")
        rows.append((name, str(facts["rows"]), *figures, f"{report['seconds'][name]:.1f} s"))
    head = ("game", "rows", "uniform, exact", "uniform, same outcome", "time")
    listed = f"{out}, seed {report['seed']}\n\n{text_table(head, rows, right=(1, 2, 3, 4))}"
    return "\n\n".join([listed, *([files.left_out(report["left out"])] if "left out" in report else [])])
