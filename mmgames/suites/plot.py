"""Plots of suite results. Needs the `plot` extra (Matplotlib)."""

from __future__ import annotations

import os
from collections.abc import Mapping

from mmgames.core.errors import MissingExtra, MmgamesError
from mmgames.core.registry import missing_extra


def radar(
    path: str | os.PathLike[str], title: str, series: Mapping[str, Mapping[str, float]], most: float = 1.0
) -> None:
    """A radar plot: one closed line for each of `series`, one axis for each of its labels, from 0 to `most`."""
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtra(missing_extra("A plot", ("plot",))) from error
    matplotlib.use("Agg")
    from matplotlib import pyplot

    labels = list(next(iter(series.values())))
    if len(labels) < 3:
        raise MmgamesError(f"A radar plot needs at least three axes, not {len(labels)}.")
    turn = [2 * 3.141592653589793 * i / len(labels) for i in range(len(labels))]
    figure, axes = pyplot.subplots(figsize=(6.4, 6.4), subplot_kw={"projection": "polar"}, layout="constrained")
    for name, values in series.items():
        heights = [values[label] for label in labels]
        axes.plot([*turn, turn[0]], [*heights, heights[0]], label=name, linewidth=2)
        axes.fill(turn, heights, alpha=0.12)
    axes.set_xticks(turn, labels)
    axes.tick_params(axis="x", pad=16)
    axes.set_ylim(0, most)
    axes.set_title(title, pad=24)
    axes.legend(loc="lower left", bbox_to_anchor=(-0.12, -0.12))
    try:
        figure.savefig(path, dpi=120)
    except (OSError, ValueError) as error:
        raise MmgamesError(f"The plot could not be written to {path}: {error}.") from error
    finally:
        pyplot.close(figure)
