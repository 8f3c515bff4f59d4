"""The registry: games are found, not listed.

Every package below `mmgames/games`, `mmgames/puzzles`, … that does not start with an underscore is a game and
declares `SPEC` (or `SPECS`); other distributions add theirs through the entry-point group `mmgames.games`.
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass, field, replace
from importlib.resources import files
from types import ModuleType
from typing import Any

import gymnasium
import pettingzoo

from mmgames.core import discovery
from mmgames.core.discovery import broken
from mmgames.core.game import Game
from mmgames.core.game_modules import GameWords, Picture, check_picture
from mmgames.core.look_names import AS_USUAL, Look
from mmgames.core.spec import GameSpec
from mmgames.errors import MissingExtra, MmgamesError, nearest
from mmgames.errors import missing_extra as missing_extra
from mmgames.readers import PaperReader
from mmgames.text import prose

HOMES = ("mmgames.games", "mmgames.puzzles", "mmgames.embodied")

TALK = "talk"
"""The namespace of games with talk before their moves."""

GUESTS = {
    **dict.fromkeys(("pettingzoo", "pettingzoo-hidden", "gymnasium"), "mmgames.games._guests"),
    TALK: "mmgames.games._talk",
}
"""Namespaces whose ids hold an address, and the packages that find what stands there (`spec_of`)."""

specs: dict[str, GameSpec] = {}
"""Every registered game by id, in the order they were found."""


@dataclass(frozen=True)
class LoadedGame:
    """A loaded game: its rules class and the two modules that see only views."""

    spec: GameSpec
    rules: type[Game[Any, Any]]
    picture: Picture
    words: GameWords
    tried: set[bool] = field(default_factory=set)  # filled once the words have been tried on a game
    look: Look = AS_USUAL
    reader: PaperReader | None = None
    dressed: dict[Any, LoadedGame] = field(default_factory=dict)

    def game(self, **options: Any) -> Game[Any, Any]:
        game = self.rules(self.spec, **options)
        if not self.tried:
            self.words.check(game)
            self.tried.add(True)
        return game

    def shown(self, game: Game[Any, Any]) -> LoadedGame:
        """The same with the modules that the look of this game asks for."""
        return self if game.look == self.look else _dressed(self.spec.id, game.look, self.reader)

    def asking(self, reader: PaperReader | None) -> LoadedGame:
        """The same with words that ask for an answer in a form that a paper's reader reads."""
        return self if reader == self.reader else _dressed(self.spec.id, self.look, reader)

    def __reduce__(self) -> Any:
        return _dressed, (self.spec.id, self.look, self.reader)  # modules do not pickle; the registry finds them again


_loaded: dict[str, LoadedGame] = {}


def discover() -> None:
    """Find and register every game once."""
    for found in (*discovery.modules(*HOMES, folders=True), *discovery.entry_points("games")):
        _add(found)


def talk_id(spec: GameSpec) -> str:
    """The id of a game with talk before its moves."""
    home = "" if spec.namespace == "mmgames" else f"{spec.namespace}."
    return f"{TALK}/{home}{spec.name}-v{spec.version}"


def add(package: str) -> None:
    """Register the game or games that a package declares, when no entry point names it."""
    _add(discovery.in_mmgames(package))


def _add(found: discovery.Found) -> None:
    with discovery.note_failure(found):
        module = importlib.import_module(found.where.partition(":")[0])
        for spec in module.SPECS if hasattr(module, "SPECS") else (discovery.declared(module, "SPEC"),):
            register(spec if spec.doc else replace(spec, doc=_page(module)))


def _page(module: ModuleType) -> str:
    """A game's page: the docstring of its package, or README.md beside it if that has no headings."""
    doc = module.__doc__ or ""
    own = hasattr(module, "__path__") and files(module).joinpath("README.md").is_file()
    return prose.page(module.__name__) if own and "\n## " not in doc else doc


def register(spec: GameSpec) -> None:
    """Make a game known to mmgames, Gymnasium and PettingZoo under `spec.id`."""
    if spec.id in specs:
        if specs[spec.id].package == spec.package:
            return
        raise MmgamesError(f"{spec.id} is taken by {specs[spec.id].package}; {spec.package} needs another name.")
    specs[spec.id] = spec
    _tell_libraries(spec.id, spec.batched)
    if importlib.import_module(GUESTS[TALK]).takes_talk(spec):
        _tell_libraries(talk_id(spec))


def _tell_libraries(id: str, batched: bool = False) -> None:
    """Gymnasium and PettingZoo make environments of this id; what it is, is found when they do."""
    if id in gymnasium.registry:
        return
    gymnasium.register(
        id,
        entry_point="mmgames.envs.solo:SoloEnv",
        vector_entry_point="mmgames.envs.solo_vector:SoloVectorEnv" if batched else None,
        kwargs={"env_id": id},
    )
    pettingzoo.register("aec", id, "mmgames.envs.aec:AecEnv", kwargs={"env_id": id})
    pettingzoo.register("parallel", id, "mmgames.envs.parallel:ParallelEnv", kwargs={"env_id": id})


def replace_guest(spec: GameSpec) -> None:
    """Register a guest, or once more with other words."""
    if spec.id in specs:
        specs[spec.id] = spec
    else:
        register(spec)


def _guest(name: str) -> GameSpec | None:
    """A guest that is found by its id, registered now."""
    namespace, _, address = name.partition("/")
    address, _, version = address.rpartition("-v")
    if namespace not in GUESTS or not address or not version.isdigit():
        return None
    spec: GameSpec = importlib.import_module(GUESTS[namespace]).spec_of(namespace, address, int(version))
    replace_guest(spec)
    return spec


def find(name: str) -> GameSpec:
    """The spec for an id; `CoinDilemma` and `CoinDilemma-v0` are understood too."""
    if isinstance(name, str):
        for candidate in (name, f"mmgames/{name}"):
            if candidate in specs:
                return specs[candidate]
            versions = [spec for id, spec in specs.items() if id.rpartition("-v")[0] == candidate]
            if versions:
                return max(versions, key=lambda spec: spec.version)
        if (guest := _guest(name)) is not None:
            return guest
    for label, reason in broken.items():
        if str(name).rpartition("/")[2].partition("-")[0].lower() == label.rpartition("/")[2].replace("_", ""):
            raise MmgamesError(f"The folder of {name!r}, {label}, did not load: {reason}.")
    known = [*specs, *(spec.name for spec in specs.values())]
    elsewhere = [id for id, spec in specs.items() if spec.name == name]
    meant = f" Did you mean {elsewhere[0]!r}?" if elsewhere else nearest(name, known)
    raise MmgamesError(f"There is no environment {name!r}.{meant} `mmgames list` shows all of them.")


def load(name: str) -> LoadedGame:
    """The modules of a game, imported now. Says which extra is missing, if one is."""
    spec = find(name)
    known = _loaded.get(spec.id)
    if known is not None and known.spec is spec:
        return known
    loaded: dict[str, ModuleType] = {}
    for module in ("rules", "picture", "words"):
        try:
            loaded[module] = importlib.import_module(f"{spec.package}.{module}")
        except Exception as error:
            # Half-imported modules must not make a second attempt look like a different failure.
            sys.modules.pop(f"{spec.package}.{module}", None)
            if isinstance(error, ImportError) and spec.extras:
                raise MissingExtra(missing_extra(spec.id, spec.extras)) from error
            raise MmgamesError(
                f"{spec.id} did not load: {spec.package.replace('.', '/')}/{module}.py raised "
                f"{type(error).__name__}: {error}"
            ) from error
    rules = getattr(loaded["rules"], spec.rules_class)
    picture, words = check_picture(spec, loaded["picture"]), GameWords(spec, loaded["words"])
    _loaded[spec.id] = LoadedGame(spec, rules, picture, words)
    return _loaded[spec.id]


def _dressed(id: str, look: Look, reader: PaperReader | None = None) -> LoadedGame:
    """A loaded game as a look shows it, with an answer asked for in a form that a reader reads."""
    loaded = load(id)
    if look == AS_USUAL and reader is None:
        return loaded
    found = loaded.dressed.get((look, reader))
    if found is None:
        found = replace(loaded, look=look, reader=reader)
        if look != AS_USUAL:
            from mmgames.core.looks import LookModules

            shown = LookModules(loaded.spec, look, loaded.picture, loaded.words)
            found = replace(found, picture=shown.picture, words=shown.words)
        if reader is not None and (forms := reader.asks(loaded.spec.name)):
            found = replace(found, words=found.words.asking(forms))
        loaded.dressed[look, reader] = found
    return found


def options_here(spec: GameSpec) -> dict[str, Any]:
    """The options with which doors to all games play one here: those that do without the extra that it lacks."""
    return dict(spec.without_extras) if spec.without_extras and why_missing(spec) else {}


def why_missing(spec: GameSpec) -> str:
    """The sentence about the extra that a game lacks here; empty where it can be made."""
    try:
        load(spec.id).game() if spec.extras else None
    except MissingExtra as error:
        return str(error)
    return ""
