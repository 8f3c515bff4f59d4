"""Little programs that need Numba, each in a process of its own, forked from one that has imported it: that takes a
second each time."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

MOTHER = """
import json, os, sys
import numba, mmgames.kernels.compiling
for line in sys.stdin:
    folder, code, variables = json.loads(line)
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    for number, name in enumerate(("out", "err"), 1):
        os.dup2(os.open(f"{folder}/{name}", os.O_CREAT | os.O_WRONLY | os.O_TRUNC), number)
    os.environ.update(variables, NUMBA_CACHE_DIR=f"{folder}/cache", PYTHONPATH=os.pathsep.join((folder, *sys.path)))
    numba.config.reload_config()
    sys.dont_write_bytecode = True  # files that are written anew within a second look the same
    sys.path.insert(0, folder)
    exec(compile(code, "program", "exec"), vars(sys.modules["__main__"]))
    sys.exit()  # as any program ends, with what is done at exit
"""


class Mother(NamedTuple):
    process: subprocess.Popen[str]

    def run(self, folder: Path, code: str, **variables: str) -> tuple[str, str]:
        """What it prints and what it says on standard error; its own modules and its cache are in this folder."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps([str(folder), code, variables]) + "\n")
        self.process.stdin.flush()
        ended, (out, err) = self.process.stdout.readline(), (folder / name for name in ("out", "err"))
        assert ended == "0\n", err.read_text()
        return out.read_text(), err.read_text()


@contextmanager
def mother(*options: str) -> Iterator[Mother]:
    command = [sys.executable, *options, "-c", MOTHER]
    env = {name: value for name, value in os.environ.items() if name != "MMGAMES_COMPILE"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env) as process:
        yield Mother(process)
