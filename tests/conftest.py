"""Every test that asks for `spec` runs once for each registered game; nobody keeps a list.

See mmgames/testing for the kinds of games that a test can ask for, and programs.py for tests that need a program.
"""

import gc
import importlib.util
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

os.environ["SDL_VIDEODRIVER"] = "dummy"  # before anything imports pygame: windows open nowhere, whatever is set
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: workers and their processes share the cores already

import pytest
from hypothesis import HealthCheck, settings

import mmgames
from mmgames.core import registry
from mmgames.testing import for_each_game, left_out
from tests import programs

# Examples are drawn the same way in every run, but for the words of modules that happen to be loaded, which Hypothesis
# mixes in: a law has to hold for any words. No example is timed: a busy machine is not a defect.
settings.register_profile(
    "suite", deadline=None, derandomize=True, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")

LONGEST_FIRST = (
    *("test_every_game.py", "test_kernel.py", "test_compiling.py", "test_package.py", "test_runner.py"),
    *("test_match.py", "test_results_files.py", "test_examples.py", "test_dataset.py", "test_lvlm_playground.py"),
    *("test_cli.py", "test_vs_bench_suite.py", "test_viki_suite.py"),
)
"""Files that take longest: workers begin with them, so that none has one left when the others are done."""

collect_ignore_glob = [] if importlib.util.find_spec("torch") else ["hf/test_*.py", "trainers/test_*.py"]
"""Tests that wait for the environment with PyTorch: `make hf` and `make test-trainers`."""

CURTAIN: pytest.StashKey[programs.Curtain] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--hide-programs", action="store_true", help="test as on a machine without tests/programs.py's")
    parser.addoption(
        "--extras", default="", help="extras that are installed here: a game of theirs that is missing is an error"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "program(name): needs this program, see tests/programs.py")
    programs.required()
    promised = set(filter(None, config.getoption("--extras").split(",")))
    missing = left_out(mmgames.specs.values())
    broken = [why for id, why in missing.items() if promised.issuperset(mmgames.specs[id].extras)]
    if broken:
        raise pytest.UsageError("\n".join(broken))
    folder = tempfile.TemporaryDirectory()
    config.add_cleanup(folder.cleanup)
    config.stash[CURTAIN] = programs.Curtain(Path(folder.name))
    config.add_cleanup(config.stash[CURTAIN].lift)
    if config.getoption("--hide-programs"):
        config.stash[CURTAIN].hide_drivers()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    games: dict[str, list[str]] = {}
    for id in left_out(mmgames.specs.values()):
        games.setdefault(",".join(mmgames.specs[id].extras), []).append(mmgames.specs[id].name)
    for extra, names in games.items():
        terminalreporter.write_line(f"not collected: {', '.join(names)}; pip install 'mmgames[{extra}]'")
    for ignored in collect_ignore_glob:
        terminalreporter.write_line(f"not collected: tests/{ignored}, which need PyTorch")
    instead = [spec.name for spec in mmgames.specs.values() if registry.options_here(spec)]
    if instead:
        terminalreporter.write_line(f"in the conformance kit, without their extra: {', '.join(instead)}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.cls is None or not hasattr(metafunc.cls, "pytest_generate_tests"):  # the kit's classes bring their own
        for_each_game(metafunc, mmgames.specs.values())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.program("browser"))
    order = {name: place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: order.get(item.path.name, len(order)))  # the rest stays in its order


def pytest_collection_finish() -> None:
    """Modules and thousands of tests stay as long as the process: looking through them for garbage finds none."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test sees programs if it says that it needs one, and none otherwise."""
    names = [mark.args[0] for mark in item.iter_markers("program")]
    curtain = item.config.stash[CURTAIN]
    if names and not item.config.getoption("--hide-programs"):
        curtain.lift()
    else:
        curtain.hide()
    for why in filter(None, map(programs.why_missing, names)):
        if programs.required():
            pytest.fail(why, pytrace=False)
        pytest.skip(why)


@pytest.fixture(autouse=True)
def own_games() -> Iterator[None]:
    """A game that a test brought along, a guest or one with talk, is known to no other test."""
    before = mmgames.specs.copy()
    yield
    if mmgames.specs.keys() != before.keys():
        mmgames.specs.clear()
        mmgames.specs.update(before)


@pytest.fixture
def study_clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The clock by which a study waits for people; a test puts it `ahead`, so that no busy machine decides."""
    from mmgames.studies import hosted_study

    clock = SimpleNamespace(ahead=0.0)
    monkeypatch.setattr(hosted_study, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + clock.ahead))
    return clock


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser without a screen."""
    with pytest.importorskip("playwright.sync_api").sync_playwright() as engine:
        opened = engine.chromium.launch(executable_path=programs.path_of("browser"), args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    """The page's server, and whoever asks it."""
    from tests.play_server import serving

    with serving(tmp_path / "records") as client:
        yield client


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Any]:
    """A server of rooms, as its host sees it."""
    from tests.room_server import serving

    with serving(tmp_path / "records") as host:
        yield host
