"""The parts of the corpus of clues are whole and share nothing, and a reading of them is counted right."""

from __future__ import annotations

from mmgames.games.spy.words import CLUE_LIMIT
from tests.spy.clue_reading import BUILDING, MEANINGS, Row, deal, labels, pair_key, table

PARTS = sorted(BUILDING.parent.glob("clues_*.jsonl"))


def test_rows_have_known_labels_and_clues_that_can_be_said() -> None:
    assert len(PARTS) == 2
    for row in (row for part in PARTS for row in labels(part)):
        assert row["means"] in MEANINGS
        assert 0 < len(row["clue"]) <= CLUE_LIMIT


def test_the_parts_share_no_pair_and_none_says_a_clue_twice_of_one() -> None:
    pairs = [{pair_key(row) for row in labels(part)} for part in PARTS]
    assert sum(map(len, pairs)) == len(set.union(*pairs))
    clues = [(pair_key(row), row["clue"].lower()) for part in PARTS for row in labels(part)]
    assert len(clues) == len(set(clues))


def test_a_row_deals_the_pair_it_was_written_for() -> None:
    row = {"pictures": "chart", "options": {"kinds": "line"}, "seed": 217}
    pair = deal(row)
    assert pair.original.record()["kind"] == "line"
    assert [change.thing for change in pair.changes] == ["16 h", "22 h"]


def test_readings_are_counted_by_label() -> None:
    rows = [Row({"means": "A"}, "A"), Row({"means": "A"}, "unclear"), Row({"means": "empty"}, "empty")]
    assert [row.right for row in rows] == [True, False, True]
    counted = {line.split()[0]: line.split()[1:] for line in table(rows).splitlines()[1:]}
    assert counted["A"] == list("100001") and counted["B"] == list("000000") and counted["empty"] == list("000010")
