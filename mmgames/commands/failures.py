"""Name what went wrong in the episodes of evaluations, as far as states and plain words decide it.

  mmgames eval comma --agent chat:my-model --episodes 20 --out results/a
  mmgames failures results/a

Of games: plainly false statements about the picture, ignored advice, repetition loops, plainly confused roles, plans
that end in an illegal move, always the same move. Of tasks: replies that go round in circles, answers copied from an
example of the prompt, plans for what is not possible, always the same answer, and which kinds of cell were written down
wrongly. How often, in how many episodes or questions, and an example of each. No model is asked, unless one is named,
for what has to be understood:

  mmgames failures results/a --judge chat:my-judge,temperature=0

Then it also judges each message of a talk, and each reply of another game that says more than its answer, by a closed
rubric: useful, unclear, contradictory, off the task, out of role, false, a leak of something private; with --rubric
comma by the kinds of error that COMMA's Figure 3 counts, with a file by your own. It is shown what the speaker sees and
should not tell. Messages that people have labelled come first; how far it agrees with them (accuracy, Cohen's kappa) is
printed. Its calls are kept in the run's folder, and made once.

  mmgames failures results/b --scorer LVLM-Playground --python LVLM-Playground/.venv/bin/python

runs a paper's own scorer, from a checkout that you have, over the kept replies to questions (Perceive, Ask and Rule of
LVLM-Playground, Predict of VS-Bench) and prints its verdict beside ours, row by row.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from mmgames.text.command_line import count

ROUNDED = 0.0005
"""LVLM-Playground rounds its scores to three digits."""
SUMMARY = "name what went wrong in the episodes of evaluations"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", metavar="RUN", nargs="+", help="a folder of `mmgames eval … --out`")
    parser.add_argument("--judge", metavar="A", help="a model that judges what was said, such as chat:MODEL")
    parser.add_argument(
        "--rubric",
        metavar="R",
        default="house",
        help="by which labels: house, comma (its kinds of error), or a .json file",
    )
    parser.add_argument(
        "--episodes", type=count, default=20, metavar="N", help="so many of each match are judged (default 20)"
    )
    parser.add_argument("--scorer", metavar="FOLDER", help="a checkout of the paper's code, whose scorer is run too")
    parser.add_argument("--python", metavar="FILE", default="", help="the interpreter for it (default: this one)")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of a table")


def run(args: argparse.Namespace) -> int:
    from mmgames.suites.spoken import answers, judging

    if args.scorer:
        return _print_verdicts(args)
    rows = [row for path in args.runs for row in answers.of_run(Path(path))]
    judged = [judging.judge_run(Path(path), args.judge, args.episodes, args.rubric) for path in args.runs if args.judge]
    if args.json:
        print(json.dumps({"failures": rows, "judged": judged} if args.judge else rows, indent=2))
        return 0
    _print_failures(rows)
    for one in judged:
        _print_judged(one)
    return 0


def _print_verdicts(args: argparse.Namespace) -> int:
    from mmgames.suites.results.paper_scorer import verdicts
    from mmgames.text.tables import one_line, text_table

    rows = [row for path in args.runs for row in verdicts(Path(path), Path(args.scorer), args.python)]
    if args.json:
        print(json.dumps(rows, indent=2))
        return 0
    told = [[row["run"], *(f"{row[name]:g}" for name in ("number", "ours", "theirs"))] for row in rows]
    lines = [[*cells, one_line(row["reply"])[:60]] for cells, row in zip(told, rows, strict=True)]
    print(text_table(("questions", "number", "ours", "theirs", "reply"), lines, right=(1, 2, 3)))
    differ = sum(abs(row["ours"] - row["theirs"]) > ROUNDED for row in rows)
    print(f"\n{differ} of {len(rows)} verdicts differ.")
    return 0


def _print_failures(rows: list[dict[str, Any]]) -> None:
    from mmgames.text.tables import one_line, text_table

    lines = []
    for row in rows:
        who = _who(row)
        if not row.get("kinds"):
            lines.append([who, "none" if row.get("episodes") else "nobody replied in words", "", "", ""])
        for kind, found in row.get("kinds", {}).items():
            of = f"{found['episodes']} of {row['episodes']}"
            lines.append([who, kind, str(found["times"]), of, one_line(row["examples"][kind])[:80]])
        if row.get("unreadable"):
            lines.append([who, "not replayed, so not looked at", "", str(row["unreadable"]), ""])
    print(text_table(("episodes", "failure", "times", "in episodes", "the first"), lines, right=(2, 3)))
    cells = [
        [_who(row), cell["cell"], f"{cell['number']}", f"{100 * cell['right'] / cell['number']:.1f} %", _taken(cell)]
        for row in rows
        for cell in row.get("cells", ())
    ]
    if cells:
        heads = ("boards", "cell", "number", "read so", "taken most often for")
        print(f"\n{text_table(heads, cells, right=(2, 3))}")


def _taken(cell: dict[str, Any]) -> str:
    return f"{cell['taken_for']}, {cell['so_often']} times" if "taken_for" in cell else ""


def _print_judged(result: dict[str, Any]) -> None:
    from mmgames.suites.papers import published
    from mmgames.suites.spoken.judging import UNREADABLE
    from mmgames.text.tables import text_table

    worth, rubric = result["agreement"], result["rubric"]
    if worth is None:
        print(f"\nThe judge {result['judge']}: no messages are labelled by people for {rubric['name']}.\n")
    else:
        print(
            f"\nThe judge {result['judge']} gives {worth['messages']} messages the label that people gave them in "
            f"{100 * worth['accuracy']:.0f} % of cases, Cohen's kappa {worth['kappa']:.2f}.\n"
        )
    labels = [*rubric["labels"], UNREADABLE]
    lines = [[_who(row), *(str(row["labels"].get(label, 0)) for label in labels)] for row in result["games"]]
    print(text_table(("messages", *labels), lines, right=range(1, 1 + len(labels))))
    if not rubric["published"]:
        return
    errors = {label: sum(row["labels"].get(label, 0) for row in result["games"]) for label in rubric["labels"]}
    errors.pop(rubric["right"], None)
    number = sum(errors.values())
    shares = sorted((100 * times / number, label) for label, times in errors.items()) if number else []
    print(f"\nOf {number} errors: " + (", ".join(f"{label} {share:.0f} %" for share, label in shares[::-1]) or "none"))
    paper, table = rubric["published"]
    for name, row in published.tables(paper)[table].rows.items():
        print(f"published, {name}, largest first: " + ", ".join(f"{cell.value:g} %" for cell in row.cells.values()))


def _who(row: dict[str, Any]) -> str:
    return f"{row['game'].partition('/')[2]} {' + '.join(dict.fromkeys(row['agents']))}"
