"""Run a study with people: consent, questions, games, records."""

import argparse
from typing import Any


def run(args: argparse.Namespace) -> int:
    from mmgames.errors import MmgamesError, needs_extra
    from mmgames.studies import study_file

    with needs_extra("A study", "play"):
        from mmgames.studies.server import StudyServer
    from mmgames.play import process_memory
    from mmgames.play.game_rooms import keep_private
    from mmgames.play.listening import listening
    from mmgames.studies.assignment import cells
    from mmgames.studies.forgetting import forget
    from mmgames.studies.hosted_study import HostedStudy
    from mmgames.studies.network import NetworkStudyServer
    from mmgames.studies.rehearsal import rehearse

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
    if args.rehearse:
        if args.out.exists():
            raise MmgamesError(f"{args.out} exists; a rehearsal wants a folder of its own, which you can throw away.")
        hosted = HostedStudy(study, args.out)
        found = rehearse(hosted, args.rehearse)
        hosted.close()
        print(f"{found['thanks']} came to the end, {found['gone']} did not. Look at {args.out / 'table.csv'}.")
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
    if args.links:
        made = [f"{server.url}#{ticket}\n" for ticket in server.study.state.new_tickets(args.links)]
        path = args.out / "links"
        keep_private(path)
        with path.open("a", encoding="utf-8") as out:
            out.writelines(made)
        print(f"{len(made)} links that work once were added to {path}.")
    server.tell()
    server.run()
    return 0
