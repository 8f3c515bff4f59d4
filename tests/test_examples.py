"""Every example runs as it stands."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_the_terminal_example_explains_a_wrong_name() -> None:
    script = str(EXAMPLES / "play_at_the_terminal.py")
    done = subprocess.run([sys.executable, script, "mmgames/TicTacTo-v0"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "Did you mean" in done.stderr and "Traceback" not in done.stderr
