"""Tables of expected values, kept as data beside the tests that walk through them."""

import json
from pathlib import Path
from typing import Any


def cases(test: str) -> dict[str, Any]:
    """The tables of a test file, from the .json of its name; what explains a row stands last in it."""
    return json.loads(Path(test).with_suffix(".json").read_text("utf-8"))
