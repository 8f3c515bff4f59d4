"""Which games there are, how they look, and what can be chosen before one begins."""

import json
import threading
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from mmgames.agents.facts import agent_facts
from mmgames.agents.finding import ready_agents
from mmgames.core import registry
from mmgames.core.look_names import USUAL, looks_of
from mmgames.core.registry import LoadedGame
from mmgames.core.spec import LOOK, GameSpec, Option
from mmgames.drawing.png import png
from mmgames.errors import MissingExtra, MmgamesError, options_told
from mmgames.play.browser_game import PERSON
from mmgames.play.hosted_game import AT_THE_TERMINAL
from mmgames.running.matches import play
from mmgames.text import plain

SIZE, SEED, STEPS = 320, 5, 6

_loading, _drawing = threading.Lock(), threading.Lock()


def games() -> list[dict[str, Any]]:
    """Every game, in the order in which `mmgames list` names them."""
    return [
        {
            "id": spec.id,
            "name": spec.name,
            "title": plain.title(spec.name),
            "summary": _summary(spec),
            "source": spec.source,
            "family": spec.family,
            "seats": len(spec.seats),
            "why": _missing(spec),
        }
        for spec in registry.specs.values()
    ]


def _summary(spec: GameSpec) -> str:
    """What happens in a game, and with which options where it lacks its extra here."""
    with _loading:
        options = registry.options_here(spec)
    return plain.capitalised(spec.summary) + (f"; here with {options_told(options)}" if options else "")


def _missing(spec: GameSpec) -> str:
    """Why a game cannot be played here. To load all takes seconds, and most need nothing."""
    if spec.namespace == "mmgames" and (spec.without_extras or not spec.extras):
        return ""
    try:
        _loaded(spec.id)
        return registry.why_missing(spec)
    except (MmgamesError, MissingExtra) as error:
        return str(error)


def _loaded(id: str) -> LoadedGame:
    with _loading:  # games are imported one after the other
        return registry.load(id)


@lru_cache(maxsize=128)
def picture(id: str) -> bytes:
    """A position of a game, as PNG. Those of our own games are at hand; to draw one, rules may have to be compiled."""
    kept = resources.files("mmgames.assets") / "gallery" / f"{registry.find(id).name}.png"
    return kept.read_bytes() if id.startswith("mmgames/") and kept.is_file() else drawn(id)


def drawn(id: str) -> bytes:
    """A few moves after the start of a game, as a spectator sees it."""
    _loaded(id)
    with _drawing:
        episode = play(id, "random", SEED, **registry.options_here(registry.find(id)))
        for step, live in enumerate(episode):
            if step == STEPS or not live.movers:
                break
        made = png(live.loaded.picture.draw(live.view(None), SIZE))
        episode.close()  # type: ignore[attr-defined]
    return made


def _described(name: str, spec: GameSpec) -> dict[str, Any]:
    """Who may take a seat, what it does, and what it can be told."""
    if name == PERSON:
        does = "You, or somebody in another browser on this machine."
        return {"name": PERSON, "called": "A person", "does": does, "options": []}
    facts = agent_facts(name, spec)
    return {
        "name": name,
        "called": plain.plain(name),
        "does": facts.missing or plain.sentences(facts.does)[0].replace("`", ""),
        "options": [option._asdict() for option in facts.options],
    }


@cache
def _measured() -> dict[str, dict[str, dict[str, Any]]]:
    """How strong agents are, by game; the file says with which command that was measured."""
    found: dict[str, Any] = json.loads((resources.files("mmgames.assets") / "strengths.json").read_text("utf-8"))
    return dict(found["games"])


def _levels(measured: str) -> list[dict[str, str]]:
    """Agents of a game from the weakest to the strongest, with a word for it; one of OpenSpiel's has its own name."""
    found = sorted(_measured().get(measured, {}).items(), key=lambda one: one[1]["share"])
    named = [(agent, agent.partition(":"), one["strength"]) for agent, one in found]
    return [
        {"agent": agent, "called": f"{strength.capitalize()}: {plain.plain(name)}{f' ({options})' if options else ''}"}
        for agent, (name, _, options), strength in named
    ]


def set_up(id: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """What can be chosen for a game with these options: its seats, who may take them, and the options themselves."""
    loaded = _loaded(id)
    game = loaded.game(**{**registry.options_here(loaded.spec), **options})
    spec = game.spec
    known = [name for name in ready_agents(spec) if name not in AT_THE_TERMINAL]
    return {
        "id": spec.id,
        "name": spec.name,
        "title": plain.title(spec.name),
        "summary": _summary(loaded.spec),
        "seats": [
            {"role": role, "called": name, "agent": PERSON if seat == 0 else spec.reference_for(seat)}
            for seat, (role, name) in enumerate(plain.seat_names(tuple(game.seats)).items())
        ],
        "levels": _levels(game.options.get("game", spec.name)),
        "agents": [_described(name, spec) for name in (PERSON, *known)],
        "options": [
            {"name": name, "value": game.options.get(name, option.default), **asdict(option)}
            for name, option in {**spec.options, **_look(spec)}.items()
        ],
    }


def _look(spec: GameSpec) -> dict[str, Option]:
    """The option that says how a game is shown, where there is a choice."""
    looks = looks_of(spec)
    return {LOOK: Option(USUAL, f"how it is shown: {', '.join(looks)}, or several joined with +")} if looks[1:] else {}
