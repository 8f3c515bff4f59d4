"""Data sets: the asked mix, evenly spread, the same for any number of processes, and never lost."""

import json
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

from mmgames import cli, datasets
from mmgames.core import registry
from mmgames.datasets import selection, vs_bench
from mmgames.datasets.files import pictures, read_rows
from mmgames.errors import MissingExtra, MmgamesError
from mmgames.games._dilemma.rules import ACTIONS
from mmgames.running.matches import match, play
from mmgames.tasks.predict import accuracy, uniform_accuracy
from mmgames.tasks.predict_recipes import RECIPES, PredictRecipe, recipes
from tests.refusing import refused

SMALL: dict[str, Any] = {"rows": 24, "size": 64, "games": ["KuhnPoker", "CoinDilemma"]}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "vs-bench"
    vs_bench.build(folder, seed=3, **SMALL)
    return folder


def parquet(folder: Path, game: str) -> list[dict[str, Any]]:
    return pyarrow.parquet.read_table(folder / f"{game}.parquet").to_pylist()


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_mix_is_met_and_scales_and_later_editions_are_made_if_they_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for recipe in RECIPES.values():
        assert selection.quotas(recipe.mix, 400) == list(recipe.mix.values())
        for rows in (1, 7, 40, 399):
            assert sum(selection.quotas(recipe.mix, rows)) == rows
    assert selection.quotas(RECIPES["MonsterHunt"].mix, 40) == [8, 8, 8, 8, 4, 4]
    made: list[str] = []
    monkeypatch.setattr(vs_bench.files, "playable", lambda names, *_: (made.extend(names) or [], {}))
    vs_bench.build(tmp_path / "data", rows=8)
    assert made == [name for name, recipe in recipes().items() if recipe.edition == 1]
    assert len(recipes()) - len(made) == 2


def test_both_files_hold_the_same_rows_and_every_pairing_and_move(built: Path) -> None:
    for game in SMALL["games"]:
        rows, embedded = read_rows(built, game), parquet(built, game)
        assert len(rows) == len(embedded) == 24 and len({row["id"] for row in rows}) == 24
        for row, other in zip(rows, embedded, strict=True):
            assert row == {**other, "pictures": len(other["pictures"])}
            assert row["answer"] in row["correct"] and set(row["correct"]) <= set(row["legal_actions"])
            assert all(name in row["prompt"] for name in row["legal_actions"])
    rows = read_rows(built, "KuhnPoker")
    assert len({tuple(row["agents"]) for row in rows}) == 9
    assert Counter(row["predicted"] for row in rows) == {"player_0": 12, "player_1": 12}
    assert {row["move"] for row in rows} == {0, 1, 2}
    assert {len(row["correct"]) for row in rows} == {1, 2}, "what an equilibrium mixes is equally good"


def test_a_row_is_what_its_seed_deals_and_its_players_do(built: Path) -> None:
    """An episode played anew by other means comes to the state of the row, its picture and its answer."""
    for row in parquet(built, "CoinDilemma"):
        states = enumerate(play(row["game"], row["agents"], row["seed"]))
        live = next(live for step, live in states if step == row["move"])
        asked, predicted = (live.game.seats.index(row[key]) for key in ("asked", "predicted"))
        drawn = live.loaded.picture.draw(live.view(asked), SMALL["size"])
        assert [np.array_equal(picture, drawn) for picture in pictures(row)] == [True]
        assert live.loaded.words.history(live.view(asked)) in row["prompt"]
        _, live = next(states)
        assert ACTIONS[live.state.did[predicted]] == row["answer"] and row["episode_length"] == 50


def test_rows_are_balanced_over_players_seats_and_moves(tmp_path: Path) -> None:
    report = vs_bench.build(tmp_path / "hunt", seed=1, rows=100, size=64, games=["MonsterHunt"])
    rows = read_rows(tmp_path / "hunt", "MonsterHunt")
    mix = Counter("/".join(row["agents"]) for row in rows)
    assert mix == {"/".join(pair): count // 4 for pair, count in RECIPES["MonsterHunt"].mix.items()}
    assert Counter(row["predicted"] for row in rows) == {"red": 50, "blue": 50}
    assert all(row["asked"] != row["predicted"] for row in rows)
    for seat in ("red", "blue"):
        assert {row["move"] for row in rows if row["predicted"] == seat} == set(range(50))
    assert len({row["seed"] for row in rows}) == 100, "every row has an episode of its own"
    facts = report["games"]["MonsterHunt"]
    assert facts["uniform predictor"] == uniform_accuracy(rows)
    assert facts["uniform predictor"]["raw"] == pytest.approx(0.2)
    assert 0.27 < facts["uniform predictor"]["equivalent"] < 0.39
    assert all(row["agents"][["red", "blue"].index(row["predicted"])] != "random" for row in rows)
    assert accuracy(rows, {row["id"]: row["answer"] for row in rows}) == {"raw": 1.0, "equivalent": 1.0}


def test_any_number_of_processes_makes_the_same_rows(built: Path, tmp_path: Path, capsys: Any) -> None:
    vs_bench.build(tmp_path / "together", seed=3, processes=2, **SMALL)
    made, wanted = files(tmp_path / "together"), files(built)
    assert {**made, vs_bench.JOURNAL: b""} == {**wanted, vs_bench.JOURNAL: b""}
    before = files(built)
    arguments = ["dataset", "vs-bench", str(built), "--seed", "3", "--rows", "24", "--size", "64"]
    arguments += ["--games", *SMALL["games"], "--processes", "1"]
    assert cli.main([*arguments, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"]["CoinDilemma"]["uniform predictor"]["raw"] == pytest.approx(0.2)
    assert cli.main(arguments) == 0 and "uniform, same outcome" in capsys.readouterr().out and files(built) == before


def test_a_build_that_was_stopped_goes_on(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, drawn = tmp_path / "stopped", []
    honest = vs_bench.make_rows

    def stop_in_the_second_game(game: str, *rest: Any) -> Any:
        if game == "CoinDilemma":
            raise KeyboardInterrupt
        drawn.append(game)
        return honest(game, *rest)

    monkeypatch.setattr(vs_bench, "make_rows", stop_in_the_second_game)
    with pytest.raises(KeyboardInterrupt):
        vs_bench.build(folder, seed=3, **SMALL)
    with (folder / vs_bench.JOURNAL).open("ab") as file:
        file.write(b'{"game": "CoinDilemma", "pairi')  # killed while it wrote
    before = files(folder)
    assert "KuhnPoker.parquet" in before and "CoinDilemma.parquet" not in before and "report.json" not in before
    monkeypatch.setattr(vs_bench, "make_rows", lambda game, *rest: drawn.append(game) or honest(game, *rest))
    drawn.clear()
    vs_bench.build(folder, seed=3, **SMALL)
    assert set(drawn) == {"CoinDilemma"}, "a finished game is not made again"
    assert files(folder) == files(built)


def test_what_cannot_be_made_is_said_and_leaves_everything_alone(built: Path, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "thesis.tex").write_text("a year of work")
    refused(lambda: vs_bench.build(tmp_path, **SMALL), "holds something else; name a new folder")
    refused(lambda: vs_bench.build(tmp_path / "thesis.tex", **SMALL), "is a file; name a folder")
    refused(lambda: vs_bench.build(built, seed=4, **SMALL), "holds other results (seed is 3 there and 4 here)")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    refused(lambda: datasets.find("vsbench"), "Did you mean 'vs-bench'")
    with pytest.raises(MmgamesError, match="Unknown game 'TicTacToe' for the data set vs-bench"):
        vs_bench.build(tmp_path / "new", games=["TicTacToe"])
    assert not (tmp_path / "new").exists()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    refused(lambda: vs_bench.build(tmp_path / "new", **SMALL), "pip install 'mmgames[data]'", kind=MissingExtra)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("game", [name for name in recipes() if name not in SMALL["games"]])
def test_every_game_there_is_gives_rows(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if game == "Breakthrough":  # players who need not think long
        quicker = PredictRecipe(game, {("minimax:1", "minimax:2"): 400}, per_episode=8, by_share=True)
        monkeypatch.setitem(RECIPES, game, quicker)
    facts = vs_bench.build(tmp_path / "data", rows=8, size=64, games=[game])["games"][game]
    rows = read_rows(tmp_path / "data", game)
    assert facts["rows"] == len(rows) == 8
    assert all(row["pictures"] == (RECIPES[game].frames or registry.find(game).frames) for row in rows)


def episodes(count: int, names: list[str], length: int = 30) -> list[dict[str, Any]]:
    """Episodes of two seats in turn whose answers have these names, one after the other."""
    return [
        {
            "pairing": 0,
            "episode": number,
            "opening": 2,
            "moves": [[[move % 2, 0]] for move in range(length)],
            "names": [[names[(move + number) % len(names)]] for move in range(length)],
        }
        for number in range(count)
    ]


def test_answers_come_in_proportion_are_capped_and_balanced() -> None:
    kinds = {"(Play": 2, "(Discard": 3, "(Reveal": 4}
    recipe = PredictRecipe("Hanabi", {("a", "b"): 400}, per_episode=4, by_share=True, kinds=kinds)
    played = episodes(40, ["(Play 1)", "(Play 2)", "(Discard 0)", "(Reveal player +1 rank 1)", "(Play 0)"])
    picks = selection.select(recipe, 90, played, 2, seed=0)
    assert Counter(pick.kind for pick in picks) == {"(Play": 20, "(Discard": 30, "(Reveal": 40}
    assert max(Counter(pick.episode for pick in picks).values()) <= 4
    assert all(pick.move >= 2 for pick in picks), "the opening is nobody's own"
    assert selection.check_balance(recipe, 90, picks, 2)["predicted seat"] == {0: 45, 1: 45}
    recipe = PredictRecipe("Overcooked", {("a", "b"): 400}, per_episode=10, by_share=True, at_most={"<STAY>": 0.1})
    picks = selection.select(recipe, 50, episodes(10, ["<STAY>", "<STAY>", "<STAY>", "<UP>"]), 2, seed=0)
    assert Counter(pick.kind for pick in picks)["<STAY>"] <= 5
    recipe = PredictRecipe("Hanabi", {("a", "b"): 400}, per_episode=40, by_share=True)
    picks = selection.select(recipe, 40, episodes(10, [""]), 2, seed=0)
    lopsided = [pick._replace(stratum=0) if pick.stratum < 8 else pick for pick in picks]
    for wrong, what in ((lopsided, "move numbers"), (picks[:-2], "mix"), ([picks[0]] * 40, "seats")):
        refused(partial(selection.check_balance, recipe, 40, wrong, 2), what)
    refused(lambda: selection.select(recipe, 40, episodes(1, [""], length=8), 2, seed=0), "too few states")


def test_states_come_from_recorded_runs(tmp_path: Path) -> None:
    match("CoinDilemma", ("self_interest", "common_welfare"), 3, 5, out=tmp_path / "run" / "coin.jsonl")
    match("CoinDilemma", ("random", "random"), 1, 5, out=tmp_path / "noise" / "coin.jsonl")
    match("TicTacToe", "random", 1, 5, out=tmp_path / "other" / "board.jsonl")
    report = vs_bench.build(tmp_path / "out", rows=20, size=64, runs=[tmp_path / "run", tmp_path / "other"])
    assert list(report["games"]) == ["CoinDilemma"] and report["games"]["CoinDilemma"]["note"] == "recorded episodes"
    rows = [json.loads(line) for line in (tmp_path / "out" / "CoinDilemma.jsonl").read_text().splitlines()]
    lines = (tmp_path / "run" / "coin.jsonl").read_text().splitlines()[1:]
    played = {row["seed"]: row["actions"] for row in map(json.loads, lines)}
    assert len(rows) == 20 and {row["seed"] for row in rows} == set(played)
    for row in rows:
        seat = ("red", "blue").index(row["predicted"])
        action = played[row["seed"]][row["move"]][seat]
        assert row["answer"] == ("<STAY>", "<RIGHT>", "<LEFT>", "<UP>", "<DOWN>")[action]
        assert row["agents"] == ["self_interest", "common_welfare"]
    with pytest.raises(MmgamesError, match="nobody is asked what random and random will do"):
        vs_bench.build(tmp_path / "b", rows=20, size=64, runs=[tmp_path / "noise"])
    with pytest.raises(MmgamesError, match="no recorded episodes of games that are asked about"):
        vs_bench.build(tmp_path / "c", rows=20, size=64, runs=[tmp_path / "other"])
    with pytest.raises(MmgamesError, match="the runs hold fewer than 2000 states"):
        vs_bench.build(tmp_path / "d", rows=2000, size=64, runs=[tmp_path / "run"])
