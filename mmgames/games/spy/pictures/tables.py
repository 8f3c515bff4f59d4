"""What charts are about: titles, what is measured in which unit, and the items of a table (themes.json)."""

import json
from pathlib import Path
from typing import NamedTuple


class Theme(NamedTuple):
    title: str
    unit: str
    items: tuple[str, ...]
    ordered: bool = False  # the items follow each other in time, as a line chart's have to


_FILE = json.loads(Path(__file__).with_name("themes.json").read_text(encoding="utf-8"))
THEMES = tuple(
    Theme(title, unit, tuple(_FILE["times"][items] if isinstance(items, str) else items), isinstance(items, str))
    for title, unit, items in _FILE["themes"]
)
"""Items that are named and not listed are times."""
