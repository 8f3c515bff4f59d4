"""Guests in words: what their spaces say, in general terms, or what whoever brought them has written."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mmgames.errors import MmgamesError, unknown
from mmgames.games._guests.sights import array_in
from mmgames.games._guests.view import GuestView

KNOWN = ("rules", "you", "legend", "actions")
MOST_NUMBERS = 64
"""An array with more of them is told by where it is not zero."""
MOST_PLACES = 40


def check_words(words: Any, where: str) -> dict[str, Any]:
    """The texts that were given, in a form that can be hashed and written as JSON; a sentence if they are no texts."""
    if not isinstance(words, Mapping):
        raise MmgamesError(f"{where}: words={words!r} are not texts by their names ({', '.join(KNOWN)}).")
    for name, text in words.items():
        if name not in KNOWN:
            raise unknown("text", name, where, KNOWN)
        if name != "actions" and not isinstance(text, str):
            raise MmgamesError(f"{where}: words[{name!r}] is not a text.")
    texts = dict(words)
    if "actions" in texts:
        texts["actions"] = _names(texts["actions"], where)
    return texts


def _names(given: Any, where: str) -> tuple[Any, ...]:
    if isinstance(given, Mapping):
        return tuple((str(role), _names(names, where)) for role, names in given.items())
    listed = [] if isinstance(given, str) or not isinstance(given, Sequence) else list(given)
    if listed and all(
        isinstance(one, tuple | list) and len(one) == 2 and isinstance(one[1], tuple | list) for one in listed
    ):
        return tuple((str(role), _names(names, where)) for role, names in listed)
    names = tuple(" ".join(one.split()) for one in listed if isinstance(one, str) and one.strip())
    if not names or len(names) != len(listed) or len({name.lower() for name in names}) != len(names):
        raise MmgamesError(f"{where}: words['actions'] are names, all different, in a list or in one for each seat.")
    return names


def names(view: GuestView) -> dict[int, str]:
    return dict(view.legal)


def rules(view: GuestView) -> str:
    given = dict(view.words).get("rules")
    if given:
        return str(given)
    seats = f"It has {len(view.roles)} seats: {', '.join(view.roles)}." if len(view.roles) > 1 else "It has one seat."
    return (
        f"This is {view.game}, an environment of {view.home}, by the rules implemented there. {seats} "
        "What is collected are its rewards; more is better."
    )


def you(view: GuestView) -> str:
    if view.seat is None:
        return "You are watching."
    given = dict(view.words).get("you")
    return f"You are {view.role}. {given or 'Collect as much as you can.'}"


def legend(view: GuestView) -> str:
    given = dict(view.words).get("legend")
    if given:
        return str(given)
    if view.picture is not None:
        return "The picture is what the environment's own renderer shows to everybody."
    return "The picture is what this seat observes."


def notation(view: GuestView) -> str:
    if not view.examples:
        return ""
    return f"Actions have names, such as {' or '.join(view.examples)}."


def history(view: GuestView) -> str:
    if view.seat is None or view.over:
        return _turn(view)
    return f"Step {view.step + 1}. You have collected {view.returns[view.seat]:g}.\n{_turn(view)}"


def describe(view: GuestView) -> str:
    return "\n".join([*([view.text] if view.text else []), observed(view.observation), history(view)])


def _turn(view: GuestView) -> str:
    if view.over:
        totals = ", ".join(f"{role} {total:g}" for role, total in zip(view.roles, view.returns, strict=False))
        return f"The episode is over: {totals}."
    if view.seat in view.movers:
        return "It is your turn." if len(view.movers) == 1 else "Everybody moves at the same time, you too."
    waiting = ", ".join(view.roles[seat] for seat in view.movers)
    return f"To move: {waiting}."


def observed(value: Any, name: str = "") -> str:
    """An observation in words: its numbers, or where they are not zero, part by part."""
    lead = f"{name}: " if name else ""
    array = array_in(value)
    if array is not None:
        return lead + _array(array)
    if isinstance(value, tuple) and value and value[0] == "dict":
        return "\n".join(observed(part, f"{name}.{key}" if name else str(key)) for key, part in value[1])
    if isinstance(value, tuple) and value and value[0] == "tuple":
        return "\n".join(observed(part, f"{name}[{at}]") for at, part in enumerate(value[1]))
    return lead + ("nothing is observed" if value is None else str(value))


def _array(array: np.ndarray) -> str:
    if array.size == 1:
        return f"You observe {array.reshape(-1)[0]:g}."
    shape = " by ".join(map(str, array.shape))
    if array.dtype == np.uint8 and array.ndim >= 2 and array.size > 256:
        return f"You observe a picture of {shape} bytes."
    if array.size <= MOST_NUMBERS and array.ndim <= 2:
        rows = array.reshape(1, -1) if array.ndim == 1 else array
        return "You observe:\n" + "\n".join(" ".join(f"{number:g}" for number in row) for row in rows.tolist())
    places = np.argwhere(array)
    numbers = "; ".join(
        f"{','.join(map(str, place))}"
        + ("" if array.dtype.kind == "b" or array[tuple(place)] == 1 else f" = {array[tuple(place)]:g}")
        for place in places[:MOST_PLACES].tolist()
    )
    if not numbers:
        return f"You observe {shape} numbers, all of them 0."
    more = f"; and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
    return f"You observe {shape} numbers, counted from 0; they are 0 but for {numbers}{more}."
