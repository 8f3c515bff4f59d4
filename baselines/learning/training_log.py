"""A training run and its log: until steps or seconds are used up, with a CSV file that grows and is taken up again,
TensorBoard, the learning curve, and checkpoints to go on from."""

import contextlib
import csv
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from mmgames.baselines.learning import checkpoint_files
from mmgames.baselines.learning.recipes import check_seconds
from mmgames.baselines.learning.several_processes import Processes
from mmgames.baselines.learning.strength import Strength
from mmgames.core import registry
from mmgames.core.spec import GameSpec
from mmgames.core.whole_files import replacing
from mmgames.errors import MmgamesError
from mmgames.running.progress import Progress

Log = list[dict[str, float]]
SECONDS_BETWEEN_LINES = 10.0
MANY_ENVS = 1_000_000  # from so many episodes at a time on, an array that cannot be made is one that is too large


class Training:
    """A run over batches of episodes, as those of IPPO and VDN are: how often it learns, and what it leaves behind."""

    trainer: str
    same: tuple[str, ...]  # what `about` has to say again where a run goes on
    curve_of = ("return", "return per seat")  # the column of the log whose curve is drawn, and what it is
    player = "ippo"  # the agent that plays policy.npz
    every = 30.0  # seconds between two saves
    compressed = True  # whether training.npz is; what is large is quicker to write as it is
    recipe: Any
    game_id: str
    options: dict[str, Any]
    env: Any
    done_steps = 0
    processes = Processes()  # the first of them writes all files
    strength: Strength | None = None  # what measures the policy while it learns, if somebody wants that

    recipe_for: Callable[..., Any]
    learn: Callable[[], dict[str, float]]
    about: Callable[[], dict[str, Any]]
    policy: Callable[[], dict[str, np.ndarray]]
    everything: Callable[[], dict[str, np.ndarray]]
    restore_arrays: Callable[[dict[str, np.ndarray]], None]

    @property
    def per_update(self) -> int:
        return self.recipe.num_envs * self.recipe.rollout

    @property
    def updates(self) -> int:
        return max(1, round(self.recipe.steps / self.per_update))

    @property
    def updates_done(self) -> int:
        return self.done_steps // self.per_update

    def save(self, folder: Path) -> None:
        """policy.npz plays; training.npz holds all that it takes to go on as if nothing had happened."""
        arrays = self.processes.gathered(self.everything())
        if self.processes.rank == 0:
            self.save_policy(folder)
            checkpoint_files.write(folder / "training.npz", self.about(), arrays, self.compressed)

    def save_policy(self, folder: Path, name: str = "policy.npz") -> None:
        checkpoint_files.write(folder / name, self.about(), self.policy())

    def restore(self, path: Path) -> None:
        """Go on from a training.npz of the same game and recipe; what an older recipe does not tell is the default."""
        about, arrays = checkpoint_files.read(path)
        mine = self.about()
        about["recipe"] = {**checkpoint_files.as_told(type(self.recipe)()), **about["recipe"]}
        about.setdefault("processes", 1)
        checkpoint_files.check_same_run(path, about, {name: mine[name] for name in self.same})
        try:
            self.restore_arrays(self.processes.own_arrays(arrays))
        except (KeyError, ValueError, RuntimeError) as error:
            raise MmgamesError(f"{str(path)!r} is damaged ({error}); remove it to begin anew.") from error
        self.done_steps = int(about["steps"])

    def learn_for(self, share: float) -> dict[str, float]:
        """`learn`, when this share of the seconds that a run has is over; 0 where it has as many as it needs."""
        return self.learn()

    def so_far(self, log: Log) -> str:
        measured = next((row for row in reversed(log) if "strength" in row), None)
        if measured is None or self.strength is None:
            return last_return(log)
        return f"{last_return(log)}, {self.strength.told(measured)}"

    def keeper(self, folder: Path) -> Callable[[float, Log], None]:
        """What saves now and then: see `run_until`."""
        return keep_every(self.every, self, folder)

    def run(self, folder: Path, *, seconds: float | None = None, tensorboard: bool = False, show: bool = True) -> Log:
        """Learn until the steps or the seconds are used up; the log, which is also written as it grows."""

        def learn(elapsed: float) -> dict[str, float]:
            row = self.learn_for(elapsed / seconds if seconds else 0.0)
            if self.strength is not None and self.strength.due(elapsed):
                row |= self.measured(folder)
            return row

        if self.strength is not None and not self.done_steps:
            self.save_policy(folder, "start.npz")
        log = run_until(
            self, folder, learn, self.keeper(folder),
            label=f"{self.trainer} {self.game_id.rpartition('/')[2]}", steps=self.updates * self.per_update,
            per_update=self.per_update, seconds=seconds, tensorboard=tensorboard, show=show, so_far=self.so_far,
            processes=self.processes,
        )  # fmt: skip
        if self.strength is not None and log and "strength" not in log[-1]:
            log[-1] |= self.measured(folder)
            write_log(folder / "log.csv", log)
        return log

    def measured(self, folder: Path) -> dict[str, float]:
        """How strong the policy is now."""
        assert self.strength is not None
        self.save_policy(folder)
        return self.strength.measure(*(f"{self.player}:{folder / name}.npz" for name in ("policy", "start")))

    def close(self) -> None:
        self.env.close()

    @classmethod
    def check_game(cls, spec: GameSpec) -> None:
        """A sentence about a game that is not learned so."""

    @classmethod
    def train(
        cls, game_id: str, out: str | Path, *, seconds: float | None = None, resume: bool = False,
        tensorboard: bool = False, show: bool = True, anchor: str | None = None, **settings: Any,
    ) -> Log:  # fmt: skip
        """Learn a game, or go on with the run in the folder `out`; policy, log and curve are written there.

        `settings` are those of the run (seed, device, options, …) and changes of the game's recipe. The log is empty in
        a process that does not write. How strong the policy is beside an `anchor` stands in it."""
        spec = registry.find(game_id)
        cls.check_game(spec)
        of_run = [name for name, one in signature(cls).parameters.items() if one.kind is one.KEYWORD_ONLY]
        own = {name: settings.pop(name) for name in of_run if name in settings}
        recipe = cls.recipe_for(spec.id, **settings)
        folder = Path(out)
        check_seconds(seconds)
        if not resume:
            checkpoint_files.check_new_run(folder)
        make: Callable[..., Training] = cls
        training = made(cls.trainer, partial(make, spec.id, recipe, **own), recipe.num_envs)
        try:
            if anchor is not None and not training.processes.rank:
                seats = sorted(seat for net in training.about().get("nets", ()) for seat in net)
                training.strength = Strength(training.game_id, training.options, anchor, seats)
            if resume:
                training.restore(checkpoint_files.training_to_resume(folder))
            log = training.run(folder, seconds=seconds, tensorboard=tensorboard, show=show)
        finally:
            training.close()
        if training.processes.rank:
            return []
        curve(log, folder / "curve.png", f"{cls.trainer.upper()} on {training.game_id}", *cls.curve_of)
        return log


def made(trainer: str, make: Callable[[], Training], num_envs: int) -> Training:
    """A run; one sentence where its arrays do not fit into memory, which PyTorch and NumPy say in many ways."""
    try:
        return make()
    except (MemoryError, RuntimeError, ValueError) as error:
        if num_envs < MANY_ENVS and not isinstance(error, (MemoryError, torch.OutOfMemoryError)):
            raise
        raise MmgamesError(f"{trainer}: num_envs={num_envs} episodes do not fit into memory; take fewer.") from error


def state_arrays(name: str, state: nn.Module | torch.optim.Optimizer) -> dict[str, np.ndarray]:
    """The weights of a network, or what an optimiser keeps of each of its parameters, under this name."""
    if isinstance(state, nn.Module):
        return {f"{name}.{key}": tensor.cpu().numpy() for key, tensor in state.state_dict().items()}
    kept = state.state_dict()["state"].items()
    return {f"{name}.{place}.{key}": tensor.cpu().numpy() for place, own in kept for key, tensor in own.items()}


def restore_state(name: str, state: nn.Module | torch.optim.Optimizer, arrays: dict[str, np.ndarray]) -> None:
    """Take up what `state_arrays` kept."""
    if isinstance(state, nn.Module):
        state.load_state_dict({key: torch.from_numpy(arrays[f"{name}.{key}"]) for key in state.state_dict()})
        return
    kept = [(group, parameter) for group in state.param_groups for parameter in group["params"]]
    for place, (group, parameter) in enumerate(kept):
        names = {key.rpartition(".")[2]: key for key in arrays if key.startswith(f"{name}.{place}.")}
        if names:  # what plays no part in the loss has none
            counted = parameter.device if group.get("fused") else torch.device("cpu")  # where updates are counted
            state.state[parameter] = {
                key: torch.from_numpy(arrays[own]).to(counted if key == "step" else parameter.device)
                for key, own in names.items()
            }


def last_return(log: Log) -> str:
    told = next((entry["return"] for entry in reversed(log) if "return" in entry), None)
    return "no episode has ended" if told is None else f"return {told:.3f}"


def outcome(log: Log, names: Sequence[str] = ("return",)) -> dict[str, float]:
    """What a run has come to: the means of these columns over its last twentieth, usually the return of a seat."""
    last = log[-max(1, len(log) // 20) :]
    found = {name: [entry[name] for entry in last if name in entry] for name in names}
    return {name: sum(values) / len(values) for name, values in found.items() if values}


def run_until(
    training: Any, folder: Path, learn: Callable[[float], dict[str, float]], keep: Callable[[float, Log], None], *,
    label: str, steps: int, per_update: int, seconds: float | None, tensorboard: bool, show: bool,
    so_far: Callable[[Log], str] | None = None, processes: Processes = Training.processes,
) -> Log:  # fmt: skip
    """Learn until so many steps are done, or the seconds are used up; the log, which goes on from that of before.

    `learn` gets the seconds since the run began, makes `per_update` steps and gives a row of the log; `keep` gets the
    same seconds and the log after each row, and may save something. At the end all is saved.
    """
    folder.mkdir(parents=True, exist_ok=True)
    log = read_log(folder / "log.csv", training.done_steps)
    first, clock = processes.rank == 0, processes.clock
    before, begun = log[-1]["seconds"] if log else 0.0, clock()
    note = None if so_far is None else lambda: so_far(log)
    with (
        tensorboard_log(folder, tensorboard and first) as board,
        Progress(steps, label, training.done_steps, show and first, note, SECONDS_BETWEEN_LINES) as bar,
    ):
        while training.done_steps < steps:
            row = learn(clock() - begun)
            elapsed = clock() - begun
            log.append({"steps": float(training.done_steps), "seconds": before + elapsed, **row})
            for name, value in row.items() if board is not None else ():
                board.add_scalar(name, value, training.done_steps)
            bar.advance(per_update)
            if note is not None:
                bar.note()
            if seconds is not None and elapsed > seconds:
                break
            keep(elapsed, log)
    training.save(folder)
    if first:
        write_log(folder / "log.csv", log)
    return log


def keep_every(seconds: float, training: Any, folder: Path) -> Callable[[float, Log], None]:
    """A `keep` that saves the training and its log whenever so many seconds have passed."""
    saved = 0.0

    def keep(elapsed: float, log: Log) -> None:
        nonlocal saved
        if elapsed - saved > seconds:
            training.save(folder)
            if training.processes.rank == 0:
                write_log(folder / "log.csv", log)
            saved = elapsed

    return keep


@contextlib.contextmanager
def tensorboard_log(folder: Path, wanted: bool, steps: int | None = None) -> Iterator[Any]:
    """A writer for TensorBoard, or None if nobody wants one; what was written after so many `steps` is not shown."""
    if not wanted:
        yield None
        return
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise MmgamesError("A log for TensorBoard needs it: pip install tensorboard.") from error
    board = SummaryWriter(str(folder), purge_step=None if steps is None else steps + 1)
    try:
        yield board
    finally:
        board.close()


def write_log(path: Path, log: list[dict[str, float]]) -> None:
    names = list(dict.fromkeys(name for entry in log for name in entry))
    with replacing(path) as partial, open(partial, "w", newline="") as file:
        table = csv.DictWriter(file, names)
        table.writeheader()
        table.writerows(log)


def read_log(path: Path, steps: float = float("inf")) -> list[dict[str, float]]:
    """The log of a run so far: nothing of it that came after the checkpoint."""
    if not steps or not path.exists():
        return []
    with open(path, newline="") as file:
        rows = [{name: float(value) for name, value in row.items() if value} for row in csv.DictReader(file)]
    return [row for row in rows if row["steps"] <= steps]


def curve(
    log: list[dict[str, float]], path: Path, title: str, what: str = "return", label: str = "return per seat"
) -> None:
    """The learning curve as a picture, if matplotlib is there."""
    points = [(entry["steps"], entry[what]) for entry in log if what in entry]
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    if points:
        figure = Figure((6, 3.5), layout="constrained")
        axes = figure.add_subplot()
        axes.plot(*zip(*points, strict=True), color="#2060a0")
        axes.set(xlabel="steps", ylabel=label, title=title)
        axes.grid(alpha=0.3)
        figure.savefig(path, dpi=120)
