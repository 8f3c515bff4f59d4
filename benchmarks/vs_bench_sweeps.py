"""VS-Bench's Figure 3, what pictures and thinking change, and what more thinking at test time is worth.

  python -m benchmarks.vs_bench_sweeps                                  the published models alone
  python -m benchmarks.vs_bench_sweeps --variants chat:MODEL            and a model in all three variants
  python -m benchmarks.vs_bench_sweeps --sweep "mcts:simulations={}" --values 10 30 100 300 --only Breakthrough
  python -m benchmarks.vs_bench_sweeps --sweep "chat:MODEL,votes={}" --values 1 3 5 9 --only Breakthrough-Predict
  python -m benchmarks.vs_bench_sweeps --sweep "chat:MODEL,reasoning_effort={}" --values low medium high

Writes docs/results/vs-bench-sweeps.md and its pictures (extra `plot`). Episodes are kept below --out.
"""

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mmgames import suites
from mmgames.suites.pages import plots
from mmgames.suites.pages.tables import figure
from mmgames.suites.pages.vs_bench import DECISIONS, REASONING, VARIANTS, rows_of
from mmgames.suites.papers import published
from mmgames.text.command_line import read_arguments
from mmgames.text.tables import markdown_table

GAMES = ("Hanabi", "Breakthrough", "Monster Hunt")  # of which the paper has all three variants
TABLES = {REASONING: "Table 5", DECISIONS: "Table 6"}
PAGE = Path(__file__).parents[1] / "docs" / "results" / "vs-bench-sweeps.md"


def theirs(measure: str) -> dict[str, dict[str, float]]:
    """By variant and published model: the mean over the three games, where all of them are told."""
    table = published.tables("vs_bench")[TABLES[measure]]
    found: dict[str, dict[str, float]] = {word: {} for word in VARIANTS.values()}
    for word, means in found.items():
        for name, row in table.rows.items():
            cells = [cell for game in GAMES if (cell := row.cells.get(f"{game} {word}")) is not None]
            if len(cells) == len(GAMES):
                means[name] = float(np.mean([cell.value for cell in cells]))
    return found


def ours(agent: str, args: argparse.Namespace) -> dict[str, dict[str, dict[str, float]]]:
    """The same of an agent, by measure, variant and name."""
    suite: Any = suites.find("vs-bench")
    made: dict[str, dict[str, dict[str, float]]] = {measure: {} for measure in TABLES}
    only = [f"{game.replace(' ', '')}{end}" for game in GAMES for end in ("", "-Predict")]
    for variant, word in VARIANTS.items():
        out = Path(args.out) / variant
        result = suite.evaluate(agent, args.episodes, args.seed, variant=variant, only=only, out=out, progress=True)
        for measure, value in ((REASONING, "raw"), (DECISIONS, "normalised")):
            rows = [row[value] for row in rows_of(result, measure).values()]
            if len(rows) == len(GAMES) and None not in rows:
                made[measure][word] = {result["agent"]: float(np.mean(rows))}
    return made


def sweep(args: argparse.Namespace) -> list[list[str]]:
    """A line for each value: the measures of the agent that has it, with their errors."""
    suite: Any = suites.find("vs-bench")
    lines = []
    for value in args.values:
        agent = args.sweep.replace("{}", value)
        result = suite.evaluate(agent, args.episodes, args.seed, only=args.only, out=args.out, progress=True)
        for row in result["rows"]:
            shown = f"{figure(row['normalised'], 1)} ± {figure(row['normalised_standard_error'], 1)}"
            lines.append([value, row["environment"].partition("/")[2], str(row["episodes"]), shown])
    return lines


def page(command: str, args: argparse.Namespace, lines: Sequence[Sequence[str]]) -> str:
    own = ours(args.variants, args) if args.variants else {measure: {} for measure in TABLES}
    parts = ["# VS-Bench: pictures, thinking, and more of it", f"`{command}` writes this page."]
    for measure in TABLES:
        bars = {word: {**own[measure].get(word, {}), **means} for word, means in theirs(measure).items()}
        path = PAGE.with_name(f"vs-bench-variants-{measure.split()[0]}.png")
        shares = {word: {name: value / 100 for name, value in means.items()} for word, means in bars.items()}
        plots.grouped_bars(path, f"VS-Bench, {measure}", "mean over three games / 100", shares)
        names = list(dict.fromkeys(name for means in bars.values() for name in means))
        cells = [[name, *(figure(means.get(name), 1) for means in bars.values())] for name in names]
        parts += [
            f"## Figure 3: {measure}",
            f"Means over {', '.join(GAMES)}, from the paper's {TABLES[measure]}, in per cent.",
            f"![{measure} by variant]({path.name})",
            markdown_table(("model", *bars), cells),
        ]
    if not args.variants:
        parts.append(
            "Whom a picture or room to think would change is a vision-language model; none is run for this page. "
            "`--variants chat:MODEL` adds one above the published rows."
        )
    parts.append("## More thinking at test time")
    if lines:
        about = f"`{args.sweep}` with other values, normalised as in the suite (0 random, 100 the reference)."
        parts += [about, markdown_table(("value", "environment", "episodes", "normalised ± s.e."), lines)]
    parts.append(
        "For models the same command sweeps `votes=` (the answer that most of several replies name) or "
        "`reasoning_effort=`; what that is worth only a large model would say."
    )
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    args = read_arguments(__doc__, __file__)
    words = [word for pair in zip(["", *sys.argv], sys.argv, strict=False) for word in pair[1:] if "--out" not in pair]
    command = f"python -m benchmarks.vs_bench_sweeps {shlex.join(words[1:])}".rstrip()  # where it is kept is nobody's
    PAGE.write_text(page(command, args, sweep(args) if args.sweep else []), "utf-8")
