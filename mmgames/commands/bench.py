"""Measure speed on this machine."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from mmgames.commands import _arguments

if TYPE_CHECKING:
    from mmgames.core.spec import GameSpec

SIZE = 512
OBSERVED = ("rgb", "text", "legal_actions")
NUM_ENVS = 32768
NUM_PICTURES = 1024
CARD_ENVS = (65536, 262144, 1048576)
STEPS_AT_ONCE = 8  # between two looks at the clock
CARD_PICTURES = (16384, 65536)
PICTURE_SIZE = 84
ROUNDS = 3
STARTS = 3
SEED = 0
VERSIONS = ("mmgames", "gymnasium", "pettingzoo", "numpy", "numba", "pillow", "open_spiel")

Steps = Iterator[int]
"""Does a little work each time, without end, and says how many steps it was."""


@dataclass(frozen=True)
class Timing:
    """One figure. `library` names who was measured, so that peers can stand beside us."""

    measure: str
    game: str
    value: float
    unit: str
    how: str
    library: str = "mmgames"
    settings: dict[str, Any] = field(default_factory=dict)

    def ratio(self, rows: list[Timing]) -> float | None:
        """How many times faster our figure for the same measure and game is; None for our own rows."""
        same = [row for row in rows if (row.measure, row.game, row.library) == (self.measure, self.game, "mmgames")]
        return None if self.library == "mmgames" or not same else same[0].value / self.value


def run(args: argparse.Namespace) -> int:
    from mmgames.errors import MissingExtra
    from mmgames.text.tables import text_table

    games = _arguments.chosen_games(args.ids)
    os.environ["MMGAMES_COMPILE"] = "now"  # what is measured is compiled code
    rows: list[Timing] = []
    missing: list[str] = []
    for spec in games:
        try:
            for row in measure(spec, args.seconds) if args.device == "cpu" else on_card(spec, args.seconds):
                rows.append(row)
                _tell(row)
        except MissingExtra as error:
            missing.append(str(error))
    if missing and not rows:
        raise MissingExtra(missing[0])
    if args.device == "cpu":
        rows.append(import_row())
        _tell(rows[-1])
    if args.peers:
        from mmgames.commands import _peers

        for figures in _peers.measure(args.peers, {spec.id for spec in games}, args.device):
            rows.append(Timing(**figures))
            _tell(rows[-1])
    if args.markdown:
        args.markdown.write_text(page(rows, args.ids, args.seconds, args.device), encoding="utf-8")
    whole = json.dumps(document(rows, missing, args.seconds, args.device), indent=2)
    if args.out:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(whole + "\n", encoding="utf-8")
    if args.json:
        print(whole)
        return 0
    print(f"{circumstances(args.seconds, args.device)}\n\n{text_table(HEAD, cells(rows), right=(3, 5))}")
    for line in missing:
        print(f"mmgames: {line}", file=sys.stderr)
    return 0


def _tell(row: Timing) -> None:
    """A sign of life while the table is not there yet."""
    print(f"{row.measure:9} {row.game:32} {row.value:>14,.3g} {row.unit}  {row.library}", file=sys.stderr, flush=True)


def circumstances(seconds: float, device: str) -> str:
    facts, starts = machine(device), f"; best of {STARTS} fresh starts" if device == "cpu" else ""
    card = "" if device == "cpu" else f"{facts['card']}, "
    return (
        f"{card}{facts['cores']} cores ({facts['processor']}), Python {facts['python']}; best of {ROUNDS} rounds of "
        f"{seconds:g} s{starts}"
    )


HEAD = ("measure", "game", "library", "value", "unit", "we are", "how")


def cells(rows: list[Timing]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for row in sorted(rows, key=lambda row: (row.measure, row.game, row.library != "mmgames")):
        value = f"{row.value:,.0f}" if row.value >= 100 else f"{row.value:.3f}"
        times = "" if (ratio := row.ratio(rows)) is None else f"{ratio:,.1f}×"
        found.append((row.measure, row.game, row.library, value, row.unit, times, row.how))
    return found


def page(rows: list[Timing], ids: list[str], seconds: float, device: str) -> str:
    from mmgames.text.tables import markdown_table

    command = " ".join(["mmgames bench", *ids, "--peers PYTHON", *(["--device cuda"] if device == "cuda" else [])])
    return (
        f"# Speed{' on a card' if device == 'cuda' else ''}\n\n"
        f"Written by `{command} --markdown FILE`; `mmgames bench --help` tells the measures.\n"
        f"{circumstances(seconds, device)}.\n\n{markdown_table(HEAD, cells(rows))}\n"
    )


def document(rows: list[Timing], missing: list[str], seconds: float, device: str) -> dict[str, Any]:
    from importlib.metadata import version

    return {
        "machine": machine(device),
        "versions": {name: version(name) for name in VERSIONS},
        "settings": {"seconds": seconds, "rounds": ROUNDS, "fresh_starts": STARTS, "seed": SEED},
        "rows": [{**asdict(row), "ratio": row.ratio(rows)} for row in rows],
        "missing": missing,
    }


def machine(device: str) -> dict[str, Any]:
    return {
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "system": platform.platform(),
        "processor": _processor(),
        **({} if device == "cpu" else {"card": _card()}),
    }


def _card() -> str:
    from numba import cuda

    name: Any = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def measure(spec: GameSpec, seconds: float) -> Iterator[Timing]:
    """The rows of one game."""
    from mmgames.agents.finding import known_agents
    from mmgames.core import registry

    loaded, cores = registry.load(spec.id), os.cpu_count()

    def row(measured: str, steps: Steps, how: str, unit: str = "steps/s", **settings: Any) -> Timing:
        return Timing(measured, spec.id, best(steps, seconds), unit, how, settings=settings)

    if spec.actions != "box":
        face = "parallel" if spec.dynamics == "simultaneous" else "AEC"
        steps = parallel_steps(spec) if face == "parallel" else aec_steps(spec)
        yield row("picture", steps, f"{face}, rgb {SIZE} + text + legal actions", size=SIZE, face=face)
    if spec.actions == "discrete":
        if spec.dynamics == "sequential":
            steps = aec_steps(spec, ("action_mask", "features"))
            yield row("numbers", steps, "AEC, action mask + features")
        yield row("features", solo_steps(spec), "gym.make, features, others=random")
    drawn = "random legal moves drawn in the step, copy=False"
    if spec.batched:
        how = f"CPU, all seats, features + masks, {drawn}, num_envs={NUM_ENVS}, {cores} threads"
        yield row("batched", batched_steps(spec), how, num_envs=NUM_ENVS, threads=cores, copy=False)
    if spec.batched and hasattr(loaded.picture, "sprites"):
        how = f"CPU, rgb {PICTURE_SIZE}, {drawn}, num_envs={NUM_PICTURES}, {cores} threads"
        settings = {"num_envs": NUM_PICTURES, "threads": cores, "copy": False, "size": PICTURE_SIZE}
        steps = batched_steps(spec, NUM_PICTURES, observe=("rgb",), size=PICTURE_SIZE)
        yield row("pictures", steps, how, "pictures/s", **settings)
    if "mcts" in known_agents(spec) and hasattr(loaded.rules, "kernel"):
        yield row("search", search_steps(spec), "mcts 100 × 10, first move, compiled", "searches/s")
    if spec.actions != "box":
        how = "process start to first picture and text, {} cache of kernels"
        yield Timing("start warm", spec.id, first_picture(spec.id), "s", how.format("full"))
        yield Timing("start cold", spec.id, first_picture(spec.id, empty_cache=True), "s", how.format("empty"))


def on_card(spec: GameSpec, seconds: float) -> Iterator[Timing]:
    """What a card steps and draws: the best of several numbers of episodes."""
    from mmgames.core import registry

    if not spec.batched or spec.simulator.vector:
        return
    seen: dict[str, dict[str, Any]] = {"batched": {}}
    if hasattr(registry.load(spec.id).picture, "sprites"):
        seen["pictures"] = {"observe": ("rgb",), "size": PICTURE_SIZE}
    for measured, options in seen.items():
        sizes = CARD_ENVS if measured == "batched" else CARD_PICTURES
        speeds = {n: best(batched_steps(spec, n, device="cuda", **options), seconds) for n in sizes}
        num_envs = max(speeds, key=speeds.__getitem__)
        what = f"rgb {PICTURE_SIZE}" if options else "features + masks"
        how = f"card, all seats, {what}, random legal moves drawn in the step, copy=False, num_envs={num_envs}"
        settings = {"num_envs": num_envs, "copy": False, "best_of_num_envs": list(sizes)}
        unit = "pictures/s" if options else "steps/s"
        yield Timing(measured, spec.id, speeds[num_envs], unit, how, settings=settings)


def import_row() -> Timing:
    script = "import time\nbegun = time.perf_counter()\nimport mmgames\nprint(time.perf_counter() - begun)"
    fastest = float("inf")
    for _ in range(STARTS):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        fastest = min(fastest, float(done.stdout.split()[-1]))
    return Timing("import", "", fastest, "s", "import mmgames, fresh interpreter")


def best(steps: Steps, seconds: float) -> float:
    """The most steps per second of several rounds, the environment made and a short round played before them."""
    next(steps)
    _round(steps, seconds / 4)
    return max(_round(steps, seconds) for _ in range(ROUNDS))


def _round(steps: Steps, seconds: float) -> float:
    done = 0
    begun = now = time.perf_counter()
    while now - begun < seconds:
        done += next(steps)
        now = time.perf_counter()
    return done / (now - begun)


def parallel_steps(spec: GameSpec) -> Steps:
    from mmgames.envs.parallel import ParallelEnv

    env = ParallelEnv(spec.id, observe=OBSERVED, size=SIZE)
    choose = _chooser()
    observations, infos = env.reset(seed=SEED)
    while True:
        if not env.agents:
            observations, infos = env.reset()
        actions = {agent: choose(observations[agent], infos[agent]) for agent in env.agents}
        observations, _, _, _, infos = env.step(actions)
        yield 1


def aec_steps(spec: GameSpec, observe: tuple[str, ...] = OBSERVED) -> Steps:
    from mmgames.envs.aec import AecEnv

    env = AecEnv(spec.id, observe=observe, size=SIZE)
    choose = _chooser()
    env.reset(seed=SEED)
    while True:
        observation, _, terminated, truncated, info = env.last()
        if over := terminated or truncated:
            env.reset()
        else:
            env.step(choose(observation, info))
        yield int(not over)


def solo_steps(spec: GameSpec) -> Steps:
    import gymnasium

    env = gymnasium.make(spec.id, others="random", observe=("features",))
    choose = _chooser()
    observation, info = env.reset(seed=SEED)
    while True:
        observation, _, terminated, truncated, info = env.step(choose(observation, info))
        if terminated or truncated:
            observation, info = env.reset()
        yield 1


def batched_steps(spec: GameSpec, num_envs: int = NUM_ENVS, **options: Any) -> Steps:
    from mmgames.envs.vector import BatchedEnv

    env = BatchedEnv(spec.id, num_envs, copy=False, **options)
    env.reset(seed=SEED)
    while True:
        for _ in range(STEPS_AT_ONCE):
            env.step(env.random_actions())
        env.threads.wait()  # for a card
        yield num_envs * STEPS_AT_ONCE


def search_steps(spec: GameSpec) -> Steps:
    import itertools

    import numpy as np

    from mmgames.baselines.search.mcts import MCTS
    from mmgames.core import registry

    game = registry.load(spec.id).game()
    state, agent = game.start(np.random.default_rng(SEED)), MCTS(simulations=100, rollouts=10)
    for seed in itertools.count(SEED):
        agent.search(game, state, np.uint64(seed))
        yield 1


def _chooser() -> Callable[[dict, dict], Any]:
    """A random legal action, from the mask or, in a talking game, from the names that can be executed, else words."""
    import random

    draw = random.Random(SEED).random

    def choose(observation: dict, info: dict) -> Any:
        if "action_mask" in info:
            legal = info["action_mask"].nonzero()[0]
            return int(legal[int(draw() * len(legal))]) if len(legal) else 0
        names = observation["legal_actions"]
        return names[int(draw() * len(names))] if names else "I see several things."

    return choose


_FIRST_PICTURE = """\
import json, sys, time
import gymnasium, mmgames
gymnasium.make({id!r}, observe=("rgb", "text")).reset(seed={seed})
now = time.time()
compiling = sys.modules.get("mmgames.kernels.compiling")
print(json.dumps([now, compiling and compiling.second_process()]))"""


def first_picture(id: str, empty_cache: bool = False) -> float:
    """Seconds from the start of a process to its first observation with picture and text; the best of several."""
    script = _FIRST_PICTURE.format(id=id, seed=SEED)
    fastest = float("inf")
    if not empty_cache:
        _observed(script, {**os.environ, "MMGAMES_COMPILE": "now"})  # fills the cache with what is used
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            places = {"NUMBA_CACHE_DIR": folder} if empty_cache else {}
            fastest = min(fastest, _observed(script, {**os.environ, "MMGAMES_COMPILE": "soon", **places}))
    return fastest


def _observed(script: str, env: Mapping[str, str]) -> float:
    begun = time.time()
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    now, second = json.loads(done.stdout)
    if second is not None:  # what it compiles would disturb the next measurement
        with contextlib.suppress(OSError):
            os.kill(second, signal.SIGTERM)
    return now - begun
