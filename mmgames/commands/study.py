"""Run a study with people in browsers, from consent to the last question.

FILE says in TOML which games and questions there are, who takes which seat, and what participants are told and asked.
The command prints two addresses: one for all participants, and one for you, with everybody's progress.

  mmgames study study.toml --check
  mmgames study study.toml --out results/study
  mmgames study study.toml --out results/study --forget k3f9w2
  mmgames eval comma --agent records:results/study,as=people --seed 7

All that happens is kept in the folder at once: stopped or killed, the same command goes on in the middle of a round.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from mmgames.commands import _arguments
from mmgames.text.command_line import port

SUMMARY = "run a study with people: consent, questions, games, records"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the study, a TOML file")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where all of it is kept, and goes on from")
    parser.add_argument("--check", action="store_true", help="read the file, say what is wrong with it, and stop")
    parser.add_argument("--forget", metavar="CODE", help="take a participant out of the folder, and stop")
    _arguments.add_listening(parser.add_argument_group("participants elsewhere"))
    parser.add_argument("--port", type=port, default=0, metavar="N", help="default: any free one, and then the same")


def run(args: argparse.Namespace) -> int:
    from mmgames.errors import MmgamesError, needs_extra
    from mmgames.studies import study_file

    with needs_extra("A study", "play"):
        from mmgames.studies.server import StudyServer
    from mmgames.play import process_memory
    from mmgames.play.listening import listening
    from mmgames.studies.assignment import cells
    from mmgames.studies.forgetting import forget
    from mmgames.studies.hosted_study import HostedStudy
    from mmgames.studies.network import NetworkStudyServer

    study = study_file.read(args.file)
    if args.check:
        rounds = sum(game.rounds for game in study.games)
        print(
            f"{args.file} is whole: {rounds} rounds, {study.group} at a time, {len(cells(study))} combinations of "
            "orders and seats."
        )
        return 0
    if args.out is None:
        raise MmgamesError("Say with --out in which folder the study is kept.")
    if args.forget:
        print(f"{forget(args.out, args.forget)} rounds and questions were removed, and all answers.")
        return 0
    server: Any
    if args.listen is not None:
        own = (args.certificate, args.key, args.behind, args.name)
        server = NetworkStudyServer(
            HostedStudy(study, args.out), args.out, listening(args.listen, args.port, *own, insecure=args.insecure)
        )
    elif any((args.certificate, args.key, args.behind, args.name, args.insecure)):
        raise MmgamesError("Certificates, proxies and names are for participants elsewhere; say --listen too.")
    else:
        server = StudyServer(HostedStudy(study, args.out), args.out, args.port)
    process_memory.keep_small()
    server.tell()
    server.run()
    return 0
