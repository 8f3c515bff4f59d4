"""Iterative self-play policy optimisation (Vision-Zero): `mmgames train spo Spy --out DIR` runs it.

Everybody at the table is the same policy. In the *decision* stage it learns to vote: the votes of a round are
compared with each other. In the *clue* stage it learns to speak: a clue is worth what the votes say of it, zero in all,
less what the speaker's role usually gets. Which stage is on depends on how well it votes; it starts with decisions. A
penalty keeps the policy near the one it began as. What votes and clues are worth is in spo_advantages.py, the small
policy that learns here in spy_policy.py, and its rounds in spy_rounds.py.
"""

import copy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mmgames.baselines.learning import checkpoint_files, spy_rounds
from mmgames.baselines.learning import spo_advantages as spo
from mmgames.baselines.learning.action_distributions import clipped_gain
from mmgames.baselines.learning.recipes import changed, check_seconds, from_one_up, from_zero_to_one, one_of
from mmgames.baselines.learning.spy_eye import CachedEye, warm_up
from mmgames.baselines.learning.spy_policy import CHECKPOINT_KIND, SpyPolicy, load, save
from mmgames.baselines.learning.spy_rounds import GAME
from mmgames.baselines.learning.torch_devices import device_named
from mmgames.baselines.learning.training_log import restore_state, run_until, state_arrays, write_log
from mmgames.errors import MmgamesError

STAGES = ("alternating", "clue", "decision")
THRESHOLDS = ("good_accuracy", "good_abstention", "bad_error", "bad_abstention")
EARLIER = {"baselines": "batch", "held_out": 0, "from_zero": False}  # what runs did before these could be set


@dataclass(frozen=True)
class SpoRecipe:
    """Everything that decides what is learned; `seed` and the game do the rest."""

    iterations: int = 100
    batch: int = 128  # rounds of an iteration
    stages: str = "alternating"  # or one stage alone: clue, decision
    roles: bool = True  # whether what a role usually gets is subtracted from what clues earn
    baselines: str = "round"  # after what that is brought up to date: round (the paper), batch
    held_out: int = 64  # rounds on pictures of their own tell how well it votes (the paper's Eq. 7); 0: the batch does
    from_zero: bool = True  # running means of the votes begin at zero (the paper's Eq. 8), or with the first value
    # When stages switch: see StageSwitch.
    rho: float = spo.StageSwitch.rho
    good_accuracy: float = spo.StageSwitch.good_accuracy
    good_abstention: float = spo.StageSwitch.good_abstention
    bad_error: float = spo.StageSwitch.bad_error
    bad_abstention: float = spo.StageSwitch.bad_abstention
    shortest: int = spo.StageSwitch.shortest
    longest: int = spo.StageSwitch.longest
    pool: int = 1024  # pairs of pictures that the training draws from
    scenes: int = 6000  # labelled pictures that the eye is warmed up with
    warm_epochs: int = 6
    eye: str = ""  # a checkpoint whose eye is taken, instead of warming one up
    epochs: int = 4
    rate: float = 3e-3
    clip: float = 0.2
    kl: float = 0.04
    evaluate: int = 10  # every so many iterations the policy plays the untrained one
    rounds: int = 200  # of such an evaluation, half of them as the spy
    snapshots: int = 0  # every so many iterations the policy is kept as it is then, in the folder snapshots; 0: never

    def __post_init__(self) -> None:
        one_of(self, "spo", {"stages": STAGES, "baselines": spo.BASELINES})
        from_one_up(self, "spo", "iterations", "batch", "pool", "scenes", "warm_epochs", "epochs", "evaluate", "rounds",
                    "shortest", "longest")  # fmt: skip
        from_zero_to_one(self, "spo", "rho", *THRESHOLDS)

    def switch(self) -> spo.StageSwitch:
        """Where the stages stand before the first update."""
        bounds = {name: getattr(self, name) for name in ("rho", *THRESHOLDS, "shortest", "longest")}
        begin = 0.0 if self.from_zero else None
        return spo.StageSwitch(**bounds, accuracy=begin, abstention=begin)


class SpoTraining:
    """A policy, the one it began as, and where the stages stand."""

    def __init__(
        self, recipe: SpoRecipe, *, seed: int, device: str, options: dict[str, Any], command: str = ""
    ) -> None:
        self.recipe, self.seed, self.options, self.command = recipe, seed, dict(options), command
        self.device = device_named(device)
        spy_rounds.check_judge(self.options)
        self.game = spy_rounds.spy_game(**{"instances": recipe.pool, **self.options})
        torch.manual_seed(seed)
        self.policy = SpyPolicy().to(self.device)
        self.reference = copy.deepcopy(self.policy)
        self.optimizers = {
            "clue": torch.optim.Adam(self.policy.clue.parameters(), recipe.rate),
            "vote": torch.optim.Adam(self.policy.vote.parameters(), recipe.rate),
        }
        self.rng = np.random.default_rng([seed, 3])
        self.switch = recipe.switch()
        self.baselines = spo.RoleBaselines(each=recipe.baselines)
        self.held_out = spy_rounds.HeldOutRounds(recipe.held_out, seed, **self.options) if recipe.held_out else None
        self.iteration = 0
        self.sharpness = 0.0
        self.cached_eye = CachedEye(self.policy.eye)

    def prepare(self, show: bool = True) -> None:
        """Warm the eye up; what the policy is then is what it is compared with and kept near to."""
        if self.recipe.eye:
            about, _ = checkpoint_files.read(self.recipe.eye)
            self.policy.eye.load_state_dict(load(self.recipe.eye).eye.state_dict())
            self.sharpness = float(about.get("sharpness", 0.0))
        else:
            self.sharpness = warm_up(
                self.policy.eye, self.recipe.scenes, self.recipe.warm_epochs, self.seed, self.device, show
            )
        self.reference = copy.deepcopy(self.policy)

    @property
    def done_steps(self) -> int:
        return self.iteration

    @property
    def stage(self) -> spo.Stage:
        alone = self.recipe.stages
        return self.switch.stage if alone == "alternating" else alone  # type: ignore[return-value]

    def iterate(self) -> dict[str, float]:
        """Play a batch of rounds, learn from them, and see which stage comes next."""
        played = spy_rounds.SpyRounds(
            spy_rounds.start_rounds(self.game, self.recipe.batch, self.rng), {"all": (self.policy, self.cached_eye)}
        )
        played.play(self.rng)
        stage = self.stage
        if stage == "decision":
            worth = spo.vote_advantages(self.game, played.rounds, played.votes.where)
            learned = self._update("vote", played.votes, worth)
        else:
            learned = self._learn_clues(played)
        went = spo.votes_of(self.game, played.rounds)
        self.iteration += 1
        if self.held_out is None:
            self.switch.update(went["accuracy"], went["abstention"])
        else:
            rng = np.random.default_rng([self.seed, 6, self.iteration])
            went |= self.held_out.votes({"all": (self.policy, self.cached_eye)}, rng)
            self.switch.update(went["held_out_accuracy"], went["held_out_abstention"])
        return {
            "steps": float(self.iteration), "stage": float(stage == "clue"), **went, **learned,
            "mean_accuracy": self.switch.accuracy or 0.0, "mean_abstention": self.switch.abstention or 0.0,
            "switched_by": float(spo.CAUSES.index(self.switch.cause)),
        }  # fmt: skip

    def _learn_clues(self, played: spy_rounds.SpyRounds) -> dict[str, float]:
        roles = self.baselines if self.recipe.roles else None
        worth = spo.clue_advantages(self.game, played.rounds, played.clues.where, roles)
        learned = self._update("clue", played.clues, worth)
        earned = [self.game.clue_rewards(live.state)[list(live.state.spies)] for live in played.rounds]
        return {**learned, "spy_earned": float(np.mean(earned)), "spy_baseline": self.baselines.means.get("spy", 0.0)}

    def _update(self, head: str, choices: spy_rounds.Choices, advantages: np.ndarray) -> dict[str, float]:
        place = lambda values, kind=np.float32: torch.from_numpy(np.asarray(values, kind)).to(self.device)  # noqa: E731
        features, masks = place(choices.features), place(choices.masks, bool)
        taken, before, advantage = place(choices.taken, np.int64), place(choices.log_probs), place(advantages)
        scorer, optimizer, recipe = getattr(self.policy, head), self.optimizers[head], self.recipe
        with torch.no_grad():
            reference = getattr(self.reference, head)(features, masks).gather(1, taken[:, None])[:, 0]
        loss = moved = torch.zeros(())
        for _ in range(recipe.epochs):
            log_prob = scorer(features, masks).gather(1, taken[:, None])[:, 0]
            gain = clipped_gain((log_prob - before).exp(), advantage, recipe.clip)
            moved = spo.kl_divergence(log_prob, reference).mean()
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
        for name, state in self._states().items():
            arrays |= state_arrays(name, state)
        checkpoint_files.write(folder / "training.npz", {**self.about(), "recipe": CHECKPOINT_KIND}, arrays)

    def restore(self, path: Path) -> None:
        about, arrays = checkpoint_files.read(path)
        mine = {"recipe": CHECKPOINT_KIND, "settings": asdict(self.recipe), "options": self.options, "seed": self.seed}
        if isinstance(about.get("settings"), dict):
            about["settings"] = asdict(SpoRecipe()) | EARLIER | about["settings"]
            about["settings"]["iterations"] = self.recipe.iterations  # more of them may be asked for
        checkpoint_files.check_same_run(path, about, mine)
        try:
            for name, state in self._states().items():
                restore_state(name, state, arrays)
        except (KeyError, RuntimeError) as error:
            raise MmgamesError(f"{str(path)!r} is damaged ({error}); remove it to begin anew.") from error
        self.iteration, self.sharpness = int(about["iteration"]), float(about["sharpness"])
        self.switch = spo.StageSwitch(**about["switch"])
        self.baselines.means = dict(about["baselines"])
        self.rng.bit_generator.state = about["draws"]

    def _states(self) -> dict[str, torch.nn.Module | torch.optim.Optimizer]:
        heads = {f"adam.{head}": optimizer for head, optimizer in self.optimizers.items()}
        return {"policy": self.policy, "reference": self.reference, **heads}

    def _keep_snapshot(self, folder: Path) -> None:
        if self.recipe.snapshots and self.iteration % self.recipe.snapshots == 0:
            save(folder / "snapshots" / f"{self.iteration:04}.npz", self.policy, self.about())

    def run(
        self, folder: Path, *, seconds: float | None = None, tensorboard: bool = False, show: bool = True
    ) -> list[dict[str, float]]:
        """Learn until the iterations or the seconds are used up; the log, which is also written as it grows."""
        if not self.iteration:
            self.prepare(show)
            self.save(folder)
            self._keep_snapshot(folder)

        def learn(_: float) -> dict[str, float]:
            entry = self.iterate()
            self._keep_snapshot(folder)
            if self.iteration % self.recipe.evaluate == 0 or self.iteration == self.recipe.iterations:
                seed = 1_000_003 * self.seed + self.iteration
                entry |= spy_rounds.win_rate(self.policy, self.reference, self.recipe.rounds, seed, **self.options)
                self.save(folder)
            return entry

        return run_until(
            self, folder, learn, lambda _, log: write_log(folder / "log.csv", log), label="spo",
            steps=self.recipe.iterations, per_update=1, seconds=seconds, tensorboard=tensorboard, show=show,
        )  # fmt: skip


def outcome(log: list[dict[str, float]]) -> dict[str, float]:
    """What a run has come to: the last evaluation."""
    played = [entry for entry in log if "win_rate" in entry]
    return {name: value for name, value in played[-1].items() if name.startswith("win_")} if played else {}


def recipe_for(**changes: Any) -> SpoRecipe:
    return changed(SpoRecipe(), "spo", changes)


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
    check_seconds(seconds)
    if not resume:
        checkpoint_files.check_new_run(folder)
    training = SpoTraining(recipe_for(**changes), seed=seed, device=device, options=options or {}, command=command)
    if resume:
        training.restore(checkpoint_files.training_to_resume(folder))
    log = training.run(folder, seconds=seconds, tensorboard=tensorboard, show=show)
    curves({"": [log]}, folder / "curve.png")
    return log


CURVES = {
    "win_rate": "win rate against the untrained policy",
    "accuracy": "votes that are right",
    "abstention": "votes that are N/A",
    "stage": "stage (1: clues)",
}
"""Four columns of the log, and what they are."""


def curves(runs: dict[str, list[list[dict[str, float]]]], path: Path, names: dict[str, str] = CURVES) -> None:
    """Four columns of the log over the iterations, a band for several seeds; needs matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    figure = Figure((9, 6), layout="constrained")
    for place, (axes, (name, title)) in enumerate(zip(figure.subplots(2, 2).flat, names.items(), strict=True)):
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
        if any(runs) and not place:
            axes.legend(fontsize=8, loc="lower right")
    figure.savefig(path, dpi=120)
