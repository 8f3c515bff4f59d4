"""Tables of expected values, kept as data beside the tests that walk through them; and what files hold line by line."""

import json
from pathlib import Path
from typing import Any


def cases(test: str) -> dict[str, Any]:
    """The tables of a test file, from the .json of its name; what explains a row stands last in it."""
    return json.loads(Path(test).with_suffix(".json").read_text("utf-8"))


def lines(path: Path) -> list[dict[str, Any]]:
    """The rows of a results file, what it is about among them."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
