"""Play as a Minari data set, for offline learning: from the records of matches, or from batches played for it.

  mmgames match CoinDilemma self_interest random --episodes 100 --out coins.jsonl
  mmgames dataset minari coins/mixed-v0 --records coins.jsonl
  mmgames dataset minari coins/random-v0 --game CoinDilemma --agents random --episodes 1000

Every seat's decisions in an episode are one Minari episode (see `seat_episodes`). The data set lies where Minari looks
for it: in MINARI_DATASETS_PATH, or in ~/.minari/datasets.
"""

import os
import shutil
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from mmgames.core import registry
from mmgames.core.observation import check_size
from mmgames.datasets.seat_episodes import SeatEpisode, of_batches, of_record
from mmgames.errors import MmgamesError, needs_extra
from mmgames.running import records as results
from mmgames.running.processes import Workers
from mmgames.running.progress import Progress
from mmgames.text.command_line import arguments_of
from mmgames.version import __version__

Paths = Sequence[str | os.PathLike[str]]
EPISODES, SIZE = 1000, 84
NEEDED: results.Fields = {
    "episode": lambda value: isinstance(value, int),
    "seed": lambda value: isinstance(value, int) and value >= 0,
    "actions": lambda value: isinstance(value, list),
}


arguments = arguments_of(__package__, "minari")


def build(
    out: str | os.PathLike[str],
    *,
    seed: int = 0,
    records: Paths | None = None,
    game: str | None = None,
    agents: Sequence[str] | None = None,
    episodes: int | None = None,
    observe: Sequence[str] | None = None,
    seats: Sequence[str] | None = None,
    size: int = SIZE,
    processes: Workers = 1,
    progress: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Make the Minari data set `out`, such as "coins/mixed-v0", of `records` or of `game`; the report.

    Everything is made in this process, whatever `processes` says: Minari writes one file.
    """
    name, began = str(out), time.perf_counter()
    check_size(size, "the data set minari")
    path = _free_path(name)
    if (records is None) == (game is None):
        raise MmgamesError("The data set minari is made of --records or of a --game; say one of them.")
    if records is not None:
        if agents or episodes or options:
            raise MmgamesError(
                "Records have their agents, episodes and options; --agents, --episodes and --set do not fit."
            )
        about, found, left_out = _recorded(records, observe, size, seats, progress)
    else:
        about = {"game": registry.find(str(game)).id, "agents": list(agents or ["random"])}
        episodes, left_out = episodes or EPISODES, 0
        made = of_batches(about["game"], about["agents"], episodes, seed, observe, size, seats, options)
        found = list(_shown(made, episodes, progress))
    if not found:
        raise MmgamesError("There is nothing for a data set: no finished episode has a decision of these seats.")
    _write(name, path, found, about)
    returns: dict[str, list[float]] = {}
    for episode in found:
        returns.setdefault(episode.role, []).append(sum(episode.rewards))
    return {
        "data set": "minari",
        "name": name,
        "path": str(path),
        **about,
        "episodes": len({episode.episode for episode in found}),
        "left out": left_out,
        "seat episodes": len(found),
        "steps": sum(len(episode.actions) for episode in found),
        "mean returns": {role: float(np.mean(sums)) for role, sums in returns.items()},
        "seconds": round(time.perf_counter() - began, 1),
    }


def table(report: dict[str, Any], out: str) -> str:
    """The report as the terminal shows it."""
    lines = [
        f"{report['name']}: {report['game']}, {report['episodes']} episodes, {report['seat episodes']} of single "
        f"seats, {report['steps']} steps",
        *(f"  {role}: mean return {mean:g}" for role, mean in report["mean returns"].items()),
    ]
    if report["left out"]:
        lines.append(f"  left out: {report['left out']} episodes that failed or were forfeited")
    return "\n".join([*lines, f"in {report['path']}; minari.load_dataset({report['name']!r}) reads it"])


def _minari() -> Any:
    with needs_extra("A Minari data set", "minari"):
        import h5py  # noqa: F401 - Minari asks for it only when it writes
        import minari
    return minari


def _free_path(name: str) -> Any:
    """Where Minari keeps a data set of this name; an error if there is one already."""
    minari = _minari()
    try:
        minari.dataset.minari_dataset.parse_dataset_id(name)
    except ValueError:
        raise MmgamesError(f"{name!r} is no name of a Minari data set; one is like coins/mixed-v0.") from None
    path = minari.storage.get_dataset_path(name)
    if path.exists():
        raise MmgamesError(f"There is a data set {name!r} in {path}; name another, or another version of it.")
    return path


def _recorded(
    paths: Paths, observe: Sequence[str] | None, size: int, seats: Sequence[str] | None, progress: bool
) -> tuple[dict[str, Any], list[SeatEpisode], int]:
    """What results files are about, the decisions in them, and how many episodes are left out."""
    rows: list[dict[str, Any]] = []
    games: dict[str, None] = {}
    agents: dict[str, None] = {}
    for path in paths:
        about, found = results.read(path)
        if not isinstance(about.get("match"), str):
            raise MmgamesError(f"{path} holds no match; `mmgames match ID AGENT --out FILE` writes one.")
        games[about["match"]] = None
        agents |= dict.fromkeys(map(str, about.get("agents", ())))
        common = {"game": about["match"], "options": about.get("options", {}), "version": about.get("version")}
        latest = {row.get("episode"): row for row in found}
        for row in latest.values():
            results.check_row(row, NEEDED, f"{path} cannot be used: an episode", "Play the match again.")
            rows.append({**common, **row, "episode": len(rows)})
    if len(games) > 1:
        raise MmgamesError(f"A data set is about one game; the records are of {', '.join(games)}.")
    whole = [row for row in rows if not row.get("failed") and not {"forfeit", "draw_agreed"} & row.keys()]
    made = []
    with Progress(len(whole), "minari", show=progress) as bar:
        for row in whole:
            made += of_record(row, observe, size, seats)
            bar.advance()
    return {"game": next(iter(games)), "agents": list(agents)}, made, len(rows) - len(whole)


def _shown(made: Iterable[SeatEpisode], episodes: int, progress: bool) -> Iterator[SeatEpisode]:
    """The same, with a bar that counts the episodes that are finished."""
    finished: set[int] = set()
    with Progress(episodes, "minari", show=progress) as bar:
        for episode in made:
            if episode.episode not in finished:
                finished.add(episode.episode)
                bar.advance()
            yield episode


def _write(name: str, path: Any, found: Sequence[SeatEpisode], about: dict[str, Any]) -> None:
    """Hand everything to Minari; what could not be written whole is removed."""
    first = found[0]
    for episode in found:
        if (episode.observation_space, episode.action_space) != (first.observation_space, first.action_space):
            raise MmgamesError(
                f"{about['game']}: {episode.role} in episode {episode.episode} sees or does other things than "
                f"{first.role} in episode {first.episode}, and a data set has one form; choose with --seats or "
                "--observe."
            )
    seen = {
        key: _storable(key, space, (observation[key] for episode in found for observation in episode.observations))
        for key, space in first.observation_space.spaces.items()
    }
    done = _storable("action", first.action_space, (action for episode in found for action in episode.actions))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # about authors and environments that are not named
            _minari().create_dataset_from_buffers(
                name,
                [_buffer(episode) for episode in found],
                observation_space=spaces.Dict(seen),
                action_space=done,
                algorithm_name=", ".join(about["agents"]) or None,
                description=f"{about['game']}, the decisions of {', '.join(dict.fromkeys(e.role for e in found))}",
                requirements=[f"mmgames=={__version__}"],
                data_format="hdf5",
                jpeg_encoding=False,  # pictures come back as they were
            )
    except BaseException:
        shutil.rmtree(path, ignore_errors=True)
        raise


def _storable(key: str, space: spaces.Space[Any], values: Iterable[Any]) -> spaces.Space[Any]:
    """The space as Minari writes it down; of a text, the characters and the length that occur."""
    if isinstance(space, spaces.Text):
        texts = set(values)
        letters = "".join(sorted(set().union(*texts))) or " "
        return spaces.Text(max(1, *map(len, texts)), min_length=0, charset=letters)
    if not isinstance(space, (spaces.Box, spaces.Discrete)):
        raise MmgamesError(f"Minari has no form for {key!r}; observe others, such as text or action_mask.")
    return space


def _buffer(episode: SeatEpisode) -> Any:
    steps = len(episode.actions)
    infos: dict[str, Any] = {
        "seat": np.full(steps + 1, episode.seat),
        "role": [episode.role] * (steps + 1),
        "episode": np.full(steps + 1, episode.episode),
    }
    if episode.masks:
        infos["action_mask"] = np.stack(episode.masks)
    end = np.zeros(steps, bool)
    end[-1] = True
    return _minari().data_collector.EpisodeBuffer(
        seed=episode.seed,
        observations={key: _column([seen[key] for seen in episode.observations]) for key in episode.observations[0]},
        actions=_column(episode.actions),
        rewards=np.array(episode.rewards),
        terminations=end & episode.terminated,
        truncations=end & (not episode.terminated),
        infos=infos,
    )


def _column(values: list[Any]) -> Any:
    return values if isinstance(values[0], str) else np.stack([np.asarray(value) for value in values])
