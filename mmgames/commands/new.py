"""Write the folder of a new game: rules, picture, words, facts and a test, in a package of your own.

  mmgames new PebbleRace
  pip install --editable 'pebble_race[testing]'
  python -m pytest pebble_race
  mmgames play own/PebbleRace

  mmgames new PebbleRace --kernel   # rules that Numba compiles: batches of thousands of episodes, quick searches

What is written is a small game that passes the conformance kit; change it into yours. Names are written like
PebbleRace, and the environment is NAMESPACE/NAME-v0.
"""

from __future__ import annotations

import argparse
from pathlib import Path

SUMMARY = "write the folder of a new game of your own"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="GAME", help="what it is called, such as PebbleRace")
    parser.add_argument("--namespace", default="own", metavar="NS", help="before the slash of its id (default own)")
    parser.add_argument("--kernel", action="store_true", help="write the rules as a kernel over a state with named fields")
    parser.add_argument("--out", metavar="FOLDER", help="where the package goes (default: ./pebble_race)")


def run(args: argparse.Namespace) -> int:
    from mmgames.commands import _new_game

    names = _new_game.Names(args.name, args.namespace)
    names.check()
    folder = Path(args.out or names.module)
    files = _new_game.write(folder, names, args.kernel)
    print(f"{folder}: {len(files)} files of {names.id}. Next:")
    print(f"  pip install --editable '{folder}[testing]'\n  python -m pytest {folder}\n  mmgames play {names.id}")
    return 0
