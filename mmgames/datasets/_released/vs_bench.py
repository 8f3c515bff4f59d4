"""VS-Bench's released questions about the other's next action."""

import json
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.datasets._released.rows import ReleasedFile, ReleasedSource, open_parquet
from mmgames.errors import MmgamesError
from mmgames.tasks.predict import NextAction
from mmgames.tasks.questions import Question

FILES = {
    "Hanabi": "hanabi",
    "Overcooked": "overcooked",
    "Breakthrough": "breakthrough",
    "KuhnPoker": "kuhn_poker",
    "Pong": "atari_pong",
    "CoinDilemma": "coin_dilemma",
    "MonsterHunt": "monster_hunt",
    "BattleOfTheColors": "battle_of_the_colors",
}
"""Game -> the name of its file, without the ending."""
_COLUMNS = ("next_action", "next_legal_actions", "prompt.system", "prompt.observation", "prompt.action")


class PredictRow(NamedTuple):
    system: str
    user: str
    names: dict[int, str]
    correct: frozenset[int]


def read_row(row: dict[str, Any]) -> PredictRow:
    """A row of the file without its pictures; a ValueError says what is wrong with it."""
    names = {int(number): str(name) for number, name in json.loads(row["next_legal_actions"]).items()}
    correct = frozenset(row["next_action"])
    if not correct or not correct <= names.keys():
        raise ValueError(f"its next_action {row['next_action']} is not among its legal actions {sorted(names)}")
    said = row["prompt"]
    user = "\n\n".join(filter(None, (said["observation"], said["action"])))
    return PredictRow(said["system"] or "", user, names, correct)


def released_file(path: Path, game: str) -> Path | None:
    """The file with the released questions about a game: the path itself, or one below the folder."""
    name = f"{FILES[game]}.parquet"
    if path.is_dir():
        return next((place for place in (path / "data" / name, path / name) if place.is_file()), None)
    if not path.is_file():
        raise MmgamesError(f"There is no file or folder {path}.")
    if path.stem not in FILES.values():
        raise MmgamesError(f"{path} is not called as a file of VS-Bench is: {', '.join(FILES.values())}.parquet.")
    return path if path.name == name else None


class ReleasedPredict(NextAction, ReleasedSource):
    """The rows of a game's file. All of the accepted actions are right; which of them was played is not told."""

    keys: ClassVar[tuple[str, ...]] = ("rgb", "text", "system", "legal_actions")

    def open_file(self, path: Path) -> ReleasedFile:
        game = self.spec.name.removesuffix("-Predict")
        found = released_file(path, game)
        if found is None:
            raise MmgamesError(f"{path} holds no questions for {self.spec.id}: there is no {FILES[game]}.parquet.")
        return open_parquet(found, _COLUMNS, read_row, "prompt.image_path")

    def row_question(self, number: int, pictures: tuple[np.ndarray, ...]) -> Question:
        system, user, names, correct = self.file.contents[number]
        text = f"{system}\n\n{user}" if system else user
        return Question(pictures, text, names, correct, min(correct), self.row_facts(number), system=system)
