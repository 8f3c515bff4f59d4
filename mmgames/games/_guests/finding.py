"""Guests by their address: functions and modules of PettingZoo, ids of Gymnasium's registry."""

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import gymnasium

from mmgames.errors import MmgamesError, nearest

_kept: dict[str, Callable[..., Any]] = {}


def keep(make: Callable[..., Any] | ModuleType) -> str:
    """The address of a function; one that cannot be imported is known to this process alone, by a name of its own."""
    if isinstance(make, ModuleType):
        return make.__name__
    if not callable(make):
        raise MmgamesError(
            f"from_pettingzoo: {type(make).__name__} is neither a function that makes an environment nor its address."
        )
    named: Any = getattr(make, "func", make)  # of a partial function
    named = named if hasattr(named, "__qualname__") else type(named)
    plain = f"{named.__module__}.{named.__qualname__}".replace("<locals>.", "").replace("<lambda>", "made")
    address, number = plain, 1
    while _behind(address) not in (None, make):
        number += 1
        address = f"{plain}_{number}"
    _kept[address] = make
    return address


def _behind(address: str) -> Any:
    """What whoever imports this address finds, or what is kept there; None: nothing."""
    module, _, name = address.rpartition(".")
    return getattr(sys.modules.get(module), name, _kept.get(address))


def imported(address: str) -> Any:
    """The module or function behind an address."""
    if address in _kept:
        return _kept[address]
    nothing = MmgamesError(
        f"There is no module behind the guest {address!r}; its address is that of a module or function."
    )
    if not all(part.isidentifier() for part in address.split(".")):
        raise nothing
    module, last = address, ""
    while module:
        try:
            found = importlib.import_module(module)
            return getattr(found, last) if last else found
        except ModuleNotFoundError as error:
            if error.name is None or not (address == error.name or address.startswith(f"{error.name}.")):
                raise MmgamesError(f"The guest {address} needs {error.name}, which is not installed.") from error
        except AttributeError as error:
            raise MmgamesError(f"There is no {last!r} in {module}, so there is no guest {address!r}.") from error
        except Exception as error:
            raise MmgamesError(
                f"The module of the guest {address} cannot be imported: {type(error).__name__}: "
                f"{' '.join(str(error).split())}"
            ) from error
        if last:
            break
        module, _, last = module.rpartition(".")
    raise nothing


def gymnasium_id(name: str, version: int) -> str:
    """The id in Gymnasium's registry; dots stand for its slash, and a module that registers it may stand before it."""
    parts = name.split(".")
    for at in range(len(parts)):
        if at and not _imports(".".join(parts[:at])):
            break
        for rest in (name, ".".join(parts[at:])):
            for id in (f"{rest}-v{version}", f"{rest.replace('.', '/', 1)}-v{version}"):
                if id in gymnasium.registry:
                    return id
    raise MmgamesError(f"Gymnasium knows no {name}-v{version}.{nearest(f'{name}-v{version}', gymnasium.registry)}")


def _imports(module: str) -> bool:
    try:
        importlib.import_module(module)
    except ModuleNotFoundError:
        return False
    return True
