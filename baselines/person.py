"""A person at the terminal in the place of a model: the same prompts, pictures, rules and records.

    mmgames eval lvlm-playground --agent person --only TicTacToe-Ask --episodes 5 --out results/me

`human` is for playing a game at ease; `person` is for being measured.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from mmgames.agents.base import Agent
from mmgames.baselines.human import typed_lines
from mmgames.errors import MmgamesError

UNCHANGED = "(The rules, your seat and the form of the answer are as before.)"


class Person(Agent):
    """Shows each observation at the terminal and takes what is typed, up to an empty line, as the reply.

    Pictures are saved in `pictures`, a folder, and named; `observe`, `size` and `reasoning` are as for a chat model.
    """

    def __init__(
        self, pictures: str | None = None, observe: str = "rgb+text", size: int = 512, reasoning: str = "direct"
    ) -> None:
        self.folder = Path(pictures) if pictures else Path(tempfile.gettempdir()) / f"mmgames-{os.getpid()}"
        self.style = {"observe": tuple(observe.split("+")), "size": size, "reasoning": reasoning}
        self.name = "person"
        self._shown = 0
        self._told = ""

    def fresh(self) -> Person:
        return Person(str(self.folder), "+".join(self.style["observe"]), self.style["size"], self.style["reasoning"])  # type: ignore[arg-type]

    def describe(self) -> dict[str, Any]:
        return {"person": True, **{name: str(value) for name, value in self.style.items()}}

    def recall(self, observation: dict[str, Any], reply: str) -> None:
        """It was said before; there is nothing to keep."""

    def answer(self, observation: dict[str, Any]) -> str:
        text = str(observation.get("text", ""))
        fixed, mark, now = text.partition("## Now")
        print("\n" + "=" * 60)
        print(text if fixed != self._told else f"{UNCHANGED}\n\n{mark}{now}")
        self._told = fixed
        for path in self._save(observation.get("rgb")):
            print(f"Picture: {path}")
        print("Your reply; an empty line sends it.")
        return typed_lines("> ", "the input ended before the reply was sent.")

    def _save(self, rgb: Any) -> list[Path]:
        if rgb is None:
            return []
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            paths = []
            for pixels in [rgb] if rgb.ndim == 3 else rgb:
                self._shown += 1
                paths.append(self.folder / f"{id(self) % 9973:04d}-{self._shown:05d}.png")
                Image.fromarray(pixels).save(paths[-1])
            return paths
        except OSError as error:
            raise MmgamesError(f"Pictures cannot be saved in {self.folder}: {error.strerror}.") from error
