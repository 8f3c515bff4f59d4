"""Arguments that several commands take."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmgames.errors import MmgamesError
from mmgames.text.command_line import count
from mmgames.text.replies import READINGS

if TYPE_CHECKING:
    from mmgames.core.spec import GameSpec


def add_workers(parser: Any) -> None:
    """Where the work is done."""
    group = parser.add_argument_group("where the work is done")
    group.add_argument("--processes", type=count, metavar="P", help="worker processes (default: one per core)")
    group.add_argument(
        "--engine",
        choices=("local", "ray"),
        default="local",
        help="processes of this machine (default), or the workers of a Ray cluster (extra scale)",
    )
    group.add_argument(
        "--address", metavar="HOST:PORT", help="of the Ray cluster (default: RAY_ADDRESS, or one on this machine)"
    )


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


def add_listening(parser: Any) -> None:
    """Where others reach a page, and who encrypts."""
    parser.add_argument("--listen", metavar="ADDRESS[:PORT]", help="let others in who have an invitation")
    parser.add_argument("--certificate", type=Path, metavar="FILE", help="of this server, in PEM form")
    parser.add_argument("--key", type=Path, metavar="FILE", help="the certificate's key, if it is in another file")
    parser.add_argument("--behind", metavar="NAME", help="a proxy of this name has the certificate and passes all on")
    parser.add_argument(
        "--name", action="append", default=[], metavar="NAME", help="what browsers call it (default: its address)"
    )
    parser.add_argument("--insecure", action="store_true", help="neither: everybody on the way can read and play along")


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


def add_reading(parser: Any, default: str | None = "paragraph") -> None:
    """How replies are read."""
    parser.add_argument(
        "--reading",
        default=default,
        metavar="{" + ",".join(READINGS) + "}",
        help="how replies are read: by one paragraph (paragraph), or as the code does that was released with a suite's "
        f"paper (released); {'the default is paragraph' if default else 'the default is what its suite says'}",
    )


def add_clock(parser: Any) -> None:
    """How long seats have for their answers."""
    parser.add_argument(
        "--clock",
        metavar="SECONDS",
        help="a late answer is a missed move, as an illegal one is: 10 for the seconds of a turn, 300+5 for those of "
        "an episode and what each turn adds",
    )


def add_variates(parser: Any) -> None:
    """Means without luck."""
    parser.add_argument(
        "--variates",
        action="store_true",
        help="also tell what is collected without luck: known chances and choices are taken out of it, where the game "
        "says what they are worth",
    )


def add_sealed(parser: Any) -> None:
    """Deals from a private key."""
    parser.add_argument(
        "--sealed",
        metavar="KEYFILE",
        help="deal what only those can repeat who have this key: a file of `mmgames seal`, or env:NAME for a variable",
    )


def run_seed(args: argparse.Namespace) -> Any:
    """The seed that episodes are dealt from, sealed with a key if one is named."""
    from mmgames.core.seeding import SealedSeed
    from mmgames.running.seals import read_key

    return SealedSeed(args.seed, read_key(args.sealed)) if args.sealed else args.seed


NO_LUCK = "Nothing is told without luck: the game does not say what luck is, or the episodes are too few."


def add_runner(parser: Any) -> None:
    """What agents that wait for a model are run with."""
    runner = parser.add_argument_group("agents that wait for a model")
    runner.add_argument(
        "--concurrency", type=count, default=1, metavar="N", help="so many episodes or questions at a time (default 1)"
    )
    runner.add_argument("--max-calls", type=count, metavar="N", help="a budget: make at most so many calls")
    runner.add_argument("--max-tokens", type=count, metavar="N", help="a budget of tokens, those of prompts too")
    runner.add_argument("--max-cost", type=float, metavar="X", help="a budget of money; needs --prices")
    runner.add_argument(
        "--prices", metavar="FILE", help='what a million tokens cost, in and out, as JSON: {"model": [0.4, 1.6]}'
    )


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
