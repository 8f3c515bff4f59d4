"""Rollouts of language models in all seats of any environment: every decision with its tokens, ready to learn from.

    from mmgames.baselines.learning.rollouts import log_probabilities, play
    from mmgames.baselines.learning.rollout_advantages import role_advantages
    from mmgames.baselines.models.hf import HuggingFace
    model = HuggingFace("Qwen/Qwen2.5-VL-3B-Instruct", temperature=1.0, size=320, max_tokens=128)
    played = play("TicTacToe", [model, "minimax"], 64)
    worth = role_advantages(played.decisions)

`mmgames.running.rollouts` plays, `mmgames.baselines.models.token_batches` writes the replies. Prompts of all episodes
that are pending at the same moment are one batch.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from mmgames import tasks
from mmgames.agents.base import AgentLike, as_agent
from mmgames.baselines.models.hf import HuggingFace
from mmgames.errors import MmgamesError, Unavailable
from mmgames.running.episodes import episode_seed
from mmgames.running.rollouts import (
    Decision,
    EpisodeWorker,
    ModelSeat,
    RequestGatherer,
    Rollouts,
    check_models,
    marks_of,
    play_games,
    play_on_threads,
)
from mmgames.tasks.questions import task_style

ANSWERER = "answerer"
"""The only seat of a task."""


def play(
    id: str,
    agents: Sequence[str | AgentLike] | str | AgentLike,
    episodes: int,
    seed: int | Sequence[int] = 0,
    **how: Any,
) -> Rollouts:
    """Episodes of a game or questions of a task, with all decisions of the models in the seats.

    `how` is `at_once=`, how many episodes are played at a time, the options of the environment, and of a game what
    `mmgames.running.rollouts.play_games` takes: `on_illegal=`, `max_steps=`, `frozen=`, `roles=`, …
    With a list of seeds, episodes of the same seed have the same start, as groups of GRPO want it, and draws of their
    own; other `draws=` draw other replies from the same seeds.
    """
    task = tasks.named(id)
    if task is None:
        return play_games(id, agents, episodes, seed, **how)
    chosen: Any = agents if isinstance(agents, (list, tuple)) else [agents]
    if len(chosen) != 1 or isinstance(chosen[0], str):
        raise MmgamesError(f"{task.id} is answered by one model, which is given as an object.")
    return _play_questions(task.id, chosen[0], episodes, seed, **how)


def _play_questions(
    id: str,
    agent: AgentLike,
    episodes: int,
    seed: int | Sequence[int],
    at_once: int = 64,
    draws: Sequence[int] = (),
    **options: Any,
) -> Rollouts:
    model = as_agent(agent)
    check_models([model] if model.tells_tokens else [])
    shown = {**task_style(model), **options}

    def make_worker(gatherer: RequestGatherer) -> EpisodeWorker:
        env: Any = gymnasium.make(id, actions="text", disable_env_checker=True, **shown).unwrapped
        seat = ModelSeat(model, gatherer)
        return lambda episode: _ask(env, seat, episode, episode_seed(seed, episode))

    return play_on_threads(episodes, at_once, make_worker, draws)


def _ask(env: Any, seat: ModelSeat, episode: int, seed: int) -> tuple[dict[str, Any], list[Decision]]:
    """One question, asked as often as its task asks it; the last answer counts."""
    observation, _ = env.reset(seed=seed)
    seat.episode = episode
    seat.forget()
    seat.draw_with(np.random.default_rng([seed, 1]))
    refusals: list[dict[str, str] | None] = []
    score, over, failed = 0.0, False, None
    while not over:
        try:
            reply = seat.answer(observation)
        except Unavailable as error:
            failed = str(error)
            break
        observation, score, over, _, info = env.step(reply)
        refusals.append({"kind": info["illegal_kind"], "refused": info["illegal"]} if "illegal" in info else None)
    made = [
        Decision(
            env=env.task.id,
            episode=episode,
            seed=seed,
            seat=0,
            role=ANSWERER,
            turn=turn,
            attempt=0,
            prompt=prompt,
            written=written,
            refused=refused,
            reward=float(score) if turn == len(refusals) - 1 else 0.0,
            reward_to_go=float(score),
            marks=(*marks_of(written, refused), *(("failed",) if failed else ())),
        )
        for turn, ((prompt, written), refused) in enumerate(zip(seat.asked, refusals, strict=True))
    ]
    row = {"episode": episode, "seed": seed, "game": env.task.id, "returns": None if failed else [float(score)]}
    return {**row, "length": len(made), "failed": failed}, made


def log_probabilities(model: HuggingFace, decisions: Sequence[Decision]) -> list[Any]:
    """What the model gives each token of these replies now, in one forward pass: tensors that gradients flow through.

    Where it is still the model that wrote them, it is what `written.log_probs` says. Padding fills decisions up to the
    longest, so give some of about one length at a time.
    """
    from mmgames.baselines.models import token_batches

    pairs = [(decision.prompt, decision.written) for decision in decisions]
    return token_batches.log_probabilities(model.weights, pairs)
