"""Games, tasks, agents, suites and data sets are found, wherever they come from; what is broken harms nobody."""

import json
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import mmgames
from mmgames.commands import _new_game
from mmgames.datasets import datasets
from mmgames.suites import suites
from tests.test_package import ROOT, run_python


@cache
def pebble_race() -> dict[str, str]:
    """The modules of a game as `mmgames new` writes them."""
    with tempfile.TemporaryDirectory() as folder:
        written = _new_game.write(Path(folder), _new_game.Names("PebbleRace", "acme"))
        return {path.name: path.read_text("utf-8") for path in written if "src" in path.parts}


def write_package(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text.lstrip())


ACME = {
    "tasks.py": """
from mmgames.tasks import TaskSpec
from mmgames.tasks.questions import Question, Source


class Count(Source):
    num_answers = 3

    def ask(self, rng):
        sides = int(rng.integers(3))
        return Question((), f"How many? It is {sides}.", {n: str(n) for n in range(3)}, frozenset([sides]), sides)


def declare():
    yield TaskSpec("Dice-Count", "count", "acme/PebbleRace-v0", "count", "acme_dice.tasks:Count", namespace="acme")
""",
    "agents.py": """
class Optimist:
    def act(self, turn):
        return turn.legal[0]
""",
    "suite.py": """
from mmgames.suites.entries import SuiteEntry
from mmgames.suites.protocols import self_play
from mmgames.suites.suite import Suite


class Dice(Suite):
    def arguments(self, parser):
        parser.add_argument("--loudly", action="store_true")

    def plot(self, args, results):
        print("LOUD" if args.loudly else "quiet")
        return {}


ENTRY = SuiteEntry("acme/PebbleRace-v0", "luck", self_play, oracle="random", normal=(0.0, 1.0), published={})
DICE = Dice(name="dice", title="Dice", entries=(ENTRY,))
""",
    "data.py": """
from pathlib import Path


def arguments(parser):
    parser.add_argument("--sides", type=int, default=6)


def build(out, *, seed, processes, progress, sides):
    Path(out).write_text(f"{seed} {sides}")
    return {"sides": sides}


def table(report, out):
    return f"{out}: {report['sides']} sides"
""",
    "odd.py": "raise RuntimeError('the dice rolled away')",
}
ENTRIES = """
[mmgames.games]
pebble_race = acme_dice
old_game = acme_gone:SPEC
[mmgames.tasks]
count = acme_dice.tasks
old_task = acme_dice.odd
[mmgames.agents]
optimist = acme_dice.agents:Optimist
old_agent = acme_dice.odd:Agent
human = acme_dice.agents:Optimist
[mmgames.suites]
dice = acme_dice.suite:DICE
old_suite = acme_dice.data
[mmgames.datasets]
dice-data = acme_dice.data
old_data = acme_dice.odd
"""
BROKEN = dict.fromkeys(("old_task", "old_agent", "old_data"), "the dice rolled away")
BROKEN |= {"old_game": "acme_gone", "human": "there is another agent 'human'", "old_suite": "it declares no SUITE"}


@pytest.fixture
def with_acme(tmp_path: Path) -> Callable[[str], str]:
    """Runs Python where another distribution is installed, which brings one of each kind, and some that are broken."""
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    elsewhere.mkdir()
    write_package(site / "acme_dice", {**pebble_race(), **ACME})
    metadata = "Metadata-Version: 2.1\nName: acme-dice\nVersion: 1.0\n"
    write_package(site / "acme_dice-1.0.dist-info", {"METADATA": metadata, "entry_points.txt": ENTRIES})
    return lambda code: run_python(code, elsewhere, PYTHONPATH=str(site))


def test_another_distribution_brings_one_of_each_kind(with_acme: Callable[[str], str]) -> None:
    code = """
import warnings
warnings.simplefilter("ignore")
import gymnasium, pettingzoo, mmgames
from mmgames.cli import main
env = gymnasium.make("acme/PebbleRace-v0", others="optimist")
print(env.reset(seed=1)[0]["legal_actions"], env.step(0)[2])
print(pettingzoo.make("parallel", "acme/PebbleRace-v0").possible_agents)
task = gymnasium.make("acme/Dice-Count-v0", observe=("text", "action_mask"))
print(task.reset(seed=1)[0]["text"].count("How many?"))
print(mmgames.match("acme/PebbleRace-v0", "optimist", episodes=3).summary()["failed"])
print(main(["eval", "dice", "--agent", "optimist", "--episodes", "2", "--loudly", "--processes", "1"]))
print(main(["dataset", "dice-data", "thrown", "--sides", "8", "--seed", "3"]), open("thrown").read())
print(main(["eval", "dice", "--turns", "x"]), main(["dataset", "dice-data", "thrown", "--bands"]))
"""
    told = with_acme(code).splitlines()
    assert told[:4] == ["('push 1', 'push 2', 'push 3') False", "['red', 'blue']", "1", "0"]
    assert "LOUD" in told and any(line.startswith("PebbleRace") for line in told)
    assert told[-3:] == ["thrown: 8 sides", "0 3 8", "2 2"]


def test_what_is_broken_elsewhere_is_named_once_and_harms_nobody(with_acme: Callable[[str], str]) -> None:
    code = """
import json, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import mmgames
    from mmgames import datasets, suites
    for _ in range(2):
        suites.suites(), datasets.datasets(), mmgames.agents.finding.known_agents(mmgames.specs["acme/PebbleRace-v0"])
    warned = [str(warning.message) for warning in caught]
    try:
        mmgames.match("acme/PebbleRace-v0", "old_agent", episodes=1)
    except mmgames.MmgamesError as error:
        asked = str(error)
import contextlib, io
from mmgames.cli import main
with contextlib.redirect_stderr(io.StringIO()) as listed, contextlib.redirect_stdout(io.StringIO()) as out:
    main(["list"])
print(json.dumps([warned, asked, listed.getvalue().splitlines(), out.getvalue(), sorted(mmgames.specs)]))
"""
    warned, asked, listed, out, found = json.loads(with_acme(code))
    lazily = {"old_agent"}  # nobody imports an agent before it is asked to play, but for the list
    for name, reason in BROKEN.items():
        assert [reason in message for message in warned if f"{name!r}" in message] == ([] if name in lazily else [True])
        assert [reason in line for line in listed if f"entry point {name!r}" in line] == [True]
    assert len(warned) == len(BROKEN) - 1 and len(listed) == len(BROKEN)
    assert "'old_agent' did not load" in asked and "the dice rolled away" in asked
    assert "suites: " in out and "dice" in out and "dice-data" in out and set(mmgames.specs) < set(found)


@pytest.fixture(scope="module")
def with_odd_folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package whose games folder has grown some that do not work."""
    home = tmp_path_factory.mktemp("odd") / "copy"
    shutil.copytree(ROOT / "mmgames", home / "mmgames", ignore=shutil.ignore_patterns("__pycache__"))
    games = home / "mmgames" / "games"
    spec = pebble_race()["__init__.py"].replace('namespace="acme",', "")
    write_package(games / "raising", {"__init__.py": "raise RuntimeError('the dice rolled away')"})
    write_package(games / "misspelt", {"__init__.py": "def ("})
    write_package(games / "unspecified", {"__init__.py": '"""Says nothing of itself."""'})
    write_package(games / "twin", {"__init__.py": spec.replace("PebbleRace", "TicTacToe")})
    needy = spec.replace("PebbleRace", "Needy").replace("length=21", 'length=21, extras=("atari",)')
    write_package(games / "needy", {**pebble_race(), "__init__.py": needy, "rules.py": "import surely_not_installed"})
    halfway = {"__init__.py": spec.replace("PebbleRace", "Halfway"), "words.py": "names = rules = 1 / 0"}
    write_package(games / "halfway", {**pebble_race(), **halfway})
    for kind in ("tasks", "suites/papers", "datasets"):
        (home / "mmgames" / kind / "odd.py").write_text(f"raise RuntimeError('no {kind} today')")
    return home


def test_a_folder_that_does_not_load_is_named_and_harms_nobody(with_odd_folders: Path) -> None:
    code = """
import json, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import mmgames
    from mmgames import datasets, suites
    kept = [*suites.suites(), *datasets.datasets(), *mmgames.tasks.specs]
from mmgames.core import registry
problems = {}
for id in ("Raising", "mmgames/Misspelt-v0", "Unspecified"):
    try:
        registry.find(id)
    except mmgames.MmgamesError as error:
        problems[id] = str(error)
live = registry.load("mmgames/TicTacToe-v0")
warned = [str(warning.message) for warning in caught]
print(json.dumps([mmgames.__file__, sorted(mmgames.specs), warned, problems, kept]))
"""
    file, found, warned, problems, kept = json.loads(run_python(code, with_odd_folders))
    assert Path(file).is_relative_to(with_odd_folders)
    ours = {id for id, spec in mmgames.specs.items() if spec.package.startswith("mmgames.")}
    assert set(found) == ours | {"mmgames/Needy-v0", "mmgames/Halfway-v0"}
    said = {f"{kind}/odd": f"no {kind} today" for kind in ("tasks", "suites/papers", "datasets")}
    said |= {"games/raising": "RuntimeError: the dice rolled away", "games/misspelt": "SyntaxError"}
    said |= {"games/unspecified": "declares no SPEC", "games/twin": "mmgames/TicTacToe-v0 is taken"}
    for folder, reason in said.items():
        assert [reason in message for message in warned if f"mmgames/{folder}" in message] == [True]
    assert len(warned) == len(said) and kept == [*suites(), *datasets(), *mmgames.tasks.specs]
    assert "mmgames/games/raising" in problems["Raising"] and "the dice rolled away" in problems["Raising"]
    assert "mmgames/games/misspelt" in problems["mmgames/Misspelt-v0"]
    assert "declares no SPEC" in problems["Unspecified"]


def test_a_missing_extra_is_named_with_the_command_that_installs_it(with_odd_folders: Path) -> None:
    code = """
import json, warnings
warnings.simplefilter("ignore")
import gymnasium, pettingzoo, mmgames
said = []
for make in (
    lambda: gymnasium.make("mmgames/Needy-v0"),
    lambda: pettingzoo.make("aec", "mmgames/Needy-v0"),
    lambda: mmgames.parallel_env("Needy"),
    lambda: mmgames.load_game("Needy"),
):
    try:
        make()
    except mmgames.MissingExtra as error:
        said.append(str(error))
try:
    gymnasium.make("mmgames/Halfway-v0")
except mmgames.MmgamesError as error:
    halfway = str(error)
print(json.dumps([said, halfway]))
"""
    said, halfway = json.loads(run_python(code, with_odd_folders))
    assert len(said) == 4
    assert all("pip install 'mmgames[atari]'" in message and "mmgames/Needy-v0" in message for message in said)
    assert "mmgames/games/halfway/words.py" in halfway and "ZeroDivisionError" in halfway
