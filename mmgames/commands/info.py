"""Tell all about a game."""

from __future__ import annotations

import argparse
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmgames.core.spec import GameSpec, Option


def run(args: argparse.Namespace) -> int:
    from mmgames.commands import _arguments
    from mmgames.core import registry
    from mmgames.text.plain import title

    (spec,) = _arguments.chosen_games([args.game])
    why = registry.why_missing(spec)
    if not why:
        game = registry.load(spec.id).game(**dict(args.set))
        spec, seats = game.spec, tuple(game.seats)
        game.close()
    else:
        seats = tuple(spec.seats)
    print(f"{title(spec.name)} ({spec.id}): {spec.summary}")
    print(f"\nplay: {spec.dynamics}, {spec.information} information, {spec.utility.replace('_', ' ')}; ", end="")
    print(f"{spec.actions} actions, at most {spec.length} steps{', batches' if spec.batched else ''}")
    print(f"seats: {', '.join(seats)}\nneeds: {needs(spec, why)}\n\noptions:")
    for name, option in spec.options.items():
        _told(f"{name}={option.default!r}", f"{option.doc}{possible(option)}")
    if not spec.options:
        print("  none")
    print("\nagents:")
    for name, said in agents(spec):
        _told(name, said)
    print(f"\n`mmgames play {spec.name}` plays it, `mmgames show {spec.name}` draws it.")
    return 0


def needs(spec: GameSpec, why: str) -> str:
    """The extras that a game needs, and whether they are here."""
    if why:
        return why
    return f"extra {', '.join(spec.extras)}, which is installed" if spec.extras else "nothing besides mmgames"


def possible(option: Option) -> str:
    """What an option may be, as far as that is not in its own words."""
    if option.choices:
        return f" [{', '.join(map(str, option.choices))}]"
    ends = [None if end is None else f"{end:g}" for end in (option.low, option.high)]
    if ends[0] and ends[1]:
        return f" [{ends[0]} to {ends[1]}]"
    return f" [from {ends[0]}]" if ends[0] else f" [to {ends[1]}]" if ends[1] else ""


def agents(spec: GameSpec) -> list[tuple[str, str]]:
    """Who can play, with a sentence about each; who sits at a page is named beside who sits at the terminal."""
    from mmgames.agents.facts import agent_facts
    from mmgames.agents.finding import known_agents, listed_agents
    from mmgames.text.plain import sentences

    found = []
    for name, listed in zip(known_agents(spec), listed_agents(spec), strict=True):
        if name != "person":
            facts = agent_facts(name, spec)
            options = ", ".join(one.name for one in facts.options)
            said = facts.missing or sentences(facts.does)[0]
            found.append((listed, f"{said}{f' [{options}]' if options else ''}"))
    return found


def _told(name: str, said: str) -> None:
    wide = 22
    lines = textwrap.wrap(said, 96 - wide) or [""]
    print(f"  {name:<{wide}}{'' if len(name) < wide else chr(10) + ' ' * (wide + 2)}{lines[0]}")
    for line in lines[1:]:
        print(" " * (wide + 2) + line)
