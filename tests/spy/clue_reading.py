"""Reads a corpus of labelled clues, each against its own pair of pictures.

`python -m tests.spy.clue_reading FILE` prints how many are read as they are meant, and a table of labels by readings;
with a further word also the rows that are read otherwise. `clues.md` says how the rows are made. The facts of all pairs
lie beside them, so that a corpus stays what it is when sources come to draw other pairs from the same seeds.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

BUILDING = Path(__file__).parent / "clues_building.jsonl"
HELD_BACK = BUILDING.with_name("clues_held_back.jsonl")
MEANINGS = ("A", "B", "both", "neither", "empty", "unclear")

Facts = Mapping[str, Any]


class Row(NamedTuple):
    """A labelled clue and what a reader takes it for."""

    label: dict[str, Any]
    read: str

    @property
    def right(self) -> bool:
        return self.read == self.label["means"]


def labels(path: str | Path = BUILDING) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def pair_key(label: Mapping[str, Any]) -> str:
    return json.dumps([label["pictures"], label.get("options"), label["seed"]])


def read_rows(path: str | Path, read: Callable[[str, Facts, Facts], str]) -> list[Row]:
    """Every clue of a corpus as `read` takes it."""
    facts = json.loads(Path(path).with_name(f"{Path(path).stem}_facts.json").read_text(encoding="utf-8"))
    return [Row(label, read(label["clue"], *facts[pair_key(label)])) for label in labels(path)]


def wrong_claims(rows: Iterable[Row]) -> list[Row]:
    """The clues that are taken for true of a picture that they are false of, or say nothing of, or the other way."""
    return [row for row in rows if not row.right and row.read in ("A", "B", "both", "neither")]


def table(rows: Iterable[Row]) -> str:
    """How often each label was read as what."""
    counts = Counter((row.label["means"], row.read) for row in rows)
    lines = [f"{'means / read':12}" + "".join(f"{read:>9}" for read in MEANINGS)]
    lines += [f"{means:12}" + "".join(f"{counts[means, read]:>9}" for read in MEANINGS) for means in MEANINGS]
    return "\n".join(lines)


def main() -> None:
    from mmgames.games.spy.listening import meaning

    rows = read_rows(sys.argv[1], meaning)
    print(f"right {sum(row.right for row in rows)} of {len(rows)}, wrong claims {len(wrong_claims(rows))}\n")
    print(table(rows))
    for row in rows if len(sys.argv) > 2 else ():
        if not row.right:
            place = f"{row.label['pictures']} {row.label['seed']}"
            print(f"{place}: {row.read} for {row.label['means']}: {row.label['clue']!r}")


if __name__ == "__main__":
    main()
