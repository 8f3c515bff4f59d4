"""A user's script passes `mypy --strict` with mmgames from a wheel and from an editable install."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_package import borrowing_python, sources, wheel  # noqa: F401 - fixtures

ASKED = "\nreveal_type(game)\nreveal_type(env)\nreveal_type(First().act)\n"


@pytest.mark.parametrize("how", ["wheel", "editable"])
def test_mypy_knows_the_types_of_a_users_script(how: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    python = borrowing_python(tmp_path / "venv")
    given = [request.getfixturevalue("wheel")] if how == "wheel" else ["--editable", request.getfixturevalue("sources")]
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*install, "--no-build-isolation", "--force-reinstall", *given], check=True, cwd=tmp_path)
    script = Path(shutil.copy(Path(__file__).parent.parent.parent / "examples" / "typed_agent.py", tmp_path))
    script.write_text(script.read_text("utf-8") + ASKED, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", python, script.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    for known in ("mmgames.core.game.Game[", "mmgames.envs.vector.BatchedEnv", "def (turn: mmgames.core.turn.Turn)"):
        assert known in done.stdout, done.stdout
