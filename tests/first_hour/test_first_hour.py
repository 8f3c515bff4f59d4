"""README, typed into a terminal from top to bottom on a fresh clone. It takes minutes: `make first-hour`.

Only `make test` is left out, and the paper's table is made from fewer episodes.
"""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.chat_server import pictures, serving

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.skipif(
        not os.environ.get("FIRST_HOUR") or sys.platform == "win32", reason="`make first-hour` asks for it"
    ),
    pytest.mark.program("git"),
    pytest.mark.program("pgrep"),
]


class Terminal:
    """A shell in the clone that is typed into, line by line."""

    def __init__(self, folder: Path) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        self.shell = subprocess.Popen(
            ["bash"], cwd=folder, env=kept, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, bufsize=1,
        )  # fmt: skip
        assert self.shell.stdin is not None and self.shell.stdout is not None
        self._in, self._out = self.shell.stdin, self.shell.stdout

    def begin(self, line: str, stopped: bool = False) -> Iterator[str]:
        """What a line prints, as it does; it has to succeed, and one that is `stopped` with Ctrl-C may say so."""
        print(f"$ {line}", flush=True)
        self._in.write(f"{line}\nstatus=$?; echo; echo the-end $status\n")
        for printed in iter(self._out.readline, ""):
            if printed.startswith("the-end "):
                assert printed.split()[1] in (("0", "130") if stopped else ("0",)), f"{line} failed"
                return
            print(printed, end="", flush=True)
            yield printed
        raise AssertionError(f"the shell ended after {line}")

    def type(self, line: str) -> str:
        return "".join(self.begin(line))

    def close(self) -> None:
        self._in.close()
        self._out.close()
        self.shell.wait()

    def interrupt(self) -> None:
        """Ctrl-C for what is running."""
        found = subprocess.run(["pgrep", "-P", str(self.shell.pid)], capture_output=True, text=True, check=True)
        os.kill(int(found.stdout.split()[0]), signal.SIGINT)


LEFT_OUT = "make test"
SHORTER = ("--episodes 100", "--episodes 2")


class Step(NamedTuple):
    line: str  # what is typed; of a Python example, the whole of it
    python: bool


def steps(readme: str) -> list[Step]:
    """What README tells to type, in its order."""
    found: list[Step] = []
    for language, block in re.findall(r"^```(sh|python)\n(.*?)^```$", readme, re.S | re.M):
        lines = [line.partition("  #")[0].strip() for line in block.replace("\\\n", " ").splitlines()]
        found += [Step(block, True)] if language == "python" else [Step(line, False) for line in lines]
    return found


def test_readme_works_as_it_is_written(tmp_path: Path) -> None:
    clone = tmp_path / "mmgames"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    todo = steps((clone / "README.md").read_text("utf-8"))
    typed = [step.line for step in todo if not step.python]
    wanted = ("pip install .", "make demo", LEFT_OUT, "mmgames train ippo CoinDilemma", "mmgames eval", "mmgames play")
    places = [next(number for number, line in enumerate(typed) if line.startswith(begin)) for begin in wanted]
    assert places == sorted(places) and len(todo) - len(typed) > 2
    assert sum("--agent chat:" in line for line in typed) == 1

    terminal = Terminal(clone)
    with serving(lambda request, number: json.dumps({"answer": "ABCD"[number % 4]})) as server:
        for number, (line, python) in enumerate(todo):
            if python:
                (tmp_path / f"example_{number}.py").write_text(line, "utf-8")
                terminal.type(f"python {tmp_path}/example_{number}.py")
            elif line.startswith("mmgames play"):
                shown = False
                for printed in terminal.begin(line, stopped=True):
                    if address := re.match(r"Open (http://127\.0\.0\.1:\d+/\S+)", printed):
                        with urllib.request.urlopen(address[1], timeout=30) as page:
                            shown = page.status == 200 and b"<script" in page.read()
                        terminal.interrupt()
                assert shown
            elif line != LEFT_OUT:
                told = terminal.type(line.replace("http://localhost:8000/v1", server.url).replace(*SHORTER))
                assert "eval vs-bench" not in line or re.search(r"not played: .*Pong", told), "README says it is told"
        terminal.close()
        assert len(server.requests) >= 5 and pictures(server.requests[0]["messages"][-1])
    assert (clone / "demo" / "index.html").is_file() and (clone / "runs" / "coin" / "policy.npz").is_file()
    assert list((clone / "results" / "my-model").glob("*.jsonl"))
    assert (clone / "results" / "my-model.html").is_file()
