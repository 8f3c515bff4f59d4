"""Checkpoints as files: .npz of plain arrays, one of which is JSON that says what they are.

That is which game it was made for, the shape of the network, and the command that made it. Nothing in it is code, and
nothing is unpickled.
"""

from __future__ import annotations

import json
import os
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.errors import MmgamesError

FORMAT = 1


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


def check_same_run(path: Path, about: dict[str, Any], mine: dict[str, Any]) -> None:
    """Refuse to go on from the checkpoint of a run with other settings than mine."""
    for name, value in json.loads(json.dumps(mine)).items():
        if about.get(name) != value:
            raise MmgamesError(
                f"{str(path)!r} was made with {name} {about.get(name)!r}, not {value!r}; go on with the same, or "
                "choose another folder."
            )
