"""The command line as a newcomer meets it."""

import importlib.metadata
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from PIL import Image

import mmgames
from mmgames import cli
from mmgames.assets import draw_icon
from mmgames.commands import bench
from mmgames.commands import list as listing
from mmgames.core import registry
from tests.cases import cases
from tests.environments import begun

ROOT = Path(__file__).parent.parent
THERE = [spec for spec in mmgames.specs.values() if not registry.why_missing(spec)]


def pixels_of(path: Path) -> np.ndarray:
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"))


def one_sentence(text: str) -> bool:
    return text.count("\n") == 1 and text.endswith((".\n", "?\n")) and "Traceback" not in text


def test_the_program_explains_itself_and_lists_every_game_with_its_facts(capsys: Any, monkeypatch: Any) -> None:
    assert cli.main([]) == 0
    out, err = capsys.readouterr()
    assert all(f"mmgames {name}" in out or f"    {name}" in out for name in cli.COMMANDS) and err == ""
    monkeypatch.setitem(registry.broken, "mmgames/games/half_done", "SyntaxError: invalid syntax")
    assert cli.main(["list"]) == 0
    out, err = capsys.readouterr()
    assert all(spec.id in out and spec.summary in out for spec in mmgames.specs.values())
    assert "mmgames/games/half_done did not load: SyntaxError" in err and cli.main(["list", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["broken"] == registry.broken
    by_id = {row["id"]: row for row in document["environments"]}
    assert list(by_id) == list(mmgames.specs)
    for id, spec in mmgames.specs.items():
        assert by_id[id]["seats"] == list(spec.seats)
        assert {"random", "human", *spec.agents.known} <= set(by_id[id]["agents"])
        assert len(by_id[id]["reference"]) == len(spec.seats)


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_has_help_that_names_its_options(command: str, capsys: pytest.CaptureFixture) -> None:
    _, commands = cli.build_parser()
    known = commands[command]._option_string_actions
    with pytest.raises(SystemExit) as end:
        cli.main([command, "--help-all" if "--help-all" in known else "--help"])
    assert end.value.code == 0
    shown = capsys.readouterr().out
    assert f"mmgames {command}" in shown and all(option in shown for option in known)
    if "--help-all" in known:
        with pytest.raises(SystemExit):
            cli.main([command, "--help"])
        shown = capsys.readouterr().out
        assert "--agent" in shown and "--help-all" in shown and shown.count("  --") < 18


def test_all_about_a_game_is_told_before_it_is_played(capsys: pytest.CaptureFixture) -> None:
    assert cli.main(["info", "CoinDilemma", "--set", "players=3"]) == 0
    shown = capsys.readouterr().out
    assert "seats: red, blue, " in shown and "[2 to 8]" in shown and "self_interest" in shown
    assert "needs: nothing besides mmgames" in shown and "person" not in shown


def test_a_wrong_command_gets_one_sentence(capsys: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments, expected in cases(__file__)["wrong"]:
        try:
            code = cli.main(arguments)
        except SystemExit as end:
            code = end.code
        out, err = capsys.readouterr()
        assert code == cli.WRONG_USE and out == "" and list(tmp_path.iterdir()) == []
        assert one_sentence(err) and expected in err, err


def test_a_mistake_ends_the_process_with_its_exit_code_and_a_reader_that_stops_reading_is_none() -> None:
    command = [sys.executable, "-m", "mmgames", "show", "Nothing"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2 and done.stdout == "" and one_sentence(done.stderr)
    command = f"{sys.executable} -m mmgames list --json | head -c 10"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.stderr) == ('{\n  "envir', "")


def test_the_table_in_the_readme_is_up_to_date_and_has_marks(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    page = (ROOT / "README.md").read_text("utf-8")
    assert page == listing.updated(page, listing.as_markdown(listing.facts()), "README.md"), "run `make readme`"
    page = tmp_path / "page.md"
    page.write_text("# A page\n", "utf-8")
    assert cli.main(["list", "--update", str(page)]) == cli.WRONG_USE
    assert "has no place for the table" in capsys.readouterr().err
    assert page.read_text("utf-8") == "# A page\n"


def test_show_draws_the_position_that_an_environment_has(tmp_path: Path, capsys: pytest.CaptureFixture, spec) -> None:
    out = tmp_path / "deep" / "picture.png"
    assert cli.main(["show", spec.id, "--seed", "11", "--size", "256", "--out", str(out)]) == 0
    env = begun(mmgames.parallel_env(spec.id, size=256, render_mode="rgb_array"), 11)
    assert np.array_equal(pixels_of(out), env.render())
    env.render_mode = "ansi"
    assert env.render() in capsys.readouterr().out


def test_show_draws_the_question_of_a_task_and_stops_where_an_episode_ends(tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "question.png"
    command = ["show", "Reversi-Ask", "--seed", "4", "--size", "128", "--set", "shots=1", "--out", str(out)]
    assert cli.main(command) == 0
    env: Any = gymnasium.make("mmgames/Reversi-Ask-v0", size=128, shots=1, disable_env_checker=True)
    observation, _ = env.reset(seed=4)
    shown = capsys.readouterr().out
    assert observation["text"] in shown and "The answer" not in shown
    assert np.array_equal(np.asarray(Image.open(out)), np.hstack(observation["rgb"]))
    assert cli.main([*command, "--answer"]) == 0
    assert f"The answer: {env.step('A')[-1]['answer']}" in capsys.readouterr().out
    arguments = ["show", "CoinDilemma", "--steps", "1000", "--out", str(tmp_path / "end.png")]
    assert cli.main(arguments) == 0 and "CoinDilemma after step 50" in capsys.readouterr().out


def test_show_all_makes_a_contact_sheet(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = tmp_path / "sheet.png"
    assert cli.main(["show", "all", "--size", "64", "--out", str(out)]) == 0
    height, width, _ = pixels_of(out).shape
    assert width * height >= 64 * 32 * len(THERE)
    out, err = capsys.readouterr()
    assert f"{len(THERE)} games" in out
    assert all((spec.id in err) == (spec not in THERE) for spec in mmgames.specs.values())
    kept = pixels_of(draw_icon.WHERE).astype(int)
    drawn = draw_icon.draw().astype(int)
    assert kept.shape == drawn.shape and np.abs(kept - drawn).mean() < 2


def test_demo_plays_every_game_and_writes_a_page(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["demo", "--seed", "3"]) == 0
    out, err = capsys.readouterr()
    page = (tmp_path / "demo" / "index.html").read_text("utf-8")
    assert "http" not in page, "the page fetches nothing"
    told = [line for line in err.splitlines() if line.startswith("mmgames: ")]
    for spec in mmgames.specs.values():
        if registry.why_missing(spec):
            (line,) = [line for line in told if re.search(rf"\b{spec.name}\b", line)]
            assert ("played with" in line) == bool(spec.without_extras), (
                "one line for those that something else stands for"
            )
            if not spec.without_extras:
                continue
        assert f"\n{spec.name} " in out and f'<section id="{spec.name}">' in page
        pictures = sorted((tmp_path / "demo").glob(f"{spec.name}-*.png"))
        assert len(pictures) >= 3 and all(picture.name in page for picture in pictures)
    assert "## Legal actions" in page or "&lt;STAY&gt;" in page


def test_demo_tells_what_fails_and_plays_the_others(tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    rules = registry.load("CoinDilemma").rules

    def stumble(self, state, seat):
        raise RuntimeError("the board fell off the table")

    monkeypatch.setattr(rules, "view", stumble)
    assert cli.main(["demo", "CoinDilemma", "TicTacToe", "--out", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert "CoinDilemma-v0 failed: RuntimeError: the board fell off the table" in err and "\nTicTacToe " in out
    (tmp_path / "file").write_text("")
    assert cli.main(["demo", "--out", str(tmp_path / "file" / "demo")]) == 1 and one_sentence(capsys.readouterr().err)


def test_bench_json_has_a_row_for_everything_a_game_can_do(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    started = bench.first_picture
    monkeypatch.setattr(bench, "first_picture", lambda id, **how: started(id, **how) if "TicTacToe" in id else 1.0)
    monkeypatch.setattr(bench, "STARTS", 1)
    assert cli.main(["bench", "CoinDilemma", "TicTacToe", "--seconds", "0.01", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    found = {(row["measure"], row["game"].removeprefix("mmgames/")) for row in document["rows"]}
    both = {"picture", "features", "batched", "pictures", "start cold", "start warm"}
    expected = {(measure, "CoinDilemma-v0") for measure in both}
    expected |= {(measure, "TicTacToe-v0") for measure in both | {"numbers", "search"}}
    assert found == expected | {("import", "")}
    assert all(row["value"] > 0 and row["library"] == "mmgames" for row in document["rows"])
    assert document["machine"]["cores"] >= 1 and document["settings"]["rounds"] >= 3
    assert document["versions"]["mmgames"] == mmgames.__version__


@pytest.mark.parametrize("game", {(one.dynamics, one.actions): one for one in THERE}.values(), ids=lambda one: one.name)
def test_what_the_bench_measures_plays_on_through_the_ends_of_episodes(game) -> None:
    """Without pictures where the row can do without: they are most of the work, and no other steps are taken."""
    drawn = {} if game.actions == "text" else {"observe": ("action_mask", "features")}
    simultaneous = game.dynamics == "simultaneous"
    measured = [bench.parallel_steps(game) if simultaneous else bench.aec_steps(game, **drawn)]
    if game.actions == "discrete":
        measured.append(bench.solo_steps(game))
    for steps in measured:
        so_far = itertools.accumulate(itertools.islice(steps, game.length * 3))
        assert any(done > game.length for done in so_far), "an episode has ended by then, and another goes on"


def test_an_sdk_of_the_first_release_line_is_named(monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: {"mcp": "1.30.0"}[name])
    assert cli.main(["serve", "--mcp"]) == 2
    told = capsys.readouterr().err
    assert "needs mcp 2 or later; here is 1.30.0" in told and "environment of its own" in told
