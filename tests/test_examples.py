"""Every example runs as it stands, and tests that need a program say so."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import programs
from tests.refusing import refused

EXAMPLES = Path(__file__).parent.parent / "examples"
TYPED = {"play_at_the_terminal": "B2\nthe middle, please\n" + "".join(f"{row}{n}\n" for row in "ABC" for n in "123")}


@pytest.mark.parametrize("example", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_the_example_runs(example: str) -> None:
    command = [sys.executable, str(EXAMPLES / f"{example}.py")]
    done = subprocess.run(command, input=TYPED.get(example, ""), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout.strip() and done.stderr == "", done.stderr


def test_the_notebook_is_kept_without_what_it_printed() -> None:
    """`make test-trainers` runs it, as it needs PyTorch."""
    cells = json.loads((EXAMPLES / "notebook.ipynb").read_text("utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code and all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    script = str(EXAMPLES / "play_at_the_terminal.py")
    done = subprocess.run([sys.executable, script, "mmgames/TicTacTo-v0"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "Did you mean" in done.stderr and "Traceback" not in done.stderr


ONE = "tests/rules/test_uci.py::test_stockfish_is_found_plays_a_sound_game_and_refuses_a_skill_above_its_own"
SENTENCE = "This test needs the chess engine Stockfish, which is not installed here: apt-get install stockfish."


def run(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MMGAMES_", "PYTEST_"))}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rs", ONE, "--hide-programs", *options],
        cwd=Path(__file__).parents[1], env={**kept, **environment}, capture_output=True, text=True,
    )  # fmt: skip


def test_what_a_machine_lacks_is_named_and_tests_that_need_no_program_see_none(monkeypatch: pytest.MonkeyPatch) -> None:
    done = run()
    assert done.returncode == 0 and "1 skipped" in done.stdout and SENTENCE in done.stdout
    done = run(MMGAMES_REQUIRE="all")
    assert done.returncode == 1 and SENTENCE in done.stdout
    hook = "import sys; sys.modules['mani_skill'] = None; import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", hook, "-p", "no:cacheprovider", "tests/test_examples.py", "--extras", "chess,embodied"],
        cwd=Path(__file__).parents[1], capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 4 and "TwoRobotPickCube-v0 needs a package that is not installed" in done.stderr
    assert not any(programs.path_of(name) for name in programs.PROGRAMS) and shutil.which("sh") and shutil.which("cat")
    monkeypatch.setenv("MMGAMES_REQUIRE", "stockfish")
    refused(lambda: programs.required(), "MMGAMES_REQUIRE=stockfish means nothing", kind=ValueError)
