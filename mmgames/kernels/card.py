"""Kernels on a card: the same text as CUDA device functions, and loops over states as CUDA kernels.

Nothing in a game knows of this. A kernel is compiled from its source with a few words changed: what it is handed as
constants (other kernels, whole numbers) and the shapes of its arrays are written into it, its tables lie in the card's
memory, and an array that it makes is the thread's own, so that its size must be such a constant. A loop over states
takes the one that falls to its thread.
"""

import ast
import contextlib
import functools
import importlib.util
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numba
import numpy as np

from mmgames.errors import MissingExtra, MmgamesError
from mmgames.kernels import batch, sprites
from mmgames.kernels import kernel as kernels
from mmgames.kernels.records import as_plain

MOST_PREPARED = 32
WHOLE_WARP = 0xFFFFFFFF
MOST_SHARED = 96
"""Numbers of a thread in the memory that threads share. With more of them, fewer threads run at a time."""
MISSING = "device='cuda' needs numba-cuda and CuPy: pip install 'mmgames[cuda]' for CUDA 12, 'mmgames[cuda13]' for 13."


class _ForThreads(ast.NodeTransformer):
    """A kernel's source as a thread of the card runs it; `arrays` by name have shapes that are known."""

    def __init__(self, arrays: Mapping[str, Any], lanes: int) -> None:
        self.arrays, self.lanes = arrays, lanes

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """`table.shape[1]` is a number."""
        whole, _, last = ast.unparse(node.value).rpartition(".")
        if last == "shape" and isinstance(node.slice, ast.Constant) and hasattr(self.arrays.get(whole), "shape"):
            return ast.copy_location(ast.Constant(int(self.arrays[whole].shape[node.slice.value])), node)
        return self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        """`x = np.zeros(n, kind)` and its like make memory of the thread's own."""
        self.generic_visit(node)
        target: Any = node.targets[0]
        if "np.empty" not in ast.unparse(node.value) and "np.zeros" not in ast.unparse(node.value):
            return node
        both: Any = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) and (target, node.value)
        pairs: Any = zip(*(side.elts for side in both), strict=True) if both else [(target, node.value)]
        lines: list[ast.stmt] = []
        for name, value in pairs:
            made, source = ast.unparse(name), ast.unparse(value)
            how = ast.unparse(value.func) if isinstance(value, ast.Call) else ""
            if how in ("np.empty", "np.zeros"):
                size, kind = (*map(ast.unparse, value.args), "np.float64")[:2]
                source = f"cuda.local.array({size}, {kind})"
            lines += ast.parse(f"{made} = {source}").body
            if how == "np.zeros":
                lines += ast.parse(f"for _ in range({made}.size): {made}[_] = 0").body
        return [ast.copy_location(line, node) for line in lines]

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        if ast.unparse(node.iter) == "range(first, last)":
            mine = f"first + cuda.grid(1) // {self.lanes}"
            node.iter = ast.parse(f"range({mine}, min({mine} + 1, last))", mode="eval").body
        return node


def _copy(into: Any, at: int, source: Any, begin: int, count: int) -> None:
    for i in range(count):
        into[at + i] = source[begin + i]


@functools.cache
def _instead() -> dict[int, Any]:
    """What takes the place of what only the processor's compiled code can call, and of what the threads of a warp do
    together in pictures: each takes every 32nd byte, and waits for the others before it goes on."""
    cuda, own = _cuda(), {kernels.uncounted: kernels._same, kernels.copy_bytes: _copy}

    def copy(into: Any, at: int, source: Any, begin: int, count: int) -> None:
        for i in range(cuda.laneid, count, 32):
            into[at + i] = source[begin + i]
        cuda.syncwarp()

    def blend(into: Any, at: int, source: Any, begin: int, shines: int, count: int) -> None:
        for i in range(cuda.laneid, count, 32):
            below = int(into[at + i]) * int(source[shines + i]) // 255
            into[at + i] = below + int(source[begin + i])
        cuda.syncwarp()

    def keep(old: Any, new: Any) -> None:
        cuda.syncwarp()
        for slot in range(len(new)):
            old[slot, 0], old[slot, 1], old[slot, 2] = new[slot, 0], new[slot, 1], new[slot, 2]

    if not _simulated():
        own |= {kernels.copy_bytes: copy, sprites.blend_bytes: blend, sprites.keep_slots: keep}
    return {id(each): cuda.jit(device=True)(instead) for each, instead in own.items()}


def _lanes(loop: Any) -> int:
    """How many threads take a state together."""
    return 32 if loop is sprites.picture_states and not _simulated() else 1


_known: dict[Any, Any] = {}


def on_card(value: Any, constants: Mapping[str, Any] | None = None, shapes: Mapping[str, Any] | None = None) -> Any:
    """A kernel as the card runs it: a loop, if `constants` of its arguments are to be written into it and the `shapes`
    of others are known; tables are put into the card's memory, and other values stay as they are."""
    cuda = _cuda()
    if id(value) in _instead():
        return _instead()[id(value)]
    if not (isinstance(value, np.ndarray) or hasattr(value, "mmgames_stamp")):
        return value
    known = {name: tuple(each.shape[1:]) for name, each in (shapes or {}).items()}
    key = id(value), str(known), tuple((name, id(each)) for name, each in (constants or {}).items())
    if key not in _known:
        if isinstance(value, np.ndarray):
            made = cuda.to_device(np.ascontiguousarray(value))
        else:
            made = cuda.jit(device=constants is None)(_source(value, constants or {}, shapes or {}))
        _known[key] = made, value, constants  # they live on, so that their ids stay their own
    return _known[key][0]


def _source(value: Any, constants: Mapping[str, Any], shapes: Mapping[str, Any]) -> Any:
    """The function anew, from its source."""
    function = value.py_func
    closed_over = [cell.cell_contents for cell in function.__closure__ or ()]
    outside = {
        **function.__globals__,
        **dict(zip(function.__code__.co_freevars, closed_over, strict=True)),
        **constants,
    }
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    made: Any = tree.body[0]
    made.decorator_list = []
    made.args.args = [each for each in made.args.args if each.arg not in constants]
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & {*outside}
    tables = {name: outside[name] for name in names if isinstance(outside[name], np.ndarray)}
    tree = ast.fix_missing_locations(_ForThreads({**tables, **shapes}, _lanes(value)).visit(tree))
    scope = {"cuda": _cuda(), **{name: on_card(outside[name]) for name in names}}
    if "observe" in names and outside["observe"] is batch.observe and shapes["feats"].size and not _simulated():
        scope["observe"] = _observe_together(shapes["feats"], shapes["masks"])
    exec(compile(tree, inspect.getfile(function), "exec"), scope)
    return scope[function.__name__]


def _observe_together(feats: Any, masks: Any) -> Any:
    """`observe` for the threads of a warp, which run in step. The rows of neighbours lie far apart: where each writes
    its own, the memory is busy with one number at a time. So they write into memory that they share, all numbers or 32
    at a time, and carry them out together, each the 32nd after its last. Places go on by sums, as a division takes
    longer than all the rest, and have no sign, as else each would be asked whether it counts from the end."""
    cuda, is_up, unsigned = _cuda(), on_card(batch.is_up), np.uint64
    (places, numbers), actions = feats.shape[1:], masks.shape[2]
    at_once = numbers if numbers <= MOST_SHARED else 32
    room = Card.threads, at_once | 1  # of an odd length, so that a column lies in different banks
    wide, rows_on, columns_on = (unsigned(each) for each in (at_once, 32 // at_once, 32 % at_once))
    many, rows_off, actions_off = (unsigned(each) for each in (actions, 32 // actions, 32 % actions))
    one, in_bits = unsigned(1), actions <= 64

    def observe(turn, moves, features, state, seats, feats, masks, legal, i):
        lane, mine = unsigned(cuda.laneid), cuda.threadIdx.x
        begin, first = unsigned(mine) - lane, unsigned(i) - lane
        together = cuda.activemask() == WHOLE_WARP  # not where some of the states are left out
        if moves is not None:
            whose = turn(state)
            for place in range(places):
                row, k, bits = lane // many, lane % many, np.int64(0)
                if in_bits and is_up(whose, seats[place]):
                    for at in range(moves(state, seats[place], legal)):
                        bits |= np.int64(1) << legal[at]
                for at in range(actions):
                    if together:
                        theirs = cuda.shfl_sync(WHOLE_WARP, bits, np.int32(row))
                        masks[first + row, unsigned(place), k] = theirs >> (np.int64(k) & 63) & 1
                        row, k = row + rows_off, k + actions_off
                        if k >= many:
                            row, k = row + one, k - many
                    else:
                        masks[i, place, at] = 0
                if together:
                    cuda.syncwarp()
                if is_up(whose, seats[place]) and not (in_bits and together):
                    for at in range(moves(state, seats[place], legal)):
                        masks[i, place, legal[at]] = 1
        shared, own = cuda.shared.array(room, np.float32), cuda.local.array(numbers, np.float32)
        for place in range(places):
            if at_once == numbers:
                features(state, seats[place], shared[mine, :numbers])
            else:
                features(state, seats[place], own)
            if not together:
                for at in range(numbers):
                    feats[i, place, at] = shared[mine, at] if at_once == numbers else own[at]
                continue
            for chunk in range(0, numbers, at_once):
                if at_once != numbers:
                    for at in range(min(at_once, numbers - chunk)):
                        shared[mine, at] = own[chunk + at]
                cuda.syncwarp()
                row, k, done, left = lane // wide, lane % wide, unsigned(chunk), unsigned(numbers - chunk)
                for _ in range(at_once):
                    if at_once == numbers or k < left:
                        feats[first + row, unsigned(place), done + k] = shared[begin + row, k]
                    row, k = row + rows_on, k + columns_on
                    if k >= wide:
                        row, k = row + one, k - wide
                cuda.syncwarp()

    return cuda.jit(device=True)(observe)


def _cuda() -> Any:
    vars(np).setdefault("row_stack", np.vstack)  # numba-cuda asks for it, and newer NumPys do not have it
    vars(numba.config)["CUDA_LOW_OCCUPANCY_WARNINGS"] = 0  # few states are nobody's mistake
    try:
        from numba import cuda
    except ImportError:
        raise MissingExtra(MISSING) from None
    return cuda


@contextlib.contextmanager
def _unfused() -> Iterator[None]:
    """What is compiled meanwhile multiplies first and adds then, as the processor does: the same bits."""
    if _simulated():
        yield
        return
    driver: Any = importlib.import_module("numba.cuda.cudadrv.driver")
    nvvm: Any = importlib.import_module("numba.cuda.cudadrv.nvvm")

    before = nvvm.compile_ir, driver.LinkerOptions

    class Unfused(driver.LinkerOptions):  # type: ignore[misc]
        def _prepare_nvjitlink_options(self, as_bytes: bool = False) -> list[Any]:
            return [*super()._prepare_nvjitlink_options(as_bytes), b"-fma=0" if as_bytes else "-fma=0"]

    nvvm.compile_ir, driver.LinkerOptions = functools.partial(nvvm.compile_ir, fma=0), Unfused
    try:
        yield
    finally:
        nvvm.compile_ir, driver.LinkerOptions = before


def _simulated() -> bool:
    return bool(numba.config.ENABLE_CUDASIM)  # type: ignore[attr-defined]


class Card:
    """What `Threads` is on the processor: runs loops over states, on a card, where all arrays are CuPy's."""

    most = 1
    threads = 64  # in a block
    arrays_of = "cupy"

    def __init__(self) -> None:
        cuda = _cuda()
        if importlib.util.find_spec(self.arrays_of) is None:
            raise MissingExtra(MISSING)
        if not cuda.is_available():
            raise MmgamesError(
                "device='cuda' needs an NVIDIA card and its driver; without device= the processor plays."
            )
        self.stream: Any = 0
        self._prepared: dict[Any, Any] = {}
        self._compiled: dict[Any, Any] = {}

    @property
    def arrays(self) -> Any:
        return importlib.import_module(self.arrays_of)

    def kept(self, array: np.ndarray) -> Any:
        return _cuda().to_device(array) if array.dtype.names else self.arrays.asarray(array)

    def to_host(self, array: Any) -> np.ndarray:
        return array.copy_to_host() if hasattr(array, "copy_to_host") else self.arrays.asnumpy(array)

    def take(self, states: Any, which: Any) -> Any:
        out = self.kept(np.empty(len(which), states.dtype))
        self.run(batch.take_states, states, which, out, count=len(which))
        return out

    def write(self, into: Any, array: np.ndarray) -> None:
        if hasattr(into, "copy_to_device"):
            into.copy_to_device(np.ascontiguousarray(array))
        else:
            into[...] = self.arrays.asarray(array)

    def _handed(self, argument: Any) -> Any:
        """An argument as Numba takes it at once."""
        is_other = hasattr(argument, "__cuda_array_interface__") and not hasattr(argument, "copy_to_host")
        return _cuda().as_cuda_array(argument, sync=False) if is_other else argument

    def run(self, loop: Any, *arguments: Any, count: int, threads: int = 1) -> None:
        """A kernel over the states from 0 to `count`; see `Threads.run`. What is run again with the very same arrays is
        recorded: to hand over many arrays takes longer than to step thousands of states."""
        key = loop, count, *map(id, arguments)
        known = self._prepared.pop(key, None)
        if known is None:  # the arrays live on, so that their ids stay their own
            known = {"launch": self._launch(loop, arguments, count), "arguments": arguments}
        elif self.stream == 0 and "again" not in known:
            known["again"] = self._recorded(known["launch"])
        known["again" if self.stream == 0 and "again" in known else "launch"](self.stream)
        self._prepared[key] = known
        if len(self._prepared) > MOST_PREPARED:
            del self._prepared[next(iter(self._prepared))]

    def _launch(self, loop: Any, arguments: tuple[Any, ...], count: int) -> Callable[[Any], None]:
        fixed = [each is None or _is_constant(each) for each in arguments]
        rest = [self._handed(each) for each, known in zip(arguments, fixed, strict=True) if not known]
        kinds = (
            loop,
            *(each for each, known in zip(arguments, fixed, strict=True) if known),
            *((each.dtype, each.shape[1:], each.strides) if hasattr(each, "strides") else type(each) for each in rest),
        )
        if kinds not in self._compiled:
            given = dict(zip(inspect.signature(loop.py_func).parameters, arguments, strict=False))
            constants = {name: each for (name, each), known in zip(given.items(), fixed, strict=True) if known}
            arrays = {name: each for name, each in given.items() if name not in constants and hasattr(each, "shape")}
            ready = self._compiled[kinds] = on_card(loop, constants, arrays)
            with _unfused():
                ready[1, self.threads, self.stream](*rest, 0, 0)
        ready, blocks = self._compiled[kinds], -(-count * _lanes(loop) // self.threads)
        return lambda stream: ready[blocks, self.threads, stream](*rest, 0, count)

    def _recorded(self, launch: Callable[[Any], None]) -> Callable[[Any], None]:
        aside = self.arrays.cuda.Stream(non_blocking=True)
        with aside:
            aside.begin_capture()
            launch(_cuda().external_stream(aside.ptr))
            graph = aside.end_capture()
        return lambda stream: graph.launch(self.arrays.cuda.Stream.null)

    def wait(self) -> None:
        _cuda().synchronize()

    def end(self) -> None:
        self._prepared.clear()


class SimulatedCard(Card):
    """Numba plays the card in Python: slowly, and on every machine."""

    threads = 1
    arrays_of = "numpy"

    def _recorded(self, launch: Callable[[Any], None]) -> Callable[[Any], None]:
        return launch

    def kept(self, array: np.ndarray) -> Any:
        return as_plain(array)

    def to_host(self, array: Any) -> np.ndarray:
        return np.array(getattr(array, "array", array))

    def write(self, into: Any, array: np.ndarray) -> None:
        getattr(into, "array", into)[...] = array

    def _handed(self, argument: Any) -> Any:
        return argument


def card() -> Card:
    """The card of this machine; Numba's simulator of one with NUMBA_ENABLE_CUDASIM=1."""
    return SimulatedCard() if _simulated() else Card()


def _is_constant(value: Any) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or hasattr(value, "mmgames_stamp")
