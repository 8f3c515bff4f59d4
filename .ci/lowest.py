"""Prints the lowest versions that pyproject.toml allows of what mmgames and its tests stand on, for pip to install."""

import tomllib
from pathlib import Path

project = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text("utf-8"))["project"]
for requirement in (*project["dependencies"], *project["optional-dependencies"]["testing"]):
    print(requirement.replace(">=", "=="))
