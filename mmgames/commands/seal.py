"""Make a key that seals evaluations."""

import argparse


def run(args: argparse.Namespace) -> int:
    from mmgames.core.seeding import SealedSeed
    from mmgames.running.seals import make_key

    fingerprint = SealedSeed(0, make_key(args.file)).fingerprint
    print(f"{args.file} holds a new key, {fingerprint}. Keep it to yourself: who has it knows all that it deals.")
    return 0
