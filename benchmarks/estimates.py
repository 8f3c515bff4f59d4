"""How near `--dry-run` comes to what a run takes, suite by suite: `python benchmarks/estimates.py [EPISODES]`.

A scripted server over real HTTP moves at random where moves are listed, and talks or answers wrongly elsewhere. It
counts a word and a punctuation mark as a token each, about what tokenizers make of English, and 255 for a picture.
"""

import contextlib
import io
import json
import random
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

SUITES = ("vs-bench", "lvlm-playground", "comma", "vision-zero", "viki")
REPLY_TOKENS, PICTURE_TOKENS = 150, 255
TALKS = ("solver", "expert", "clue")


def reply(request: dict[str, Any], number: int) -> dict[str, Any]:
    from tests.chat_server import completion, words

    text = words(request["messages"][-1])
    _, found, legal = text.rpartition("## Legal actions\n")
    moves = legal.partition("\n")[0].split(", ") if found and not any(word in text for word in TALKS) else []
    said = json.dumps({"action": random.Random(number).choice(moves)}) if moves else "I see."
    tokens = len(re.findall(r"\w+|[^\w\s]", "".join(words(message) for message in request["messages"])))
    parts = [part for message in request["messages"] for part in message["content"] if isinstance(part, dict)]
    tokens += PICTURE_TOKENS * sum("image_url" in part for part in parts)
    return {**completion(said), "usage": {"prompt_tokens": tokens, "completion_tokens": REPLY_TOKENS}}


def printed(*command: str) -> dict[str, Any]:
    from mmgames import cli

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        cli.main(["eval", *command, "--json"])
    return json.loads(out.getvalue())


def main(episodes: str = "4") -> None:
    from tests.chat_server import serving

    print("| suite | calls told: legal, none legal | made | tokens told | taken |\n|---|--:|--:|--:|--:|")
    with serving(reply) as server:
        agent = f"chat:tiny,base_url={server.url}"
        for suite in SUITES:
            command = (suite, "--agent", agent, "--episodes", episodes)
            estimate = printed(*command, "--dry-run")
            made = printed(*command, "--concurrency", "4")["calls"]
            calls = f"{estimate['calls']:,}, {estimate['calls_if_all_are_refused']:,} | {made['calls']:,.0f}"
            tokens = f"{estimate['tokens_in'] + estimate['tokens_out']:,} | {made['tokens']:,.0f}"
            print(f"| {suite} | {calls} | {tokens} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
