"""Build the data set of a suite."""

import argparse
import json
import os
from collections.abc import Sequence

from mmgames.commands import _arguments


def more_arguments(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Those of the data set that is named."""
    from mmgames.datasets import datasets, find

    if group := _arguments.add_own(parser, words, datasets(), find):
        parser.set_defaults(own=[action.dest for action in group._group_actions])


def run(args: argparse.Namespace) -> int:
    from mmgames import datasets
    from mmgames.core.constructor_options import accepted_options
    from mmgames.running.processes import stdout_for_results

    made = datasets.find(args.suite)
    keywords = {name: getattr(args, name) for name in args.own}
    if "set" in keywords:
        keywords = {
            **keywords,
            **_arguments.settings(args, "out", "seed", "processes", "progress", "strict", *keywords),
        }
        del keywords["set"]
    if args.strict and "strict" in accepted_options(made.build):  # the others need no extra of a game
        keywords["strict"] = True
    processes = _arguments.workers(args, os.cpu_count() or 1)
    with stdout_for_results(processes):
        report = made.build(args.out, seed=args.seed, processes=processes, progress=True, **keywords)
    print(json.dumps(report, indent=2, ensure_ascii=False) if args.json else made.table(report, args.out))
    return 0
