"""Iterative self-play policy optimisation (Vision-Zero), in one file: `mmgames train spo Spy --out DIR` runs it.

Everybody at the table is the same policy. In the *decision* stage it learns to vote: the votes of a round are
compared with each other. In the *clue* stage it learns to speak: a clue is worth what the votes say of it, zero in all,
less what the speaker's role usually gets. Which stage is on depends on how well it votes; it starts with decisions. A
penalty keeps the policy near the one it began as. The pieces stand first, as functions and small classes over plain
numbers, so that they serve any agent that knows how likely it found what it said.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from mmgames.baselines.learning import learned
from mmgames.baselines.learning.run_folder import (
    changed,
    device_named,
    from_one_up,
    read_log,
    tensorboard_log,
    write_log,
)
from mmgames.baselines.learning.spy_policy import (
    RECIPE,
    Eye,
    Seen,
    Sight,
    SpyPolicy,
    clue_choices,
    drawn,
    drawn_from,
    labels,
    load,
    save,
    vote_choices,
)  # fmt: skip
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.errors import MmgamesError, unknown
from mmgames.games.spy.pictures.clevr import Clevr
from mmgames.games.spy.rules import Spy
from mmgames.running.progress import Progress

Stage = Literal["decision", "clue"]
GAME = "mmgames/Spy-v0"
TINY = 1e-6
HELD_OUT = 200
"""Pictures on which the eye is tried that it has not learned from."""


# The pieces


class RoleBaselines:
    """What each role usually gets: a running mean. It is brought up to date first and then subtracted."""

    def __init__(self, alpha: float = 0.95) -> None:
        self.alpha = alpha
        self.means: dict[str, float] = {}

    def advantages(self, role: str, rewards: np.ndarray) -> np.ndarray:
        if not len(rewards):
            return rewards
        mean = float(np.mean(rewards))
        self.means[role] = self.alpha * self.means.get(role, 0.0) + (1 - self.alpha) * mean
        return rewards - self.means[role]


def normalised(rewards: Sequence[float]) -> np.ndarray:
    """Rewards of one group, such as the votes of a round, against each other; nothing if they are all alike."""
    values = np.asarray(rewards, float)
    spread = values.std() if len(values) else 0.0
    return np.zeros_like(values) if spread < TINY else (values - values.mean()) / spread


@dataclass
class StageSwitch:
    """Decisions are trained until they are good, clues until decisions have become bad, both within bounds.

    Accuracy and the share of N/A are running means. A stage lasts `shortest` updates at least, and `longest` at most.
    """

    rho: float = 0.95
    good_accuracy: float = 0.9
    good_abstention: float = 0.1
    bad_error: float = 0.4
    bad_abstention: float = 0.5
    shortest: int = 5
    longest: int = 20
    stage: Stage = "decision"
    updates: int = 0
    accuracy: float | None = None
    abstention: float | None = None

    def update(self, accuracy: float, abstention: float) -> Stage:
        """Take in how the votes of an update went; the stage of the next one."""
        keep = lambda old, new: new if old is None else self.rho * old + (1 - self.rho) * new  # noqa: E731
        self.accuracy, self.abstention = keep(self.accuracy, accuracy), keep(self.abstention, abstention)
        self.updates += 1
        if self.stage == "decision":
            ripe = self.accuracy >= self.good_accuracy and self.abstention <= self.good_abstention
        else:
            ripe = 1 - self.accuracy >= self.bad_error or self.abstention >= self.bad_abstention
        if self.updates >= self.longest or (ripe and self.updates >= self.shortest):
            self.stage, self.updates = ("clue" if self.stage == "decision" else "decision"), 0
        return self.stage


def divergence(likely: Tensor, reference: Tensor) -> Tensor:
    """An estimate of the KL divergence from the reference by the log-probabilities of what was done, never negative."""
    gap = reference - likely
    return gap.exp() - gap - 1


def vote_advantages(game: Spy, rounds: Sequence[LiveGame], where: Sequence[tuple[int, int]]) -> np.ndarray:
    """What votes are worth, given by their round and seat: those of a round against each other."""
    advantages = np.zeros(len(where))
    for number, live in enumerate(rounds):
        rewards = game.vote_rewards(live.state)
        places = [place for place, (there, _) in enumerate(where) if there == number]
        advantages[places] = normalised([rewards[where[place][1]] for place in places])
    return advantages


def clue_advantages(
    game: Spy, rounds: Sequence[LiveGame], where: Sequence[tuple[int, int]], roles: RoleBaselines | None
) -> np.ndarray:
    """What clues are worth, given by their round and seat, less what the role usually gets unless `roles` is None."""
    earned = [game.clue_rewards(live.state) for live in rounds]
    rewards = np.array([earned[number][seat] for number, seat in where])
    if roles is not None:
        spies = np.array([seat in rounds[number].state.spies for number, seat in where], bool)
        for role, which in (("spy", spies), ("civilian", ~spies)):
            rewards[which] = roles.advantages(role, rewards[which])
    return rewards


def votes_of(game: Spy, rounds: Sequence[LiveGame]) -> dict[str, float]:
    """How the votes of these rounds went, and how often the spy was caught."""
    events = [game.events(live.state) for live in rounds]
    votes = sum(one["votes"] for one in events)
    return {
        "accuracy": sum(one["votes right"] for one in events) / votes,
        "abstention": sum(one["votes N/A"] for one in events) / votes,
        "caught": sum(one["caught"] for one in events) / len(events),
    }


# Learning on the small policy


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what is learned; `seed` and the game do the rest."""

    iterations: int = 100
    batch: int = 128
    """Rounds of an iteration."""
    stages: str = "alternating"
    """alternating, or one stage alone: clue, decision."""
    roles: bool = True
    """Whether what a role usually gets is subtracted from what clues earn."""
    pool: int = 1024
    """How many pairs of pictures the training draws from."""
    scenes: int = 6000
    """How many labelled pictures the eye is warmed up with."""
    warm_epochs: int = 6
    eye: str = ""
    """A checkpoint whose eye is taken, instead of warming one up."""
    epochs: int = 4
    rate: float = 3e-3
    clip: float = 0.2
    kl: float = 0.04
    evaluate: int = 10
    """Every so many iterations the policy plays the untrained one."""
    rounds: int = 200
    """Rounds of such an evaluation, half of them as the spy."""

    def __post_init__(self) -> None:
        if self.stages not in STAGES:
            raise unknown("stages", self.stages, "spo", STAGES)
        from_one_up(self, "spo", "iterations", "batch", "pool", "scenes", "warm_epochs", "epochs", "evaluate", "rounds")


STAGES = ("alternating", "clue", "decision")


@dataclass
class Choices:
    """Choices that were made: what was known of each option, which there were, the one taken, how likely it was."""

    features: list[np.ndarray] = field(default_factory=list)
    masks: list[np.ndarray] = field(default_factory=list)
    taken: list[int] = field(default_factory=list)
    likely: list[float] = field(default_factory=list)
    where: list[tuple[int, int]] = field(default_factory=list)  # round of the batch, seat


class Table:
    """Rounds of Spy played side by side, by one policy or by one for each role."""

    def __init__(self, rounds: Sequence[LiveGame], sights: dict[str, tuple[SpyPolicy, Sight]]) -> None:
        self.rounds, self.sights = list(rounds), sights
        self.clues, self.votes = Choices(), Choices()

    def play(self, rng: np.random.Generator) -> None:
        """Play all rounds to their end."""
        while any(live.movers for live in self.rounds):
            asked = [(number, seat) for number, live in enumerate(self.rounds) for seat in live.movers]
            said = self._decide(asked, rng)
            for number, live in enumerate(self.rounds):
                if live.movers:
                    live.play({seat: live.check(seat, said[number, seat]) for seat in live.movers})

    def _decide(self, asked: list[tuple[int, int]], rng: np.random.Generator) -> dict[tuple[int, int], str]:
        said: dict[tuple[int, int], str] = {}
        views = {key: self.rounds[key[0]].view(key[1]) for key in asked}
        for role, (policy, sight) in self.sights.items():
            mine = [key for key in asked if role in ("all", "spy" if views[key].role == "spy" else "civilian")]
            seen = sight([views[key].picture for key in mine])
            for stage, choices, into, scorer in (
                ("clue", clue_choices, self.clues, policy.clue),
                ("vote", vote_choices, self.votes, policy.vote),
            ):
                here = [(key, eye) for key, eye in zip(mine, seen, strict=True) if views[key].stage == stage]
                if here:
                    self._choose(here, views, choices, into, scorer, rng, said)
        return said

    @staticmethod
    def _choose(
        here: list[tuple[tuple[int, int], Seen]], views: dict, choices: Callable[..., Any], into: Choices, scorer: Any,
        rng: np.random.Generator, said: dict[tuple[int, int], str],
    ) -> None:  # fmt: skip
        known = [choices(views[key], eye) for key, eye in here]
        features, masks = np.stack([one[0] for one in known]), np.stack([one[1] for one in known])
        device = scorer.last.weight.device
        with torch.no_grad():
            likely = scorer(torch.from_numpy(features).to(device), torch.from_numpy(masks).to(device)).cpu().numpy()
        for place, (key, _) in enumerate(here):
            taken = drawn_from(likely[place], rng.random())
            said[key] = known[place][2][taken]
            into.features.append(features[place])
            into.masks.append(masks[place])
            into.taken.append(taken)
            into.likely.append(float(likely[place, taken]))
            into.where.append(key)


def rounds_of(game: Spy, number: int, rng: np.random.Generator) -> list[LiveGame]:
    """So many rounds at their start."""
    loaded, started = registry.load(GAME), []
    for seed in rng.integers(2**62, size=number):
        live = LiveGame(loaded, game)
        live.start(np.random.default_rng(int(seed)))
        started.append(live)
    return started


def win_rate(trained: SpyPolicy, other: SpyPolicy, rounds: int, seed: int, **options: Any) -> dict[str, float]:
    """How often a policy wins against another, as the spy and as all the civilians, half of the rounds each.

    The spy wins unless it alone has the most votes.
    """
    rng = np.random.default_rng([seed, 1])
    game = registry.load(GAME).game(**options)
    wins: dict[str, list[int]] = {}
    for role in ("spy", "civilian"):
        sides = {"spy": other, "civilian": other} | {role: trained}
        sights = {name: (policy, Sight(policy.eye)) for name, policy in sides.items()}
        wins[role] = []
        for first in range(0, rounds // 2, 128):
            table = Table(rounds_of(game, min(128, rounds // 2 - first), rng), sights)
            table.play(rng)
            wins[role] += [game.caught(live.state) == (role == "civilian") for live in table.rounds]
    both = np.array([*wins["spy"], *wins["civilian"]], float)
    return {
        "win_rate": float(both.mean()),
        "win_error": float(both.std(ddof=1) / len(both) ** 0.5) if len(both) > 1 else 0.0,
        "win_as_spy": float(np.mean(wins["spy"])),
        "win_as_civilian": float(np.mean(wins["civilian"])),
    }


def warm_up(eye: Eye, recipe: Recipe, seed: int, device: torch.device, show: bool = True) -> float:
    """Teach the eye on scenes of the generator; the share of objects it gets right altogether on fresh ones."""
    rng, source = np.random.default_rng([seed, 2]), Clevr()
    pictures, truth = [], []
    with Progress(recipe.scenes + HELD_OUT, "pictures", 0, show) as bar:
        for _ in range(recipe.scenes + HELD_OUT):
            scene = source.scene(rng)
            pictures.append(drawn(scene))
            truth.append(labels(scene))
            bar.advance(1)
    seen, said = torch.from_numpy(np.stack(pictures[HELD_OUT:])), torch.from_numpy(np.stack(truth[HELD_OUT:]))
    optimizer = torch.optim.Adam(eye.parameters())
    order = torch.Generator().manual_seed(seed)
    many = recipe.warm_epochs * -(-recipe.scenes // 32)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=max(3, many))
    with Progress(many, "warm-up", 0, show) as bar:
        for _ in range(recipe.warm_epochs):
            for part in torch.randperm(recipe.scenes, generator=order).split(32):
                loss = eye_loss(eye, seen[part].to(device), said[part].to(device))
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                optimizer.step()
                if schedule.last_epoch < schedule.total_steps:
                    schedule.step()
                bar.advance(1)
    return sharpness(eye, np.stack(pictures[:HELD_OUT]), truth[:HELD_OUT])


def eye_loss(eye: Eye, pictures: Tensor, truth: Tensor) -> Tensor:
    """How far the eye is from the middles of the objects and, there, from their kinds."""
    there, kinds = eye(pictures)
    which, slot = (truth[:, :, 0] >= 0).nonzero(as_tuple=True)
    objects = truth[which, slot]
    row, column = objects[:, 0], objects[:, 1]
    middles = torch.zeros_like(there)
    middles[which, row, column] = 1
    weight = torch.where(middles > 0, 40.0, 1.0)  # an object has one cell of some hundred
    loss = functional.binary_cross_entropy_with_logits(there, middles, weight)
    for place, kind in enumerate(kinds):
        loss = loss + functional.cross_entropy(kind[which, :, row, column], objects[:, 2 + place])
    return loss


def sharpness(eye: Eye, pictures: np.ndarray, truth: Sequence[np.ndarray]) -> float:
    """The share of objects of which the eye gets everything right, their place from the left included."""
    right = total = 0
    for seen, objects in zip(eye.see(pictures), truth, strict=True):
        for slot, wanted in enumerate(objects[objects[:, 0] >= 0]):
            total += 1
            right += seen.statement(slot).kinds == tuple(wanted[2:]) if slot < seen.count else 0
    return right / max(1, total)


class Training:
    """A policy, the one it began as, and where the stages stand."""

    def __init__(self, recipe: Recipe, *, seed: int, device: str, options: dict[str, Any], command: str = "") -> None:
        self.recipe, self.seed, self.options, self.command = recipe, seed, dict(options), command
        self.device = device_named(device)
        if self.options.get("judge", "civilians") != "civilians":
            raise MmgamesError("spo: every civilian has to vote to be compared with the others; use judge='civilians'.")
        chosen = {"instances": recipe.pool, **self.options}
        self.game: Spy = registry.load(GAME).game(**chosen)
        torch.manual_seed(seed)
        self.policy = SpyPolicy().to(self.device)
        self.reference = copy.deepcopy(self.policy)
        self.optimizers = {
            "clue": torch.optim.Adam(self.policy.clue.parameters(), recipe.rate),
            "vote": torch.optim.Adam(self.policy.vote.parameters(), recipe.rate),
        }
        self.rng = np.random.default_rng([seed, 3])
        self.switch = StageSwitch()
        self.baselines = RoleBaselines()
        self.iteration = 0
        self.sharpness = 0.0
        self.sight = Sight(self.policy.eye)

    def prepare(self, show: bool = True) -> None:
        """Warm the eye up; what the policy is then is what it is compared with and kept near to."""
        if self.recipe.eye:
            about, _ = learned.read(self.recipe.eye)
            self.policy.eye.load_state_dict(load(self.recipe.eye).eye.state_dict())
            self.sharpness = float(about.get("sharpness", 0.0))
        else:
            self.sharpness = warm_up(self.policy.eye, self.recipe, self.seed, self.device, show)
        self.reference = copy.deepcopy(self.policy)

    @property
    def stage(self) -> Stage:
        alone = self.recipe.stages
        return self.switch.stage if alone == "alternating" else alone  # type: ignore[return-value]

    def iterate(self) -> dict[str, float]:
        """Play a batch of rounds, learn from them, and see which stage comes next."""
        table = Table(rounds_of(self.game, self.recipe.batch, self.rng), {"all": (self.policy, self.sight)})
        table.play(self.rng)
        stage = self.stage
        told = self._learn_votes(table) if stage == "decision" else self._learn_clues(table)
        went = votes_of(self.game, table.rounds)
        self.switch.update(went["accuracy"], went["abstention"])
        self.iteration += 1
        return {"steps": float(self.iteration), "stage": float(stage == "clue"), **went, **told}

    def _learn_votes(self, table: Table) -> dict[str, float]:
        return self._update("vote", table.votes, vote_advantages(self.game, table.rounds, table.votes.where))

    def _learn_clues(self, table: Table) -> dict[str, float]:
        roles = self.baselines if self.recipe.roles else None
        return self._update("clue", table.clues, clue_advantages(self.game, table.rounds, table.clues.where, roles))

    def _update(self, head: str, choices: Choices, advantages: np.ndarray) -> dict[str, float]:
        place = lambda values, kind=np.float32: torch.from_numpy(np.asarray(values, kind)).to(self.device)  # noqa: E731
        features, masks = place(choices.features), place(choices.masks, bool)
        taken, before, worth = place(choices.taken, np.int64), place(choices.likely), place(advantages)
        scorer, optimizer, recipe = getattr(self.policy, head), self.optimizers[head], self.recipe
        with torch.no_grad():
            reference = getattr(self.reference, head)(features, masks).gather(1, taken[:, None])[:, 0]
        loss = moved = torch.zeros(())
        for _ in range(recipe.epochs):
            likely = scorer(features, masks).gather(1, taken[:, None])[:, 0]
            ratio = (likely - before).exp()
            gain = torch.minimum(ratio * worth, ratio.clamp(1 - recipe.clip, 1 + recipe.clip) * worth)
            moved = divergence(likely, reference).mean()
            loss = recipe.kl * moved - gain.mean()
            if not torch.isfinite(loss):
                raise MmgamesError("spo: the losses are no numbers any more; the last good checkpoint is kept.")
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
        return {"loss": float(loss.detach()), "divergence": float(moved.detach())}

    def about(self) -> dict[str, Any]:
        return {
            "options": self.options, "seed": self.seed, "command": self.command, "settings": asdict(self.recipe),
            "iteration": self.iteration, "sharpness": self.sharpness, "switch": asdict(self.switch),
            "baselines": self.baselines.means, "draws": self.rng.bit_generator.state,
        }  # fmt: skip

    def save(self, folder: Path) -> None:
        """policy.npz plays, untrained.npz is what it began as; training.npz holds all that it takes to go on."""
        save(folder / "policy.npz", self.policy, self.about())
        save(folder / "untrained.npz", self.reference, self.about())
        arrays: dict[str, np.ndarray] = {}
        for name, policy in (("policy", self.policy), ("reference", self.reference)):
            arrays |= {f"{name}.{key}": value.cpu().numpy() for key, value in policy.state_dict().items()}
        for head, optimizer in self.optimizers.items():
            for place, state in optimizer.state_dict()["state"].items():
                arrays |= {f"adam.{head}.{place}.{key}": value.cpu().numpy() for key, value in state.items()}
        learned.write(folder / "training.npz", {**self.about(), "recipe": RECIPE}, arrays)

    def restore(self, path: Path) -> None:
        about, arrays = learned.read(path)
        mine = json.loads(json.dumps({**self.about(), "recipe": RECIPE}))
        for name in ("recipe", "settings", "options", "seed"):
            given, wanted = about.get(name), mine[name]
            if name == "settings" and isinstance(given, dict):
                given, wanted = {**given, "iterations": 0}, {**wanted, "iterations": 0}  # more of them may be asked for
            if given != wanted:
                raise MmgamesError(
                    f"{str(path)!r} was made with {name} {about.get(name)!r}, not {mine[name]!r}; go on with the same, "
                    "or choose another folder."
                )
        try:
            for name, policy in (("policy", self.policy), ("reference", self.reference)):
                state = {key.partition(".")[2]: value for key, value in arrays.items() if key.startswith(f"{name}.")}
                policy.load_state_dict({key: torch.from_numpy(value) for key, value in state.items()})
            for head, optimizer in self.optimizers.items():
                for place, parameter in enumerate(getattr(self.policy, head).parameters()):
                    names = [key for key in arrays if key.startswith(f"adam.{head}.{place}.")]
                    if names:
                        optimizer.state[parameter] = {
                            key.rpartition(".")[2]: torch.from_numpy(arrays[key]).to(
                                "cpu" if key.endswith(".step") else self.device
                            )
                            for key in names
                        }
        except (KeyError, RuntimeError) as error:
            raise MmgamesError(f"{str(path)!r} is damaged ({error}); remove it to begin anew.") from error
        self.iteration, self.sharpness = int(about["iteration"]), float(about["sharpness"])
        self.switch = StageSwitch(**about["switch"])
        self.baselines.means = dict(about["baselines"])
        self.rng.bit_generator.state = about["draws"]

    def run(
        self, folder: Path, *, seconds: float | None = None, tensorboard: bool = False, show: bool = True
    ) -> list[dict[str, float]]:
        """Learn until the iterations or the seconds are used up; the log, which is also written as it grows."""
        folder.mkdir(parents=True, exist_ok=True)
        log = read_log(folder / "log.csv", self.iteration)
        before, begun = (log[-1]["seconds"] if log else 0.0), perf_counter()
        if not self.iteration:
            self.prepare(show)
            self.save(folder)
        with (
            tensorboard_log(folder, tensorboard) as board,
            Progress(self.recipe.iterations, "spo", self.iteration, show) as bar,
        ):
            while self.iteration < self.recipe.iterations:
                entry = self.iterate()
                if self.iteration % self.recipe.evaluate == 0 or self.iteration == self.recipe.iterations:
                    seed = 1_000_003 * self.seed + self.iteration
                    entry |= win_rate(self.policy, self.reference, self.recipe.rounds, seed, **self.options)
                    self.save(folder)
                entry["seconds"] = before + perf_counter() - begun
                log.append(entry)
                write_log(folder / "log.csv", log)
                if board is not None:
                    for name, value in entry.items():
                        board.add_scalar(name, value, self.iteration)
                bar.advance(1)
                if seconds is not None and perf_counter() - begun > seconds:
                    break
        self.save(folder)
        return log


def outcome(log: list[dict[str, float]]) -> dict[str, float]:
    """What a run has come to: the last evaluation."""
    played = [entry for entry in log if "win_rate" in entry]
    return {name: value for name, value in played[-1].items() if name.startswith("win_")} if played else {}


def recipe_for(**changes: Any) -> Recipe:
    return changed(Recipe(), "spo", changes)


def train(
    game_id: str, out: str | Path, *, seed: int = 0, device: str = "auto", seconds: float | None = None,
    resume: bool = False, tensorboard: bool = False, show: bool = True, options: dict[str, Any] | None = None,
    command: str = "", threads: int | None = None, **changes: Any,
) -> list[dict[str, float]]:  # fmt: skip
    """Train a player of Spy and write it, its log and its curves into the folder `out`."""
    if game_id != GAME:
        raise MmgamesError(f"spo trains players of {GAME}, not of {game_id}; `mmgames train ippo` trains those.")
    if threads:
        torch.set_num_threads(threads)
    folder = Path(out)
    training = Training(recipe_for(**changes), seed=seed, device=device, options=options or {}, command=command)
    if resume and not (folder / "training.npz").exists():
        raise MmgamesError(f"There is nothing to go on from in {str(folder)!r}: no training.npz. Leave out --resume.")
    if resume:
        training.restore(folder / "training.npz")
    log = training.run(folder, seconds=seconds, tensorboard=tensorboard, show=show)
    curves({"": [log]}, folder / "curve.png")
    return log


def curves(runs: dict[str, list[list[dict[str, float]]]], path: Path) -> None:
    """Win rate, vote accuracy, N/A and stage over the iterations, a band for several seeds; needs matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    figure = Figure((9, 6), layout="constrained")
    names = {
        "win_rate": "win rate against the untrained policy", "accuracy": "votes that are right",
        "abstention": "votes that are N/A", "stage": "stage (1: clues)",
    }  # fmt: skip
    for axes, (name, title) in zip(figure.subplots(2, 2).flat, names.items(), strict=True):
        for label, logs in runs.items():
            shared = [[entry for entry in log if name in entry] for log in logs]
            steps = [entry["steps"] for entry in shared[0]]
            values = np.array([[entry[name] for entry in log[: len(steps)]] for log in shared])
            mean = values.mean(0)
            axes.plot(steps, mean, label=label or None)
            if len(values) > 1:
                error = values.std(0, ddof=1) / len(values) ** 0.5
                axes.fill_between(steps, mean - error, mean + error, alpha=0.25)
        axes.set(title=title, xlabel="iterations", ylim=(-0.03, 1.03))
        axes.grid(alpha=0.3)
        if any(runs) and name == "win_rate":
            axes.legend(fontsize=8, loc="lower right")
    figure.savefig(path, dpi=120)
