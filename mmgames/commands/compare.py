"""Compare results of evaluations, with intervals."""

import argparse
import json


def run(args: argparse.Namespace) -> int:
    from mmgames.errors import MmgamesError
    from mmgames.suites.pages.tables import check_complete, legend, short_agents
    from mmgames.suites.results import comparison, result_files, settings
    from mmgames.text.tables import text_table, wrapped

    results = [result for path in args.runs for result in result_files.read(path)]
    if len(results) < 2:
        raise MmgamesError("There is one result only; name another run to compare it with.")
    if args.complete:
        check_complete(results)
    first, *others = results
    compared = [
        {"first": first["agent"], "second": other["agent"], "rows": comparison.compare(first, other)}
        | {"settings": settings.differences(first, other), "alone": comparison.alone(first, other)}
        for other in others
    ]
    if args.json:
        print(json.dumps(compared, indent=2))
        return 0
    short = short_agents(results)
    for pair in compared:
        print(f"{short[pair['second']]} compared with {short[pair['first']]}\n")
        print(text_table(*comparison.shown(pair["rows"]), right=(1, 2, 3)) + "\n")
        alone = zip(("first", "second"), pair["alone"], strict=True)
        only = [f"Only the {which} has {', '.join(names)}." for which, names in alone if names]
        for line in (*only, comparison.pairing(pair["rows"]), *pair["settings"]):
            print(wrapped(line) + "\n")
    print("\n".join(legend(results)))
    return 0
