"""The package as others get it: light to import, whole when installed."""

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
    "urllib3",
)


def run(*command: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command in a foreign folder, with nothing of this test run in its environment."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    env = {**kept, **environment}
    return subprocess.run([str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True)


def run_python(code: str, cwd: Path, python: object = sys.executable, **environment: str) -> str:
    done = run(python, "-c", code, cwd=cwd, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_loads_nothing_heavy(tmp_path: Path) -> None:
    code = "import mmgames, sys, json; mmgames.specs; print(json.dumps([sorted(mmgames.specs), sorted(sys.modules)]))"
    found, modules = json.loads(run_python(code, tmp_path))
    assert set(found) == set(mmgames.specs) and not set(HEAVY) & set(modules)


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


def test_the_wheel_holds_every_source_and_data_file_and_nothing_outside_mmgames(sources: Path, wheel: Path) -> None:
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
    roots = {name.partition("/")[0] for name in inside}
    assert {root for root in roots if not root.endswith(".dist-info")} == {"mmgames"}
    assert not [name for name in inside if name.endswith((".pyc", ".nbi", ".nbc")) or name.startswith("mmgames/tests")]


# VikiChain looks at pictures until it finds paths to ask about: a minute of interpreted code for VikiKitchen's files.
PLAY_EVERYTHING = """
import json, pathlib, numpy as np, mmgames
from mmgames.core import registry
from mmgames.errors import MissingExtra
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
played = []
for spec in mmgames.specs.values():
    if spec.name == "VikiChain":
        continue
    try:
        loaded = registry.load(spec.id)
        live = LiveGame(loaded, loaded.game(**registry.options_here(spec)))
    except MissingExtra:
        continue
    live.start(np.random.default_rng(0))
    for seat in range(len(live.game.seats)):
        Observer(loaded, live.game, observe=("rgb", "text"), size=64).observe(live.view(seat))
    played.append(spec.id)
print(json.dumps([str(pathlib.Path(mmgames.__file__)), played]))
"""
PLAY_IN_A_WINDOW = """
import gymnasium, mmgames, numpy as np
env = gymnasium.make("mmgames/TicTacToe-v0", others="random", render_mode="human")
observation, info = env.reset(seed=1)
over = False
while not over:
    action = int(np.flatnonzero(observation["action_mask"])[0])
    observation, reward, terminated, truncated, info = env.step(action)
    over = terminated or truncated
env.close()
print(reward)
"""
UNCOMPILED = {"NUMBA_DISABLE_JIT": "1"}  # what is elsewhere would be compiled anew; test_kernel.py compares the two


class Installed(NamedTuple):
    """A virtual environment that mmgames is installed into, not editable."""

    home: Path
    python: Path
    script: Path


def borrowing_python(home: Path) -> Path:
    """The interpreter of a new virtual environment.

    The dependencies are borrowed from this interpreter; nothing is downloaded, and the sources stay out of sight
    because a folder named in a .pth file gets none of its own .pth files read.
    """
    venv.create(home, with_pip=False, symlinks=True)
    places = sysconfig.get_paths(vars={"base": str(home), "platbase": str(home)}, scheme="venv")
    borrowed = [folder for folder in sys.path if Path(folder).name in ("site-packages", "dist-packages")]
    Path(places["purelib"], "borrowed.pth").write_text("\n".join(borrowed))
    return Path(places["scripts"]) / Path(sys.executable).name


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    home = tmp_path_factory.mktemp("installed") / "venv"
    python = borrowing_python(home)
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index")
    done = run(*pip, "--no-compile", "--disable-pip-version-check", "--force-reinstall", wheel, cwd=home)
    assert done.returncode == 0, done.stderr
    return Installed(home, python, python.with_name("mmgames"))


def test_an_installed_wheel_plays_every_game_from_anywhere(installed: Installed, tmp_path: Path) -> None:
    where, played = json.loads(run_python(PLAY_EVERYTHING, tmp_path, installed.python, **UNCOMPILED))
    assert Path(where).is_relative_to(installed.home)
    needless = {spec.id for spec in mmgames.specs.values() if spec.extras or spec.name == "VikiChain"}
    assert set(played) >= mmgames.specs.keys() - needless
    listed = run(installed.script, "list", cwd=tmp_path)
    assert listed.returncode == 0, listed.stderr
    assert all(spec.name in listed.stdout for spec in mmgames.specs.values() if spec.namespace == "mmgames")
    out = run_python(PLAY_IN_A_WINDOW, tmp_path, installed.python, SDL_VIDEODRIVER="dummy", **UNCOMPILED)
    assert float(out.splitlines()[-1]) in (-1.0, 0.0, 1.0)
    code = "import numpy as np; from mmgames.kernels.kernel import scramble; scramble(np.uint64(3))"
    run_python(code, tmp_path, installed.python)
    assert list(installed.home.rglob("*.nbc")), "kernels are kept beside the installed sources"


def test_readmes_examples_run_inside_the_clone_and_outside(installed: Installed, sources: Path, tmp_path: Path) -> None:
    """Inside, Python takes the clone's own mmgames, whose mapped folders stand beside it."""
    examples = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.S | re.M)
    assert len(examples) > 2
    code = "\n".join([*examples, "import mmgames.baselines.random, mmgames.assets", "print(mmgames.__file__)"])
    for folder, home in ((sources, sources), (tmp_path, installed.home)):
        assert Path(run_python(code, folder, installed.python, **UNCOMPILED).splitlines()[-1]).is_relative_to(home)


def test_inside_the_clone_nothing_else_is_taken_for_a_part_of_mmgames(installed: Installed, sources: Path) -> None:
    done = run(installed.python, "-c", "import mmgames; import mmgames.setup", cwd=sources)
    assert "No module named 'mmgames.setup'" in done.stderr
    done = run(installed.python, "-c", "import mmgames; import mmgames.baselines.nothing", cwd=sources)
    assert "No module named 'mmgames.baselines.nothing'" in done.stderr
    from mmgames._clone import BESIDE

    assert set(BESIDE) == set(MAPPED) and repr(BESIDE).replace("'", '"') in (sources / "setup.py").read_text("utf-8")


def test_the_version_is_stated_once_and_what_repeats_it_agrees(wheel: Path) -> None:
    assert "version" in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dynamic"]
    assert wheel.name.startswith(f"mmgames-{mmgames.__version__}-")
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M)
    newest = re.search(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert cited and newest and {cited[1], newest[1]} == {mmgames.__version__}


def test_what_users_call_and_need_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    for function in (mmgames.load_game, mmgames.vector_env, mmgames.aec_env, mmgames.match, mmgames.replay):
        assert function.__annotations__["return"] not in ("Any", None), function
    assert "Turn" in mmgames.__all__ and mmgames.Turn.__module__ == "mmgames.core.turn"
    with pytest.raises(AttributeError, match="no attribute 'Turns'"):
        _ = mmgames.Turns
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [one for name, listed in project["optional-dependencies"].items() if name != "all" for one in listed]
    for requirement in (*project["dependencies"], *extras):
        version, _, _ = requirement.partition(";")  # after it comes where the requirement holds
        assert re.fullmatch(r"[\w-]+(\[\w+\])?>=[\w.]+", version), requirement
    monkeypatch.setitem(sys.modules, "pygame", None)
    env = mmgames.aec_env("mmgames/TicTacToe-v0", render_mode="human")
    with pytest.raises(mmgames.MissingExtra, match=r"render_mode=\"human\" needs .* pip install 'mmgames\[window\]'"):
        env.reset(seed=1)
        env.render()


def test_an_editable_install_is_a_path_that_type_checkers_follow(sources: Path, tmp_path: Path) -> None:
    code = "import sys; from setuptools import build_meta; print(build_meta.build_editable(sys.argv[1]))"
    done = run(sys.executable, "-c", code, tmp_path, cwd=sources)
    assert done.returncode == 0, done.stderr
    (made,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(made) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
        assert len(names) == 1 and names[0].endswith(".pth"), "no import hook"
        assert archive.read(names[0]).decode().strip() == str(sources)
