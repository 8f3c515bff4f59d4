"""Reads a corpus of labelled clues, each against its own pair of pictures.

`python -m tests.spy.clue_reading FILE` prints how many are read as they are meant, and a table of labels by readings;
with a further word also the rows that are read otherwise. `clues.md` says how the rows are made. A corpus stays what it
is when sources come to draw other pairs from the same seeds: `… FILE --freeze` keeps the facts of its pairs beside it.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mmgames.games.spy import pictures
from mmgames.games.spy.pictures.pair import Pair

BUILDING = Path(__file__).parent / "clues_building.jsonl"
HELD_BACK = BUILDING.with_name("clues_held_back.jsonl")
MEANINGS = ("A", "B", "both", "neither", "empty", "unclear")

Facts = Mapping[str, Any]
Reader = Callable[[str, Facts, Facts], str]


class Row(NamedTuple):
    """A labelled clue and what a reader takes it for."""

    label: dict[str, Any]
    read: str

    @property
    def right(self) -> bool:
        return self.read == self.label["means"]


def labels(path: str | Path = BUILDING) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def deal(label: Mapping[str, Any]) -> Pair:
    """The pair that a clue is about."""
    options = ",".join(f"{name}={value}" for name, value in label.get("options", {}).items())
    return pictures.find(f"{label['pictures']}:{options}").pair(np.random.default_rng(label["seed"]))


def kept_facts(path: str | Path = BUILDING) -> dict[str, Any]:
    """The facts of a corpus's pairs as they were when it was written, by `pair_key`; empty where they were not kept."""
    file = _facts_file(path)
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def freeze(path: str | Path) -> None:
    """Keep the facts of all pairs that a corpus is about."""
    facts: dict[str, Any] = {}
    read_rows(labels(path), lambda clue, one, other: "unclear", facts)
    lines = [f"{json.dumps(key)}: {json.dumps(facts[key], separators=(',', ':'))}" for key in sorted(facts)]
    _facts_file(path).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _facts_file(path: str | Path) -> Path:
    return Path(path).with_name(f"{Path(path).stem}_facts.json")


def pair_key(label: Mapping[str, Any]) -> str:
    return json.dumps([label["pictures"], label.get("options"), label["seed"]])


def read_rows(rows: Iterable[dict[str, Any]], read: Reader, facts: dict[str, Any]) -> list[Row]:
    """Every clue as `read` takes it. Pairs that are not among the kept facts are drawn, each once, and added."""
    found = []
    for label in rows:
        key = pair_key(label)
        if key not in facts:
            pair = deal(label)
            facts[key] = pair.original.record(), pair.changed.record()
        found.append(Row(label, read(label["clue"], *facts[key])))
    return found


_DECIDED = ("A", "B", "both", "neither")


def wrong_claims(rows: Iterable[Row]) -> list[Row]:
    """The clues that are taken for true of a picture that they are false of, or say nothing of, or the other way."""
    return [row for row in rows if not row.right and row.read in _DECIDED]


def table(rows: Iterable[Row]) -> str:
    """How often each label was read as what."""
    counts = Counter((row.label["means"], row.read) for row in rows)
    lines = [f"{'means / read':12}" + "".join(f"{read:>9}" for read in MEANINGS)]
    lines += [f"{means:12}" + "".join(f"{counts[means, read]:>9}" for read in MEANINGS) for means in MEANINGS]
    return "\n".join(lines)


def main() -> None:
    from mmgames.games.spy.listening import meaning

    if "--freeze" in sys.argv:
        freeze(sys.argv[1])
        return
    rows = read_rows(labels(sys.argv[1]), meaning, kept_facts(sys.argv[1]))
    print(f"right {sum(row.right for row in rows)} of {len(rows)}, wrong claims {len(wrong_claims(rows))}\n")
    print(table(rows))
    for row in rows if len(sys.argv) > 2 else ():
        if not row.right:
            place = f"{row.label['pictures']} {row.label['seed']}"
            print(f"{place}: {row.read} for {row.label['means']}: {row.label['clue']!r}")


if __name__ == "__main__":
    main()
