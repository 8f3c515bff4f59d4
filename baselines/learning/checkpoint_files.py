"""Checkpoints as files: .npz of plain arrays, one of which is JSON that says what they are.

That is which game it was made for, the shape of the network, and the command that made it. Nothing in it is code, and
nothing is unpickled.
"""

import json
import os
import zipfile
from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from mmgames.agents.base import Agent
from mmgames.agents.finding import shipped_policy
from mmgames.core.whole_files import write_whole
from mmgames.errors import MmgamesError

FORMAT = 1
Made = TypeVar("Made")


def write(path: str | Path, about: dict[str, Any], arrays: dict[str, np.ndarray], compressed: bool = True) -> None:
    """Write a checkpoint so that a reader finds the whole of it or the one before, never a part.

    What is large and does not leave the machine is quicker to write as it is."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    said = np.frombuffer(json.dumps({"format": FORMAT, **about}, sort_keys=True).encode(), np.uint8)
    with open(beside, "wb") as file:
        (np.savez_compressed if compressed else np.savez)(file, about=said, **arrays)  # type: ignore[arg-type]
    os.replace(beside, path)


def read(path: str | Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What a checkpoint says about itself, and its arrays; a file that is none is refused."""
    try:
        with open(path, "rb") as opened, np.load(opened, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(arrays.pop("about").tobytes())
    except FileNotFoundError:
        raise MmgamesError(f"There is no checkpoint {str(path)!r}; `mmgames train` makes one.") from None
    except (OSError, ValueError, KeyError, EOFError, AttributeError, TypeError, zipfile.BadZipFile) as error:
        raise MmgamesError(
            f"{str(path)!r} is no checkpoint, or a damaged one ({type(error).__name__}); train it anew."
        ) from error
    found = about.get("format") if isinstance(about, dict) else None
    if found != FORMAT:
        raise MmgamesError(
            f"{str(path)!r} has format {found!r}, but this mmgames reads format {FORMAT}; train it anew, or use the "
            "mmgames that wrote it."
        )
    return about, arrays


def read_fitting(path: str, game: str, policy: dict[str, np.ndarray]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """`read` a checkpoint to begin with, whose arrays fit this policy for this game; another one is refused."""
    about, arrays = read(path)
    fits = (name in arrays and arrays[name].shape == mine.shape for name, mine in policy.items())
    if about.get("game") != game or not all(fits):
        raise MmgamesError(
            f"begin={path!r} is a checkpoint for {about.get('game')} that does not fit this recipe for {game}; give a "
            "policy.npz of the same game, layers, core and nets."
        )
    return about, arrays


def numbers(array: np.ndarray | None, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """An array of a checkpoint in single precision; one that is missing, damaged or of another shape is refused."""
    if array is None or array.shape != shape or array.dtype.kind != "f" or not np.isfinite(array).all():
        what = "is missing" if array is None else f"is {array.dtype} of shape {array.shape}"
        raise MmgamesError(f"A checkpoint's array {name!r} {what}; finite numbers of shape {shape} were expected.")
    return array.astype(np.float32)


@lru_cache(maxsize=32)
def _loaded(made_of: Callable[[str], Any], path: str, changed: int) -> Any:
    return made_of(path)


class CheckpointPlayer(Agent, Generic[Made]):
    """Plays what a `file` holds, or the checkpoint of this trainer that comes with mmgames for the game."""

    trainer: str
    made_of: type[Any]

    def __init__(self, file: str | Path = "") -> None:
        if not isinstance(file, (str, Path)):
            raise MmgamesError(f"file={file!r} is not the name of a checkpoint.")
        self.file = str(file)
        if self.file:
            self._checkpoint("")

    def _checkpoint(self, game_id: str) -> Made:
        path = self.file or shipped_policy(game_id, self.trainer)
        if not path:
            raise MmgamesError(
                f"mmgames brings no checkpoint for {game_id}; train one with `mmgames train {self.trainer} {game_id}` "
                f"and name its file, as in '{self.trainer}:policy.npz'."
            )
        changed = os.stat(path).st_mtime_ns if os.path.exists(path) else 0
        return _loaded(self.made_of, str(path), changed)  # type: ignore[arg-type]  # mypy: a class has no hash


def check_new_run(folder: Path) -> None:
    """Refuse to begin a run where another one has left its policy."""
    for name in ("policy.npz", "training.npz"):
        if (folder / name).exists():
            raise MmgamesError(
                f"{str(folder)!r} holds a run already ({name}); go on with it (--resume), or name another folder."
            )


def training_to_resume(folder: Path) -> Path:
    """The file that a run goes on from."""
    path = folder / "training.npz"
    if not path.exists():
        raise MmgamesError(f"There is nothing to go on from in {str(folder)!r}: no training.npz. Leave out --resume.")
    return path


def as_told(recipe: Any) -> dict[str, Any]:
    """A recipe as checkpoints tell it: tuples are lists in JSON."""
    return json.loads(json.dumps(asdict(recipe)))


def keep_settings(folder: Path, settings: dict[str, Any]) -> None:
    """Write what decides a run into its folder; refuse to go on in one that holds a run with other settings."""
    path = folder / "settings.json"
    if path.exists() and (before := json.loads(path.read_text())) != settings:
        changed = ", ".join(name for name in settings if settings[name] != before.get(name))
        raise MmgamesError(f"{folder} holds a run with other settings ({changed}); take another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(path, (json.dumps(settings, indent=1) + "\n").encode())


def check_same_run(path: Path, about: dict[str, Any], mine: dict[str, Any]) -> None:
    """Refuse to go on from the checkpoint of a run with other settings than mine."""
    for name, value in json.loads(json.dumps(mine)).items():
        if about.get(name) != value:
            raise MmgamesError(
                f"{str(path)!r} was made with {name} {about.get(name)!r}, not {value!r}; go on with the same, or "
                "choose another folder."
            )
