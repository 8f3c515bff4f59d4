"""Whether a card plays the same bits as the processor: the same seeds and actions on both, step by step.

    python -m benchmarks.card [GAME …]

`mmgames bench --device cuda` tells how fast it is.
"""

import functools
import warnings
from typing import Any

import gymnasium
import numpy as np

import mmgames
from mmgames.core import registry
from mmgames.text.command_line import read_arguments

OUTCOMES = ("rewards", "terminated", "truncated")
SAVED = ("states", "streams", "steps", "terminated", "truncated")


def games(names: list[str]) -> list[str]:
    known = [spec.id for spec in registry.specs.values() if spec.batched and not spec.simulator.vector]
    return [id for id in known if not names or any(name in id for name in names)]


def compare(id: str, num_envs: int, steps: int, others: str = "", **options: Any) -> str:
    """Play the same on both; what differs, by name and how far. With `others`, agents, one seat is played."""
    if others:
        make = functools.partial(gymnasium.make_vec, vectorization_mode="vector_entry_point", others=others)
    else:
        make = mmgames.vector_env
    here, there = (make(id, num_envs=num_envs, device=device, **options) for device in ("cpu", "cuda"))
    rng, worst, to_host = np.random.default_rng(1), {}, there.threads.to_host
    (ours, info), (theirs, _) = here.reset(seed=5), there.reset(seed=5)
    for _ in range(steps):
        mask = info["action_mask"]
        actions = (mask * rng.random(mask.shape)).argmax(-1)
        ours, *outcomes, info = here.step(actions)
        theirs, *heard, _ = there.step(actions)
        pairs = {key: (ours[key], theirs[key]) for key in ours} | dict(
            zip(OUTCOMES, zip(outcomes, heard, strict=True), strict=True)
        )
        for name, (one, other) in pairs.items():
            off = np.abs(np.asarray(one, np.float64) - to_host(other)).max(initial=0)
            worst[name] = max(worst.get(name, 0.0), float(off))
    kept, copied = here.save(), there.save()
    differ = [name for name in SAVED if kept[name].tobytes() != copied[name].tobytes()]
    if "states" in differ:
        worst |= fields_apart("states", kept["states"], copied["states"])
    off = {name: most for name, most in worst.items() if most}
    return f"{', '.join(differ) + ' differ' if differ else 'the same bits'}{f', off by {off}' if off else ''}"


def fields_apart(name: str, ours: np.ndarray, theirs: np.ndarray) -> dict[str, float]:
    """By how much each field of the states differs at the most."""
    if ours.dtype.names is None:
        return {name: float(np.abs(ours.astype(np.float64) - theirs).max(initial=0))}
    own = [fields_apart(f"{name}.{field}", ours[field], theirs[field]) for field in ours.dtype.names]
    return {field: most for found in own for field, most in found.items()}


def main() -> None:
    args = read_arguments(__doc__, __file__)
    warnings.filterwarnings("ignore", message=".*Grid size")
    if not games(args.games):
        raise SystemExit("card: no game that is stepped in batches has such a name")
    for id in games(args.games):
        options = {"observe": tuple(args.observe.split(","))}
        try:
            found = compare(id, args.num_envs, args.steps, args.others, **options)
        except Exception as error:  # a table of all games is wanted, not the first one's trouble
            found = f"{type(error).__name__}: {str(error)[:300]} … {str(error)[-300:]}"
        print(f"{id}, {args.num_envs * args.steps:,} steps: {found}", flush=True)


if __name__ == "__main__":
    main()
