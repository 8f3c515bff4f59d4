"""Compiled kernels: cached between processes, and never stale."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import mmgames
from mmgames.kernels.kernel import below, interpreted, noise, scramble
from mmgames.testing.records import records
from tests import forking

SHARED = """
from mmgames.kernels.kernel import kernel
import numba
import numpy as np
FACTOR = {factor}
TABLE = np.array([{entry}])
@kernel
def inner(x):
    return x * {inner}
@numba.njit
def not_ours(x):
    return x + {foreign}
"""
OUTER = """
from mmgames.kernels.kernel import kernel
from shared import FACTOR, TABLE, inner, not_ours
@kernel
def outer(x):
    return not_ours(inner(x) * FACTOR + TABLE[0])
@kernel
def apply(function, x):
    return function(x)
"""


def write(folder, inner=2, factor=3, entry=5, foreign=0):
    (folder / "outer.py").write_text(OUTER)
    (folder / "shared.py").write_text(SHARED.format(inner=inner, factor=factor, entry=entry, foreign=foreign))


@pytest.fixture(scope="module")
def mother():
    with forking.mother() as found:
        yield found


@pytest.fixture
def run(mother, tmp_path):
    return lambda code: mother.run(tmp_path, code)[0].split()


def test_a_kernel_is_compiled_anew_when_what_it_uses_in_another_file_changes_and_else_loaded(run, tmp_path):
    values = {"inner": 2, "factor": 3, "entry": 5, "foreign": 0}
    code = "import outer; print(outer.outer(10), outer.apply(outer.outer, 10))"
    write(tmp_path, **values)
    hits = f"{code}; print(sum(outer.apply.stats.cache_hits.values()))"
    assert [run(hits) for _ in range(2)] == [["65", "65", "0"], ["65", "65", "1"]]
    for change in list(values):
        values[change] += 1
        write(tmp_path, **values)
        expected = str(10 * values["inner"] * values["factor"] + values["entry"] + values["foreign"])
        assert run(code) == [expected, expected], change


def test_a_loop_keeps_what_is_compiled_for_other_kernels_apart(run, tmp_path):
    """In one index, kernels that a process has not loaded vanish before it can be written again."""
    many = "\n".join(f"@kernel\ndef inner_{i}(x):\n    return x + {i}" for i in range(3))
    (tmp_path / "many.py").write_text("from mmgames.kernels.kernel import kernel\n" + many)
    write(tmp_path)
    apply = "import outer; from mmgames.kernels.compiling import Entry; from numba import int64"
    first = f"""{apply}
import many
for i in range(3):
    print(Entry(outer.apply, (getattr(many, f"inner_{{i}}"),), (int64,)).compiled()(10))
"""
    assert run(first) == ["10", "11", "12"]
    assert len(list((tmp_path / "cache").rglob("outer.apply-*.nbi"))) == 3
    assert run(f"{apply}\nprint(Entry(outer.apply, (outer.outer,), (int64,)).compiled()(10))") == ["65"]


def test_kernels_of_one_factory_are_told_apart_by_what_they_close_over(run, tmp_path):
    """In one process and in the next, which finds both in the cache; a kernel, a table and a number are closed over."""
    (tmp_path / "factory.py").write_text("""
from mmgames.kernels.kernel import kernel
import numpy as np
@kernel
def twice(x):
    return 2 * x
@kernel
def thrice(x):
    return 3 * x
def make(inner, table, number):
    @kernel
    def made(x):
        return inner(x) + table[0] * 100 + number
    return made
one, two, three, four = (
    make(*what) for what in (
        (twice, np.array([1]), 5), (thrice, np.array([1]), 5), (twice, np.array([2]), 5), (twice, np.array([1]), 6),
    )
)
@kernel
def apply(function, x):
    return function(x)
""")
    code = "from factory import *; all = (one, two, three, four); print(*(apply(each, 10) for each in all))"
    for _ in range(2):
        *values, stamps = run(f"{code}; print(len({{each.mmgames_stamp for each in all}}))")
        assert values == ["125", "135", "225", "126"] and stamps == "4"


def test_code_for_different_records_that_two_processes_compiled_is_not_mixed_up(run, tmp_path):
    """Numba numbers the records of a process: the first one of each had the same name in the cache."""
    (tmp_path / "counting.py").write_text("""
from mmgames.kernels.kernel import kernel
from mmgames.kernels.records import int16, record
import numpy as np
def states(players):
    made = np.zeros(2, record(points=(int16, players), step=int16))
    made["points"], made["step"] = 1, 7
    return made
@kernel
def total(state):
    found = 100 * state.step
    for seat in range(len(state.points)):
        found += state.points[seat]
    return found
@kernel
def add_up(function, states):
    return function(states[0]) + function(states[1])
""")
    for players in (2, 3):
        code = f"from counting import *; print(add_up(total, states({players})), total(states({players})[0]))"
        assert run(code) == [str(1400 + 2 * players), str(700 + players)]
    both = "from counting import *; print(*(add_up(total, states(each)) for each in (3, 2, 4)))"
    assert run(both) == ["1406", "1404", "1408"]


def test_noise_is_uniform_comes_from_the_generator_and_moves_heuristics_alike():
    drawn = np.zeros(5, int)
    value = np.uint64(1)
    for _ in range(20_000):
        value = np.uint64(scramble(value))
        drawn[below(value, 5)] += 1
    assert drawn.min() > 3700 and drawn.max() < 4300
    assert noise(np.random.default_rng(3)) == noise(np.random.default_rng(3))
    assert noise(np.random.default_rng(3)) != noise(np.random.default_rng(4))
    game = mmgames.load_game("mmgames/CoinDilemma-v0")
    from mmgames.baselines.planners.coin_dilemma import CommonWelfare, SelfInterest

    rng = np.random.default_rng(0)
    for _ in range(50):
        state = game.start(rng)
        for agent in (CommonWelfare, SelfInterest):
            for seat in (0, 1):
                luck = noise(rng)
                assert agent.policy(state.record, seat, luck) == interpreted(agent.policy)(state.record, seat, luck)
    specs = [mmgames.specs[f"mmgames/{name}-v0"] for name in ("CoinDilemma", "KuhnPoker", "TicTacToe")]
    pairs = [f"{spec.package}={spec.id}" for spec in specs]
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "mmgames.testing.records", *pairs]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {spec.id: records(spec) for spec in specs}


def test_kernels_run_uncached_where_no_folder_can_be_written(run, tmp_path):
    write(tmp_path)
    code = """
import errno, tempfile
def read_only(*args, **kwargs):  # what Numba tries a folder with
    raise OSError(errno.EROFS, "Read-only file system")
tempfile.TemporaryFile = read_only
import outer
print(outer.outer(10), outer.apply(outer.outer, 10))
import mmgames
print(len(mmgames.match("CoinDilemma", ["self_interest", "random"], episodes=1).returns()))
"""
    assert run(code) == ["65", "65", "1"] and not list(tmp_path.rglob("*.nb?"))


def test_kernels_run_uncached_where_numba_has_changed_inside(run, tmp_path):
    """What kernels/kernel.py sets in Numba is private: where it is gone nothing is cached, so nothing is stale."""
    write(tmp_path)
    code = """
from numba.core import caching
caching.IndexDataCacheFile = lambda *args, **named: object()
import outer
print(outer.outer(10), outer.apply(outer.outer, 10), outer.outer.stats.cache_path)
"""
    assert run(code) == ["65", "65", "None"]


def test_scipy_is_loaded_only_for_those_who_need_it(run, tmp_path):
    code = """
import sys
from mmgames.kernels.kernel import scramble
import numba, numpy as np
scramble(np.uint64(3))
print("scipy.linalg" in sys.modules)
print(numba.njit(lambda a, b: np.dot(a, b))(np.eye(2), np.ones((2, 2))).sum(), "scipy.linalg" in sys.modules)
"""
    assert run(code) == ["False", "4.0", "True"]
