"""Kernels for callers in Python, who do not wait for the compiler.

An `Entry` is a kernel that is called from Python. If it is in the cache on disk, it is compiled code from the first
call on. Otherwise it runs interpreted, which gives the same bits, while a second process compiles it into the cache;
when the next episode begins (`switch_to_compiled`), compiled code takes over, never in the middle of one.

What is too slow to be interpreted, loops over thousands of rows or a search, is compiled when it is first called.
Whoever has waited for that for a second is told so.

MMGAMES_COMPILE=now makes entries wait for the compiler as well, MMGAMES_COMPILE=never keeps them interpreted;
NUMBA_DISABLE_JIT=1 leaves everything interpreted, loops and searches too.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import importlib
import os
import pickle
import platform
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import event

from mmgames.errors import MmgamesError
from mmgames.kernels.kernel import interpreted, plain_python, specialised

IDLE_SECONDS = 3.0
"""How long the second process waits for another kernel before it ends."""
LONGEST_WAIT = 120.0
"""After so many seconds a process does not rely on the second one any more."""
FIRST_STARTS = 3
"""So often a game starts before somebody has played an episode: to be checked, to measure spaces, to be played."""
TOLD_AFTER = 1.0
"""So many seconds of compiling are not mentioned."""

_lock = threading.RLock()


def _fresh_lock() -> None:
    global _lock
    _lock = threading.RLock()  # another thread may have held it when this process was forked


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_fresh_lock)

_waiting: list[Entry] = []
_calls: dict[Any, Callable[..., Any]] = {}


def compiled_in_background(kernel: Any) -> Callable[..., Any]:
    """The kernel for callers in Python. Its arguments must always have the types of those of the first call."""
    call = _calls.get(kernel)
    if call is None:
        call = _calls[kernel] = Entry(kernel, install=functools.partial(_calls.__setitem__, kernel))
    return call


def switch_to_compiled() -> None:
    """An episode begins: entries that have been compiled meanwhile are compiled code from here on."""
    if _waiting:
        _catch_up()


def compile_mode() -> str:
    """When entries are compiled, as MMGAMES_COMPILE says: now, soon (in a second process) or never."""
    asked = os.environ.get("MMGAMES_COMPILE", "soon")
    if asked not in ("now", "soon", "never"):
        raise MmgamesError(f"MMGAMES_COMPILE={asked!r} is not known; give now, soon or never.")
    return asked


@contextlib.contextmanager
def compile_now() -> Iterator[None]:
    """In here whoever calls a kernel waits for the compiler."""
    before = os.environ.get("MMGAMES_COMPILE")
    os.environ["MMGAMES_COMPILE"] = "now"
    try:
        yield
    finally:
        if before is None:
            del os.environ["MMGAMES_COMPILE"]
        else:
            os.environ["MMGAMES_COMPILE"] = before


class Entry:
    """A kernel, or a loop with the kernels of a game as its first arguments, to be called from Python.

    Without `types` those of the first call's arguments hold for all calls. With kernels among the arguments, Numba's
    own search for the types would take a hundred times as long as a step; nobody looks at arguments here, so arrays
    must be contiguous. `install` is told of the compiled code, to call it without a detour.
    """

    def __init__(
        self,
        loop: Any,
        kernels: Sequence[Any] = (),
        types: Sequence[Any] | None = None,
        install: Callable[[Callable[..., Any]], None] | None = None,
    ) -> None:
        self.source, self.kernels, self.types, self.install = loop, tuple(kernels), types, install
        self.loop = specialised(loop, self.kernels)
        self.since, self.episodes, self.is_compiled = 0.0, 0, False
        self._call: Callable[..., Any] = self._first_call

    def __call__(self, *arguments: Any) -> Any:
        return self._call(*arguments)

    def _first_call(self, *arguments: Any) -> Any:
        with _lock:
            if self._call == self._first_call:
                self._choose(arguments)
        return self._call(*arguments)

    def _choose(self, arguments: tuple[Any, ...]) -> None:
        if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
            self._use(functools.partial(self.loop, *self.kernels))
            return
        if self.types is None:
            self.types = tuple(map(numba.typeof, arguments))
        wanted = compile_mode()
        if wanted == "now" or (wanted == "soon" and self.is_cached()):
            self.compile()
            return
        self._call = functools.partial(interpreted(self.source), *map(plain_python, self.kernels))
        if wanted == "soon":
            self.since = time.monotonic()
            _waiting.append(self)
            _second_process.ask(self)

    def compile(self) -> None:
        """Compile, or take what is in the cache, and use it from here on."""
        compiled = self.loop.compile((*map(numba.typeof, self.kernels), *(self.types or ())))
        with contextlib.suppress(OSError):
            if self.mark is not None:
                self.mark.touch()
        self.is_compiled = True
        self._use(functools.partial(compiled, *self.kernels) if self.kernels else self.loop)

    def compiled(self) -> Callable[..., Any]:
        """The compiled code, for callers who rather wait than be slow."""
        with _lock:
            if not self.is_compiled and not numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
                self.compile()
                if self in _waiting:
                    _waiting.remove(self)
        return self._call

    def _use(self, call: Callable[..., Any]) -> None:
        self._call = call
        if self.install is not None:
            self.install(call)

    def is_cached(self) -> bool:
        """Whether somebody has compiled it into the cache."""
        return self.mark is not None and self.mark.exists()

    @functools.cached_property
    def mark(self) -> Path | None:
        """The empty file that stands beside the cached code; None where no cache can be written."""
        folder = self.loop.stats.cache_path
        if folder is None:
            return None
        stamps = [kernel.mmgames_stamp if kernel is not None else "" for kernel in (self.loop, *self.kernels)]
        told = "|".join((*stamps, str(self.types), _target()))
        name = f"{self.loop.py_func.__qualname__}-{hashlib.sha256(told.encode()).hexdigest()[:16]}.compiled"
        return Path(folder) / name

    def request(self) -> tuple[Any, ...]:
        """What another process needs to compile it; raises where the kernels have no names to be found under."""
        kernels = [None if kernel is None else _name(kernel) for kernel in self.kernels]
        return _name(self.source), kernels, self.types


@functools.cache
def _target() -> str:
    """What compiled code depends on besides its source."""
    from llvmlite import binding

    processor = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    return "|".join((numba.__version__, np.__version__, platform.python_version(), *processor))


def _name(kernel: Any) -> tuple[str, str, str]:
    """Where a kernel is found, and its stamp."""
    function = kernel.py_func
    name = function.__module__, function.__qualname__, kernel.mmgames_stamp
    if function.__module__ == "__main__" or "<locals>" in function.__qualname__:
        raise LookupError(f"{function.__qualname__} cannot be imported by another process")
    return name


def _find(name: tuple[str, str, str]) -> Any:
    """The kernel of that name, as it was where it was asked for."""
    module, qualified, stamp = name
    found: Any = importlib.import_module(module)
    for part in qualified.split("."):
        found = getattr(found, part)
    if found.mmgames_stamp != stamp:
        raise LookupError(f"{module}.{qualified} is not what was asked for")
    return found


def _catch_up() -> None:
    with _lock:
        now = time.monotonic()
        for entry in tuple(_waiting):
            entry.episodes += 1
            alone = entry.episodes > FIRST_STARTS and (not _second_process.works() or now - entry.since > LONGEST_WAIT)
            if alone or entry.is_cached():
                _waiting.remove(entry)
                entry.compile()


class _SecondProcess:
    """Compiles what it is asked for, one thing after the other, and ends when nobody asks any more.

    It goes on when the process that has started it ends, so that the next one finds compiled kernels.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def ask(self, entry: Entry) -> None:
        try:
            request = pickle.dumps(entry.request())
            if entry.mark is None or not sys.executable or getattr(sys, "frozen", False):
                raise LookupError("nothing can be left for this process by another one")
            if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
                self._start()
            assert self._process is not None and self._process.stdin is not None
            self._process.stdin.write(request)
            self._process.stdin.flush()
        except (OSError, LookupError, pickle.PicklingError, AttributeError, TypeError):
            entry.since = -LONGEST_WAIT  # this process compiles it itself, once an episode has been played

    def works(self) -> bool:
        """Whether what was asked for may still be compiled: a forked child cannot look after its parent's helper."""
        if self._process is None or self._owner != os.getpid():
            return True
        return self._process.poll() is None

    def _start(self) -> None:
        self._close()
        code = (
            f"import sys; sys.path[:] = {sys.path!r}; from mmgames.kernels import compiling; compiling.serve_requests()"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._owner = os.getpid()

    def leave(self) -> None:
        """This process ends; the other one may take its time."""
        self._close()
        if self._process is not None and self._owner == os.getpid() and self._process.poll() is None:
            self._process.returncode = 0  # or Python would warn that it is still running

    def _close(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def pid(self) -> int | None:
        return None if self._process is None or self._process.poll() is not None else self._process.pid


_second_process = _SecondProcess()
atexit.register(_second_process.leave)


def second_process() -> int | None:
    """The number of the process that compiles for this one, if there is one."""
    return _second_process.pid()


def serve_requests() -> None:
    """What the second process does: compile what is asked for on standard input."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(10)
    requests: queue.Queue[Any] = queue.Queue()

    def listen() -> None:
        try:
            while True:
                requests.put(pickle.load(sys.stdin.buffer))
        except (EOFError, OSError):
            requests.put(None)

    threading.Thread(target=listen, daemon=True).start()
    with contextlib.suppress(queue.Empty):
        while (request := requests.get(timeout=IDLE_SECONDS)) is not None:
            loop, kernels, types = request
            entry = Entry(_find(loop), [name and _find(name) for name in kernels], types)
            with _one_at_a_time():
                if not entry.is_cached():
                    entry.compile()


@contextlib.contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Several programs that start at once do not all compile the same."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    path = Path(tempfile.gettempdir()) / f"mmgames-compiling-{os.getuid()}"
    try:
        held = os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600)
    except OSError:
        yield
        return
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


class _Announcer(event.Listener):
    """Says once, on standard error, that kernels are being compiled, when that has taken a second."""

    def __init__(self) -> None:
        self.compiling: list[str] = []
        self._spent, self._begun, self.said = 0.0, 0.0, False
        self._timer: threading.Timer | None = None

    def on_start(self, event: event.Event) -> None:
        compiled = event.data["dispatcher"]
        if not self.compiling and not hasattr(compiled, "mmgames_stamp"):
            return  # somebody else's
        self.compiling.append(f"{compiled.py_func.__module__}.{compiled.py_func.__name__}")
        if len(self.compiling) == 1:
            self._begun = time.monotonic()
            if not self.said:
                self._timer = threading.Timer(max(0.0, TOLD_AFTER - self._spent), self._say)
                self._timer.daemon = True
                self._timer.start()

    def on_end(self, event: event.Event) -> None:
        if self.compiling:
            self.compiling.pop()
            if not self.compiling:
                self._spent += time.monotonic() - self._begun
                if self._timer is not None:
                    self._timer.cancel()

    def _say(self) -> None:
        if self.compiling and not self.said:
            self.said = True
            print(
                f"mmgames: compiling {self.compiling[0]}, once for all later runs; `mmgames compile` does it ahead.",
                file=sys.stderr,
                flush=True,
            )


_announcer = _Announcer()
event.register("numba:compile", _announcer)


def silence_messages() -> None:
    """Whoever compiles on purpose need not be told."""
    _announcer.said = True


def compiling_now() -> str:
    """The kernel that somebody waits for just now, if any."""
    at_work = _announcer.compiling
    return at_work[0] if at_work else ""
