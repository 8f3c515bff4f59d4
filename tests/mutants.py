"""Which small changes of rules, faces and loops no test sees: `make mutants`, or `python -m tests.mutants --seed 5`.

Cosmic Ray changes one place of the source at a time. Here places are drawn by a seed, the tests that go through each
run in a copy of the tree, and what survives them is printed. Kernels run interpreted, so nothing is compiled. Which
test goes through which line is measured once, and kept in build/mutants for each file of tests until that changes;
tests that fail or take long interpreted are left out. Throw build/mutants away after larger changes of the package.
"""

from __future__ import annotations

import argparse
import ast
import bisect
import contextlib
import functools
import hashlib
import importlib.util
import itertools
import json
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "build" / "mutants"
SOURCES = ("core/**/*.py", "envs/**/*.py", "running/**/*.py", "agents/**/*.py", "text/**/*.py", "games/*/rules.py")
AWAY = ("browser", "docs", "embodied3d", "first_hour", "hf", "network", "plugins", "ray", "rllib", "trainers", "trl")
"""Folders of tests that run in other environments, or need more than Python."""
SAME = re.compile(r"strict=True|if TYPE_CHECKING|maxsize=\d+|stacklevel=\d+|frozen=True|slots=True")
"""Where a change is none that anybody could meet: guards, what only type checkers read, sizes of caches."""
TEST, FILE, FIRST, MUTANT = 10, 300, 8, 120
"""Seconds that a test may take, a file of them, what is tried first and all that is tried on one mutant."""


class Mutant(NamedTuple):
    file: str
    line: int
    source: str  # of the whole file, changed

    def __str__(self) -> str:
        old, new = (ROOT / self.file).read_text().splitlines(), self.source.splitlines()
        at = next(at for at, (one, two) in enumerate(zip(old, new, strict=False)) if one != two)
        return f"{self.file}:{at + 1}\n    - {old[at].strip()}\n    + {new[at].strip()}"


def sources() -> list[Path]:
    found = sorted(path for each in SOURCES for path in (ROOT / "mmgames").glob(each))
    return [path for path in found if path.name != "ray_cluster.py"]  # make test-ray


@functools.cache
def operators() -> list[Any]:
    """Cosmic Ray's, and one more: a call for its effect that is not made."""
    from cosmic_ray.operators.operator import Operator
    from cosmic_ray.plugins import get_operator, operator_names
    from parso.python.tree import Name

    class NoCall(Operator):
        def mutation_positions(self, node: Any) -> Iterator[Any]:
            if node.type == "simple_stmt" and node.children[0].type == "atom_expr":
                yield node.start_pos, node.end_pos

        def mutate(self, node: Any, index: int) -> Any:
            node.children[0] = Name("pass", node.start_pos, node.children[0].get_first_leaf().prefix)
            return node

        examples = classmethod(tuple)

    # Identity and equality are one for what is compared here; without its decorator hardly a module is imported.
    no_use = ("RemoveDecorator", "Variable", "_Is", "Is_", "IsNot_")
    return [NoCall(), *(get_operator(name)() for name in operator_names() if not any(part in name for part in no_use))]


def places(path: Path) -> Iterator[tuple[tuple[int, int], tuple[Any, int]]]:
    """Where a file can be changed, by line and column, and how: an operator and which of its places this is."""
    from cosmic_ray.ast import ast_nodes, get_ast

    source, unseen = path.read_text(), set()
    for node in ast.walk(ast.parse(source)):
        for note in filter(None, (getattr(node, "annotation", None), getattr(node, "returns", None))):
            unseen.update((note.lineno, column) for column in range(note.col_offset, note.end_col_offset))
    for line, text in enumerate(source.splitlines(), 1):
        unseen.update((line, column) for found in SAME.finditer(text) for column in range(*found.span()))
    dull = {"name", "string", "newline", "trailer", *"()[]{},.:="}
    nodes = [node for node in ast_nodes(get_ast(source)) if not dull & {node.type, getattr(node, "value", "")}]
    for operator in operators():
        found = (place for node in nodes for place in operator.mutation_positions(node))
        yield from ((start, (operator, at)) for at, (start, _) in enumerate(found) if start not in unseen)


def sample(seed: int, count: int, only: str) -> list[Mutant]:
    """Places drawn evenly and one change for each, so that an operator with many substitutes counts once."""
    from cosmic_ray.mutating import mutate_code

    changes = defaultdict(list)
    for path in sources():
        if only in str(path):
            for start, change in places(path):
                changes[path, start].append(change)
    drawn, mutants = random.Random(seed), []
    for path, start in drawn.sample(sorted(changes), len(changes)):
        source = mutate_code(path.read_text(), *drawn.choice(changes[path, start]))
        with contextlib.suppress(SyntaxError):  # a star between parameters is no product
            compile(source, path, "exec")
            mutants.append(Mutant(str(path.relative_to(ROOT)), start[0], source))
        if len(mutants) == count:
            break
    return mutants


class Covered:
    """Which tests go through a line, by its text, as lines wander; and how long each takes."""

    def __init__(self, jobs: int) -> None:
        files = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if path.parts[-2] not in AWAY]
        self.seconds: dict[str, float] = {}
        self.lines: dict[tuple[str, str], set[str]] = defaultdict(set)
        with ThreadPoolExecutor(jobs) as pool:
            for tests, lines in pool.map(_measured, files):
                names = list(tests)
                self.seconds.update(tests)
                for (file, text), numbers in lines:
                    self.lines[file, text].update(names[number] for number in numbers)

    def tests(self, mutant: Mutant) -> list[str]:
        """Those that go through the statement, the quickest of each file of tests first. Where none does, as when it
        runs at import or in another process, those that go through anything in its file."""
        source = (ROOT / mutant.file).read_text()
        statements: list[Any] = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
        texts, own = source.splitlines(), []
        for inner in (node for node in statements if node.lineno <= mutant.line <= node.end_lineno):
            body = getattr(inner, "body", None)
            own = texts[inner.lineno - 1 : max(inner.lineno, body[0].lineno - 1) if body else inner.end_lineno]
        through = (set().union(*(self.lines[mutant.file, text.strip()] for text in part)) for part in (own, texts))
        quickest = sorted(next(filter(None, through), ()), key=lambda name: self.seconds[name])
        turns: dict[str, Iterator[int]] = defaultdict(itertools.count)
        return sorted(quickest, key=lambda name: next(turns[name.split("::")[0]]))


def _measured(file: Path) -> Any:
    name = str(file.relative_to(ROOT))
    start, stamp = name.replace("/", "."), hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    kept = KEPT / f"{start}.{stamp}.json"
    if not kept.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        for old in KEPT.glob(f"{start}.*.json"):
            old.unlink()
        print(f"measuring {name}", file=sys.stderr)
        _pytest(ROOT, [name], 9 * FILE, MUTANTS_COVERAGE=str(kept))
    return json.loads(kept.read_text()) if kept.exists() else ({}, [])


def _pytest(tree: Path, arguments: list[str], limit: float, **told: str) -> tuple[int, str]:
    """The exit code, 124 past the limit, and what was printed. All that it started ends with it."""
    command = [sys.executable, "-m", "pytest", "--tb=no", "-rfE", "-p", "no:cacheprovider", "-p", "tests.mutants"]
    path = os.pathsep.join(filter(None, (str(tree), os.environ.get("PYTHONPATH"))))
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path, **told}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "start_new_session": True}
    started = subprocess.Popen([*command, *arguments], cwd=tree, env=env, text=True, errors="replace", **pipes)
    try:
        printed, _ = started.communicate(timeout=limit)
        return started.returncode, printed
    except subprocess.TimeoutExpired:
        return 124, ""
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.wait()


class Copy:
    """A copy of the tree, in which one mutant at a time is tried."""

    def __init__(self, folder: str, covered: Covered) -> None:
        self.tree, self.covered = Path(tempfile.mkdtemp(dir=folder)), covered
        listed = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True)
        for name in filter(lambda name: (ROOT / name).is_file(), listed.splitlines()):
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, self.tree / name)

    def killer(self, mutant: Mutant) -> str:
        """A test that fails with the change and passes without it, or else nothing."""
        tests = self.covered.tests(mutant)
        spent = list(itertools.accumulate(self.covered.seconds[name] for name in tests))
        first, last = bisect.bisect(spent, FIRST) + 1, bisect.bisect(spent, MUTANT)
        for batch in (tests[:first], tests[first:last]):
            while batch:
                code, printed = self._run(mutant, batch)
                if code in (0, 5):  # 5: none of these tests is there
                    break
                failed = [name for name in batch if f" {name}" in printed] or batch
                if self._run(mutant._replace(source=""), failed)[0] == 0:
                    return "the limit of time" if code == 124 else failed[0]
                batch = [name for name in batch if name not in failed]  # they fail without it too
        return ""

    def _run(self, mutant: Mutant, tests: list[str]) -> tuple[int, str]:
        path, chosen = self.tree / mutant.file, self.tree / "chosen.json"
        compiled = Path(importlib.util.cache_from_source(str(path)))
        original = path.read_text()
        path.write_text(mutant.source or original)
        compiled.unlink(missing_ok=True)  # Python goes by seconds and size, in which a change may not show
        chosen.write_text(json.dumps(sorted(tests, key=lambda name: name.split("::")[0])))
        try:
            limit = 120 + 3 * sum(self.covered.seconds[name] for name in tests)
            files = sorted({name.split("::")[0] for name in tests})
            return _pytest(self.tree, ["-x", *files], limit, MUTANTS_TESTS=str(chosen))
        finally:
            path.write_text(original)
            compiled.unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--only", default="", metavar="FOLDER", help="such as mmgames/envs, or a file")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    from mmgames.running.statistics import bounded_interval

    covered, copies = Covered(asked.jobs), queue.SimpleQueue[Copy]()
    mutants = sample(asked.seed, asked.count, asked.only)

    def tried(mutant: Mutant) -> bool:
        copy = copies.get()
        killer = copy.killer(mutant)
        copies.put(copy)
        print(f"killed by {killer}" if killer else "SURVIVES", mutant, flush=True)
        return bool(killer)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(asked.jobs) as pool:
        for _ in range(asked.jobs):
            copies.put(Copy(folder, covered))
        killed = sum(pool.map(tried, mutants))
    share, count = killed / len(mutants), len(mutants)
    low, high = bounded_interval(share, (share * (1 - share) / count) ** 0.5, count, 0, 1, count)
    print(f"seed {asked.seed}: {killed} of {count} killed, {share:.0%} ({low:.0%} to {high:.0%})")


class Watch:
    """In pytest's own processes: runs the chosen tests, stops one that takes long, and notes what each goes through."""

    def __init__(self, coverage: Any) -> None:
        self.coverage, self.seconds, self.failed = coverage, defaultdict[str, float](float), set[str]()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if not self.coverage:
            order = {name: at for at, name in enumerate(json.loads(Path(os.environ["MUTANTS_TESTS"]).read_text()))}
            items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        signal.signal(signal.SIGPROF, lambda *_: pytest.fail("takes too long"))
        signal.setitimer(signal.ITIMER_PROF, TEST if self.coverage else 3 * TEST, 1)
        if self.coverage:
            self.coverage.switch_context(item.nodeid)
            item.session.shouldstop = time.process_time() > FILE and "the rest of this file takes too long"
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.outcome != "passed":
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        if self.coverage:
            self.coverage.stop()
            tests = {name: round(seconds, 3) for name, seconds in self.seconds.items() if name not in self.failed}
            number, lines, data = {name: at for at, name in enumerate(tests)}, [], self.coverage.get_data()
            for file in data.measured_files():
                texts, name = Path(file).read_text().splitlines(), str(Path(file).relative_to(ROOT))
                for line, names in data.contexts_by_lineno(file).items():
                    lines.append(((name, texts[line - 1].strip()), [number[each] for each in names if each in number]))
            Path(os.environ["MUTANTS_COVERAGE"]).write_text(json.dumps((tests, lines)))


def pytest_configure(config: pytest.Config) -> None:
    measuring = None
    if "MUTANTS_COVERAGE" in os.environ:
        import coverage

        measuring = coverage.Coverage(data_file=None, config_file=False, include=list(map(str, sources())))
        measuring.start()
    config.pluginmanager.register(Watch(measuring))


if __name__ == "__main__":
    main()
