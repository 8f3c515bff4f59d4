"""What studies with a page share: a command line, runs that are made once, and words that stand beside the code."""

import argparse
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from mmgames.agents.finding import seat_agents
from mmgames.core import registry
from mmgames.envs.batch_agents import BatchAgents
from mmgames.envs.options import BATCH_KEYS
from mmgames.envs.vector import BatchedEnv

WORDS = Path(__file__).parent / "words"
Run = TypeVar("Run")


def command(doc: str | None, page: str, does: Mapping[str, Callable[..., str | None]], **options: Any) -> None:
    """Do one of these things; a text that comes back is the page. An option is its default, or what argparse takes of
    it; `flag` is what it is called otherwise."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=tuple(does))
    parser.add_argument("folder", type=Path, help="of the runs")
    for name, how in {**options, "out": {"type": Path, "default": Path("docs/results", page)}}.items():
        known = dict(how) if isinstance(how, dict) else {"type": type(how), "default": how}
        parser.add_argument(known.pop("flag", f"--{name.replace('_', '-')}"), **known)
    args = parser.parse_args()
    text = does[args.do](args)
    if text is not None:
        args.out.write_text(text, "utf-8")


def some_of(known: Iterable[str], of: str) -> dict[str, Any]:
    """An option that takes some of these names, all unless it is given."""
    return {"nargs": "+", "choices": tuple(known), "default": [*known], "help": of}


PART: dict[str, Any] = {"default": "1/1", "help": "which share of the runs, such as 2/4"}


def part(runs: Iterable[Run], which: str) -> Sequence[Run]:
    number, of = map(int, which.split("/"))
    return [*runs][number - 1 :: of]


def played(
    name: str, agents: Sequence[str], episodes: int, seed: int, **options: Any
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Play an episode in each place of a batch: after each step the states, rewards, and who was through before."""
    env = BatchedEnv(registry.find(name).id, episodes, observe=BATCH_KEYS, copy=False, threads=1, **options)
    players = BatchAgents(env, seat_agents(list(agents), env.game, range(len(env.seats))), seed)
    observation, _ = env.reset(seed=seed)
    joint, over = np.zeros((episodes, len(env.seats)), np.int64), np.zeros(episodes, bool)
    for _ in range(env.game.spec.length):
        players.act(observation, joint, over)
        observation, rewards, terminated, *_ = env.step(joint)
        yield env.states, rewards, over
        over |= terminated
        if over.all():
            break
    env.close()


def words(name: str, **parts: Any) -> str:
    """The words of a page, with what was found in their places."""
    return (WORDS / f"{name}.txt").read_text("utf-8").format(**parts)


def keep(path: Path, **result: Any) -> None:
    """Write down what a run came to, and say it."""
    path.write_text(json.dumps(result) + "\n")
    print(json.dumps(result), flush=True)


def kept(folder: Path, name: str = "result.json") -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(folder.glob(f"*/{name}"))]


def mean_and_error(values: Any) -> tuple[float, float]:
    """Mean and standard error; the error of a single value is not known."""
    error = float(np.std(values, ddof=1) / len(values) ** 0.5) if len(values) > 1 else math.nan
    return float(np.mean(values)), error


def shown(mean: float, error: float, sign: str = "", digits: int = 2) -> str:
    return f"{mean:{sign}.{digits}f}" + ("" if math.isnan(error) else f" ± {error:.{digits}f}")


def gap(more: Any, less: Any) -> str:
    """By how much the mean of some values is above that of others, and the error of that."""
    (high, error), (low, other) = mean_and_error(more), mean_and_error(less)
    return shown(high - low, math.hypot(error, other), "+")


def mean(values: Any, sign: str = "", digits: int = 2) -> str:
    """The mean of some values and its error; a dash where there are none."""
    return shown(*mean_and_error(values), sign, digits) if len(values) else "–"
