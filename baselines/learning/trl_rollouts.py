"""A `rollout_func` for TRL's GRPOTrainer: whole games in all seats, what the model wrote as it wrote it.

    args = GRPOConfig(num_generations=8, shuffle_dataset=False, max_completion_length=64, temperature=1.0)
    GRPOTrainer(
        "Qwen/Qwen3-0.6B", returns_of_games, args=args,
        train_dataset=Dataset.from_list(start_rows("TicTacToe", 64)), rollout_func=rollout_func("TicTacToe"),
    ).train()

A row of the data set is a seat of a start, and a completion is all that this seat was told and said in its episode;
the mask leaves out what it was told. Rows of one start share their episodes as long as they are in one batch, so one
model learns in all seats at once. Tried with TRL 1.16, whose contract carries no pictures: see `rollout_func`.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from mmgames import tasks
from mmgames.agents.base import AgentLike
from mmgames.baselines.learning.rollouts import ANSWERER, play
from mmgames.baselines.models.hf import HuggingFace
from mmgames.core import registry
from mmgames.errors import MmgamesError, unknown
from mmgames.running.rollouts import Decision, Mark

WHOLE_EPISODE = 10_000
"""As many exchanges as an episode may have are seen again: then a seat's episode is one row of tokens."""

RolloutFunction = Callable[[list[Any], Any], dict[str, list[Any]]]


PLAYING = ("at_once", "on_illegal", "max_steps", "reading", "frozen", "roles")
"""What `rollouts.play` takes beside the options of an environment."""


def seats_of(id: str, **how: Any) -> tuple[str, ...]:
    """The names of a game's seats, as it is played; a task has one."""
    options = {name: value for name, value in how.items() if name not in PLAYING}
    return (ANSWERER,) if tasks.named(id) else tuple(registry.load(id).game(**options).seats)


def start_rows(id: str, starts: int, seed: int = 0, seats: Sequence[str] = (), **options: Any) -> list[dict[str, Any]]:
    """Rows for a data set: each start of a game as often as seats are learned, all if none is named.

    GRPOTrainer gives a rollout function the prompts alone, so a prompt says which start and which seat it is.
    """
    known = seats_of(id, **options)
    for name in seats:
        if name not in known:
            raise unknown("seat", name, id, known)
    return [
        {"prompt": [{"role": "user", "content": json.dumps({"seed": number, "seat": name})}]}
        for number in range(seed, seed + starts)
        for name in seats or known
    ]


def rollout_func(
    id: str,
    others: Mapping[str, str | AgentLike] | None = None,
    *,
    max_tokens: int | None = None,
    learned_marks: Collection[Mark] = (),
    shown: Mapping[str, Any] | None = None,
    **how: Any,
) -> RolloutFunction:
    """What GRPOTrainer takes as `rollout_func`: it plays the starts of `start_rows` with the model that is trained.

    others          agents for the seats that do not learn, by their names; the model has all other seats
    max_tokens      of one reply; the trainer's `max_completion_length` if it is left out
    learned_marks   decisions with these marks are learned from all the same: ("refused",) with on_illegal="lose"
    shown           how the model is shown the game, as `HuggingFace` takes it: reasoning=, system=, …
    how             options of the environment, and what `rollouts.play` takes: on_illegal=, max_steps=, at_once=, …

    The reward functions get the columns `game_return` (None: no result, which TRL leaves out of its means), `replies`
    and `refused`. Words alone: TRL takes the pictures of a row from the data set, before anything is played, and a
    rollout function cannot add any. With pictures use `mmgames.wrappers.trl.environment_factory`.
    """
    seats = seats_of(id, **how)
    others, calls = dict(others or {}), Counter[int]()
    for name in others:
        if name not in seats:
            raise unknown("seat", name, id, seats)

    def roll(prompts: list[Any], trainer: Any) -> dict[str, list[Any]]:
        if trainer.use_vllm:
            raise MmgamesError("The rollout function writes with the weights of the trainer; use use_vllm=False.")
        wanted = [read_start(prompt, id, set(seats) - others.keys()) for prompt in prompts]
        episodes = _episodes(wanted)
        step = int(trainer.state.global_step)
        calls[step] += 1
        draws = (step, calls[step], int(trainer.accelerator.process_index))
        with _writer(trainer, max_tokens, shown or {}) as model:
            agents: Any = [others.get(name, model) for name in seats]
            starts = [start for start, _ in dict.fromkeys(episodes)]
            played = play(id, agents, len(starts), starts, draws=draws, **how)
        numbers = {episode: number for number, episode in enumerate(dict.fromkeys(episodes))}
        by_seat: dict[tuple[int, int], list[Decision]] = {}
        for one in played.decisions:
            by_seat.setdefault((one.episode, one.seat), []).append(one)
        filler = trainer.processing_class
        end = getattr(filler, "tokenizer", filler).eos_token_id
        rows = [
            completion(by_seat.get((numbers[episode], seats.index(seat)), []), end, learned_marks)
            for episode, (_, seat) in zip(episodes, wanted, strict=True)
        ]
        return {name: [row[name] for row in rows] for name in rows[0]}

    return roll


def returns_of_games(*, game_return: list[float | None], **columns: Any) -> list[float | None]:
    """The reward function of `rollout_func`: what the seat collected in its episode."""
    return game_return


def completion(decisions: Sequence[Decision], end: int, learned_marks: Collection[Mark] = ()) -> dict[str, Any]:
    """All decisions of a seat in one episode as one completion; tokens that the model did not write are masked."""
    if not decisions:  # nobody asked it: something that nothing is learned from
        nothing = {"prompt_ids": [end], "completion_ids": [end], "logprobs": [0.0], "env_mask": [0]}
        return {**nothing, "game_return": None, "replies": 0, "refused": 0}
    ids, start = [*decisions[0].prompt_ids], len(decisions[0].prompt_ids)
    mask: list[int] = []
    log_probs: list[float] = []
    for one in decisions:
        if tuple(ids) != one.prompt_ids[: len(ids)]:
            raise MmgamesError(
                "the chat template writes earlier turns otherwise when the talk goes on, so an episode is no single "
                "row of tokens; use a template that leaves them as they are."
            )
        between = len(one.prompt_ids) - len(ids)
        learned = not set(one.marks) - set(learned_marks)
        mask += [0] * between + [int(learned)] * len(one.reply_ids)
        log_probs += [0.0] * between + [*one.written.log_probs]
        ids = [*one.prompt_ids, *one.reply_ids]
    return {
        "prompt_ids": ids[:start],
        "completion_ids": ids[start:],
        "logprobs": log_probs,
        "env_mask": mask,
        "game_return": None if "failed" in decisions[0].marks else decisions[0].reward_to_go,
        "replies": len(decisions),
        "refused": sum(one.refused is not None for one in decisions),
    }


def read_start(prompt: Any, id: str, seats: Collection[str]) -> tuple[int, str]:
    """The start and the seat that a row's prompt names; the model has these seats."""
    try:
        content = prompt[-1]["content"]
        row = json.loads(content if isinstance(content, str) else content[-1]["text"])
        start, seat = int(row["seed"]), str(row["seat"])
    except (TypeError, ValueError, LookupError) as error:
        raise MmgamesError(f"A prompt names no start of {id}; make the data set with start_rows.") from error
    if seat not in seats:
        raise unknown("seat", seat, f"{id} that the model has", sorted(seats))
    return start, seat


def _episodes(wanted: Sequence[tuple[int, str]]) -> list[tuple[int, int]]:
    """Which episode each row is of: a start, and which of its repetitions; the seats of one are rows of it."""
    seen: Counter[tuple[int, str]] = Counter()
    found = []
    for start, seat in wanted:
        found.append((start, seen[start, seat]))
        seen[start, seat] += 1
    return found


@contextmanager
def _writer(trainer: Any, max_tokens: int | None, shown: Mapping[str, Any]) -> Iterator[HuggingFace]:
    """The weights of a trainer as a model that plays; they learn on as before when it has."""
    from trl.models import unwrap_model_for_generation

    gathered = {"gather_deepspeed3_params": trainer.args.ds3_gather_for_generation}
    with unwrap_model_for_generation(trainer.model_wrapped, trainer.accelerator, **gathered) as model:
        learning = model.training
        try:
            yield HuggingFace(
                "the model that is trained",
                weights=(model, trainer.processing_class),
                observe="text",
                history=WHOLE_EPISODE,
                temperature=trainer.args.temperature,
                top_p=trainer.args.top_p,
                max_tokens=max_tokens or trainer.args.max_completion_length,
                **shown,
            )
        finally:
            model.train(learning)
