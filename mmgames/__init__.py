"""mmgames: environments for multimodal, multi-agent play.

Importing this package registers every game with Gymnasium and PettingZoo:

    import gymnasium as gym, mmgames
    env = gym.make("mmgames/CoinDilemma-v0", others="self_interest")
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from mmgames import _clone
from mmgames import tasks as _tasks
from mmgames.agents.base import Agent
from mmgames.core import registry as _registry
from mmgames.core.registry import specs
from mmgames.errors import MissingExtra, MmgamesError, Unavailable
from mmgames.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from mmgames.core.game import Game
    from mmgames.core.live import LiveGame
    from mmgames.core.turn import Turn
    from mmgames.envs.aec import AecEnv
    from mmgames.envs.parallel import ParallelEnv
    from mmgames.envs.vector import BatchedEnv
    from mmgames.running.matches import MatchResult

__all__ = [
    "Agent",
    "MissingExtra",
    "MmgamesError",
    "Turn",
    "Unavailable",
    "__version__",
    "aec_env",
    "chat_messages",
    "from_gymnasium",
    "from_pettingzoo",
    "load_game",
    "match",
    "parallel_env",
    "replay",
    "specs",
    "vector_env",
]


def __getattr__(name: str) -> Any:
    """What is imported when it is first asked for: `Turn`, for annotations of agents."""
    if name == "Turn":
        from mmgames.core.turn import Turn

        return Turn
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def aec_env(id: str, **options: Any) -> AecEnv:
    """The AEC face of a game: `pettingzoo.make("aec", id, …)` with better error messages."""
    from mmgames.envs.aec import AecEnv

    return AecEnv(id, **options)


def parallel_env(id: str, **options: Any) -> ParallelEnv:
    """The parallel face of a game."""
    from mmgames.envs.parallel import ParallelEnv

    return ParallelEnv(id, **options)


def vector_env(id: str, num_envs: int, **options: Any) -> BatchedEnv:
    """The batched face: all seats of `num_envs` episodes, arrays [env, seat, …].

    Where a game's simulator brings batches of its own, as robots do, you get those; of what is typed here they have
    `reset`, `step`, `save`, `restore` and `close`.
    """
    from mmgames.envs.vector import batches_of

    made: BatchedEnv = batches_of(id)(id, num_envs, **options)
    return made


def load_game(id: str, **options: Any) -> Game[Any, Any]:
    """The rules of a game with its options settled, for search and analysis."""
    return _registry.load(id).game(**options)


def from_pettingzoo(make: str | Callable[..., Any] | ModuleType, **how: Any) -> str:
    """An environment of PettingZoo as a game here; the id of it. See `mmgames.games._guests.from_pettingzoo`."""
    from mmgames.games._guests import from_pettingzoo as register

    return register(make, **how)


def from_gymnasium(id: str, **how: Any) -> str:
    """An environment of Gymnasium as a game of one seat here; the id of it."""
    from mmgames.games._guests import from_gymnasium as register

    return register(id, **how)


def match(id: str, agents: Any, episodes: int = 100, seed: int = 0, **options: Any) -> MatchResult:
    """Let agents play a game many times, and warn of failed episodes; `running.matches.match` has all options."""
    from mmgames.running.matches import match as play

    result = play(id, agents, episodes, seed, **options)
    if failed := len(result.episodes) - len(result.finished):
        first = next(row["failed"] for row in result.episodes if row["failed"])
        warnings.warn(f"{failed} of {len(result.episodes)} episodes failed; the first: {first}", stacklevel=2)
    return result


def chat_messages(observation: Any, **how: Any) -> list[dict[str, Any]]:
    """An observation as messages for a chat model; see `mmgames.agents.chat_messages`."""
    from mmgames.agents.chat_messages import chat_messages as messages

    return messages(observation, **how)


def replay(record: Any, episode: int | None = None) -> Iterator[LiveGame]:
    """Every state of a recorded episode again, from its record or a results file; see `running.replays.replay`."""
    from mmgames.running.replays import replay as again

    return again(record, episode)


_clone.lead_to_the_folders_beside()
_registry.discover()
_tasks.discover()
