"""Which graphics devices this machine has, asked of the Vulkan loader itself: no package is imported for it."""

import ctypes
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

DRIVER_VARIABLES = ("VK_DRIVER_FILES", "VK_ICD_FILENAMES")
"""What the loader reads, the newer name first; SAPIEN brings a loader that may know the older one alone."""

DRIVER_FOLDERS = ("/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d")
SWIFTSHADER = (
    "/usr/lib/chromium/vk_swiftshader_icd.json",
    "/usr/lib64/chromium-browser/vk_swiftshader_icd.json",
    "/usr/lib/chromium-browser/vk_swiftshader_icd.json",
    "/opt/google/chrome/vk_swiftshader_icd.json",
    "/opt/google/chrome-beta/vk_swiftshader_icd.json",
)
"""Where browsers keep SwiftShader, a Vulkan driver that runs on any processor."""

NVIDIA, PROCESSOR = 0x10DE, 4


class Device(NamedTuple):
    name: str
    vendor: int
    kind: int  # VkPhysicalDeviceType

    @property
    def software(self) -> bool:
        return self.kind == PROCESSOR


def devices(drivers: Iterable[str | Path]) -> tuple[Device, ...]:
    """The devices that these drivers (files *.json) offer; none where there is no loader."""
    chosen, loader = os.pathsep.join(map(str, drivers)), _library("libvulkan.so.1")
    if not chosen or loader is None:
        return ()
    with _drivers(chosen):
        # VkInstanceCreateInfo has eight fields, each in eight bytes; but for its type, 1, all are empty.
        info, instance = (ctypes.c_uint64 * 8)(1), ctypes.c_void_p()
        if loader.vkCreateInstance(ctypes.byref(info), None, ctypes.byref(instance)):
            return ()
        try:
            return tuple(_devices(loader, instance))
        finally:
            loader.vkDestroyInstance(instance, None)


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


@contextmanager
def _drivers(chosen: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in DRIVER_VARIABLES}
    os.environ.update(dict.fromkeys(DRIVER_VARIABLES, chosen))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def installed_drivers() -> list[Path]:
    """The drivers in the usual folders."""
    return sorted(path for folder in DRIVER_FOLDERS for path in Path(folder).glob("*.json"))


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
