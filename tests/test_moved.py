"""Old names of modules that moved: they work, warn once where they are imported, and are the very same modules."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from mmgames._moved import MOVED

NEEDS_TORCH = ("ippo", "iterative_spo", "spo_language")


@pytest.mark.parametrize("old", [name for name in MOVED if not name.endswith(NEEDS_TORCH)])
def test_an_old_name_leads_to_the_new_module_and_says_so(old: str) -> None:
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=f"{old} is now {MOVED[old]}") as told:
        module = importlib.import_module(old)
    assert len(told) == 1
    assert module is importlib.import_module(MOVED[old])
    assert module.__spec__ is not None and module.__spec__.name == module.__name__ == MOVED[old]


def test_the_new_modules_exist() -> None:
    for new in MOVED.values():
        assert importlib.util.find_spec(new) is not None, new


def test_the_warning_points_at_the_line_that_imports_and_classes_are_the_same(tmp_path) -> None:
    script = tmp_path / "old.py"
    script.write_text(
        "import mmgames\nfrom mmgames.core.replies import Illegal\n"
        "from mmgames.text.replies import Illegal as same\nassert Illegal is same\n"
    )
    done = subprocess.run([sys.executable, "-W", "default", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert f"{script}:2: DeprecationWarning" in done.stderr


def test_nothing_of_ours_uses_an_old_name() -> None:
    code = "import warnings; warnings.simplefilter('error'); import mmgames; mmgames.load_game('mmgames/TicTacToe-v0')"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0
