"""AlphaZero over compiled kernels: `mmgames train alphazero ID` runs it.

A network plays itself in many games at once, each move after a short search that it guides (guided_trees.py). It
learns to say at once what the search found: better probabilities of the moves, and how the game ended (Silver et al., A
general reinforcement learning algorithm that masters chess, shogi and Go through self-play, 2018). Where few positions
can be searched, what is learned from a search is its improved policy, not its visits (Danihelka et al., 2022).

All searches advance together: the positions to judge are one batch for the network. On a graphics card the games are
split into two halves; the trees of one grow on the CPU while the positions of the other are judged.
"""

import itertools
import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from mmgames.baselines.learning import training_log
from mmgames.baselines.learning.alphazero_recipe import AlphaZeroRecipe, recipe_for
from mmgames.baselines.learning.board_network import BoardNetwork, Judge, NetworkShape
from mmgames.baselines.learning.guided_search import GuidedSearch, check_playable
from mmgames.baselines.learning.replay_window import ReplayWindow
from mmgames.baselines.learning.torch_devices import device_named
from mmgames.baselines.learning.training_log import Log, Training, restore_state, state_arrays, write_log
from mmgames.core import registry
from mmgames.core.game import Game
from mmgames.envs.options import count_processors
from mmgames.errors import MmgamesError
from mmgames.kernels.kernel import noise as random_bits
from mmgames.kernels.kernel_game import kernel_of
from mmgames.kernels.symmetries import action_points
from mmgames.kernels.threads import Threads

__all__ = ["AlphaZeroTraining", "outcome", "recipe_for", "train"]

STAGGERED = 40  # the first games begin with up to so many random moves, so that not all are in the same phase
SECONDS_BETWEEN_POLICIES, SECONDS_BETWEEN_CHECKPOINTS = 60.0, 300.0
"""The policy is small and written often; what a run goes on from holds the window of positions."""


def policy_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """The cross entropy of legal moves with what the search found; a target of -1 is an illegal move."""
    legal = targets >= 0
    log_probs = functional.log_softmax(logits.masked_fill(~legal, -1e9), 1)
    return -(targets.clamp(min=0) * log_probs).sum(1).mean()


class SelfPlay:
    """Many games, each with its search, and the network that judges for all of them."""

    def __init__(self, game: Game, recipe: AlphaZeroRecipe, network: BoardNetwork, threads: Threads, seed: int) -> None:
        self.recipe, self.network = recipe, network
        self.device = next(network.parameters()).device
        kernel = check_playable(game.spec, kernel_of(game), len(game.seats))
        parts = 2 if self.device.type == "cuda" and recipe.num_envs > 1 else 1
        ends = np.linspace(0, recipe.num_envs, parts + 1).astype(int).tolist()
        self.parts = [slice(first, last) for first, last in itertools.pairwise(ends)]
        how = (recipe.simulations, recipe.considered, recipe.weight, threads)
        self.searches = [GuidedSearch(kernel, part.stop - part.start, *how) for part in self.parts]
        rng = np.random.default_rng(seed)
        for search in self.searches:
            search.streams[:] = [random_bits(rng) for _ in range(search.games)]
        self.judges = [self._judge(search) for search in self.searches]
        self._stagger()

    def _judge(self, search: GuidedSearch) -> Judge:
        shared = []
        for name in ("planes", "logits", "values"):
            tensor = torch.from_numpy(getattr(search, name))
            if self.device.type == "cuda":
                tensor = tensor.pin_memory()
                setattr(search, name, tensor.numpy())
            shared.append(tensor)
        return Judge(self.network, *shared)

    def _stagger(self) -> None:
        for part, search in zip(self.parts, self.searches, strict=True):
            search.play_on(self.recipe.random_moves)
            waits = np.arange(part.start, part.stop) % STAGGERED
            for time in range(STAGGERED - 1):
                states, movers = search.states.copy(), search.movers.copy()
                search.draw_moves()
                search.play_on(self.recipe.random_moves)
                still = waits <= time
                search.states[still], search.movers[still] = states[still], movers[still]

    def move(self, window: ReplayWindow) -> np.ndarray:
        """Search and play one move of every game, which the window keeps; how games ended, NaN where they go on."""
        for search, judge, part in zip(self.searches, self.judges, self.parts, strict=True):
            search.show()
            judge.ask()
            window.see(judge.seen, part)
        last = self.recipe.simulations - 1
        for simulation in range(-1, last + 1):
            for search, judge in zip(self.searches, self.judges, strict=True):
                judge.wait()
                search.grow(simulation, self.recipe.noise)
                if simulation < last:
                    judge.ask()
        noisy = window.now - window.begun < self.recipe.opening
        movers = np.concatenate([search.movers for search in self.searches])
        for search, part in zip(self.searches, self.parts, strict=True):
            search.gather(noisy[part])
            search.play_on(self.recipe.random_moves)
        names = ("targets", "found_values", "results")
        targets, values, results = (np.concatenate([getattr(each, name) for each in self.searches]) for name in names)
        window.keep(targets, values, movers, results)
        return results

    def arrays(self) -> dict[str, np.ndarray]:
        """Where the games stand."""
        names = ("states", "movers", "streams")
        return {name: np.concatenate([getattr(search, name) for search in self.searches]) for name in names}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from `arrays`."""
        for part, search in zip(self.parts, self.searches, strict=True):
            search.place(arrays["states"][part], arrays["movers"][part])
            search.streams[:] = arrays["streams"][part]


class AlphaZeroTraining(Training):
    """A run: the games, the network, the window of positions, and what is written down of it."""

    trainer, player, same = "alphazero", "alphazero", ("game", "options", "trainer", "recipe", "seed")
    curve_of = ("policy_loss", "loss of the policy")
    compressed = False
    recipe_for = staticmethod(recipe_for)

    def __init__(
        self, game_id: str, recipe: AlphaZeroRecipe, *, seed: int = 0, device: str = "auto",
        options: dict[str, Any] | None = None, command: str = "", threads: int | None = None,
    ) -> None:  # fmt: skip
        self.recipe, self.seed, self.options, self.command = recipe, seed, options or {}, command
        self.game = registry.load(game_id).game(**self.options)
        kernel = check_playable(self.game.spec, kernel_of(self.game), len(self.game.seats))
        self.device, self.game_id = device_named(device), self.game.spec.id
        threads = count_processors() if threads is None else threads
        if self.device.type == "cpu":
            torch.set_num_threads(threads)
        torch.backends.cudnn.benchmark = True  # all batches have the same size
        points = action_points(kernel)
        assert kernel.planes_shape is not None
        self.shape = NetworkShape(*kernel.planes_shape, points.sheets, points.elsewhere, recipe.blocks, recipe.channels)
        torch.manual_seed(seed)
        self.net = BoardNetwork(self.shape, normalised=True).to(self.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), recipe.rate, weight_decay=recipe.decay, fused=self.device.type == "cuda"
        )
        acting = torch.bfloat16 if self.device.type == "cuda" else torch.float32
        self.acting = BoardNetwork(self.shape, normalised=False).to(
            self.device, acting, memory_format=torch.channels_last
        )  # type: ignore[call-overload]
        self.acting.eval().requires_grad_(False)
        self.refresh()
        self.threads = Threads(threads)
        self.games = SelfPlay(self.game, recipe, self.acting, self.threads, seed)
        self.window = ReplayWindow(recipe.window_moves, recipe.num_envs, kernel.planes_shape, points, self.device)
        self.rng = np.random.default_rng([seed, 1])
        self.done_steps = 0
        self.owed = 0.0  # updates that are due, a fraction of one included

    @torch.no_grad()
    def refresh(self) -> None:
        """The network that plays becomes the one that has learned."""
        mine = self.acting.state_dict()
        for name, tensor in self.net.folded().items():
            mine[name].copy_(tensor)

    @property
    def updates(self) -> int:
        return -(-self.recipe.steps // self.per_update)

    def learn_for(self, share: float) -> dict[str, float]:
        return self.learn(share)

    def learn(self, progress: float = 0.0) -> dict[str, float]:  # type: ignore[override]
        """Some moves of every game, and the updates that are due then; the row of the log that tells of it.

        `progress` is how much of the run is over, unless the steps say more."""
        recipe = self.recipe
        ended: list[float] = []
        for _ in range(recipe.rollout):
            results = self.games.move(self.window)
            ended += results[~np.isnan(results)].tolist()
        self.done_steps += self.per_update
        progress = max(progress, self.done_steps / recipe.steps)
        rate = recipe.rate + (recipe.last_rate - recipe.rate) * min(1.0, progress)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        row = {"rate": rate, "episodes": float(len(ended))}
        if ended:
            row["first_seat"] = float(np.mean(ended))
        if self.window.known >= recipe.batch:
            self.owed += recipe.reuse * self.per_update / recipe.batch
            row |= self.update(int(self.owed))
            self.owed -= int(self.owed)
            self.refresh()
        return row

    def update(self, times: int) -> dict[str, float]:
        """So many steps of the optimiser; the mean losses."""
        losses = torch.zeros(2, device=self.device)
        self.net.train()
        for _ in range(times):
            planes, targets, values = self.window.sample(self.rng, self.recipe.batch, self.recipe.trust)
            with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
                logits, expected = self.net(planes.contiguous(memory_format=torch.channels_last))
            both = torch.stack((policy_loss(logits, targets), (expected - values).square().mean()))
            self.optimizer.zero_grad(set_to_none=True)
            (both[0] + self.recipe.value * both[1]).backward()
            self.optimizer.step()
            losses += both.detach()
        if not times:
            return {}
        policy, value = (losses / times).tolist()
        if not np.isfinite(policy + value):
            raise MmgamesError(
                f"alphazero: the losses are no numbers any more after {self.done_steps} steps; the last good "
                "checkpoint is kept. Try a smaller rate."
            )
        return {"policy_loss": policy, "value_loss": value}

    def about(self) -> dict[str, Any]:
        """What the checkpoint says of itself."""
        return {
            "game": self.game_id, "options": self.options, "trainer": "alphazero", "shape": self.shape._asdict(),
            "actions": self.game.num_actions, "weight": self.recipe.weight, "considered": self.recipe.considered,
            "steps": self.done_steps, "seed": self.seed, "command": self.command, "recipe": asdict(self.recipe),
        }  # fmt: skip

    def policy(self) -> dict[str, np.ndarray]:
        """What plays: half-precision weights, without what only learns."""
        return {name: tensor.cpu().to(torch.float16).numpy() for name, tensor in self.net.folded().items()}

    def everything(self) -> dict[str, np.ndarray]:
        arrays = state_arrays("net", self.net) | state_arrays("adam", self.optimizer)
        arrays |= {f"games.{name}": array for name, array in self.games.arrays().items()}
        arrays |= {f"window.{name}": array for name, array in self.window.arrays().items()}
        said = json.dumps(self.rng.bit_generator.state).encode()
        return arrays | {"rng": np.frombuffer(said, np.uint8), "owed": np.array(self.owed)}

    def restore_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        restore_state("net", self.net, arrays)
        self.refresh()
        restore_state("adam", self.optimizer, arrays)
        for name, part in (("games.", self.games), ("window.", self.window)):
            part.restore({key[len(name) :]: array for key, array in arrays.items() if key.startswith(name)})
        self.rng.bit_generator.state = json.loads(arrays["rng"].tobytes())
        self.owed = float(arrays["owed"])

    def so_far(self, log: Log) -> str:
        losses = outcome(log)
        return ", ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in losses.items()) or "no update yet"

    def keeper(self, folder: Path) -> Callable[[float, Log], None]:
        shown = saved = 0.0

        def keep(elapsed: float, log: Log) -> None:
            nonlocal shown, saved
            if elapsed - saved > SECONDS_BETWEEN_CHECKPOINTS:
                self.save(folder)
                saved = shown = elapsed
            elif elapsed - shown > SECONDS_BETWEEN_POLICIES:
                self.save_policy(folder)
                write_log(folder / "log.csv", log)
                shown = elapsed

        return keep

    def close(self) -> None:
        self.threads.end()


train = AlphaZeroTraining.train
outcome = partial(training_log.outcome, names=("policy_loss", "value_loss"))
