"""How long the viewer of calls takes: `python benchmarks/view.py` (100,000 calls; or name another number).

A model that costs nothing plays CoinDilemma in words; its episodes are written again and again under new numbers, every
reply with a word of its own, until the run has as many calls. Then the real server is asked over HTTP.
"""

from __future__ import annotations

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

EPISODES = 20
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
        return f"{SAID}\n{json.dumps({'action': names[self.asked % 5]}) if self.asked % 10 else 'Hm.'}"


def make_run(folder: Path, calls: int) -> None:
    """A run with at least so many calls."""
    kept = folder / "few.jsonl"
    match("mmgames/CoinDilemma-v0", Talker(), EPISODES, out=kept, on_illegal="retry_random")
    made = {}
    for path in (kept, kept.with_suffix(".calls.jsonl")):
        head, *rows = path.read_text("utf-8").splitlines()
        made[path] = (head, [json.loads(row) for row in rows])
        path.unlink()
    few = sum("reply" in row for row in made[kept.with_suffix(".calls.jsonl")][1])
    for path, (head, rows) in made.items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(head + "\n")
            for copy in range(-(-calls // few)):
                for row in rows:
                    file.write(json.dumps(renumbered(row, copy)) + "\n")


def renumbered(row: dict[str, Any], copy: int) -> dict[str, Any]:
    """A row of the run, or of its journal, as that of a later episode; replies end in a word of their own."""

    def own(reply: str, episode: str, seat: str, place: int) -> str:
        return f"word{copy}x{episode}{seat}{place} {reply}"

    if "episode" in row:
        count = {"red": 0, "blue": 0}
        replies = []
        for one in row["replies"]:
            seat, place = one["seat"], count[one["seat"]]
            replies.append({**one, "reply": own(one["reply"], str(row["episode"]), seat, place)})
            count[seat] += 1
        return {**row, "episode": row["episode"] + EPISODES * copy, "replies": replies}
    episode, _, seat = row["scope"].partition(":")
    said = {"reply": own(row["reply"], episode, seat, row["call"])} if "reply" in row else {}
    return {**row, "scope": f"{int(episode) + EPISODES * copy}:{seat}", **said}


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
    with tempfile.TemporaryDirectory() as folder:
        make_run(Path(folder), wanted)
        viewer = Viewer([Path(folder)])
        thread = threading.Thread(target=viewer.run)
        begun = time.perf_counter()
        thread.start()
        told = {}
        for state in ("reading", "prompts"):
            while viewer.index.state == state:
                time.sleep(0.01)
            told[state] = time.perf_counter() - begun
        last = viewer.index.calls
        print(f"{last:,} calls")
        print(f"all calls are listed and replies searched after {told['reading']:.1f} s")
        print(f"prompts are searched too after {told['prompts']:.1f} s")
        asked: dict[str, tuple[str, dict[str, Any]]] = {
            "the first page": ("calls", {}),
            "the last page": ("calls", {"page": last // 50 - 1}),
            "refused only": ("calls", {"refused": 1}),
            "a word of one reply": ("calls", {"words": "word3x7red5"}),
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
