"""Kernels that are called from Python play interpreted until they are compiled, and never switch within an episode."""

import json
import os
import subprocess
import sys
import textwrap
import time

import pytest

from mmgames.kernels import compiling
from tests import forking
from tests.refusing import refused

KERNELS = """
from mmgames.kernels.kernel import kernel
@kernel
def twice(x):
    return 2 * x
@kernel
def four_times(x):
    return twice(twice(x))
def nameless():
    @kernel
    def three_times(x):
        return 3 * x
    return three_times
"""
COUNTED = """
import json, sys
from numba.core import event
class Count(event.Listener):
    compiled = 0
    def on_start(self, event):
        self.compiled += 1
    def on_end(self, event):
        pass
count = Count()
event.register("numba:compile", count)
from mmgames.kernels import compiling
from mmgames.kernels.compiling import compiled_in_background, switch_to_compiled
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "doubling.py").write_text(KERNELS)
    return tmp_path


@pytest.fixture(scope="module")
def mother():
    with forking.mother("-W", "error") as found:
        yield found


@pytest.fixture
def run(mother, folder):
    """What a fresh process with an empty cache of its own prints, as JSON, and what it says on standard error."""

    def told(code, **variables):
        said, warned = mother.run(folder, COUNTED + textwrap.dedent(code), **variables)
        return json.loads(said), warned

    return told


def wait_for_marks(folder, number):
    """Until another process has compiled so many kernels."""
    end = time.monotonic() + 120
    while len(list(folder.rglob("*.compiled"))) < number:
        assert time.monotonic() < end, "nobody has compiled anything"
        time.sleep(0.05)


def test_a_process_that_ends_at_once_leaves_compiled_kernels_for_the_next_one(run, folder):
    code = """
    import doubling
    four = compiled_in_background(doubling.four_times)
    print(json.dumps([four(10), four(11), count.compiled, type(four._call).__name__]))
    """
    (first, second, compiled, how), said = run(code)
    assert (first, second, compiled, how) == (40, 44, 0, "partial") and not said
    wait_for_marks(folder, 1)
    assert run(code)[0] == [40, 44, 0, "CPUDispatcher"]


def test_compiled_code_takes_over_when_an_episode_begins_and_not_before(run, folder):
    code = """
    import doubling, pathlib, time
    four = compiled_in_background(doubling.four_times)
    told = [four(10)]
    while not four.is_cached():
        time.sleep(0.05)
    told += [four(10), count.compiled, four._call is doubling.four_times]
    switch_to_compiled()
    print(json.dumps([*told, four(10), four._call is doubling.four_times, count.compiled]))
    """
    assert run(code)[0] == [40, 40, 0, False, 40, True, 0]


LEFT_ALONE = """
import doubling
four = compiled_in_background(doubling.four_times)
told = [four(10)]
second = compiling._second_process._process
if second is not None:
    second.wait()  # it has failed
for episode in range(3):
    switch_to_compiled()
    told.append(four(10))
early = four._call is doubling.four_times
switch_to_compiled()
print(json.dumps([*told, early, four._call is doubling.four_times]))
"""


def test_without_a_place_for_a_cache_a_process_compiles_after_the_first_episode(run, folder):
    read_only = """
    import errno, tempfile
    def read_only(*args, **kwargs):  # what Numba tries a folder with
        raise OSError(errno.EROFS, "Read-only file system")
    tempfile.TemporaryFile = read_only
    """
    assert run(textwrap.dedent(read_only) + LEFT_ALONE)[0] == [40, 40, 40, 40, False, True]
    assert not list(folder.rglob("*.nb?"))


@pytest.mark.parametrize("lost", ["/nowhere/python", "/bin/false"])
def test_where_no_second_process_can_work_the_first_one_compiles(run, lost):
    assert run(f"sys.executable = {lost!r}\n" + LEFT_ALONE)[0] == [40, 40, 40, 40, False, True]


def test_kernels_without_a_name_are_compiled_here(run, folder):
    code = LEFT_ALONE.replace("doubling.four_times", "three")
    code = code.replace("import doubling", "import doubling\nthree = doubling.nameless()")
    assert run(code)[0] == [30, 30, 30, 30, False, True]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_plays_on_and_gets_what_its_parent_has_asked_for(run, folder):
    code = """
    import doubling, os, time
    four = compiled_in_background(doubling.four_times)
    four(10)
    read, write = os.pipe()
    if os.fork() == 0:
        told = [four(10)]
        while not four.is_cached():
            time.sleep(0.05)
        switch_to_compiled()
        os.write(write, json.dumps([*told, four(10), four._call is doubling.four_times]).encode())
        os._exit(0)
    os.wait()
    print(os.read(read, 100).decode())
    """
    assert run(code)[0] == [40, 40, True]


def test_modes(run, folder, monkeypatch):
    code = """
    import doubling
    four = compiled_in_background(doubling.four_times)
    print(json.dumps([four(10), four._call is doubling.four_times]))
    """
    assert run(code, MMGAMES_COMPILE="never")[0] == [40, False]
    assert run(code, NUMBA_DISABLE_JIT="1")[0] == [40, False] and not list(folder.rglob("*.compiled"))
    assert run(code, MMGAMES_COMPILE="now")[0] == [40, True]
    monkeypatch.setenv("MMGAMES_COMPILE", "later")
    refused(lambda: compiling.compile_mode(), "MMGAMES_COMPILE='later' is not known; give now, soon or never")


def test_whoever_waits_for_the_compiler_is_told_so_once(run, folder):
    code = """
    import doubling
    compiling.TOLD_AFTER = 0.0
    print(json.dumps([doubling.four_times(10), doubling.four_times(10.5), doubling.twice(True)]))
    """
    told, said = run(code)
    assert told == [40, 42.0, 2]
    whole = "mmgames: compiling doubling.four_times, once for all later runs; `mmgames compile` does it ahead.\n"
    assert said == whole


def test_a_game_that_was_compiled_ahead_compiles_nothing_later(tmp_path):
    ahead = """
    from mmgames.cli import main
    main(["compile", "KuhnPoker", "--processes", "1"])
    """
    play = """
    import gymnasium, mmgames
    env = gymnasium.make("mmgames/KuhnPoker-v0", observe=("rgb", "text", "features"))
    env.reset(seed=0)
    env.step(0)
    many = mmgames.vector_env("mmgames/KuhnPoker-v0", 4)
    many.reset(seed=0)
    many.step(many.random_actions())
    print(json.dumps(count.compiled))
    """
    env = {name: value for name, value in os.environ.items() if name != "MMGAMES_COMPILE"}
    env["NUMBA_CACHE_DIR"] = str(tmp_path / "cache")
    for code, printed in ((ahead, "1 games are compiled.\n"), (COUNTED + textwrap.dedent(play), "0\n")):
        command = [sys.executable, "-c", textwrap.dedent(code)]
        done = subprocess.run(command, capture_output=True, text=True, env=env)
        assert (done.returncode, done.stdout) == (0, printed), done.stderr
