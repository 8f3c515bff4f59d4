"""What a command's page (NAME.toml) says of its arguments, and what arguments mean that several commands take."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mmgames.errors import MmgamesError
from mmgames.text import command_line

if TYPE_CHECKING:
    from mmgames.core.spec import GameSpec


def page(name: str) -> dict[str, Any]:
    """A command's summary, what it is about and its arguments."""
    return command_line.page(__package__, name)


def add(parser: argparse.ArgumentParser, arguments: Mapping[str, Mapping[str, Any]]) -> None:
    """Add the arguments of a page; the name of a part of shared.toml stands for all of that."""
    command_line.add_arguments(parser, arguments, page("shared"))


def workers(args: argparse.Namespace, default: int) -> Any:
    """Who works, as `processes=` takes it; a cluster that does not answer is said before anything is begun."""
    from mmgames.running.ray_cluster import Cluster

    if args.engine == "ray":
        cluster = Cluster(args.address, args.processes)
        cluster.size()
        return cluster
    if args.address:
        raise MmgamesError("--address is that of a Ray cluster; it goes with --engine ray.")
    return args.processes or default


def add_own(parser: argparse.ArgumentParser, words: Sequence[str], known: Mapping[str, Any], find: Any) -> Any:
    """The arguments of the suite or data set that the command line names; their group, if there is one."""
    named = [word for word in words if word in known]
    if words and not named and not words[0].startswith("-"):
        find(words[0])  # there is none: better said now than of the arguments that it does not have
    if not named:
        return None
    group = parser.add_argument_group(f"arguments of {named[0]}")
    known[named[0]].arguments(group)
    return group


def run_seed(args: argparse.Namespace) -> Any:
    """The seed that episodes are dealt from, sealed with a key if one is named."""
    from mmgames.core.seeding import SealedSeed
    from mmgames.running.seals import read_key

    return SealedSeed(args.seed, read_key(args.sealed)) if args.sealed else args.seed


NO_LUCK = "Nothing is told without luck: the game does not say what luck is, or the episodes are too few."


def budget(args: argparse.Namespace) -> Any:
    """What the arguments say that a run may take."""
    from mmgames.running.journal import Budget, read_prices

    prices = read_prices(args.prices) if args.prices else None
    return Budget(args.max_calls, args.max_tokens, args.max_cost, prices)


def settings(args: argparse.Namespace, *taken: str) -> dict[str, Any]:
    """What --set says, as keywords. `taken` are those that the command itself gives."""
    for name, _ in args.set:
        if name in taken:
            instead = f" Use --{name.replace('_', '-')}." if hasattr(args, name) else ""
            raise MmgamesError(f"{name!r} is not set with --set.{instead}")
    return dict(args.set)


def chosen_games(ids: Sequence[str]) -> list[GameSpec]:
    """The games named on the command line; all of them when none is."""
    from mmgames.core import registry

    if not ids or list(ids) == ["all"]:
        return list(registry.specs.values())
    return [registry.find(id) for id in ids]
