"""Look at all calls of runs in a browser on this machine: search prompts and replies, filter them, open one.

  mmgames eval vs-bench --agent chat:MODEL,as=Mine --out results/mine
  mmgames view results/mine

Prints the address of a page. A run is a folder that `mmgames eval … --out` wrote, or a file of `mmgames match … --out`.
An opened call shows the messages with their pictures, the reply, what is read from it, the reward and the step of the
record. The page answers to this machine alone, and only with the token in its address.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from mmgames.text.command_line import port

SUMMARY = "search and open all calls of runs, in a browser"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", metavar="RUN", nargs="+", type=Path, help="a folder of `mmgames eval … --out`")
    parser.add_argument("--port", type=port, default=0, metavar="N", help="default: any free one")
    parser.add_argument("--open", action="store_true", help="open the page in the default browser")


def run(args: argparse.Namespace) -> int:
    from mmgames.errors import needs_extra

    with needs_extra("The viewer", "play"):
        from mmgames.play.viewer import Viewer
    viewer = Viewer(args.runs, args.port)
    viewer.announce(args.open)
    viewer.run()
    return 0
