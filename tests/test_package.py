"""The package as others get it: light to import, whole when installed, open to games from elsewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

import mmgames

ROOT = Path(__file__).parents[1]
MAPPED = ("wrappers", "baselines", "assets")  # top-level folders that are installed inside mmgames
HEAVY = (
    *("numba", "llvmlite", "pyspiel", "open_spiel", "torch", "stable_baselines3", "sb3_contrib", "pygame", "PIL"),
    *("scipy", "matplotlib", "pandas", "chess", "ale_py", "multi_agent_ale_py", "openai", "mani_skill", "sapien"),
)


def run(*command: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command in a foreign folder, with nothing of this test run in its environment."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return subprocess.run(
        [str(part) for part in command], cwd=cwd, env={**kept, **environment}, capture_output=True, text=True
    )


def run_python(code: str, cwd: Path, python: object = sys.executable, **environment: str) -> str:
    done = run(python, "-c", code, cwd=cwd, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_loads_nothing_heavy(tmp_path: Path) -> None:
    code = "import mmgames, sys, json; mmgames.specs; print(json.dumps([sorted(mmgames.specs), sorted(sys.modules)]))"
    found, modules = json.loads(run_python(code, tmp_path))
    assert set(found) == set(mmgames.specs)
    assert not set(HEAVY) & set(modules)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the package is made of, with nothing left over from an earlier build."""
    copy = tmp_path_factory.mktemp("sources")
    for folder in ("mmgames", *MAPPED):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    return copy


@pytest.fixture(scope="module")
def wheel(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    done = run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, sources, cwd=out)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_holds_every_source_and_data_file(sources: Path, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    for folder in ("mmgames", *MAPPED):
        wanted = {path.relative_to(sources).as_posix() for path in (sources / folder).rglob("*") if path.is_file()}
        installed = wanted if folder == "mmgames" else {f"mmgames/{name}" for name in wanted}
        assert installed - inside == set()
    assert {"mmgames/py.typed", "mmgames/wrappers/__init__.py", "mmgames/baselines/random.py"} <= inside
    for spec in mmgames.specs.values():
        if spec.package.startswith("mmgames."):
            folder = spec.package.replace(".", "/")
            assert {f"{folder}/{room}.py" for room in ("__init__", "rules", "picture", "words")} <= inside


def test_the_wheel_installs_nothing_outside_mmgames(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = archive.namelist()
    roots = {name.partition("/")[0] for name in inside}
    assert {root for root in roots if not root.endswith(".dist-info")} == {"mmgames"}
    assert not [name for name in inside if name.endswith((".pyc", ".nbi", ".nbc"))]
    assert not [name for name in inside if name.startswith("mmgames/tests")]


PLAY_EVERYTHING = """
import json, pathlib, numpy as np, mmgames
from mmgames.core import registry
from mmgames.core.errors import MissingExtra
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
played = []
for spec in mmgames.specs.values():
    try:
        loaded = registry.load(spec.id)
    except MissingExtra:
        continue
    live = LiveGame(loaded, loaded.game())
    live.start(np.random.default_rng(0))
    for seat in range(len(live.game.seats)):
        Observer(loaded, live.game, observe=("rgb", "text"), size=96).observe(live.view(seat))
    played.append(spec.id)
import gymnasium
env = gymnasium.make("mmgames/TicTacToe-v0", others="random", render_mode="human")
observation, info = env.reset(seed=1)
over = False
while not over:
    action = int(np.flatnonzero(observation["action_mask"])[0])
    observation, reward, terminated, truncated, info = env.step(action)
    over = terminated or truncated
env.close()
print(json.dumps([str(pathlib.Path(mmgames.__file__)), played, reward]))
"""


class Installed(NamedTuple):
    """A virtual environment that mmgames is installed into, not editable."""

    home: Path
    python: Path
    script: Path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    home = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    places = sysconfig.get_paths(vars={"base": str(home), "platbase": str(home)}, scheme="venv")
    # The dependencies are borrowed from this interpreter; nothing is downloaded, and the sources stay out of sight
    # because a folder named in a .pth file gets none of its own .pth files read.
    borrowed = [folder for folder in sys.path if Path(folder).name in ("site-packages", "dist-packages")]
    Path(places["purelib"], "borrowed.pth").write_text("\n".join(borrowed))
    python = Path(places["scripts"]) / Path(sys.executable).name
    done = run(
        *(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index"),
        *("--disable-pip-version-check", "--force-reinstall", wheel),
        cwd=home,
    )
    assert done.returncode == 0, done.stderr
    return Installed(home, python, Path(places["scripts"]) / "mmgames")


def test_an_installed_wheel_plays_every_game_from_anywhere(installed: Installed, tmp_path: Path) -> None:
    out = run_python(PLAY_EVERYTHING, tmp_path, installed.python, SDL_VIDEODRIVER="dummy")
    where, played, reward = json.loads(out.splitlines()[-1])
    assert Path(where).is_relative_to(installed.home)
    assert set(played) >= {spec.id for spec in mmgames.specs.values() if not spec.extras}
    assert reward in (-1.0, 0.0, 1.0)

    listed = run(installed.script, "list", cwd=tmp_path)
    assert listed.returncode == 0, listed.stderr
    assert all(spec.name in listed.stdout for spec in mmgames.specs.values() if spec.namespace == "mmgames")


def test_readmes_examples_run_inside_the_clone_and_outside(installed: Installed, sources: Path, tmp_path: Path) -> None:
    """Inside, Python takes the clone's own mmgames, whose mapped folders stand beside it."""
    examples = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.S | re.M)
    assert len(examples) > 2
    code = "\n".join([*examples, "import mmgames.baselines.random, mmgames.assets", "print(mmgames.__file__)"])
    for folder, home in ((sources, sources), (tmp_path, installed.home)):
        where = run_python(code, folder, installed.python).splitlines()[-1]
        assert Path(where).is_relative_to(home)


def test_inside_the_clone_nothing_else_is_taken_for_a_part_of_mmgames(installed: Installed, sources: Path) -> None:
    done = run(installed.python, "-c", "import mmgames; import mmgames.setup", cwd=sources)
    assert "No module named 'mmgames.setup'" in done.stderr
    done = run(installed.python, "-c", "import mmgames; import mmgames.baselines.nothing", cwd=sources)
    assert "No module named 'mmgames.baselines.nothing'" in done.stderr


def test_the_clone_knows_the_folders_that_setup_maps(sources: Path) -> None:
    from mmgames._clone import BESIDE

    assert set(BESIDE) == set(MAPPED)
    assert repr(BESIDE).replace("'", '"') in (sources / "setup.py").read_text("utf-8")


HIGH_OR_LOW = {
    "__init__.py": '''
"""Say whether a die will come up high or low."""
from mmgames.core.spec import GameSpec

SPEC = GameSpec(
    name="HighOrLow", package=__name__, namespace="acme", summary="guess a die", seats=("guesser",),
    dynamics="sequential", information="perfect", utility="general_sum", actions="discrete", chance="incidental",
    length=1, source="acme", family="dice",
)
''',
    "rules.py": """
from mmgames.core.game import Game


class HighOrLow(Game):
    num_actions = 2

    def start(self, rng):
        return ()

    def movers(self, state):
        return () if state else (0,)

    def legal(self, state, seat):
        return (0, 1)

    def play(self, state, actions, rng):
        return (actions[0], int(rng.integers(6)))

    def returns(self, state):
        return (float(bool(state) and (state[1] > 2) == (state[0] == 0)),)

    def view(self, state, seat):
        from collections import namedtuple

        return namedtuple("View", "seat state")(seat, state)
""",
    "picture.py": """
import numpy as np


def draw(view, size=512):
    return np.full((size, size, 3), 40 * len(view.state), np.uint8)


def features(view):
    return np.full(1, float(bool(view.state)), np.float32)
""",
    "words.py": """
def names(view):
    return {} if view.state else {0: "high", 1: "low"}


def rules(view):
    return "A die is thrown after your guess."


def you(view):
    return "You guess."


def history(view):
    return "It has been thrown." if view.state else "It has not been thrown."


describe = history
""",
}


def write_package(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text.lstrip())


def test_a_game_from_another_distribution_is_found_by_its_entry_point(tmp_path: Path) -> None:
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    elsewhere.mkdir()
    write_package(site / "acme_dice", HIGH_OR_LOW)
    entries = "[mmgames.games]\nhigh_or_low = acme_dice\nold_one = acme_gone:SPEC\n"
    metadata = "Metadata-Version: 2.1\nName: acme-dice\nVersion: 1.0\n"
    write_package(site / "acme_dice-1.0.dist-info", {"METADATA": metadata, "entry_points.txt": entries})
    code = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import mmgames
import gymnasium, pettingzoo
env = gymnasium.make("acme/HighOrLow-v0")
print(env.reset(seed=1)[0]["legal_actions"], env.step(0)[2])
print(pettingzoo.make("parallel", "acme/HighOrLow-v0").possible_agents, "mmgames/TicTacToe-v0" in mmgames.specs)
print(*(warning.message for warning in caught))
"""
    played, listed, warned = run_python(code, elsewhere, PYTHONPATH=str(site)).splitlines()
    assert played == "('high', 'low') True"
    assert listed == "['guesser'] True"
    assert "'old_one'" in warned and "acme_gone" in warned and "HighOrLow" not in warned


@pytest.fixture
def with_odd_folders(tmp_path: Path) -> Path:
    """A copy of the package whose games folder has grown some that do not work."""
    home = tmp_path / "copy"
    shutil.copytree(ROOT / "mmgames", home / "mmgames", ignore=shutil.ignore_patterns("__pycache__"))
    games = home / "mmgames" / "games"
    spec = HIGH_OR_LOW["__init__.py"].replace('namespace="acme", ', "")
    write_package(games / "raising", {"__init__.py": "raise RuntimeError('the dice rolled away')"})
    write_package(games / "misspelt", {"__init__.py": "def ("})
    write_package(games / "unspecified", {"__init__.py": '"""Says nothing of itself."""'})
    write_package(games / "twin", {"__init__.py": spec.replace("HighOrLow", "TicTacToe")})
    write_package(
        games / "needy",
        {
            **HIGH_OR_LOW,
            "__init__.py": spec.replace("HighOrLow", "Needy").replace("length=1", 'length=1, extras=("atari",)'),
            "rules.py": "import surely_not_installed",
        },
    )
    write_package(
        games / "halfway",
        {**HIGH_OR_LOW, "__init__.py": spec.replace("HighOrLow", "Halfway"), "words.py": "names = rules = 1 / 0"},
    )
    return home


def test_a_folder_that_does_not_load_is_named_and_harms_nobody(with_odd_folders: Path) -> None:
    code = """
import json, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import mmgames
from mmgames.core import registry
problems = {}
for id in ("Raising", "mmgames/Misspelt-v0", "Unspecified"):
    try:
        registry.find(id)
    except mmgames.MmgamesError as error:
        problems[id] = str(error)
live = registry.load("mmgames/TicTacToe-v0")
print(json.dumps([mmgames.__file__, sorted(mmgames.specs), [str(warning.message) for warning in caught], problems]))
"""
    file, found, warned, problems = json.loads(run_python(code, with_odd_folders))
    assert Path(file).is_relative_to(with_odd_folders)
    ours = {id for id, spec in mmgames.specs.items() if spec.package.startswith("mmgames.")}
    assert set(found) == ours | {"mmgames/Needy-v0", "mmgames/Halfway-v0"}
    said = {
        "mmgames/games/raising": "RuntimeError: the dice rolled away",
        "mmgames/games/misspelt": "SyntaxError",
        "mmgames/games/unspecified": "declares no SPEC",
        "mmgames/games/twin": "mmgames/TicTacToe-v0 is taken",
    }
    for folder, reason in said.items():
        assert [reason in message for message in warned if folder in message] == [True]
    assert len(warned) == len(said)
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


def test_a_window_without_pygame_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    env = mmgames.aec_env("mmgames/TicTacToe-v0", render_mode="human")
    with pytest.raises(mmgames.MissingExtra, match=r"render_mode=\"human\" needs .* pip install 'mmgames\[window\]'"):
        env.reset(seed=1)
        env.render()


def test_what_is_required_has_a_floor_and_no_cap() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [one for name, listed in project["optional-dependencies"].items() if name != "all" for one in listed]
    for requirement in (*project["dependencies"], *extras):
        assert re.fullmatch(r"[\w-]+>=[\w.]+", requirement), requirement
