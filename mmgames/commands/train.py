"""Train a policy."""

import argparse
import importlib
import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from mmgames.commands import _arguments, match
from mmgames.text.command_line import NAMED

TRAINERS = {
    "ippo": "mmgames.baselines.learning.ippo",
    "vdn": "mmgames.baselines.learning.vdn",
    "alphazero": "mmgames.baselines.learning.alphazero",
    "spo": "mmgames.baselines.learning.iterative_spo",
}
PLAYED_BY = {"vdn": "ippo"}
"""The agent that plays what a trainer has made, where it is called otherwise."""
MEASURED = (*(f"{what}{end}" for what in ("strength", "over_start") for end in ("", "_low", "_high")), "exploitability")


def run(args: argparse.Namespace) -> int:
    from mmgames.core import registry
    from mmgames.errors import MmgamesError, needs_extra

    spec = registry.find(args.id)
    with needs_extra(f"Training with {args.trainer}", "train"):
        trainer = importlib.import_module(TRAINERS[args.trainer])
    if not args.evaluate and (args.against or args.engine != "local"):
        raise MmgamesError("--against and --engine are for an evaluation after training; give --evaluate N too.")
    workers = _arguments.workers(args, match.default_processes(args.evaluate or 1))
    changes = {name: value for name, value in dict(args.recipe).items() if value is not NAMED}
    if named := tuple(name for name, value in args.recipe if value is NAMED):
        changes["recipe"] = named
    if args.steps:
        changes["steps"] = args.steps
    if args.num_envs is not None:
        changes["num_envs"] = args.num_envs
    if args.trainer != "ippo" and int(os.environ.get("WORLD_SIZE", 1)) > 1 and "TORCHELASTIC_RUN_ID" in os.environ:
        raise MmgamesError(f"{args.trainer} learns in one process; of our trainers, torchrun is for ippo alone.")
    log = trainer.train(
        spec.id,
        args.out,
        seed=args.seed,
        device=args.device,
        seconds=args.seconds,
        resume=args.resume,
        threads=args.threads,
        **{name: value for name in ("seat", "others") if (value := getattr(args, name))},
        **({} if args.anchor == "none" or args.trainer == "spo" else {"anchor": args.anchor}),
        tensorboard=args.tensorboard,
        options=_arguments.settings(args),
        command=shlex.join(["mmgames", *sys.argv[1:]]),
        **changes,
    )
    if not log:
        return 0  # one of several processes, of which another has written and tells
    last = log[-1]
    summary = {
        "game": spec.id,
        "out": args.out,
        "steps": int(last["steps"]),
        "seconds": last["seconds"],
        "steps_per_second": last["steps"] / last["seconds"],
        **trainer.outcome(log),
        **{name: last[name] for name in MEASURED if name in last},
    }
    if args.evaluate:
        summary["evaluation"] = evaluate(args, workers)
    if args.json:
        print(json.dumps(summary, indent=2))
    else:
        learned = ", ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in trainer.outcome(log).items())
        print(
            f"{spec.id}: {summary['steps']} steps in {summary['seconds']:.1f} s "
            f"({summary['steps_per_second']:.3g} a second); {learned or 'no episode has ended'}; {args.out}/policy.npz"
        )
        if "strength" in summary:
            low, high = (summary[f"strength_{end}"] for end in ("low", "high"))
            print(f"Measured beside {args.anchor}, --anchor: {summary['strength']:.3f}, {low:.3f} to {high:.3f}.")
        if "return" in summary:
            print(meaning(args, trainer.recipe_for(spec.id, **changes)))
        else:
            print(how_to_measure(args))
        if args.evaluate:
            print(f"\n{match.table(summary['evaluation'])}")
    return 0


def game_and_seat(args: argparse.Namespace) -> tuple[Any, int]:
    """The game as it was learned, and the seat that has learned or the first."""
    from mmgames.agents.finding import find_seat
    from mmgames.core import registry

    game = registry.load(args.id).game(**_arguments.settings(args))
    return game, find_seat(game, args.seat)


def meaning(args: argparse.Namespace, recipe: Any) -> str:
    """What the return of a training run is the return of, and the command that gives the figure against another agent.

    It counts what the rules pay to the seats that learn, whatever they were taught with (`sharing`)."""
    game, own = game_and_seat(args)
    if args.seat:
        who = f"what {game.seats[own]} collects in a whole episode beside {args.others or 'random'}"
    elif beside := args.others or recipe.others:
        who = f"what the policy collects in a seat of its own, a whole episode long, beside itself or {beside}"
    elif len(game.seats) == 1:
        who = "what the policy collects in a whole episode"
    else:
        who = f"what one player collects in a whole episode in which the policy plays all {len(game.seats)} seats"
    taught = f" from shared rewards (sharing={recipe.sharing:g})" if recipe.sharing and len(game.seats) > 1 else ""
    return f"That return is {who}, while it learns{taught}. {how_to_measure(args)}"


def how_to_measure(args: argparse.Namespace) -> str:
    """The command that gives the figure against another agent."""
    from mmgames.core import registry

    spec = registry.find(args.id)
    game, own = game_and_seat(args)
    agents = [spec.reference_for(seat) for seat in range(len(game.seats))]
    agents[own] = f"{PLAYED_BY.get(args.trainer, args.trainer)}:{Path(args.out) / 'policy.npz'}"
    options = [word for name, value in args.set for word in ("--set", f"{name}={value}")]
    name = spec.name if spec.namespace == "mmgames" else spec.id
    command = shlex.join(["mmgames", "match", name, *agents, "--episodes", "100", *options])
    against = "Against another agent" if len(game.seats) > 1 else "As it is now"
    return f"{against}: {command}"


def evaluate(args: argparse.Namespace, workers: Any) -> dict[str, Any]:
    """The summary of a match that the policy plays, in the seat that has learned or the first, or in all of them."""
    from mmgames.running.matches import match as play_match

    game, own = game_and_seat(args)
    policy = f"{PLAYED_BY.get(args.trainer, args.trainer)}:{Path(args.out).resolve() / 'policy.npz'}"
    agents = [args.against or policy] * len(game.seats)
    agents[own] = policy
    kept = Path(args.out) / "evaluation.jsonl"
    kept.unlink(missing_ok=True)  # of the policy that was here before
    how: dict[str, Any] = {"out": kept, "processes": workers, "progress": True}
    return play_match(args.id, agents, args.evaluate, args.seed, **how, **_arguments.settings(args)).summary()
