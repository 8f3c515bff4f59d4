"""Which graphics devices this machine has, asked of the Vulkan loader itself: no package is imported for it."""

import ctypes
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from mmgames.embodied._scenes.solids import read

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
