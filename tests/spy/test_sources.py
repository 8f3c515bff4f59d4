"""Pairs with objects missing or more, charts of a user's own tables, and the corpus of clues about such pairs."""

import json

import numpy as np
import pytest

from mmgames.games.spy import pictures
from mmgames.games.spy.pictures.clevr import clear, place_name
from mmgames.games.spy.words import CLUE_LIMIT
from tests.refusing import refused
from tests.spy.clue_reading import BUILDING, MEANINGS, Row, labels, pair_key, table


def pairs(source, number=40):
    return [pictures.find(source).pair(np.random.default_rng(seed)) for seed in range(number)]


@pytest.mark.parametrize(("edit", "more"), [("remove", -2), ("add", 2)])
def test_objects_are_missing_or_more_and_the_log_says_which(edit, more):
    for pair in pairs(f"clevr:edits={edit}"):
        before, after = pair.original.things, pair.changed.things
        assert len(after) == len(before) + more and clear(pair.changed)
        fewer, longer = sorted((before, after), key=len)
        assert set(fewer) < set(longer), "all others stand where they stood"
        there = {place_name(number, len(longer)): thing.called for number, thing in enumerate(longer)}
        for change in pair.changes:
            named, none = (change.before, change.after)[:: -more // 2]
            assert change.what == "object" and none == "nothing" and there[change.thing] == named
        assert {change.thing for change in pair.changes} == {
            place_name(number, len(longer)) for number, thing in enumerate(longer) if thing not in fewer
        }


def test_objects_of_a_scene_have_edits_of_their_own_and_wrong_ones_are_said():
    found = pairs("clevr:edits=change+remove+add", 60)
    kinds = {
        frozenset(
            "change" if c.what != "object" else "add" if c.before == "nothing" else "remove" for c in pair.changes
        )
        for pair in found
    }
    assert len(kinds) == 6, "each alone, and any two"
    assert {len(pair.changed.things) - len(pair.original.things) for pair in found} == {-2, -1, 0, 1, 2}
    assert pictures.find("clevr:edits=change+remove+add").pair(np.random.default_rng(3)) == found[3]
    refused(lambda: pictures.find("clevr:edits=delete"), "Unknown edit 'delete'")
    refused(lambda: pictures.find("clevr:edits=remove,fewest=2,changes=2"), "could take all objects of a scene away")


BOATS = {"kind": "bar", "title": "Boats", "unit": "boats", "table": {"Mon": 3, "Tue": 8, "Wed": 41}}
PIE = {"kind": "pie", "title": "Cake", "table": {"Ann": 10, "Bo": 30, "Cy": 60}}


def written(tmp_path, held):
    path = tmp_path / "charts.json"
    path.write_text(held if isinstance(held, str) else json.dumps(held))
    return f"chart:tables={path}"


def test_charts_come_from_a_users_tables(tmp_path):
    found = pairs(written(tmp_path, [BOATS, PIE]))
    assert {pair.original.title for pair in found} == {"Boats", "Cake"}
    for pair in found:
        assert pair.original.draw(320).shape == (240, 320, 3)
        assert (pair.original.draw(160) != pair.changed.draw(160)).any()
        assert sorted(pair.original.values) == sorted(pair.changed.values) and len(pair.changes) == 2
        assert max(pair.original.values) <= 5 * pair.original.step or pair.original.kind == "pie"
        own = pair.original.record()
        (again,) = {one.original for one in pairs(written(tmp_path, own), 2)}
        assert again.record() == own, "what a scene writes is read"


def test_a_table_that_cannot_be_drawn_is_said(tmp_path):
    for held, said in [
        ("no JSON", "cannot be read from"),
        ("[]", "holds no chart"),
        ({"kind": "bar"}, "chart 0 cannot be drawn: it has no 'table'"),
        ({**BOATS, "kind": "radar"}, "its kind 'radar' is none of bar, line, pie, horizontal"),
        ({**BOATS, "table": {"Mon": -1, "Tue": 2}}, "not all whole numbers from 0 up"),
        ({**BOATS, "table": {"Mon": 1}}, "it has 1 items"),
        ({**PIE, "table": {"Ann": 10, "Bo": 30}}, "do not add up to 100"),
    ]:
        refused(lambda held=held: pictures.find(written(tmp_path, held)), said)
    source = pictures.find(written(tmp_path, {**BOATS, "table": {"Mon": 40, "Tue": 41}}))
    refused(lambda: source.pair(np.random.default_rng(0)), "far enough apart")


PARTS = sorted(BUILDING.parent.glob("clues_*.jsonl"))


def test_rows_can_be_said_and_the_parts_share_no_pair() -> None:
    assert len(PARTS) == 2
    for row in (row for part in PARTS for row in labels(part)):
        assert row["means"] in MEANINGS
        assert 0 < len(row["clue"]) <= CLUE_LIMIT
    pairs = [{pair_key(row) for row in labels(part)} for part in PARTS]
    assert sum(map(len, pairs)) == len(set.union(*pairs))
    clues = [(pair_key(row), row["clue"].lower()) for part in PARTS for row in labels(part)]
    assert len(clues) == len(set(clues))


def test_readings_are_counted_by_label() -> None:
    rows = [Row({"means": "A"}, "A"), Row({"means": "A"}, "unclear"), Row({"means": "empty"}, "empty")]
    assert [row.right for row in rows] == [True, False, True]
    counted = {line.split()[0]: line.split()[1:] for line in table(rows).splitlines()[1:]}
    assert counted["A"] == list("100001") and counted["B"] == list("000000") and counted["empty"] == list("000010")
