"""Search and open all calls of runs, in a browser."""

import argparse


def run(args: argparse.Namespace) -> int:
    from mmgames.errors import needs_extra

    with needs_extra("The viewer", "play"):
        from mmgames.play.viewer import Viewer
    viewer = Viewer(args.runs, args.port)
    viewer.announce(args.open)
    viewer.run()
    return 0
