"""What asking a model costs this machine, and how far calls at the same time get: `python benchmarks/chat_rate.py`.

A scripted server over real HTTP, in a process of its own, answers after a second. A match with one picture of 512
pixels a turn, kept with its journal, asks it one call at a time and 16 at a time. CPU is this process's alone. The
same call with OpenAI's own client, if it is installed, stands beside them.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

GAME, TOGETHER, CALLS, LATENCY = "CoinDilemma", 16, 20, 1.0
SERVER = """
import sys; sys.path.insert(0, {root!r})
from tests.chat_server import serving
with serving(lambda request, number: 'Action: <STAY>', latency={latency}) as server:
    print(server.url, flush=True); sys.stdin.read()
"""


@contextmanager
def server_elsewhere(latency: float) -> Iterator[str]:
    """The address of a scripted server in another process."""
    script = SERVER.format(root=str(Path(__file__).parents[1]), latency=latency)
    server = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip()
    finally:
        server.kill()


def timed(work: Callable[[], Any], calls: int) -> dict[str, float]:
    begun, cpu = time.perf_counter(), time.process_time()
    work()
    seconds, used = time.perf_counter() - begun, time.process_time() - cpu
    return {"calls_a_second": round(calls / seconds, 2), "cpu_ms_a_call": round(1000 * used / calls, 2)}


def match_rates(url: str) -> dict[str, Any]:
    """A match one call at a time and many at a time."""
    import mmgames
    from mmgames.baselines.models.chat import Chat

    agents = [Chat("tiny", url), "random"]

    def play(episodes: int, concurrency: int, steps: int = CALLS) -> None:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "match.jsonl"
            mmgames.match(GAME, agents, episodes, max_steps=steps, concurrency=concurrency, out=out)

    play(1, 1, 2)  # what is compiled or loaded once
    one = timed(lambda: play(1, 1), CALLS)
    many = timed(lambda: play(TOGETHER, TOGETHER), TOGETHER * CALLS)
    times = round(many["calls_a_second"] / one["calls_a_second"], 2)
    return {"one at a time": one, f"{TOGETHER} at a time": many, "times as fast": times}


def peer_rate(url: str) -> dict[str, float] | None:
    """OpenAI's own client, which sends again and again what the match sends first, written once."""
    try:
        import openai
    except ImportError:
        return None
    import mmgames

    client = openai.OpenAI(api_key="none", base_url=url, max_retries=0)
    env = mmgames.parallel_env(f"mmgames/{GAME}-v0", observe=("rgb", "text"))
    messages: Any = mmgames.chat_messages(env.reset(seed=0)[0]["red"])

    def ask(times: int) -> None:
        for _ in range(times):
            client.chat.completions.create(model="tiny", messages=messages)

    with ThreadPoolExecutor(TOGETHER) as pool:
        list(pool.map(ask, [1] * TOGETHER))
        return timed(lambda: list(pool.map(ask, [CALLS] * TOGETHER)), TOGETHER * CALLS)


if __name__ == "__main__":
    with server_elsewhere(LATENCY) as url:
        found = {"a match": match_rates(url), f"OpenAI's client, {TOGETHER} at a time, picture ready": peer_rate(url)}
    print(json.dumps(found, indent=1))
