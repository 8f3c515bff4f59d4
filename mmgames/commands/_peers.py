"""Other libraries' speed, measured by the scripts in benchmarks/peers or, once, elsewhere."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mmgames.errors import MmgamesError
from mmgames.text.command_line import page

SCRIPTS = Path("benchmarks/peers")

VS_BENCH_RELEASED = page(__package__, "_peers")
ON_A_CARD = ("pgx_", "jaxmarl_")


def measure(python: str, ids: set[str], device: str = "cpu") -> Iterator[dict[str, Any]]:
    """The peers' rows for the given games; on a card, of those that run there. A peer that cannot be measured is said
    and left out."""
    for id, value in VS_BENCH_RELEASED.items():
        if id in ids and device == "cpu":
            yield {
                "measure": "picture",
                "game": id,
                "value": value,
                "unit": "steps/s",
                "how": "its released code with its pictures, measured once on another 2-core machine; not published",
                "library": "VS-Bench (elsewhere)",
            }
    if not SCRIPTS.is_dir():
        raise MmgamesError(f"There is no folder {SCRIPTS}; run this from a checkout of the project.")
    for script in sorted(SCRIPTS.glob("[!_]*.py")):
        if device != "cpu" and not script.name.startswith(ON_A_CARD):
            continue
        try:
            # As if the script were alone: our own packages must not reach it.
            env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
            env["MMGAMES_BENCH_DEVICE"] = device
            done = subprocess.run([python, str(script)], capture_output=True, text=True, env=env)
        except OSError as error:
            raise MmgamesError(f"The peers' interpreter {python!r} does not run: {error.strerror}.") from error
        if done.returncode:
            last = (done.stderr.strip() or "it said nothing").splitlines()[-1]
            print(f"mmgames: {script} could not be measured: {last}", file=sys.stderr)
            continue
        rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        yield from (row for row in rows if row["game"] in ids)
