"""What guests show: observations as values and as numbers, and frames of their renderers as pictures."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

MASK = "action_mask"


def without_mask(observed: Any) -> Any:
    """An observation, or the space of one, without the mask that stands beside it in PettingZoo's games."""
    if not isinstance(observed, Mapping | spaces.Dict) or MASK not in observed.keys():  # noqa: SIM118, spaces iterate alike
        return observed
    rest = {name: part for name, part in observed.items() if name != MASK}
    if [*rest] == ["observation"]:
        return rest["observation"]
    return spaces.Dict(rest) if isinstance(observed, spaces.Dict) else rest


def value_of(observed: Any) -> Hashable:
    """An observation as a hashable value."""
    if isinstance(observed, Mapping):
        return ("dict", tuple((str(name), value_of(one)) for name, one in observed.items()))
    if isinstance(observed, tuple | list):
        return ("tuple", tuple(value_of(one) for one in observed))
    if observed is None or isinstance(observed, str):
        return observed
    array = np.asarray(observed)
    if array.dtype.kind == "O":
        raise ValueError(f"an observation holds {type(observed).__name__}, which is no array, number or text")
    return ("array", array.dtype.str, array.shape, array.tobytes())


def array_in(value: Any) -> np.ndarray | None:
    """The array of an observation that is one."""
    if isinstance(value, tuple) and value and value[0] == "array":
        return np.frombuffer(value[3], np.dtype(value[1])).reshape(value[2])
    return None


def is_picture(space: Any) -> bool:
    """Whether observations are pictures: rows and columns of bytes, in colours or in grey."""
    return (
        isinstance(space, spaces.Box) and space.dtype == np.uint8 and len(space.shape) in (2, 3)
        and min(space.shape[:2]) >= 8 and (len(space.shape) == 2 or space.shape[2] in (1, 3))
    )  # fmt: skip


def features_of(space: Any, observed: Any) -> np.ndarray:
    """An observation as numbers between -1 and 1: by its bounds, where it has some, otherwise x / (1 + |x|).

    Zeros where nothing was observed yet; nothing for texts, graphs and lists of any length, which have no fixed size.
    """
    if isinstance(space, spaces.Dict | spaces.Tuple):
        parts = space.items() if isinstance(space, spaces.Dict) else enumerate(space.spaces)
        features = [features_of(part, None if observed is None else observed[name]) for name, part in parts]
        return np.concatenate([np.zeros(0, np.float32), *features])
    if not isinstance(space, spaces.Box | spaces.Discrete | spaces.MultiDiscrete | spaces.MultiBinary):
        return np.zeros(0, np.float32)
    if observed is None:
        return np.zeros(spaces.flatdim(space), np.float32)
    box: Any = space if isinstance(space, spaces.Box) else spaces.flatten_space(space)  # making a space takes its time
    seen = np.asarray(observed, space.dtype).ravel() if box is space else spaces.flatten(space, observed)
    flat = np.asarray(seen, np.float64)
    low, high = np.ravel(box.low).astype(np.float64), np.ravel(box.high).astype(np.float64)
    if flat.shape != low.shape:
        raise ValueError(f"an observation has {flat.size} numbers where its space has {low.size}")
    bounded = np.isfinite(low) & np.isfinite(high) & (high > low) & (high - low < 1e30)
    with np.errstate(all="ignore"):
        scaled = np.where(bounded, 2 * (flat - low) / (high - low) - 1, flat / (1 + np.abs(flat)))
    return np.clip(np.nan_to_num(scaled), -1, 1).astype(np.float32)


def frame_of(shown: Any) -> np.ndarray | None:
    """What a renderer returned as rows, columns and three colours; of several frames the last. None: no picture."""
    if isinstance(shown, list | tuple) and shown:
        shown = shown[-1]
    if not isinstance(shown, np.ndarray) or shown.ndim not in (2, 3) or not shown.size:
        return None
    frame = shown.reshape(*shown.shape[:2], -1)
    if frame.shape[2] not in (1, 3, 4) or frame.dtype.kind not in "buif":
        return None
    if frame.dtype != np.uint8:
        frame = np.nan_to_num(frame * 255.0 if frame.dtype.kind in "bf" and frame.max() <= 1 else frame).clip(0, 255)
    if frame.shape[2] == 4:  # transparent on white
        share = frame[..., 3:] / 255
        frame = frame[..., :3] * share + 255 * (1 - share)
    return np.ascontiguousarray(np.broadcast_to(frame, (*frame.shape[:2], 3)).astype(np.uint8))
