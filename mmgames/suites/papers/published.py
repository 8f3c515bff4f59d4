"""Published tables as data: a paper's models, references and people, read from `<name>_published.json` beside this."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from mmgames.errors import unknown
from mmgames.suites.pages.layout import Cell, PaperTable, TableRow


@dataclass(frozen=True)
class Published:
    """One table of a paper. `notes` say what in it was reconstructed or does not fit."""

    name: str
    about: str
    unit: str
    columns: tuple[str, ...]
    rows: Mapping[str, TableRow]
    notes: tuple[str, ...]

    def row(self, name: str) -> TableRow:
        if name not in self.rows:
            raise unknown("row", name, self.name, self.rows)
        return self.rows[name]

    def beside(self, ours: Sequence[TableRow] = ()) -> PaperTable:
        """The table as it is, below rows of ours."""
        theirs = [replace(row, group="published") for row in self.rows.values()]
        whole = all(cell.value == round(cell.value or 0) for row in theirs for cell in row.cells.values())
        unit = f"{self.unit[:1].upper()}{self.unit[1:]}."
        return PaperTable(f"{self.name}: {self.about}", self.columns, (*ours, *theirs), unit, places=0 if whole else 2)

    def value(self, row: str, column: str) -> float:
        """A cell that must be there."""
        value = self.row(row).cells[column].value
        assert value is not None, (self.name, row, column)
        return value


@cache
def tables(name: str) -> dict[str, Published]:
    """The tables of one paper by the name they have there, such as "Table 1"."""
    data = json.loads(files(__package__).joinpath(f"{name}_published.json").read_text("utf-8"))
    found = {}
    for table in data["tables"]:
        columns = tuple(table["columns"])
        rows = {}
        for row in table["rows"]:
            errors = row.get("errors") or [None] * len(columns)
            cells = {
                column: Cell(value, error)
                for column, value, error in zip(columns, row["values"], errors, strict=True)
                if value is not None
            }
            rows[row["name"]] = TableRow(
                row["name"], cells, f"published: {row['kind']}" if row["kind"] else "published"
            )
        found[table["table"]] = Published(
            table["table"], table["about"], table["unit"], columns, rows, tuple(table["notes"])
        )
    return found
