"""What draws the 3D scenes: which graphics device there is, and what SAPIEN and ManiSkill must know before they start.

`find()` only asks the Vulkan loader. `start_sapien()` sets the driver, imports SAPIEN and tries it; `start_maniskill()`
does that and makes ManiSkill safe to use: no questions on the terminal, devices without CUDA. What ManiSkill imports
for plots, notebooks and downloads, a fifth of its start, is imported when it is used.
Nothing here is imported by `import mmgames`, and SAPIEN not before one of the two is called.
"""

import ctypes
import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NamedTuple, NoReturn

from mmgames.core.registry import missing_extra
from mmgames.embodied._scenes.solids import read
from mmgames.errors import MissingExtra, MissingHere, MmgamesError

SHADER_FOLDER = Path(__file__).parent / "shaders"
SKY = (0.86, 0.90, 0.94)
"""What is behind everything, as the shader would show it."""

MEND = "install a graphics driver, or software Vulkan: apt install chromium libvulkan1"


_KNOWN = read("drivers")
DRIVER_VARIABLES: tuple[str, ...] = _KNOWN["variables"]
"""What the loader reads, the newer name first; SAPIEN brings a loader that may know the older one alone."""

SWIFTSHADER: tuple[str, ...] = _KNOWN["swiftshader"]
"""Where browsers keep SwiftShader, a Vulkan driver that runs on any processor."""

NVIDIA, PROCESSOR = 0x10DE, 4


class Device(NamedTuple):
    name: str
    vendor: int
    kind: int  # VkPhysicalDeviceType

    @property
    def software(self) -> bool:
        return self.kind == PROCESSOR


class Renderer(NamedTuple):
    """What was found. `driver` is the file that the Vulkan loader has to be given; empty: it finds its own."""

    kind: Literal["cuda", "vulkan", "software", "none"]
    sentence: str
    driver: str = ""


def find() -> Renderer:
    """The best device for pictures: CUDA, any other Vulkan device, software Vulkan, none; and why."""
    for variable in DRIVER_VARIABLES:
        if os.environ.get(variable):
            return _chosen(variable, os.environ[variable])
    if not has_loader():
        return Renderer("none", f"There is no Vulkan loader (libvulkan.so.1) for 3D pictures; {MEND}.")
    drivers = installed_drivers()
    hardware = [driver for driver in drivers if not is_lavapipe(driver)]
    found = [device for device in devices(hardware) if not device.software]
    cuda = has_cuda()
    nvidia = next((device for device in found if device.vendor == NVIDIA), None)
    if cuda and nvidia:
        return Renderer("cuda", f"3D pictures are drawn by {nvidia.name}, which CUDA and Vulkan both find.")
    if found:
        return Renderer("vulkan", f"3D pictures are drawn by {found[0].name}, a Vulkan device; CUDA does not reach it.")
    why = "CUDA finds a device, but no Vulkan driver for it" if cuda else "there is no graphics device"
    software = [("SwiftShader", path) for path in SWIFTSHADER if Path(path).is_file()]
    software += [("lavapipe", str(driver)) for driver in drivers if is_lavapipe(driver)]
    for name, driver in software:
        return Renderer("software", f"3D pictures are drawn by {name} on the processor: {why}.", driver)
    return Renderer("none", f"Nothing can draw 3D pictures here: {why} and no software Vulkan; {MEND}.")


def _chosen(variable: str, value: str) -> Renderer:
    """What the user has chosen by the loader's own variable."""
    found = devices(value.split(os.pathsep))
    if not found:
        return Renderer("none", f"{variable}={value} names no driver that works; unset it, or {MEND}.", value)
    device = min(found, key=lambda one: one.software)
    kind: Any = "software" if device.software else "vulkan"
    if device.vendor == NVIDIA and has_cuda():
        kind = "cuda"
    return Renderer(kind, f"3D pictures are drawn by {device.name}, as {variable} says.", value)


@lru_cache(maxsize=1)
def _started() -> tuple[Renderer, Any, str, int]:
    _demand("sapien")  # who lacks it too is not sent for a driver first
    found = find()
    if found.kind == "none":
        raise MissingHere(found.sentence)
    if found.driver:
        os.environ.update(dict.fromkeys(DRIVER_VARIABLES, found.driver))
    import sapien

    try:
        with quietly():
            device = sapien.render.RenderSystem().device
    except RuntimeError as error:
        old = " Mesa 25 or newer is needed for lavapipe." if is_lavapipe(Path(found.driver)) else ""
        raise MissingHere(
            f"SAPIEN refuses the Vulkan driver {found.driver or 'of this machine'} ({error}).{old} It may be too old: "
            f"{MEND}."
        ) from error
    return found, sapien, str(device), os.getpid()


@contextmanager
def quietly() -> Iterator[None]:
    """While a device is opened: SwiftShader then lists on stderr what it was asked for and does not know."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _demand(package: str) -> None:
    if importlib.util.find_spec(package) is None:
        raise MissingExtra(missing_extra("A scene rendered by SAPIEN", ("embodied",)) + ' scene="drawn" needs none.')


def start_sapien(*packages: str) -> tuple[Renderer, Any]:
    """What draws, and the module `sapien`, tried and ready. Raises a sentence if there is nothing to draw with, or if
    more packages are needed and not there. Neither they nor PyTorch are imported."""
    for package in packages:
        _demand(package)
    found, sapien, _, process = _started()
    if process != os.getpid():
        raise MmgamesError(
            "This process was forked from one that has begun to draw in 3D, which no graphics driver survives; "
            'start workers afresh: AsyncVectorEnv(…, context="spawn").'
        )
    return found, sapien


def render_backend() -> str:
    """What ManiSkill is given as `render_backend=`."""
    found, _, device, _ = _started()
    return "gpu" if found.kind == "cuda" else device


PACKAGES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("matplotlib", "matplotlib.pyplot", "matplotlib.cm", "matplotlib.animation", "IPython"), ()),
    "IPython.display": ("HTML", "display"),
    "huggingface_hub": ("snapshot_download",),
}
"""Which modules ManiSkill need not import yet, and the functions that it imports from them by name."""


class StandIn(ModuleType):
    """Has the functions it was told of; once the real module can be imported, it has all of that."""

    def __getattr__(self, name: str) -> Any:
        if name in PACKAGES[self.__name__]:
            return lambda *args, **more: getattr(importlib.import_module(self.__name__), name)(*args, **more)
        if name.startswith("__") or isinstance(sys.modules.get(self.__name__), StandIn):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r} yet")
        return getattr(importlib.import_module(self.__name__), name)


@contextmanager
def left_for_later() -> Iterator[None]:
    """While something is imported, stand-ins have the place of packages that it does not need yet and nobody has.

    Afterwards they are gone from `sys.modules`, so everybody else imports the real packages, and what was kept of a
    stand-in turns to the real one when it is used.
    """
    here = {name.partition(".")[0] for name in sys.modules}
    placed = {name: StandIn(name) for name in PACKAGES if name.partition(".")[0] not in here}
    sys.modules.update(placed)
    for name, module in placed.items():
        module.__spec__ = ModuleSpec(name, None)
        package, _, part = name.partition(".")
        if part:
            setattr(placed[package], part, module)
    try:
        yield
    finally:
        for name, module in placed.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


@lru_cache(maxsize=1)
def start_maniskill() -> Renderer:
    """Make ManiSkill usable here; what draws. Then: `gym.make(…, render_backend=renderer.render_backend())`."""
    found, _ = start_sapien()
    _demand("mani_skill")
    with left_for_later():
        import mani_skill.envs  # noqa: F401
        from mani_skill.envs.utils.system import backend
        from mani_skill.utils import download_asset

    split = backend.parse_backend_device_id
    # A device that is no CUDA device is known by its place on the bus, which has colons of its own.
    backend.parse_backend_device_id = lambda name: (name, None) if name.startswith("pci") else split(name)
    download_asset.prompt_yes_no = _refuse
    return found


def _refuse(message: str) -> NoReturn:
    """In place of ManiSkill's question whether to download what is missing."""
    what = re.sub(r"\x1b\[[0-9;]*m", "", str(message)).strip().split("\n")[0].partition(". ")[0].rstrip(".")
    raise MissingHere(
        f"Files of ManiSkill are missing ({what[:200]}); nothing is downloaded unasked: fetch them with python -m "
        "mani_skill.utils.download_asset, into $MS_ASSET_DIR or ~/.maniskill."
    )


def devices(drivers: Iterable[str | Path]) -> tuple[Device, ...]:
    """The devices that these drivers (files *.json) offer; none where there is no loader."""
    chosen, loader = os.pathsep.join(map(str, drivers)), _library("libvulkan.so.1")
    if not chosen or loader is None:
        return ()
    before = {name: os.environ[name] for name in DRIVER_VARIABLES if name in os.environ}
    os.environ.update(dict.fromkeys(DRIVER_VARIABLES, chosen))
    # VkInstanceCreateInfo has eight fields, each in eight bytes; but for its type, 1, all are empty.
    info, instance = (ctypes.c_uint64 * 8)(1), ctypes.c_void_p()
    try:
        if loader.vkCreateInstance(ctypes.byref(info), None, ctypes.byref(instance)):
            return ()
        found = tuple(_devices(loader, instance))
        loader.vkDestroyInstance(instance, None)
        return found
    finally:
        for name in DRIVER_VARIABLES:
            del os.environ[name]
        os.environ.update(before)


def _devices(loader: ctypes.CDLL, instance: ctypes.c_void_p) -> Iterator[Device]:
    count = ctypes.c_uint32()
    loader.vkEnumeratePhysicalDevices(instance, ctypes.byref(count), None)
    handles = (ctypes.c_void_p * count.value)()
    loader.vkEnumeratePhysicalDevices(instance, ctypes.byref(count), handles)
    for handle in handles:
        # VkPhysicalDeviceProperties begins with five numbers and a name of 256 bytes; it has 824 in all.
        told = ctypes.create_string_buffer(1024)
        loader.vkGetPhysicalDeviceProperties(ctypes.c_void_p(handle), told)
        _, _, vendor, _, kind = (ctypes.c_uint32 * 5).from_buffer_copy(told)
        yield Device(told.raw[20:276].partition(b"\0")[0].decode(errors="replace"), vendor, kind)


def installed_drivers() -> list[Path]:
    """The drivers in the usual folders."""
    return sorted(path for folder in _KNOWN["folders"] for path in Path(folder).glob("*.json"))


def is_lavapipe(driver: Path) -> bool:
    return driver.name.startswith("lvp_icd")


def _library(name: str) -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


def has_loader() -> bool:
    return _library("libvulkan.so.1") is not None


def has_cuda() -> bool:
    """Whether CUDA finds a device."""
    driver, count = _library("libcuda.so.1"), ctypes.c_int()
    if driver is None or driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
        return False
    return count.value > 0
