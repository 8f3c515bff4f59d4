"""Programs that some tests need and pip cannot install.

A test says which one it needs: `@pytest.mark.program("stockfish")`; whoever asks for the fixture `browser` has said so.
Where the program is missing the test is skipped, and the reason names the package; with MMGAMES_REQUIRE=all it fails.
All other tests run as on a machine without these programs, whatever is installed, so none can need one by accident.
`pytest --hide-programs -m program` shows what a bare machine does with the tests that need one.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

uci: Any
try:
    from mmgames.baselines.search import uci
except ImportError:  # without the extra `chess` nobody looks for engines
    uci = None

LAVAPIPE = Path("/usr/share/vulkan/icd.d/lvp_icd.x86_64.json")


def _something_draws() -> bool:
    from mmgames.embodied._scenes import renderer

    return renderer.find().kind != "none"


class Program(NamedTuple):
    what: str
    package: str
    commands: tuple[str, ...] = ()
    found: Callable[[], bool] | None = None
    """For what is no command."""


PROGRAMS = {
    "stockfish": Program("the chess engine Stockfish", "stockfish", ("stockfish",)),
    "browser": Program("a browser", "chromium", ("chromium", "google-chrome", "chromium-browser")),
    "git": Program("git", "git", ("git",)),
    "openssl": Program("openssl", "openssl", ("openssl",)),
    "ip": Program("ip", "iproute2", ("ip",)),
    "pgrep": Program("pgrep", "procps", ("pgrep",)),
    "unshare": Program("unshare", "util-linux", ("unshare",)),
    "vulkan": Program("a Vulkan driver", "chromium libvulkan1", found=_something_draws),
    "lavapipe": Program("Mesa's software Vulkan", "mesa-vulkan-drivers", found=LAVAPIPE.exists),
}


def path_of(name: str) -> str | None:
    """Where a program is; an engine may be in one more folder."""
    folders = os.pathsep.join((os.environ["PATH"], uci.ALSO_LOOK_IN if uci else ""))
    return next(filter(None, (shutil.which(command, path=folders) for command in PROGRAMS[name].commands)), None)


def why_missing(name: str) -> str:
    """The sentence about a program that is not here; empty where it is."""
    program = PROGRAMS[name]
    if program.found() if program.found else path_of(name):
        return ""
    return f"This test needs {program.what}, which is not installed here: apt-get install {program.package}."


def required() -> bool:
    """Whether a missing program is a failure."""
    wanted = os.environ.get("MMGAMES_REQUIRE", "")
    if wanted not in ("", "all"):
        raise ValueError(f"MMGAMES_REQUIRE={wanted} means nothing; set it to all, or leave it out.")
    return wanted == "all"


class Curtain:
    """Hides all these programs, or shows what there is of them."""

    def __init__(self, folder: Path) -> None:
        """`folder` is an empty one, for links to everything else in those folders of the PATH that hold a program."""
        self._path, self._also_look_in = os.environ["PATH"], uci.ALSO_LOOK_IN if uci else ""
        self._bare_path = os.pathsep.join(self._without_programs(folder))

    def hide(self) -> None:
        self._set(self._bare_path, "")

    def lift(self) -> None:
        self._set(self._path, self._also_look_in)

    def hide_drivers(self) -> None:
        """Once for a whole run: a process looks only once for what draws in 3D."""
        os.environ["VK_DRIVER_FILES"] = os.environ["VK_ICD_FILENAMES"] = "/nowhere/driver.json"

    def _set(self, path: str, also_look_in: str) -> None:
        os.environ["PATH"] = path
        if uci:
            uci.ALSO_LOOK_IN = also_look_in

    def _without_programs(self, folder: Path) -> list[str]:
        commands = {command for program in PROGRAMS.values() for command in program.commands}
        bare = []
        for number, place in enumerate(self._path.split(os.pathsep)):
            if any(os.path.lexists(os.path.join(place, command)) for command in commands):
                links = folder / str(number)
                links.mkdir()
                for entry in os.scandir(place):
                    if entry.name not in commands:
                        links.joinpath(entry.name).symlink_to(entry.path)
                place = str(links)
            bare.append(place)
        return bare
