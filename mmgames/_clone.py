"""Inside a clone, `mmgames.baselines`, `.wrappers` and `.assets` are the folders beside this package.

An installed mmgames has them inside itself (see setup.py). An editable one is a path to the clone, and where Python
runs in the clone it finds this folder before any installed one. Nothing leads to them there but this finder.
"""

import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

BESIDE = ("wrappers", "baselines", "assets")
HERE = Path(__file__).parent


class Beside:
    """Finds the three packages, and nothing else, in the folders of the clone; their modules are then found inside."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        parent, _, folder = name.rpartition(".")
        if parent != "mmgames" or folder not in BESIDE:
            return None
        home = HERE.parent / folder
        return importlib.util.spec_from_file_location(
            name, home / "__init__.py", submodule_search_locations=[str(home)]
        )


def lead_to_the_folders_beside() -> None:
    """Do nothing unless this is a clone, so that a foreign package called `baselines` is never taken for ours."""
    in_clone = (HERE.parent / "setup.py").exists() and not (HERE / BESIDE[0]).exists()
    if in_clone and not any(finder is Beside for finder in sys.meta_path):
        sys.meta_path.append(Beside)
