"""States with names: a game declares the fields of its state once, and everything else is derived.

    def fields(players):
        return record(step=int16, at=(int8, players), taken=(int16, (players, players)))

A record is a NumPy dtype. Compiled kernels get one record of an array and say `state.at[seat]`; Python reads the same
names of a `RecordState`, as plain numbers and tuples. Interpreted kernels read and write through `PlainRecord`: a NumPy
record is slow from Python, and its small numbers would run over where compiled ones, which reckon with 64 bits, do not.

A record has no hidden bytes: fields stand in the order of their sizes, and what is left at the end is a field that
stays zero. So records that are equal have equal bytes, which is how they are compared, hashed and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import attrgetter
from struct import Struct
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy import bool_, float32, float64, int8, int16, int32, int64, uint64

from mmgames.errors import MmgamesError

__all__ = [
    "PlainRecord", "PlainRecords", "RecordState", "blank_state", "bool_", "float32", "float64", "int8", "int16",
    "int32", "int64", "record", "uint64", "whole",
]  # fmt: skip

KINDS = tuple(map(np.dtype, (bool_, int8, int16, int32, int64, uint64, float32, float64)))
REST = "_rest"
"""The field that fills a record up to a multiple of its largest number."""


def whole(most: int, least: int = -1) -> Any:
    """The smallest kind of whole number that holds everything from `least` to `most`."""
    return next(
        kind for kind in (int8, int16, int32, int64) if np.iinfo(kind).min <= least and most <= np.iinfo(kind).max
    )


def record(**fields: Any) -> np.dtype[Any]:
    """A record of these fields: a kind of number or another record, or (kind, length) or (kind, shape) for several.

    Whole numbers are signed, but for uint64 (bits): compiled code reckons with small unsigned ones as with no others.
    """
    return _record(tuple(fields.items()))


@lru_cache(maxsize=512)
def _record(fields: tuple[tuple[str, Any], ...]) -> np.dtype[Any]:
    made = []
    for name, kind in fields:
        base, shape = kind if isinstance(kind, tuple) else (kind, ())
        base, shape = np.dtype(base), (shape if isinstance(shape, tuple) else (shape,))
        taken = (
            name.startswith("_") or hasattr(RecordState, name) or name == "view"
        )  # which compiled code takes for its own
        if (base not in KINDS and base.names is None) or taken:
            known = ", ".join(str(each) for each in KINDS)
            raise MmgamesError(
                f"A state cannot have the field {name}: {base}. Give one of {known} or another record, and a name that "
                "begins with a letter and that states do not have anyway."
            )
        if base == bool_ and shape:
            raise MmgamesError(f"Compiled code reads no arrays of truth values in a state: let {name} be of int8.")
        made.append((name, np.dtype((base, shape))))
    made.sort(key=lambda field: -field[1].base.alignment)
    largest = max(kind.base.alignment for _, kind in made)
    size = sum(kind.itemsize for _, kind in made)
    if size % largest:
        made.append((REST, np.dtype((int8, (largest - size % largest,)))))
    return np.dtype(made, align=True)


class RecordState:
    """A state that is one record: copied, pickled, compared and hashed by its bytes; its fields are plain values.

    `array` is an array of this one record, for loops, and `record` the record itself, for single kernels. Whoever
    writes into them has made the state; everybody else takes `replace`.

    What everybody asks of a position is kept beside the record once somebody has asked: who moves, what a single mover
    may do, what each seat has collected.
    """

    __slots__ = ("array", "mask", "movers", "returns")

    array: np.ndarray
    movers: tuple[int, ...] | None
    mask: np.ndarray
    returns: tuple[float, ...]

    def __new__(cls, array: np.ndarray) -> RecordState:
        self = object.__new__(_state_class(array.dtype))
        self.array = array
        self.movers = None
        return self

    @property
    def record(self) -> Any:
        return self.array[0]

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...  # its fields

    def replace(self, **fields: Any) -> RecordState:
        """The same state but for these fields."""
        array = copied(self.array)
        write_fields(array, **fields)
        return self.sibling(array)

    def sibling(self, array: np.ndarray) -> RecordState:
        """Another state of these fields: without a search for their class, which would take as long as their copy."""
        made = object.__new__(type(self))
        made.array = array
        made.movers = None
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return RecordState, (self.array,)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RecordState)
            and self.array.dtype == other.array.dtype
            and self.array.tobytes() == other.array.tobytes()
        )

    def __hash__(self) -> int:
        return hash(self.array.tobytes())

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in names_of(self.array.dtype))
        return f"RecordState({told})"


def names_of(kind: np.dtype[Any]) -> list[str]:
    """The fields that a game has declared."""
    return [name for name in kind.names or () if name != REST]


@lru_cache(maxsize=512)
def _state_class(kind: np.dtype[Any]) -> type[RecordState]:
    """States of one dtype: each field is read from its bytes, in a tenth of the time that NumPy's way would take.

    They are called by their fields, which is what an error tells about one that is not there.
    """
    fields = {name: _plain(kind, name) for name in names_of(kind)}
    return type(f"state of {', '.join(fields)}", (RecordState,), {"__slots__": (), **fields})


def _plain(kind: np.dtype[Any], name: str) -> property:
    """A field as Python has it: a number, tuples of them, or a state of a nested record."""
    assert kind.fields is not None
    field, offset = kind.fields[name][:2]
    base, shape, size = field.base, field.shape, field.base.itemsize
    if base.names is None:
        read = Struct(f"={field.itemsize // size}{_LETTERS.get(base.char, base.char)}").unpack_from
        if len(shape) > 1:
            return property(lambda state: _folded(read(state.array, offset), shape))
        return property(
            (lambda state: read(state.array, offset)) if shape else lambda state: read(state.array, offset)[0]
        )
    starts = range(offset, offset + field.itemsize, size)

    def nested(state: RecordState) -> Any:
        return _folded(tuple(RecordState(np.ndarray(1, base, state.array, start)) for start in starts), shape)

    return property(nested if shape else lambda state: nested(state)[0])


_LETTERS = {"l": "q", "L": "Q"}  # whole numbers of 64 bits, whatever the machine calls long


def _folded(values: tuple[Any, ...], shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Values in a row as tuples of tuples."""
    for wide in shape[:0:-1]:
        values = tuple(zip(*[iter(values)] * wide, strict=True))
    return values


def copied(array: np.ndarray) -> np.ndarray:
    """A copy of an array of records. NumPy's own goes from field to field, which takes it five times as long."""
    copy = np.frombuffer(bytearray(array.tobytes()), array.dtype)
    return copy if array.ndim == 1 else copy.reshape(array.shape)


def write_fields(array: np.ndarray, **fields: Any) -> None:
    """Write into all records of an array."""
    for name, value in fields.items():
        if isinstance(value, RecordState):
            array[name] = value.record
        else:
            kept = _fitted(value, array.dtype[name].base)
            if kept is None:
                raise MmgamesError(f"{name}={value!r} does not fit into {array.dtype[name].base}.")
            array[name] = kept


def _fitted(value: Any, kind: np.dtype[Any]) -> np.ndarray | None:
    """A value as numbers of a kind; None if it does not fit."""
    # Left to itself, NumPy takes bits that fill 64 places, and smaller ones beside them, for floats.
    given = np.asarray(value, object if kind == np.uint64 else None)
    try:
        kept = given.astype(kind)
    except OverflowError:
        return None
    same = kept.tolist() == given.tolist() or (kind.kind == "f" and np.array_equal(kept, given, equal_nan=True))
    return kept if same else None


def blank_state(kind: np.dtype[Any], **settings: Any) -> RecordState:
    """A state in which everything is zero but the settings: what options come to."""
    array = np.ndarray(1, kind, bytearray(kind.itemsize))
    write_fields(array, **settings)
    return RecordState(array)


class Widened:
    """Small whole numbers of a record as an interpreted kernel reads and writes them: as wide as compiled code has them
    while it reckons, and cut off as there when they are kept."""

    __slots__ = ("_memory", "_numbers", "shape", "size")

    def __init__(self, numbers: np.ndarray) -> None:
        self._numbers, self._memory = numbers, _memory(numbers)
        self.shape, self.size = numbers.shape, numbers.size

    def __getitem__(self, at: Any) -> Any:
        try:
            found = self._memory[at]  # a third of the time that NumPy takes for a number
        except (NotImplementedError, TypeError):
            found = None
        return found if found.__class__ is int else Widened(self._numbers[at])  # a part of them

    def __setitem__(self, at: Any, value: Any) -> None:
        try:
            self._memory[at] = value
        except (NotImplementedError, TypeError, ValueError):  # too large, or for a part of them
            self._numbers[at] = np.asarray(value).astype(self._numbers.dtype)

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._numbers.tolist()) if self._numbers.ndim == 1 else map(Widened, self._numbers)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self._numbers.astype(np.int64 if dtype is None else dtype)


class Columns:
    """An array of records as its fields: what each single number is in all of them, opened when it is first used.

    There is a class for each dtype, see `plain_classes`.
    """

    __slots__ = ("array",)
    openers: ClassVar[dict[str, Callable[[np.ndarray], Any]]]

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __getattr__(self, name: str) -> Any:
        opened = self.openers[name](self.array[name])
        setattr(self, name, opened)
        return opened


class PlainRecord:
    """A record as an interpreted kernel sees it: its own memory, read and written as compiled code does.

    There is a class for each dtype, see `plain_classes`. A field of several numbers is opened when it is first used.
    """

    __slots__ = ("_at", "_columns")
    openers: ClassVar[dict[str, tuple[str, Callable[[np.ndarray], Any]]]]

    def __init__(self, columns: Columns, at: int) -> None:
        self._columns, self._at = columns, at

    @property
    def kept(self) -> np.ndarray:
        """An array of this one record."""
        return self._columns.array[self._at : self._at + 1]

    def __getattr__(self, slot: str) -> Any:
        try:
            name, open_field = self.openers[slot]
        except KeyError:
            known = ", ".join(names_of(self._columns.array.dtype))
            raise AttributeError(f"a state of {known} has no {slot}") from None
        opened = open_field(self.kept[name])
        setattr(self, slot, opened)
        return opened


@lru_cache(maxsize=512)
def plain_classes(kind: np.dtype[Any]) -> tuple[type[Columns], type[PlainRecord]]:
    """The classes of a dtype: columns of its single numbers, and a record with an attribute for each field."""
    columns: dict[str, Callable[[np.ndarray], Any]] = {}
    openers: dict[str, tuple[str, Callable[[np.ndarray], Any]]] = {}
    properties = {}
    for name in names_of(kind):
        field = kind[name]
        small = field.base.kind in "ib" and field.base.itemsize < 8
        if field.base.names is not None and field.shape:
            openers[name] = name, PlainRecords
        elif field.base.names is not None:
            openers[f"_{name}"] = name, _alone
            properties[name] = _nested(name)
        elif field.shape:
            openers[name] = name, _widened if small else _first
        else:
            columns[name] = _memory if small else _same
            properties[name] = _single(name, field)
    base = type("PlainRecord", (PlainRecord,), {"__slots__": tuple(openers), "openers": openers})
    return (
        type("Columns", (Columns,), {"__slots__": tuple(columns), "openers": columns}),
        type("PlainRecord", (base,), {"__slots__": (), **properties}),
    )


def _memory(field: np.ndarray) -> Any:
    return memoryview(field)  # type: ignore[arg-type]


def _same(field: np.ndarray) -> np.ndarray:
    return field


def _first(field: np.ndarray) -> np.ndarray:
    return field[0]


def _widened(field: np.ndarray) -> Widened:
    return Widened(field[0])


def _alone(array: np.ndarray) -> PlainRecord:
    columns, plain = plain_classes(array.dtype)
    return plain(columns(array), 0)


def _single(name: str, kind: np.dtype[Any]) -> property:
    opened = attrgetter(name)

    def write(self: Any, value: Any) -> None:
        try:
            opened(self._columns)[self._at] = value
        except (OverflowError, ValueError, TypeError):  # it is too large, or a number of NumPy's
            opened(self._columns)[self._at] = np.asarray(value).astype(kind).item()

    return property(lambda self: opened(self._columns)[self._at], write)


def _nested(name: str) -> property:
    opened = attrgetter(f"_{name}")

    def write(self: Any, value: PlainRecord) -> None:
        opened(self).kept[:] = value.kept

    return property(opened, write)


class PlainRecords:
    """An array of records as an interpreted loop sees it."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array.reshape(-1)
        self.shape, self.dtype = self.array.shape, array.dtype
        self.bytes = self.array.view(np.uint8).data
        columns, self._plain = plain_classes(array.dtype)
        self._columns = columns(self.array)
        self._opened: dict[int, PlainRecord] = {}

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, at: Any) -> PlainRecord:
        known = self._opened.get(at)
        if known is None:
            known = self._opened[at] = self._plain(self._columns, int(at))
        return known

    def __setitem__(self, at: Any, source: PlainRecord) -> None:
        self.array[at] = source.kept[0]


def as_plain(argument: Any) -> Any:
    """An argument of a kernel as the interpreter needs it."""
    if isinstance(argument, np.ndarray) and argument.dtype.names is not None:
        return PlainRecords(argument)
    if isinstance(argument, np.void):
        # A record shares the memory of its array. If it is one of several, it can only be read.
        array: Any = argument.base
        alone = isinstance(array, np.ndarray) and array.shape == (1,)
        return _alone(array if alone else np.ndarray(1, argument.dtype, argument.data))
    return argument


_spare: dict[np.dtype[Any], list[PlainRecords]] = {}
"""Single records whose fields are open and that nobody uses: opening them takes longer than most kernels."""


def call_plainly(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Call a function of plain Python as compiled code would be called."""
    plain, held = list(arguments), []
    for place, argument in enumerate(arguments):
        if argument.__class__ is np.ndarray and argument.dtype.names is not None and argument.shape == (1,):
            spare = _spare.setdefault(argument.dtype, [])
            records = spare.pop() if spare else PlainRecords(np.empty(1, argument.dtype))
            before = argument.tobytes()
            records.bytes[:] = before
            held.append((argument, before, records, spare))
            plain[place] = records
        elif argument.__class__ is np.ndarray or argument.__class__ is np.void:
            plain[place] = as_plain(argument)
    result = function(*plain)
    for array, before, records, spare in held:
        if before != records.bytes:
            array.view(np.uint8).data[:] = records.bytes
        spare.append(records)
    return result
