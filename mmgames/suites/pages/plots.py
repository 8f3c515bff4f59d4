"""Plots of suite results. Needs the `plot` extra (Matplotlib)."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mmgames.errors import MmgamesError, needs_extra

FEWEST_AXES = 3


def check(path: str | os.PathLike[str]) -> None:
    """A sentence if a plot could not be written there."""
    check_writable(path, "The plot")
    known = _pyplot().figure().canvas.get_supported_filetypes()
    _pyplot().close()
    kind = Path(path).suffix.removeprefix(".").lower()
    if kind not in known:
        raise MmgamesError(
            f"The plot cannot be written to {path}: name a file that ends in {', '.join(sorted(known))}."
        )


def check_writable(path: str | os.PathLike[str], what: str) -> None:
    """A sentence if a file could not be written there; nothing that exists is touched."""
    path = Path(path)
    why = ""
    if path.is_dir():
        why = "it is a folder"
    elif not path.parent.is_dir():
        why = f"there is no folder {path.parent}"
    elif not os.access(path if path.exists() else path.parent, os.W_OK):
        why = "you may not write there"
    if why or not path.name:
        raise MmgamesError(f"{what} cannot be written to {path}: {why}.")


def radar(
    path: str | os.PathLike[str], title: str, series: Mapping[str, Mapping[str, float]], most: float = 1.0
) -> None:
    """A radar plot: one closed line for each of `series`, one axis for each of its labels, from 0 to `most`."""
    pyplot = _pyplot()
    labels = list(dict.fromkeys(label for values in series.values() for label in values))
    if len(labels) < FEWEST_AXES:
        raise MmgamesError(f"A radar plot needs at least {FEWEST_AXES} axes, not {len(labels)}.")
    turn = [2 * 3.141592653589793 * i / len(labels) for i in range(len(labels))]
    figure, axes = pyplot.subplots(figsize=(6.4, 6.4), subplot_kw={"projection": "polar"}, layout="constrained")
    for name, values in series.items():
        heights = [values.get(label, float("nan")) for label in labels]  # what is missing leaves a gap
        axes.plot([*turn, turn[0]], [*heights, heights[0]], label=name, linewidth=2)
        axes.fill(turn, heights, alpha=0.12)
    axes.set_xticks(turn, labels)
    axes.tick_params(axis="x", pad=16)
    axes.set_ylim(0, most)
    axes.set_title(title, pad=24)
    axes.legend(loc="lower left", bbox_to_anchor=(-0.12, -0.12))
    _save(figure, path)


def lines(
    path: str | os.PathLike[str], title: str, across: str, up: str, series: Mapping[str, Sequence[float]]
) -> None:
    """Lines over 1, 2, 3, …, from 0 to 1."""
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(figsize=(6.4, 4.2), layout="constrained")
    for name, values in series.items():
        axes.plot(range(1, len(values) + 1), values, label=name, marker="o", linewidth=2)
    axes.set(title=title, xlabel=across, ylabel=up, ylim=(-0.02, 1.02))
    axes.grid(alpha=0.3)
    axes.legend()
    _save(figure, path)


def bars(
    path: str | os.PathLike[str], title: str, across: str, values: Mapping[str, float], marked: Sequence[str] = ()
) -> None:
    """Horizontal bars from 0 to 1, the longest on top; those of `marked` in another colour."""
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(figsize=(6.4, 1.2 + 0.28 * len(values)), layout="constrained")
    names = sorted(values, key=lambda name: values[name])
    colours = ["#c2541b" if name in marked else "#9db4cc" for name in names]
    drawn = axes.barh(names, [values[name] for name in names], color=colours)
    axes.bar_label(drawn, fmt="%.2f", padding=3)
    axes.set(title=title, xlabel=across, xlim=(0, 1.1))
    _save(figure, path)


def grouped_bars(
    path: str | os.PathLike[str], title: str, across: str, series: Mapping[str, Mapping[str, float]]
) -> None:
    """Horizontal bars from 0 to 1: a group for each label, in it a bar for each of `series`."""
    pyplot = _pyplot()
    labels = list(dict.fromkeys(label for values in series.values() for label in values))
    thick = 0.8 / max(1, len(series))
    figure, axes = pyplot.subplots(figsize=(6.4, 1.4 + 0.32 * len(labels) * len(series)), layout="constrained")
    for number, (name, values) in enumerate(series.items()):
        places = [at + (number - (len(series) - 1) / 2) * thick for at in range(len(labels))]
        drawn = axes.barh(places, [values.get(label, 0.0) for label in labels], thick, label=name)
        written = [f"{values[label]:.2f}" if label in values else "" for label in labels]  # what is not there is no 0
        axes.bar_label(drawn, written, padding=3, fontsize=8)
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.set(title=title, xlabel=across, xlim=(0, 1.15))
    figure.legend(loc="outside lower center", ncols=len(series), frameon=False)
    _save(figure, path)


def _pyplot() -> Any:
    with needs_extra("A plot", "plot"):
        import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def _save(figure: Any, path: str | os.PathLike[str]) -> None:
    try:
        figure.savefig(path, dpi=120)
    except (OSError, ValueError) as error:
        raise MmgamesError(f"The plot could not be written to {path}: {error}.") from error
    finally:
        _pyplot().close(figure)
