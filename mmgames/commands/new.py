"""Write the folder of a new game of your own."""

import argparse
from pathlib import Path


def run(args: argparse.Namespace) -> int:
    from mmgames.commands import _new_game

    names = _new_game.Names(args.name, args.namespace)
    names.check()
    folder = Path(args.out or names.module)
    files = _new_game.write(folder, names, args.kernel, args.kind)
    print(f"{folder}: {len(files)} files of {names.id}. Next:")
    print(f"  pip install --editable '{folder}[testing]'\n  python -m pytest {folder}\n  mmgames play {names.id}")
    return 0
