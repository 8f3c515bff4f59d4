"""Name what went wrong in the episodes of evaluations."""

import argparse
import json
from pathlib import Path
from typing import Any

ROUNDED = 0.00051
"""LVLM-Playground rounds its scores to three digits, a half to the even one."""


def run(args: argparse.Namespace) -> int:
    from mmgames.errors import MmgamesError
    from mmgames.suites.spoken import answers, judging

    if args.rubric and not args.judge:
        raise MmgamesError("--rubric says by which labels a model judges; name the model with --judge.")
    if args.scorer:
        return _print_verdicts(args)
    rows = [row for path in args.runs for row in answers.of_run(Path(path))]
    how = args.judge, args.episodes, args.rubric or "house"
    judged = [judging.judge_run(Path(path), *how) for path in args.runs if args.judge]
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
    numbers = ("number", "ours", "theirs")
    lines = [[row["run"], *(f"{row[name]:g}" for name in numbers), one_line(row["reply"])[:60]] for row in rows]
    print(text_table(("questions", *numbers, "reply"), lines, right=(1, 2, 3)))
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
