"""Make a key that seals evaluations: what it deals is in no public file.

  mmgames seal ours.key
  mmgames eval lvlm-playground --agent random --sealed ours.key

The seeds of all episodes and questions are then derived from the key and the public seed. Results name the key by its
fingerprint; who has the key repeats them. The file is written once, for its owner alone.
"""

from __future__ import annotations

import argparse

SUMMARY = "make a key that seals evaluations"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="KEYFILE", help="where to write the key; no file may be there yet")


def run(args: argparse.Namespace) -> int:
    from mmgames.core.seeding import SealedSeed
    from mmgames.running.seals import make_key

    fingerprint = SealedSeed(0, make_key(args.file)).fingerprint
    print(f"{args.file} holds a new key, {fingerprint}. Keep it to yourself: who has it knows all that it deals.")
    return 0
