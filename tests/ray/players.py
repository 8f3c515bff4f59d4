"""Agents that leave traces in a folder, as they play in processes of which the test knows nothing else."""

import json
import os
import signal
import time
import uuid
from pathlib import Path
from typing import Any

from mmgames.running.journal import fingerprint
from mmgames.running.rate_limit import RateLimit


class Mortal:
    """Plays at random; the first of its processes to have made so many moves is killed."""

    name = "mortal"

    def __init__(self, folder: str, moves: int = 25) -> None:
        self.folder, self.moves = folder, moves
        self._made = 0

    def act(self, turn: Any) -> Any:
        (Path(self.folder) / str(os.getpid())).touch()
        self._made += 1
        time.sleep(0.002)  # as if it thought, so that all workers have come before the work is done
        if self._made == self.moves:
            try:
                (Path(self.folder) / "killed").open("x").close()
                os.kill(os.getpid(), signal.SIGKILL)
            except FileExistsError:
                pass
        return turn.sample()


class Deadly:
    """Plays at random, and now and then kills its process, or raises instead: always in the same episodes."""

    name = "deadly"

    def __init__(self, kills: bool = True) -> None:
        self.kills = kills

    def act(self, turn: Any) -> Any:
        action = turn.sample()
        if turn.rng.random() < 0.04:
            if not self.kills:
                raise ValueError("this one")
            os.kill(os.getpid(), signal.SIGKILL)
        return action


class Talker:
    """A model of a kind: what it replies depends on what it is shown alone. Every call leaves a file."""

    name = "talker"
    model = "talker"

    def __init__(self, folder: str, per_minute: float | None = None, seconds: float = 0.0) -> None:
        self.folder, self.seconds, self.per_minute = folder, seconds, per_minute
        self.style = {"observe": ("text",)}
        self._rate_limit = RateLimit(per_minute, "talker")
        self.last_call: dict[str, Any] = {}

    def describe(self) -> dict[str, Any]:
        return {"model": self.model}

    def fresh(self) -> "Talker":
        return Talker(self.folder, self.per_minute, self.seconds)

    def __reduce__(self) -> Any:
        return Talker, (self.folder, self.per_minute, self.seconds)

    def recall(self, observation: Any, reply: str) -> None:
        pass

    def answer(self, observation: Any) -> str:
        self._rate_limit.wait()
        here = Path(self.folder) / f"{uuid.uuid4().hex}.now"
        here.touch()
        together = len(list(Path(self.folder).glob("*.now")))
        time.sleep(self.seconds)
        here.with_suffix(".call").write_text(
            json.dumps({"at": time.monotonic(), "together": together, "process": os.getpid()})
        )
        here.unlink()
        self.last_call = {"model": self.model, "tokens_in": 10, "tokens_out": 1}
        text = observation["text"]
        legal = text.rpartition("## Legal actions")[2].partition("\n## ")[0].strip().split(", ")
        return json.dumps({"action": legal[int(fingerprint({"text": text}), 16) % len(legal)]})


def calls(folder: Path) -> list[dict[str, Any]]:
    return sorted((json.loads(file.read_text()) for file in folder.glob("*.call")), key=lambda call: call["at"])
