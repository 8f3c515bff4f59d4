"""The three kinds of action: their spaces, and the form that an action must have to be one at all.

An action that is *malformed* (a float for a whole number, an array of the wrong shape, a number for a text, a NaN) is
a mistake in somebody's code, and every environment raises. A *well-formed* action that the rules do not allow is a
move in the game, though an illegal one, and follows the environment's policy for those.
"""

import reprlib
from typing import Any

import numpy as np
from gymnasium import spaces

from mmgames.core.constants import MAX_MESSAGE
from mmgames.core.game import Action, Game, Seat
from mmgames.core.spaces import AnyText
from mmgames.errors import MmgamesError
from mmgames.text.refusals import Illegal


def action_space(game: Game[Any, Any], seat: Seat) -> spaces.Space[Any]:
    """The actions of a seat, whatever the position."""
    if game.spec.actions == "discrete":
        return spaces.Discrete(game.num_actions)
    if game.spec.actions == "text":
        return AnyText(MAX_MESSAGE)
    low, high = (np.asarray(bound) for bound in game.bounds(seat))
    if low.shape != high.shape or low.dtype != high.dtype or low.dtype.kind not in "iuf":
        raise MmgamesError(
            f"{game.spec.id}: bounds({seat}) must be two arrays of numbers of one shape and dtype, not "
            f"{low.dtype}{list(low.shape)} and {high.dtype}{list(high.shape)}."
        )
    if not (np.isfinite(low).all() and np.isfinite(high).all() and (low <= high).all()):
        raise MmgamesError(
            f"{game.spec.id}: bounds({seat}) must be finite, the lowest values below the highest, so that "
            "actions can be drawn and checked."
        )
    return spaces.Box(low, high, dtype=low.dtype.type)


def well_formed(game: Game[Any, Any], seat: Seat, space: spaces.Space[Any], action: Action) -> Action | Illegal:
    """The action in the form in which the rules get it; Illegal where it lies outside the bounds. Raises if malformed.

    Discrete actions become int, box actions an array of their own with the space's dtype.
    """
    if isinstance(space, spaces.Box):
        return _numbers(game, seat, space, action)
    if isinstance(space, spaces.Discrete):
        # A plain int is compared here: before 1.4, Gymnasium's spaces stumble over very large ones.
        if not (0 <= action < space.n if type(action) is int else space.contains(action)):
            raise _malformed(game, seat, f"a whole number from 0 to {space.n - 1}", action)
        return int(action)
    if not isinstance(action, str):
        raise _malformed(game, seat, "text", action)
    if len(action) > MAX_MESSAGE:
        reason = f"the message has {len(action):,} characters; at most {MAX_MESSAGE:,} are taken."
        return Illegal("too long", reason, action)
    return action


def _numbers(game: Game[Any, Any], seat: Seat, space: spaces.Box, action: Action) -> np.ndarray | Illegal:
    dtype = np.dtype(space.dtype)
    given = array_of(action)
    # A plain list has no dtype of its own; an array keeps the rule of Box: nothing may be lost by casting.
    fits = given is not None and (not isinstance(action, np.ndarray) or np.can_cast(given.dtype, dtype))
    if given is None or not fits or given.shape != space.shape or np.isnan(given).any():
        raise _malformed(game, seat, f"an array of {dtype} with the shape {space.shape} and without NaN", action)
    beyond = np.argwhere((given < space.low) | (given > space.high))
    if len(beyond):
        at = tuple(int(index) for index in beyond[0])
        return Illegal(
            "out of bounds",
            f"number {at[0] + 1 if len(at) == 1 else list(at)} of the action of {game.seats[seat]} is {given[at]:g}, "
            f"out of its bounds {space.low[at]:g} to {space.high[at]:g}.",
            repr(action),
        )
    return given.astype(dtype)


def most_numbers(game: Game[Any, Any]) -> int:
    """How many numbers an action of a box game has, of the seat whose actions have the most."""
    return max(np.asarray(game.bounds(seat)[0]).size for seat in range(len(game.seats)))


def from_unit(space: spaces.Box, numbers: np.ndarray) -> np.ndarray:
    """The action that learners mean by numbers from -1 (the lowest value) to 1 (the highest), one for each of its own.

    What lies beyond is taken for the bound, and what follows after the last number is left out.
    """
    low, high = space.low.astype(np.float64), space.high.astype(np.float64)
    share = (np.clip(numbers[: low.size].reshape(low.shape).astype(np.float64), -1, 1) + 1) / 2
    action: np.ndarray = np.clip(low + share * (high - low), low, high)
    return (np.rint(action) if np.dtype(space.dtype).kind in "iu" else action).astype(space.dtype)


def array_of(numbers: Any) -> np.ndarray | None:
    """An array of numbers from an array or nested lists; None if they are none."""
    try:
        given = np.asarray(numbers)
    except (ValueError, TypeError, OverflowError):  # lists of different lengths, and worse
        return None
    return given if given.dtype.kind in "iuf" else None


def _malformed(game: Game[Any, Any], seat: Seat, wanted: str, action: Action) -> MmgamesError:
    given = reprlib.repr(action)
    if isinstance(action, np.ndarray):
        given = f"an array of {action.dtype} with the shape {action.shape}"
        given += " that holds NaN" if action.dtype.kind == "f" and np.isnan(action).any() else ""
    return MmgamesError(f"{game.spec.id}: an action of {game.seats[seat]} is {wanted}, not {given}.")
