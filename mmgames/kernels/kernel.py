"""Compiled kernels: plain-Python functions over small arrays, compiled by Numba and cached on disk.

Callers in Python need not wait for the compiler: see kernels/compiling.py.

A kernel may be given to another kernel as an argument, so one loop over rows serves every game (see
kernels/batch.py). Stock Numba would compile such a loop anew in every process, and would keep using an old
compiled function after one that it calls, in another file, has changed. `kernel` mends both: it gives each
function a name that does not change between processes and a stamp that covers the sources of the kernels
it calls and the values of the constants it reads.
"""

import builtins
import functools
import hashlib
import importlib.util
import inspect
import math
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numba
import numpy as np
from numba.extending import intrinsic, overload
from numba.np.numpy_support import as_dtype

from mmgames.kernels.records import as_plain, call_plainly


def _leave_scipy_for_later() -> None:
    """Let Numba load without SciPy, until somebody's kernel multiplies matrices.

    When it first compiles, it imports all of scipy.linalg just to see whether it is there: a quarter of the time that a
    first environment takes. Here it is told without a look. What needs SciPy imports it by itself.
    """
    wanted, late = "scipy.linalg.cython_blas", "numba.np.arraymath"
    if late in sys.modules or wanted in sys.modules or numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return
    sys.modules[wanted] = None  # type: ignore[assignment]
    try:
        module: Any = importlib.import_module(late)
        module._HAVE_BLAS = importlib.util.find_spec("scipy") is not None
    finally:
        del sys.modules[wanted]


_leave_scipy_for_later()


def _name_records_by_their_fields() -> bool:
    """Let compiled code for a record bear a name that tells which one; whether that can be had.

    Numba names records by a number that each process draws anew. Code that two processes have left in the cache for
    different records can so have one name, and a third process that loads both runs the one for the other.
    """
    kind: Any = numba.types.Record
    if not isinstance(getattr(kind, "mangling_args", None), property):
        return False

    def named(record: Any) -> tuple[str, tuple[str]]:
        return type(record).__name__, (hashlib.sha256(record.name.encode()).hexdigest()[:16],)

    kind.mangling_args = property(named)
    return True


_records_are_named = _name_records_by_their_fields()


def kernel(function: Callable[..., Any], inline: Literal["never", "always"] = "never") -> Any:
    """Compile `function` on first use, without the interpreter lock, cached on disk where a folder can be written.

    With NUMBA_DISABLE_JIT=1 it stays plain Python, which a debugger can step through.
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return _quiet(function)
    stamp = _stamp(function)
    compiled = _compiled(function, stamp, inline=inline)
    compiled.mmgames_stamp, compiled.mmgames_plain = stamp, None
    # Others never call it the way Python does, and the code for that is a sixteenth of the compiler's work.
    called: list[Any] = []

    def inner() -> Any:
        if not called:
            called.append(_compiled(_twin(function, "-inner"), stamp, no_cpython_wrapper=True))
        return called[0]

    compiled.get_call_template = lambda arguments, named: inner().get_call_template(
        tuple(map(_widest, arguments)), {name: _widest(kind) for name, kind in named.items()}
    )
    compiled.get_overload = lambda signature: inner().get_overload(signature)
    return compiled


def _compiled(function: Callable[..., Any], stamp: str, **options: Any) -> Any:
    # Kernels are handed to others as they are, never as C functions: that wrapper is a fifth of the compiler's work.
    options |= {"nogil": True, "no_cfunc_wrapper": True, "error_model": "numpy"}
    return _with_cache(function, stamp, options) or numba.njit(**options)(function)


def _twin(function: Any, ending: str) -> Any:
    """The same function under a name of its own, and so in a cache of its own."""
    made = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    made.__qualname__, made.__module__ = function.__qualname__ + ending, function.__module__
    return made


def _with_cache(function: Callable[..., Any], stamp: str, options: Mapping[str, Any]) -> Any:
    """The function, to be compiled into a cache on disk that holds as long as its stamp; None where that cannot be.

    This is the one place that reaches into Numba, which has no public way to say either thing: what a cached function
    depends on (it takes time and size of the function's own file), and what its type is called (a number drawn anew in
    each process, by which no other process would find a loop that was compiled for it). Where a Numba has neither
    attribute any more, kernels are compiled in every process: slower, and never stale.
    """
    try:
        compiled: Any = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # Numba has found no place for a cache
        return None
    file: Any = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if not (_records_are_named and hasattr(file, "_source_stamp") and hasattr(compiled, "_set_uuid")):
        return None
    file._source_stamp = stamp
    compiled._set_uuid(f"{function.__module__}.{function.__qualname__}.{stamp}")
    return compiled


def _widest(kind: Any) -> Any:
    """The type of an argument of a kernel that another one calls: signed whole numbers have 64 bits, as wherever they
    are reckoned with. Numba would compile a version for every constant and for every size of a number."""
    kind = numba.types.unliteral(kind)
    return numba.int64 if kind in (numba.int8, numba.int16, numba.int32) else kind


def inlined(function: Callable[..., Any]) -> Any:
    """A kernel that is written into those that call it, for small ones that would get many arrays passed, and for those
    with one caller where that is less work for the compiler."""
    return kernel(function, inline="always")


def specialised(loop: Any, kernels: Sequence[Any]) -> Any:
    """The loop for these kernels alone (None stands for one that a game does not have), in a cache of its own.

    Numba keeps all versions of a function in one index and writes all of it again with every new one. Kernels in it
    that this process has not loaded are only there as long as Numba happens to remember them.
    """
    stamps = [getattr(each, "mmgames_stamp", "") for each in kernels]
    if numba.config.DISABLE_JIT or not any(stamps):  # type: ignore[attr-defined]
        return loop
    known = _own.get((loop, *kernels))
    if known is None:
        names = [each.py_func.__qualname__ if stamp else "" for each, stamp in zip(kernels, stamps, strict=True)]
        digest = hashlib.sha256("|".join((*names, *stamps)).encode()).hexdigest()[:12]
        known = _own[(loop, *kernels)] = kernel(_twin(loop.py_func, f"-{digest}"))
    return known


_own: dict[tuple[Any, ...], Any] = {}


def compiled_for(loop: Any, *arguments: Any) -> Callable[..., Any]:
    """The loop as compiled for arguments of just these types: calling it with them costs no search for the types."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return loop
    kinds = tuple([_kind(argument) for argument in arguments])
    known = _ready.get((loop, kinds))
    if known is None:
        own = specialised(loop, [each for each in arguments if hasattr(each, "mmgames_stamp")])
        known = _ready[loop, kinds] = own.compile(tuple(map(numba.typeof, arguments)))
    return known


_ready: dict[tuple[Any, tuple[Any, ...]], Callable[..., Any]] = {}


def _kind(argument: Any) -> Any:
    """What Numba's type of an argument depends on: cheap to find out, and kernels are types of their own."""
    if isinstance(argument, np.ndarray):
        return argument.dtype, argument.ndim, argument.flags.num
    return type(argument) if argument is None or isinstance(argument, (int, float, np.generic)) else argument


def _uncounted(typing_context: Any, array: Any) -> Any:
    """The same array without the count of its holders, for a loop that takes many parts of it.

    Numba counts the holders of an array whenever a part of it is taken or passed on, with an atomic instruction, and
    all threads share the count: that took more than half of the time of small kernels. Whoever calls the loop must
    hold the array until it returns; an array that the loop has made itself must not be given to this.
    """

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from numba.np.arrayobj import make_array

        made = make_array(signature.return_type)(context, builder, value=arguments[0])
        made.meminfo = made.meminfo.type(None)
        return made._getvalue()

    return array(array), lower


def _copy_bytes(typing_context: Any, into: Any, at: Any, source: Any, begin: Any, count: Any) -> Any:
    """Copy so many bytes of a contiguous uint8 array to another one. Numba's own loop looks at every index twice: with
    it batches of small pictures take about three times as long."""
    from numba.core import types as numba_types

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from numba.core.cgutils import raw_memcpy
        from numba.np.arrayobj import make_array

        first, second = (
            make_array(signature.args[place])(context, builder, value=arguments[place]).data for place in (0, 2)
        )
        target, origin = builder.gep(first, [arguments[1]]), builder.gep(second, [arguments[3]])
        raw_memcpy(builder, target, origin, arguments[4], context.get_constant(numba_types.intp, 1))
        return context.get_dummy_value()

    number = numba_types.int64
    return numba_types.void(into, number, source, number, number), lower


def _copy_slice(into: Any, at: int, source: Any, begin: int, count: int) -> None:
    into[at : at + count] = source[begin : begin + count]


def _same(array: Any) -> Any:
    return array


copy_bytes: Any = _copy_slice if numba.config.DISABLE_JIT else intrinsic(_copy_bytes)  # type: ignore[attr-defined]
uncounted: Any = _same if numba.config.DISABLE_JIT else intrinsic(_uncounted)  # type: ignore[attr-defined]
_PLAIN = {id(copy_bytes): _copy_slice, id(uncounted): _same}
"""What stands in interpreted kernels for what only compiled ones can call."""


def interpreted(compiled: Any) -> Callable[..., Any]:
    """The same kernel as plain Python, down to the kernels it calls: slower, the same bits, and there at once."""
    return _quiet(plain_python(compiled))


def plain_python(compiled: Any) -> Any:
    """Likewise, for callers that see to it themselves that whole numbers may run over, as those of `scramble` do."""
    if not hasattr(compiled, "mmgames_stamp"):  # a plain value, or an intrinsic
        return _PLAIN.get(id(compiled), compiled)
    if compiled.mmgames_plain is None:
        function = compiled.py_func
        scope: dict[str, Any] = {"__builtins__": builtins, "__name__": function.__module__}
        cells = tuple(types.CellType(plain_python(cell.cell_contents)) for cell in function.__closure__ or ())
        compiled.mmgames_plain = types.FunctionType(
            function.__code__, scope, function.__name__, function.__defaults__, cells or None
        )
        for name in _global_names(function.__code__):
            if name in function.__globals__:
                scope[name] = plain_python(function.__globals__[name])
    return compiled.mmgames_plain


def _global_names(code: types.CodeType) -> set[str]:
    """The names a function may look up outside itself, those of its comprehensions included."""
    inner = (_global_names(part) for part in code.co_consts if isinstance(part, types.CodeType))
    return set(code.co_names).union(*inner)


def _quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, as silent as compiled code when numbers run over, with records as the interpreter needs them."""

    @functools.wraps(function)
    def quietly(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return call_plainly(function, args)

    return quietly


def _stamp(function: Callable[..., Any]) -> str:
    """A hash of the function's name and source file, of the kernels it calls, the constants it reads or closes over."""
    digest = hashlib.sha256(inspect.getsource(inspect.getmodule(function) or function).encode())
    digest.update(function.__qualname__.encode())
    names = sorted(_global_names(function.__code__))
    used = [(name, function.__globals__[name]) for name in names if name in function.__globals__]
    closed_over = [cell.cell_contents for cell in function.__closure__ or ()]
    used += zip(function.__code__.co_freevars, closed_over, strict=True)
    used += [("defaults", function.__defaults__)]
    for name, value in used:
        digest.update(f"{name}={_told(value)}".encode())
    return digest.hexdigest()[:16]


def _told(value: Any) -> str:
    """What a kernel depends on when it reads this value."""
    if hasattr(value, "mmgames_stamp"):
        return str(value.mmgames_stamp)
    if hasattr(value, "py_func"):  # compiled by Numba, and not as a kernel
        return _stamp(value.py_func)
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_told, value))})"
    if isinstance(value, (int, float, complex, str, bytes, np.generic, np.dtype, type, type(None))):
        return repr(value)
    return ""  # a module, or an intrinsic of kernels/kernel.py, whose source counts where it stands


@kernel
def new_states(states, count):
    """Room for so many states like these; `room[0] = states[0]` copies one."""
    return np.empty(count, states.dtype)


def _new_plain_states(states: Any, count: int) -> Any:
    return as_plain(np.empty(count, states.dtype))


if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
    new_states = _new_plain_states
else:
    new_states.mmgames_plain = _new_plain_states


def states_like(state, count):  # type: ignore[no-untyped-def]
    """Room for so many states like this one."""
    return as_plain(np.empty(count, state.kept.dtype))


@overload(states_like)
def _states_like(state, count):  # type: ignore[no-untyped-def]
    kind = as_dtype(state)
    return lambda state, count: np.empty(count, kind)


@kernel
def scramble(value):
    """One step of splitmix64: from a uint64 one that looks unrelated to it."""
    z = value + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def fork(noise, use):
    """Random bits for one of several things that are drawn from the same noise, `use` being its number.

    Whatever is drawn more than once, again and again until it fits for instance, starts from a fork of its own: along
    one chain of `scramble` the next thing would meet the bits again that this one has used up.
    """
    return scramble(noise ^ scramble(np.uint64(use) + np.uint64(1)))


@kernel
def below(noise, n):
    """A whole number in [0, n) from 64 random bits. The bias for small n is under 2**-31."""
    return np.int64(((noise >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@inlined
def rounded(number):
    """The nearest whole number, of two the even one, as `round` has it."""
    lower = math.floor(number)
    rest = number - lower
    return int(lower) + (1 if rest > 0.5 or (rest == 0.5 and int(lower) % 2 != 0) else 0)


FRACTION = 2.0**-53


@kernel
def fraction(noise):
    """A number in [0, 1) from 64 random bits: any multiple of FRACTION."""
    return np.float64(noise >> np.uint64(11)) * FRACTION


def noise(rng: np.random.Generator) -> np.uint64:
    """64 fresh random bits for a kernel."""
    return np.uint64(rng.bit_generator.random_raw())
