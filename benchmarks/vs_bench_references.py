"""What counts as 0 and as 100 in VS-Bench's second edition: the returns of random play and of our best agents.

  python -m benchmarks.vs_bench_references [--episodes 1000] [--seed 1] [--only GAME …]

Plays the games of the edition with both and writes mmgames/suites/papers/vs_bench_references.json game by game; with
--only the lines of other games stay as they are.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import mmgames.suites.papers
from mmgames.suites.entries import players_name
from mmgames.suites.pages.vs_bench import SECOND
from mmgames.suites.papers.second_edition import REFERENCES, SIDES
from mmgames.text.command_line import read_arguments

FILE = Path(mmgames.suites.papers.__file__).parent / REFERENCES


def lines(row: dict[str, Any]) -> dict[str, list[Any]]:
    """What is kept of a row, by game or side."""
    name = row["environment"].partition("/")[2].removesuffix("-v0")
    agents = row["agent"].split(" + ")
    if not any(side in row for side in SIDES):
        return {name: [row["agent"], row["raw"], row["standard_error"], row["episodes"]]}
    found = {}
    for number, (side, seats) in enumerate(SIDES.items()):
        games = (row["episodes"] + 1 - number) // 2
        who = players_name(agents[seats[0]] if len(agents) > 1 else agents[0])
        found[f"{name} {side}"] = [who, row[side]["mean"], row[side]["standard_error"], games]
    return found


def main() -> None:
    args = read_arguments(__doc__, __file__)
    suite: Any = mmgames.suites.find("vs-bench").with_settings({"edition": 2})
    suite = replace(suite, entries=tuple(replace(entry, most=None, oracle_most=None) for entry in suite.entries))
    written = json.loads(FILE.read_text("utf-8"))
    written["about"] = (
        "agent, mean return, standard error, episodes; python -m benchmarks.vs_bench_references writes it"
    )
    for game in args.only or SECOND.values():
        for kind, agent in (("random", "random"), ("best", "oracle")):
            (row,) = suite.evaluate(agent, args.episodes, args.seed, only=[f"mmgames/{game}-v0"])["rows"]
            for name, line in lines(row).items():
                written["games"].setdefault(name, {})[kind] = line
            print(game, agent, row["raw"], row["standard_error"], row["episodes"], flush=True)
        FILE.write_text(json.dumps(written, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
