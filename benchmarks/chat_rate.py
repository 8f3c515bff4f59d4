"""How much slower models are asked through a match than with the bare client: `python benchmarks/chat_rate.py`.

A scripted server over real HTTP, in a process of its own, answers after a second. 64 calls are in flight both times.
The bare client sends again and again what a match sends first, written once. Rates are calls a second, and CPU is this
process's alone.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

TOGETHER, CALLS, LATENCY = 64, 20, 1.0
SERVER = """
import sys; sys.path.insert(0, {root!r})
from tests.chat_server import serving
with serving(lambda request, number: 'Action: <STAY>', latency={latency}) as server:
    print(server.url, flush=True); sys.stdin.read()
"""


def main() -> None:
    import openai

    import mmgames
    from mmgames.baselines.models.chat import Chat

    script = SERVER.format(root=str(Path(__file__).parents[1]), latency=LATENCY)
    server = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    url = server.stdout.readline().strip()
    rows = []
    try:
        for observe, size in (("text", 512), ("rgb+text", 512)):
            agent = Chat("tiny", url, observe=observe, size=size, history=0)
            env = mmgames.parallel_env("mmgames/CoinDilemma-v0", observe=tuple(observe.split("+")), size=size)
            example = agent.messages(env.reset(seed=0)[0]["red"])
            client = openai.OpenAI(api_key="none", base_url=url, max_retries=0)

            def bare(_: int, client: openai.OpenAI = client, example: list = example) -> None:
                for _ in range(CALLS):
                    client.chat.completions.create(model="tiny", messages=example)

            begun, cpu = time.perf_counter(), time.process_time()
            with ThreadPoolExecutor(TOGETHER) as pool:
                list(pool.map(bare, range(TOGETHER)))
            seconds, used = time.perf_counter() - begun, time.process_time() - cpu
            calls = TOGETHER * CALLS
            bare_rate, bare_cpu = calls / seconds, 1000 * used / calls
            mmgames.match("CoinDilemma", [agent, "random"], 1, max_steps=1)  # what is compiled or loaded once
            begun, cpu = time.perf_counter(), time.process_time()
            mmgames.match("CoinDilemma", [agent, "random"], TOGETHER, max_steps=CALLS, concurrency=TOGETHER)
            seconds, used = time.perf_counter() - begun, time.process_time() - cpu
            rate, cpu_ms = calls / seconds, 1000 * used / calls
            rows.append(
                {
                    "observe": observe,
                    "bare": {"calls_a_second": round(bare_rate, 2), "cpu_ms_a_call": round(bare_cpu, 2)},
                    "match": {"calls_a_second": round(rate, 2), "cpu_ms_a_call": round(cpu_ms, 2)},
                    "share_of_the_bare_rate": round(rate / bare_rate, 4),
                    "cpu_ms_a_call_above_it": round(cpu_ms - bare_cpu, 2),
                }
            )
    finally:
        server.kill()
    print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
