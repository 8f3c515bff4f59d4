"""The registry: games are found, not listed.

Every package below `mmgames/games`, `mmgames/puzzles`, … that does not start with an underscore is a game and
declares `SPEC` (or `SPECS`); other distributions add theirs through the entry-point group `mmgames.games`.
A folder that does not load is remembered with its error and leaves the others alone.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import gymnasium
import pettingzoo

from mmgames.core.errors import MissingExtra, MmgamesError, nearest
from mmgames.core.game import Game
from mmgames.core.spec import GameSpec

HOMES = ("mmgames.games", "mmgames.puzzles", "mmgames.embodied")
ENTRY_POINTS = "mmgames.games"

specs: dict[str, GameSpec] = {}
"""Every registered game by id, in the order they were found."""

broken: dict[str, str] = {}
"""What did not load: folder or entry point -> the reason."""


@dataclass(frozen=True)
class LoadedGame:
    """A loaded game: its rules class and the two rooms that see only views."""

    spec: GameSpec
    rules: type[Game]
    picture: ModuleType
    words: ModuleType

    def game(self, **options: Any) -> Game:
        return self.rules(self.spec, **options)

    def __reduce__(self) -> Any:
        return load, (self.spec.id,)  # modules do not pickle; the registry finds them again


def discover() -> None:
    """Find and register every game once."""
    for home in HOMES:
        package = importlib.import_module(home)
        for found in pkgutil.iter_modules(package.__path__):
            if found.ispkg and not found.name.startswith("_"):
                add(f"{home}.{found.name}")
    for entry in importlib.metadata.entry_points(group=ENTRY_POINTS):
        add(entry.value.partition(":")[0], f"entry point {entry.name!r}")


def add(package: str, label: str = "") -> None:
    """Register the game or games that a package declares; one that does not load is remembered as broken."""
    label = label or f"game folder {package.replace('.', '/')}"
    try:
        module = importlib.import_module(package)
        declared = module.SPECS if hasattr(module, "SPECS") else (module.SPEC,)
        for spec in declared:
            register(spec if spec.doc else replace(spec, doc=module.__doc__ or ""))
    except Exception as error:
        # Anything may happen in somebody's folder; the other games must still load.
        reason = (
            "it declares no SPEC in its __init__"
            if isinstance(error, AttributeError) and "SPEC" in str(error)
            else f"{type(error).__name__}: {error}"
        )
        broken[package] = reason
        warnings.warn(f"mmgames: the {label} did not load ({reason}); all other games did.", stacklevel=2)


def register(spec: GameSpec) -> None:
    """Make a game known to mmgames, Gymnasium and PettingZoo under `spec.id`."""
    if spec.id in specs:
        if specs[spec.id].package == spec.package:
            return
        raise MmgamesError(f"{spec.id} is taken by {specs[spec.id].package}; {spec.package} needs another name.")
    specs[spec.id] = spec
    gymnasium.register(
        spec.id,
        entry_point="mmgames.envs.solo:SoloEnv",
        vector_entry_point="mmgames.envs.vector:SoloVectorEnv" if spec.batched else None,
        kwargs={"env_id": spec.id},
    )
    pettingzoo.register("aec", spec.id, "mmgames.envs.aec:AecEnv", kwargs={"env_id": spec.id})
    pettingzoo.register("parallel", spec.id, "mmgames.envs.parallel:ParallelEnv", kwargs={"env_id": spec.id})


def find(name: str) -> GameSpec:
    """The spec for an id; `CoinDilemma` and `CoinDilemma-v0` are understood too."""
    if isinstance(name, str):
        for candidate in (name, f"mmgames/{name}"):
            if candidate in specs:
                return specs[candidate]
            versions = [spec for id, spec in specs.items() if id.rpartition("-v")[0] == candidate]
            if versions:
                return max(versions, key=lambda spec: spec.version)
    for package, reason in broken.items():
        if str(name).rpartition("/")[2].partition("-")[0].lower() == package.rpartition(".")[2].replace("_", ""):
            raise MmgamesError(f"The folder of {name!r}, {package.replace('.', '/')}, did not load: {reason}.")
    known = [*specs, *(spec.name for spec in specs.values())]
    raise MmgamesError(f"There is no environment {name!r}.{nearest(name, known)} `mmgames list` shows all of them.")


def load(name: str) -> LoadedGame:
    """The rooms of a game, imported now. Says which extra is missing, if one is."""
    spec = find(name)
    loaded: dict[str, ModuleType] = {}
    for room in ("rules", "picture", "words"):
        try:
            loaded[room] = importlib.import_module(f"{spec.package}.{room}")
        except Exception as error:
            # Half-imported rooms must not make a second attempt look like a different failure.
            sys.modules.pop(f"{spec.package}.{room}", None)
            if isinstance(error, ImportError) and spec.extras:
                raise MissingExtra(missing_extra(spec.id, spec.extras)) from error
            raise MmgamesError(
                f"{spec.id} did not load: {spec.package.replace('.', '/')}/{room}.py raised "
                f"{type(error).__name__}: {error}"
            ) from error
    return LoadedGame(spec, getattr(loaded["rules"], spec.rules_class), loaded["picture"], loaded["words"])


def missing_extra(what: str, extras: Iterable[str]) -> str:
    return f"{what} needs a package that is not installed: pip install 'mmgames[{','.join(extras)}]'."
