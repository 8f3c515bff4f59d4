"""Pages in a paper's layout: ours beside what was published, and nothing that differs without a reason."""

from mmgames.suites.pages import layout
from mmgames.suites.pages.layout import Cell, Comparison, PaperTable, TableRow
from mmgames.suites.papers import published
from tests.refusing import refused

COLUMNS = ("Overall", "Some Game", "Other Game")
OURS = TableRow("random", {"Some Game": Cell(1.0, 0.1), "Other Game": Cell(5.04)})
THEIRS = TableRow("Random", {"Some Game": Cell(1.5, None), "Other Game": Cell(5.0)}, "published: random")


def table(**explained: str) -> PaperTable:
    comparison = Comparison("random", "Random", {"Some Game": 0.1}, explained)
    return PaperTable("Table 9: scores", COLUMNS, (OURS, THEIRS), comparisons=(comparison,))


def test_a_difference_beyond_two_standard_errors_and_rounding_needs_a_reason():
    assert layout.unexplained([table()]) == ["Table 9: scores: random, Some Game: -0.50"]
    assert layout.NOT_EXPLAINED in layout.write(table())
    told = table(**{"Some Game": "the paper counts **twice**"})
    assert layout.unexplained([told]) == []
    assert "random, Some Game (-0.5, -3.5 standard errors): the paper counts **twice**" in layout.write(told)
    (_, other) = table().differences()
    assert not other.large and other.value == 0.0


def test_tables_mark_what_was_published_and_pages_say_what_failed():
    lines = layout.write(table()).splitlines()
    assert "|  | Overall | Some Game | Other Game |" in lines
    assert "| random | – | 1.0 <sub>±0.1</sub> <sup>a</sup> | 5.0 |" in lines
    assert "| *Random* | – | 1.5 | 5.0 |" in lines
    assert lines.index("| **ours** |  |  |  |") < lines.index("| **published: random** |  |  |  |")
    row = TableRow("random", {"Overall": Cell(1.0, 0.03), "Some Game": Cell(1.0, 0.0)})
    written = layout.write(PaperTable("T", COLUMNS, [row]))
    assert "| random | 1.0 <sub>±0.03</sub> | 1.0 <sub>±0.0</sub> | – |" in written
    row = TableRow("[x](javascript:1)<b>", {"Overall": Cell(1.0)})
    written = layout.write(PaperTable("T", COLUMNS, [row]))
    assert "<b>" not in written and "[x](" not in written
    row = {"environment": "mmgames/X-v0", "failed": 0, "missing": 2, "broken": 0, "illegal": {"illegal": 0}}
    result = {"agent": "random", "rows": [row]}
    page = layout.page("T", "mmgames eval t", [result], [table()], ["It says 3."], {"A plot": "a b.png"})
    assert "2 values are missing" in page
    assert page.index("a%20b.png") < page.index(layout.SLIPS) < page.index("1. It says 3.")


def test_published_tables_are_read_with_their_errors():
    table = published.tables("vs_bench")["Table 2"]
    assert table.row("o4-mini").cells["Hanabi"] == Cell(42.9, 30.5)
    assert table.row("o4-mini").published and table.value("Random", "Overall") == 0.0
    refused(lambda: table.row("o4-mimi"), "o4-mini")
