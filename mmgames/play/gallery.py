"""Which games there are, how they look, and what can be chosen before one begins."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

from mmgames.agents.facts import agent_facts
from mmgames.agents.finding import ready_agents
from mmgames.core import registry
from mmgames.core.look_names import USUAL, looks_of
from mmgames.core.registry import LoadedGame
from mmgames.core.spec import LOOK, GameSpec, Option
from mmgames.drawing.png import png
from mmgames.errors import MissingExtra, MmgamesError
from mmgames.play.browser_game import PERSON
from mmgames.play.hosted_game import AT_THE_TERMINAL
from mmgames.running.matches import play

SIZE, SEED, STEPS = 320, 5, 6

_loading, _drawing = threading.Lock(), threading.Lock()


def games() -> list[dict[str, Any]]:
    """Every game, in the order in which `mmgames list` names them."""
    return [
        {
            "id": spec.id,
            "name": spec.name,
            "summary": spec.summary[:1].upper() + spec.summary[1:],
            "source": spec.source,
            "family": spec.family,
            "seats": len(spec.seats),
            "why": _missing(spec.id),
        }
        for spec in registry.specs.values()
    ]


def _missing(id: str) -> str:
    try:
        _loaded(id)
        return ""
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
        episode = play(id, "random", SEED)
        for step, live in enumerate(episode):
            if step == STEPS or not live.movers:
                break
        made = png(live.loaded.picture.draw(live.view(None), SIZE))
        episode.close()  # type: ignore[attr-defined]
    return made


def _described(name: str, spec: GameSpec) -> dict[str, Any]:
    """Who may take a seat, what it does, and what it can be told."""
    if name == PERSON:
        return {"name": PERSON, "does": "You, or somebody in another browser on this machine.", "options": []}
    facts = agent_facts(name, spec)
    return {
        "name": name,
        "does": facts.missing or facts.does,
        "options": [option._asdict() for option in facts.options],
    }


def set_up(id: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """What can be chosen for a game with these options: its seats, who may take them, and the options themselves."""
    game = _loaded(id).game(**options)
    spec = game.spec
    known = [name for name in ready_agents(spec) if name not in AT_THE_TERMINAL]
    return {
        "id": spec.id,
        "name": spec.name,
        "summary": spec.summary[:1].upper() + spec.summary[1:],
        "seats": [
            {"role": role, "agent": PERSON if seat == 0 else spec.reference_for(seat)}
            for seat, role in enumerate(game.seats)
        ],
        "agents": [_described(name, spec) for name in (PERSON, *known)],
        "options": [
            {
                "name": name,
                "value": game.options.get(name, option.default),
                "default": option.default,
                "doc": option.doc,
                "choices": list(option.choices),
                "low": option.low,
                "high": option.high,
            }
            for name, option in {**spec.options, **_look(spec)}.items()
        ],
    }


def _look(spec: GameSpec) -> dict[str, Option]:
    """The option that says how a game is shown, where there is a choice."""
    looks = looks_of(spec)
    return {LOOK: Option(USUAL, f"how it is shown: {', '.join(looks)}, or several joined with +")} if looks[1:] else {}
