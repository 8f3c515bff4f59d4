"""What people did in a study, in a model's place: `mmgames eval SUITE --agent records:FOLDER` scores it."""

from pathlib import Path
from typing import Any

from mmgames.agents.base import Agent
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError


class RecordedPeople(Agent):
    """What people did in a study, for `mmgames eval` to score; it plays nothing anew.

    folder    what `mmgames study --out` or `mmgames play --records` has written
    """

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.name = f"records:{folder}"
        if not self.folder.is_dir():
            raise MmgamesError(f"there is no folder {folder!r} of records.")

    def describe(self) -> dict[str, Any]:
        return {"people": True}

    def act(self, turn: Turn) -> Any:
        raise MmgamesError("records of people are scored by `mmgames eval`; they play nothing anew.")

    def answer(self, observation: dict[str, Any]) -> str:
        raise MmgamesError("records of people are scored by `mmgames eval`; they answer nothing anew.")
