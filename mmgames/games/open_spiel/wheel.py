"""Which games of the installed OpenSpiel can be played, and the sentence for every other."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pyspiel

from mmgames.errors import MmgamesError, nearest
from mmgames.games.open_spiel import trial

UNSAFE = {"morpion_solitaire": "a copy of its state reads memory of the state it was copied from"}
"""Games that would end the process sooner or later, as seen with OpenSpiel 2.0.2."""

SECONDS = 120  # for the first try of a game in a process of its own, on a busy machine too
_FORM = re.compile(r"\s*(\w+)\s*(\([^\0]*\))?\s*")
_NAME = re.compile(r"\w+(?=\()")
_PLACE = re.compile(r"^\S*\.(?:cc|h):\d+\s*")  # where in OpenSpiel's source a check failed


_tried: dict[str, dict[str, Any]] = {}  # what the first tries have told


@dataclass(frozen=True)
class Facts:
    """What a first try has told about a game."""

    tensor: str  # the state's method that gives the features; "" where OpenSpiel has none
    counts: bool  # the tensor holds numbers beyond [-1, 1]
    imagines: bool  # hidden parts can be drawn again
    branching: int  # moves at the first decision


@lru_cache(maxsize=1)
def registered() -> dict[str, Any]:
    """The games of OpenSpiel's wheel by name; those in Python, which come and go with what is imported, left out."""
    return {
        kind.short_name: kind
        for kind in pyspiel.registered_games()
        if not kind.short_name.startswith("python_") and kind.short_name != "chat_game"
    }


def facts(engine: str) -> Facts:
    """What is known of a game, or the sentence that says why it cannot be played."""
    form = _FORM.fullmatch(engine)
    if form is None:
        raise MmgamesError(f"game={engine!r} is not how OpenSpiel writes a game: name or name(parameter=value,…).")
    name, parameters = form.groups()
    for inner in (name, *_NAME.findall(engine)):
        if inner not in registered():
            raise MmgamesError(f"OpenSpiel has no game {inner!r}.{nearest(inner, registered())}")
        if inner in UNSAFE:
            raise MmgamesError(f"OpenSpiel's {inner} cannot be played here: {UNSAFE[inner]}.")
    kind = registered()[name]
    if not kind.default_loadable and parameters is None:
        known = ", ".join(sorted(kind.parameter_specification)) or "some"
        raise MmgamesError(f"OpenSpiel's {name} needs parameters: {known}.")
    # Names alone are known to load; a parameter may bring the process down. Where something is hidden OpenSpiel may
    # complain aloud that it cannot draw it again.
    perfect = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    if engine not in _tried:
        if parameters is None and perfect:
            _tried[engine] = trial.try_out(engine)
        else:
            try_apart(engine)
    found = _tried[engine]
    if "failed" in found:
        raise MmgamesError(_sentence(engine, kind, found["failed"]))
    if "refused" in found:
        raise MmgamesError(f"OpenSpiel's {engine} cannot be played here: {found['refused']}.")
    return Facts(**found)


def try_apart(*engines: str) -> None:
    """Try games in a process of its own, which may break down; what it tells is kept."""
    command = [sys.executable, "-P", trial.__file__, *engines]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    otherwise: dict[str, Any]
    rows: list[dict[str, Any]] = []
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=SECONDS * len(engines), env=paths, check=False
        )
        rows = [json.loads(line[len(trial.MARK) :]) for line in done.stdout.splitlines() if line.startswith(trial.MARK)]
        otherwise = {"refused": f"OpenSpiel breaks down with these parameters (exit status {done.returncode})"}
    except subprocess.TimeoutExpired:
        otherwise = {"refused": f"OpenSpiel does not come to an end with it within {SECONDS} seconds"}
    except OSError as error:
        otherwise = {"refused": f"it could not be tried in a process of its own ({error})"}
    _tried.update(zip(engines, rows, strict=False))
    if len(engines) == 1:
        _tried.setdefault(engines[0], otherwise)


def _sentence(engine: str, kind: Any, said: str) -> str:
    """What OpenSpiel has said against a game, as one sentence."""
    said = " ".join(_PLACE.sub("", said).split())
    unknown = re.match(r"Unknown parameter '(.+?)'", said)
    meant = nearest(unknown.group(1), kind.parameter_specification) if unknown else ""
    return f"OpenSpiel does not take game={engine!r}: {said.rstrip('.')}.{meant}"
