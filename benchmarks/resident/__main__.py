"""One small model for many games: it sees pictures, reads prompts and replies as any chat model does.

    python -m benchmarks.resident train RUN --seconds 480 --device cuda --processes 15
    python -m benchmarks.resident measure RUN --suite vs-bench --episodes 20
    python -m benchmarks.resident page RUN

`train` learns what reference agents and known answers reply in all entries of the suites and some games more; the same
command goes on with a run. RUN/model then plays as `resident:RUN/model`. `measure` sets it beside random replies and
the entries' own reference agents, in the suites' own words, and keeps the episodes in RUN, so it goes on too. `page`
writes RUN/model/README.md, what a model card says, from what was found.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from benchmarks import studies
from benchmarks.resident.examples import KNOWN, entries
from benchmarks.resident.training import Run, Settings
from mmgames import suites
from mmgames.baselines.learning.torch_devices import device_named
from mmgames.baselines.models import small_vision_model
from mmgames.core.whole_files import write_whole
from mmgames.errors import MmgamesError
from mmgames.text.command_line import add_arguments, page
from mmgames.text.tables import markdown_table

ASKED = 16
"""At the end of a call so many examples of each entry are asked that nothing was learned from."""
ENOUGH = 2.0
"""So many standard errors above random is above random."""


def train(args: argparse.Namespace) -> None:
    settings = Settings(**{name: getattr(args, name) for name in asdict(Settings())})
    began = time.monotonic()
    run = Run(args.run, settings, str(device_named(args.device)), args.processes)
    print(f"{args.run.name}: began after {time.monotonic() - began:.0f} s", flush=True)
    whole = run.learn(args.seconds - (time.monotonic() - began), args.whole)
    found = run.agreement(ASKED)
    run.tell_entries(found)
    earlier = Path(settings.begin).parent / "results.json"
    before = json.loads(earlier.read_text("utf-8")) if settings.begin and earlier.exists() else {}
    learned = {
        "updates": run.trainer.steps, "seconds": run.trainer.notes["seconds"],
        "examples": run.trainer.steps * len(run.mixture),
    }  # fmt: skip
    results = {
        "weights": small_vision_model.weight_count(run.trainer.model),
        "words": len(run.trainer.weights.tokenizer),
        **{name: number + before.get(name, 0) for name, number in learned.items()},
        "too long": run.left_out(),
        "device": torch.cuda.get_device_name() if run.trainer.model.device.type == "cuda" else "CPU",
        "settings": asdict(settings),
        "entries": found,
    }
    write_whole(args.run / "results.json", (json.dumps(results, indent=1) + "\n").encode())
    if not whole:
        print(f"{args.run.name}: give the same command again to go on", flush=True)


def measure(args: argparse.Namespace) -> None:
    """Every entry with the model, random replies and the reference agent on the same starts."""
    model = f"resident:{args.run / 'model'},device={args.device},batch={args.batch}"
    for name in args.suite or sorted(suites.suites()):
        found = {}
        for player in (model, "random", "oracle"):
            out = args.run / "measured" / f"{name}-{player.partition(':')[0]}"
            how = {"concurrency": args.batch} if player == model else {"processes": args.processes}
            began = time.monotonic()
            result = suites.find(name).evaluate(player, args.episodes, out=out, only=args.only, **how)
            found[player.partition(":")[0]] = result["rows"]
            print(f"{name}: {player} in {time.monotonic() - began:.0f} s", flush=True)
        kept = args.run / f"measured-{name}.json"
        write_whole(kept, (json.dumps(found, indent=1, default=str) + "\n").encode())


def card(args: argparse.Namespace) -> None:
    """The model card, of what was trained and measured."""
    trained = json.loads((args.run / "results.json").read_text("utf-8"))
    rows, above, counted, illegal, replies = [], 0, 0, 0, 0
    for path in sorted(args.run.glob("measured-*.json")):
        found = json.loads(path.read_text("utf-8"))
        for own, chance, known in zip(*(found[name] for name in ("resident", "random", "oracle")), strict=True):
            scores = [one["normalised"] for one in (own, chance, known)]
            better = standing(own, chance)
            apart = any(f"/{name}" in own["environment"] for name in KNOWN["apart"]["games"])
            counted, above = counted + (not apart), above + (better == "yes" and not apart)
            illegal, replies = illegal + own["illegal"]["illegal"], replies + own["illegal"]["replies"]
            named = " ".join(filter(None, (own["environment"], own.get("variant"), "(never met)" * apart)))
            cells = ["–" if score is None else f"{score:.1f}" for score in scores]
            rows.append([named, str(own["episodes"]), *cells, better])
    agrees = [[name, f"{own['agrees']:.0%}", "" if math.isnan(own["legal"]) else f"{own['legal']:.0%}"]
              for name, own in trained["entries"].items()]  # fmt: skip
    text = studies.words(
        "resident",
        weights=trained["weights"] / 1e6, vocabulary=trained["words"], updates=trained["updates"],
        minutes=trained["seconds"] / 60, device=trained["device"], examples=trained["examples"],
        long=100 * trained["too long"], entries=len(entries()), apart=", ".join(KNOWN["apart"]["games"]),
        looks=", ".join(KNOWN["apart"]["looks"]), above=above, counted=counted,
        illegal=100 * illegal / max(1, replies), replies=replies, enough=ENOUGH,
        agrees=markdown_table(("entry", "agrees", "possible"), agrees),
        rows=markdown_table(("environment", "episodes", "resident", "random", "reference", "above random"), rows),
    )  # fmt: skip
    (args.run / "model" / "README.md").write_text(text, encoding="utf-8")


def standing(own: dict[str, Any], chance: dict[str, Any]) -> str:
    """Whether a row is above that of random replies by enough standard errors of their difference."""
    scores = [(one["raw"], one["standard_error"]) for one in (own, chance)]
    if any(None in pair for pair in scores):
        return "not known"
    (mine, error), (theirs, other) = scores
    return "yes" if mine - theirs > ENOUGH * math.hypot(error, other) else "no"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("benchmarks.resident", None, __doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    for name, own in page(__package__, "arguments").items():
        add_arguments(made := commands.add_parser(name), own)
        for setting, value in asdict(Settings()).items() if name == "train" else ():
            made.add_argument("--" + setting.replace("_", "-"), type=type(value), default=value)
    args = parser.parse_args(arguments)
    try:
        {"train": train, "measure": measure, "page": card}[args.command](args)
    except MmgamesError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
