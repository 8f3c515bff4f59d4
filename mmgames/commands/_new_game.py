"""The folder of a new game, made from the templates in assets/new_game."""

import importlib.util
import keyword
import re
import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template

from mmgames.core import registry
from mmgames.errors import MmgamesError
from mmgames.version import __version__

PLACES = {
    "pyproject.toml": "pyproject.toml",
    "README.md": "README.md",
    "__init__.py": "src/{module}/__init__.py",
    "rules.py": "src/{module}/rules.py",
    "picture.py": "src/{module}/picture.py",
    "words.py": "src/{module}/words.py",
    "test.py": "tests/test_{module}.py",
}
"""The templates, and where each is written. The package is in src/, so that a script beside the folder does not take
the folder for the package."""
TURNS = "turns"
KINDS = {
    TURNS: "players move one after the other and see everything",
    "joint": "all move at once",
    "hidden": "cards that the others do not see",
    "text": "what is said is a move",
}
"""What a new game can be like; each has templates of its own."""


@dataclass(frozen=True)
class Names:
    """What a game and everything of it is called."""

    name: str
    namespace: str

    @property
    def module(self) -> str:
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", self.name).lower()

    @property
    def id(self) -> str:
        return f"{self.namespace}/{self.name}-v0"

    def check(self) -> None:
        """Whether a game can be called so; a sentence where it cannot."""
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]{0,39}", self.name):
            raise MmgamesError(
                f"{self.name!r} is no name for a game: begin with a capital letter and go on with letters and digits, "
                "as in PebbleRace."
            )
        reserved = ("mmgames", *registry.GUESTS)
        taken = [spec.id for spec in registry.specs.values() if spec.name.lower() == self.name.lower()]
        if taken:
            raise MmgamesError(f"There is a game {taken[0]} already; choose another name than {self.name}.")
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", self.namespace) or self.namespace in reserved:
            raise MmgamesError(
                f"--namespace {self.namespace!r} cannot be had: take letters, digits and hyphens, and none of "
                f"{', '.join(reserved)}."
            )
        if keyword.iskeyword(self.module) or self.module in sys.stdlib_module_names or _is_there(self.module):
            raise MmgamesError(
                f"The package of {self.name} would be called {self.module}, and Python knows another module of that "
                "name; choose another name."
            )


def _is_there(module: str) -> bool:
    """Whether a module can be imported; a folder that merely has its name is none."""
    found = importlib.util.find_spec(module)
    return found is not None and found.origin is not None


def write(folder: Path, names: Names, kernel: bool = False, kind: str = TURNS) -> list[Path]:
    """Write all files into a folder that is new or empty; with a `kernel` the rules are compiled."""
    if kernel and kind != TURNS:
        raise MmgamesError(f"--kernel goes with --kind {TURNS}; the guide 'Add a game' says more about kernels.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise MmgamesError(f"{folder} holds something already; name an empty folder with --out.")
    words = {
        "Name": names.name,
        "module": names.module,
        "namespace": names.namespace,
        "project": names.module.replace("_", "-"),
        "version": __version__,
        "batched": "\n    batched=True," if kernel else "",
    }
    written = []
    for template, place in PLACES.items():
        source = f"kernel_{template}" if kernel and template == "rules.py" else template
        own = files("mmgames.assets").joinpath(f"new_game/{kind}/{source}.txt")
        shared = files("mmgames.assets").joinpath(f"new_game/{source}.txt")
        text = (own if own.is_file() else shared).read_text("utf-8")
        path = folder / place.format(module=names.module)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(Template(text).substitute(words), "utf-8")
        written.append(path)
    return written
