"""How long the viewer of calls takes: `python benchmarks/view.py` (100,000 calls; or name another number).

A model that costs nothing plays CoinDilemma in words, every reply with a word of its own: no two episodes are the same,
so that most prompts are different texts. Then the real server is asked over HTTP. Playing takes most of the time.
"""

import json
import statistics
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from mmgames.play.viewer import Viewer
from mmgames.running.matches import match

ROUNDS = 9
SAID = "The coin is near, and the other player is slow. I would rather wait than lose it to a greedy step. " * 4


class Talker:
    name = "talker"
    style = {"observe": ("text",)}  # noqa: RUF012 - as agents of users write it
    last_call = {"model": "talker", "tokens_in": 700, "tokens_out": 100, "finish": "stop"}  # noqa: RUF012
    asked = 0

    def describe(self) -> dict[str, Any]:
        return {"model": "talker", "observe": ["text"]}

    def recall(self, observation: dict[str, Any], reply: str) -> None:
        """It has no memory."""

    def answer(self, observation: dict[str, Any]) -> str:
        self.asked += 1
        names = ("<UP>", "<DOWN>", "<LEFT>", "<RIGHT>", "<STAY>")
        return f"word{self.asked} {SAID}\n{json.dumps({'action': names[self.asked % 5]}) if self.asked % 10 else 'Hm.'}"


def median_ms(viewer: Viewer, path: str, **query: Any) -> float:
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        with urllib.request.urlopen(f"{viewer.url.removesuffix('calls')}{path}?{urlencode(query)}") as answer:
            answer.read()
        times.append(1000 * (time.perf_counter() - begun))
    return statistics.median(times)


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    episodes = -(-wanted // 111)  # each has two seats, fifty steps, and a tenth of replies asked for again
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run.jsonl"
        match("mmgames/CoinDilemma-v0", Talker(), episodes, out=out, on_illegal="retry_random")
        viewer = Viewer([Path(folder)])
        thread = threading.Thread(target=viewer.run)
        begun, spent = time.perf_counter(), time.process_time()
        thread.start()
        took = {}
        for state in ("reading", "prompts"):
            while viewer.index.state == state:
                time.sleep(0.01)
            took[state] = time.perf_counter() - begun
        last = viewer.index.calls
        print(f"{last:,} calls; this process took {time.process_time() - spent:.1f} s of CPU to index them")
        print(f"all calls are listed and replies searched after {took['reading']:.1f} s")
        print(f"prompts are searched too after {took['prompts']:.1f} s")
        asked: dict[str, tuple[str, dict[str, Any]]] = {
            "the first page": ("calls", {}),
            "the last page": ("calls", {"page": last // 50 - 1}),
            "refused only": ("calls", {"refused": 1}),
            "a word of one reply": ("calls", {"words": "word777"}),
            "a word of every reply": ("calls", {"words": "greedy"}),
            "a word of every prompt": ("calls", {"words": "column"}),
            "two words and a phrase": ("calls", {"words": 'greedy wait "the coin is near"'}),
            "one call opened": ("call", {"id": last - 1}),
        }
        for name, (path, query) in asked.items():
            print(f"{name}: {median_ms(viewer, path, **query):.0f} ms")
        viewer.stop()
        thread.join()


if __name__ == "__main__":
    main()
