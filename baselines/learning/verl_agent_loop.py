"""An agent loop for verl: whole games in all seats, what the model wrote as it wrote it, learned by verl's trainers.

    # loops.yaml, for actor_rollout_ref.rollout.agent.agent_loop_config_path
    - name: mmgames
      _target_: mmgames.baselines.learning.verl_agent_loop.GameLoop
      game: TicTacToe
      max_tokens: 64
      how: {on_illegal: lose}

Rows of the data set are those of `trl_rollouts.start_rows`, with "agent_name": "mmgames" beside the prompt. A row is a
seat of a start, and its response is all that this seat was told and said in its episode; the mask leaves out what it
was told. Rows of one start that a worker has at the same time share their episodes, so one model learns in all seats.
Made for verl 0.9.1.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar
from uuid import uuid4

from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopMetrics, AgentLoopOutput

from mmgames.agents.chat_messages import PictureFormat
from mmgames.agents.token_replies import TokenPrompt, TokenReply, pictures_in
from mmgames.baselines.learning.rollouts import play
from mmgames.baselines.learning.trl_rollouts import WHOLE_EPISODE, completion, read_start, seats_of
from mmgames.baselines.models.conversation import Conversation
from mmgames.baselines.models.local_weights import Reader
from mmgames.baselines.models.token_batches import encode
from mmgames.baselines.models.token_server import MOST_AT_ONCE
from mmgames.errors import MmgamesError, unknown
from mmgames.running.rollouts import Decision, Mark, Rollouts

SEEDS = {"vllm": "seed", "sglang": "sampling_seed"}
"""What settles the tokens of a reply is called differently by the servers that verl starts."""


@dataclass(eq=False, repr=False)
class ServedByVerl(Conversation):
    """The model that is trained, behind verl's servers: each prompt goes as ids, with its pictures."""

    reader: Reader
    write: Callable[[TokenPrompt, list[int]], Any]
    """Asks verl for the reply to a prompt with these ids, from any thread."""
    temperature: float = 1.0
    picture: PictureFormat = field(default="pil", init=False)
    name: str = field(default="the model that verl trains", init=False)

    def complete_batch(self, prompts: Sequence[TokenPrompt]) -> list[TokenReply | Exception]:
        asked = [(ids := encode(self.reader, prompt).ids, self.write(prompt, ids)) for prompt in prompts]
        return [self._reply(ids, waiting.result()) for ids, waiting in asked]

    def _reply(self, ids: list[int], output: Any) -> TokenReply:
        own = tuple(output.token_ids)
        finish = "stop" if own[-1:] and own[-1] in self.reader.ends else "length"
        log_probs = tuple(output.log_probs or ())
        return TokenReply(self.reader.decode(own), tuple(ids), own, log_probs, finish, self.temperature)


@dataclass(eq=False)
class _Episode:
    """An episode that is being played, with the seats whose rows have taken it."""

    game: str
    start: int
    played: asyncio.Future[Rollouts]
    taken: set[str] = field(default_factory=set)


class GameLoop(AgentLoopBase):
    """Plays the episode of a row and gives what its seat was told and said.

    game             the id of a game or of a task
    others           agents for the seats that do not learn, by their names; the model has all other seats
    max_tokens       of one reply; the rollout's `response_length` if it is left out
    learned_marks    decisions with these marks are learned from all the same: [refused] with on_illegal: lose
    shown            how the model is shown the game, as every `Conversation` has it: observe, size, reasoning, ...
    how              options of the environment, and what `rollouts.play` takes: on_illegal, max_steps, ...
    """

    _pending: ClassVar[list[_Episode]] = []
    """What is being played in this worker."""
    _threads: ClassVar = ThreadPoolExecutor(MOST_AT_ONCE)

    def __init__(
        self,
        *args: Any,
        game: str,
        others: Mapping[str, str] | None = None,
        max_tokens: int | None = None,
        learned_marks: Sequence[Mark] = (),
        shown: Mapping[str, Any] | None = None,
        how: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.game, self.others, self.how = game, dict(others or {}), dict(how or {})
        self.shown = {"observe": "rgb+text" if self.processor is not None else "text", **(shown or {})}
        self.learned_marks, self.max_tokens = learned_marks, max_tokens or self.rollout_config.response_length
        self.seats = seats_of(game, **self.how)
        for name in self.others:
            if name not in self.seats:
                raise unknown("seat", name, game, self.seats)

    async def run(
        self, sampling_params: dict[str, Any], *, raw_prompt: Any, priority: int = 0, **row: Any
    ) -> AgentLoopOutput:
        start, seat = read_start(raw_prompt, self.game, set(self.seats) - self.others.keys())
        known = (one for one in self._pending if (one.game, one.start) == (self.game, start) and seat not in one.taken)
        episode = next(known, None) or self._begin(start, int(priority), sampling_params)
        episode.taken.add(seat)
        began = time.monotonic()
        decisions = (await asyncio.shield(episode.played)).decisions
        own = [one for one in decisions if one.seat == self.seats.index(seat)]
        made = completion(own, self.tokenizer.eos_token_id, self.learned_marks)
        return self._output(own, made, time.monotonic() - began)

    def _begin(self, start: int, draw: int, drawn: Mapping[str, Any]) -> _Episode:
        """Rows that come when it is over are of another batch, and their model is another."""
        loop = asyncio.get_running_loop()
        model = ServedByVerl(
            reader=Reader(self.processor or self.tokenizer, {self.tokenizer.eos_token_id}),
            write=partial(self._write, drawn, loop, uuid4().hex), temperature=drawn["temperature"],
            history=WHOLE_EPISODE, **self.shown,
        )  # fmt: skip
        agents: Any = [self.others.get(name, model) for name in self.seats]
        played = partial(play, self.game, agents, 1, [start], draws=[draw], **self.how)
        episode = _Episode(self.game, start, loop.run_in_executor(self._threads, played))
        self._pending.append(episode)
        episode.played.add_done_callback(lambda _: self._pending.remove(episode))
        return episode

    def _write(self, drawn: Mapping[str, Any], loop: Any, id: str, prompt: TokenPrompt, ids: list[int]) -> Any:
        """A reply that verl's servers write on their side; all of an episode's go to the same one."""
        seeded = {SEEDS[server]: prompt.seed} if (server := self.rollout_config.name) in SEEDS else {}
        pictures = pictures_in(prompt.messages) or None
        asked = self.server_manager.generate(
            request_id=id, prompt_ids=ids, image_data=pictures,
            sampling_params={**drawn, **seeded, "max_tokens": self.max_tokens},
        )  # fmt: skip
        return asyncio.run_coroutine_threadsafe(asked, loop)

    def _output(self, own: Sequence[Decision], made: Mapping[str, Any], seconds: float) -> AgentLoopOutput:
        most, length = self.rollout_config.prompt_length, self.rollout_config.response_length
        if len(made["prompt_ids"]) > most:
            raise MmgamesError(
                f"The first prompt of {self.game} has {len(made['prompt_ids'])} tokens; set "
                f"actor_rollout_ref.rollout.prompt_length, which is {most}, to so many."
            )
        told = len(made["logprobs"]) == len(made["completion_ids"])
        pictures = pictures_in(own[-1].prompt.messages) if own else []
        return AgentLoopOutput(
            prompt_ids=made["prompt_ids"],
            response_ids=made["completion_ids"][:length],
            response_mask=made["env_mask"][:length],
            response_logprobs=made["logprobs"][:length] if told else None,
            multi_modal_data={"images": pictures} if pictures else {},
            reward_score=made["game_return"] or 0.0,
            num_turns=2 * len(own),
            metrics=AgentLoopMetrics(generate_sequences=seconds),
            extra_fields={
                "turn_scores": [],
                "tool_rewards": [],
                **{name: made[name] for name in ("replies", "refused")},
            },
        )
