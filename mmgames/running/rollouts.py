"""Rollouts: many episodes at once with language models in their seats, and every decision with the tokens it took.

Episodes are played as in every match, on threads. A thread whose agent asks a model waits; when all of them wait, what
they ask is one batch for each model. So batches, and with them everything drawn, depend on the seeds alone and not on
which thread was faster.
"""

from __future__ import annotations

import builtins
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from mmgames.agents.answering import Answering
from mmgames.agents.base import Agent, AgentLike
from mmgames.agents.finding import find_agent
from mmgames.agents.identity import agent_name, fresh_agent
from mmgames.agents.players import Answer, Players
from mmgames.agents.token_replies import TokenPrompt, TokenReply, picture_hash, pictures_in
from mmgames.core import registry
from mmgames.core.game import Game, Seat
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError, RunStopped, unknown
from mmgames.running.episodes import EpisodePlayer, OnIllegal, check_counts, make_plan
from mmgames.running.records import kept_reply
from mmgames.running.threads import run_on_threads
from mmgames.text.refusals import Illegal
from mmgames.text.replies import Reading

Mark = Literal["cut off", "refused", "replaced", "frozen", "retokenised", "failed"]
"""Why a decision is not learned from.

cut off       the reply ended at the token limit
refused       it was no move
replaced      and another move was played in its place
frozen        its seat does not learn
retokenised   the prompt did not hold the model's earlier replies by their ids
failed        its episode has no result
"""
Roles = Callable[[Mapping[str, Any], str], str]
"""From an episode's record and the name of a seat to the role by which decisions are compared."""


@dataclass(frozen=True)
class Decision:
    """One reply of a model: who was asked what, what it wrote token by token, and what came of it."""

    env: str
    episode: int
    seed: int
    seat: Seat
    role: str
    turn: int
    """In which transition of the episode."""
    attempt: int
    """How often this seat was asked in this turn before."""
    prompt: TokenPrompt
    written: TokenReply
    refused: Mapping[str, str] | None
    """The kind of the refusal and its reason, where the reply was no move."""
    reward: float = 0.0
    """What the seat collected from here to its next decision."""
    reward_to_go: float = 0.0
    """What it collected from here to the end."""
    marks: tuple[Mark, ...] = ()

    @property
    def reply_ids(self) -> tuple[int, ...]:
        return self.written.reply_ids

    @property
    def prompt_ids(self) -> tuple[int, ...]:
        return self.written.prompt_ids

    @property
    def loss_mask(self) -> list[int]:
        """For each token of the reply whether it is learned from: all, or none of a marked one."""
        return [int(not self.marks)] * len(self.reply_ids)


@dataclass(frozen=True)
class Rollouts:
    """Decisions in the order of episodes, turns, attempts and seats; the records of the episodes; how many prompts were
    answered together, batch by batch."""

    decisions: list[Decision]
    records: list[dict[str, Any]]
    batches: list[int] = field(default_factory=list)


@dataclass
class _Request:
    """A prompt that somebody waits for."""

    place: tuple[int, Seat]
    model: Agent
    prompt: TokenPrompt
    done: threading.Event = field(default_factory=threading.Event)
    reply: TokenReply | Exception | None = None


class RequestGatherer:
    """Holds prompts back until everybody who could still ask for something waits, and has them answered together.

    `busy` counts those who could: a thread for each episode that is played, and one more for every further seat of a
    joint move. One thread answers, so that PyTorch is never called from many.
    """

    def __init__(self, episodes: int, at_once: int, draws: Sequence[int] = ()) -> None:
        self.draws = tuple(draws)
        self.batches: list[int] = []
        self.error: BaseException | None = None
        self._busy = min(episodes, at_once)
        self._to_begin = episodes - self._busy
        self._waiting: list[_Request] = []
        self._changed = threading.Condition()
        self._closed = False
        threading.Thread(target=self._serve, daemon=True).start()

    def ask(self, place: tuple[int, Seat], model: Agent, prompt: TokenPrompt) -> TokenReply:
        """What `model` writes; returns when all others wait too."""
        request = _Request(place, model, prompt)
        with self._changed:
            if not self._closed:
                self._waiting.append(request)
                self._changed.notify_all()
        if not self._closed:
            request.done.wait()
        if isinstance(request.reply, TokenReply):
            return request.reply
        raise request.reply or RunStopped("The rollouts have ended.")

    def add_busy(self, more: int) -> None:
        with self._changed:
            self._busy += more
            self._changed.notify_all()

    def episode_ended(self) -> None:
        """Its thread begins the next one, if there is any."""
        with self._changed:
            if self._to_begin:
                self._to_begin -= 1
            else:
                self._busy -= 1
            self._changed.notify_all()

    def close(self, error: BaseException | None = None) -> None:
        """Nobody is answered any more, and nobody waits on; `error` is why, if it is the first."""
        with self._changed:
            if not self._closed:
                self.error = error
            self._closed = True
            self._changed.notify_all()
            for request in self._waiting:
                request.done.set()

    @contextmanager
    def closed_on_error(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            self.close(error)
            raise

    def _serve(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or (self._waiting and len(self._waiting) >= self._busy))
                if self._closed:
                    return
                pending, self._waiting = sorted(self._waiting, key=lambda request: request.place), []
            try:
                self._answer(pending)
            except BaseException as error:
                self.close(error)
            for request in pending:
                request.done.set()

    def _answer(self, pending: list[_Request]) -> None:
        for model in {id(request.model): request.model for request in pending}.values():
            mine = [request for request in pending if request.model is model]
            replies = model.complete_batch([request.prompt for request in mine])
            self.batches.append(len(mine))
            for request, reply in zip(mine, replies, strict=True):
                request.reply = reply


class ModelSeat(Agent):
    """A model in one seat of an episode: it remembers as the model does, and its replies are written in batches."""

    concurrent = True
    may_be_asked_again = False  # it learns from what its first reply was worth

    def __init__(self, writer: Agent, gatherer: RequestGatherer) -> None:
        self.writer, self.gatherer = writer, gatherer
        self.memory = fresh_agent(writer)
        self.name, self.style, self.retry_policy = agent_name(writer), writer.style, writer.retry_policy
        self.episode, self.seat = 0, 0
        self._rng = np.random.default_rng(0)
        self.forget()

    def fresh(self) -> ModelSeat:
        return ModelSeat(self.writer, self.gatherer)

    def begin(self, game: Game[Any, Any], seat: Seat) -> None:
        self.seat = seat
        self.forget()

    def forget(self) -> None:
        self.memory.forget()
        self.asked: list[tuple[TokenPrompt, TokenReply]] = []
        self._examples = 0

    def refused(self, illegal: Illegal) -> None:
        self.memory.refused(illegal)

    def draw_with(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def answer(self, observation: dict[str, Any]) -> str:
        messages = self.memory.messages(observation)
        # Episodes with the same start have the same generators, and are to be drawn apart.
        draw = np.random.SeedSequence([int(self._rng.integers(2**62)), self.episode, *self.gatherer.draws])
        seed = int(draw.generate_state(1)[0] >> np.uint32(1))  # as large as every server takes it
        pictures = tuple(map(picture_hash, pictures_in(messages)))
        prompt = TokenPrompt(messages, self._said_in(messages), pictures, seed)
        reply = self.gatherer.ask((self.episode, self.seat), self.writer, prompt)
        self.asked.append((prompt, reply))
        self.memory.draw_with(np.random.default_rng(seed))
        self.memory.recall(observation, reply.text)
        return reply.text

    def _said_in(self, messages: Sequence[Mapping[str, Any]]) -> tuple[tuple[int, ...], ...]:
        """The ids of this seat's own replies that messages show again; what stands there first are examples."""
        shown = [message["content"] for message in messages if message["role"] == "assistant"]
        if not self.asked:
            self._examples = len(shown)
        shown = shown[self._examples :]
        own = [reply for _, reply in self.asked[-len(shown) :]] if shown else []
        if [kept_reply(reply.text) for reply in own] != shown:
            raise RunStopped(f"{self.name} shows its earlier replies otherwise than it has written them.")
        return tuple(reply.reply_ids for reply in own)


class _GatheredPlayers(Players):
    """Players whose joint moves are asked for together: every seat that owes an answer counts as busy."""

    def __init__(self, agents: Mapping[Seat, Agent], gatherer: RequestGatherer) -> None:
        super().__init__(agents)
        self.gatherer = gatherer

    def ask(self, turns: Mapping[Seat, Turn], question: Callable[[Turn], Answer]) -> dict[Seat, Answer]:
        owed, lock = len(turns), threading.Lock()
        self.gatherer.add_busy(owed - 1)

        def counted(turn: Turn) -> Answer:
            nonlocal owed
            try:
                return question(turn)
            finally:
                with lock:
                    owed -= 1
                    if owed:  # the last one stands for the episode, which goes on
                        self.gatherer.add_busy(-1)

        try:
            return super().ask(turns, counted)
        finally:
            if owed > 1:  # somebody raised before these were asked
                self.gatherer.add_busy(1 - owed)


EpisodeWorker = Callable[[int], tuple[dict[str, Any], list[Decision]]]
"""Plays the episode with a number: its record and its decisions."""


def play_on_threads(
    episodes: int,
    at_once: int,
    make_worker: Callable[[RequestGatherer], EpisodeWorker],
    draws: Sequence[int] = (),
) -> Rollouts:
    """Episodes by workers that ask the gatherer, `at_once` of them at a time; other `draws` draw other replies."""
    check_counts(episodes)
    if not isinstance(at_once, int) or at_once < 1:
        raise MmgamesError(f"At least one episode is played at a time, not {at_once!r}.")
    gatherer = RequestGatherer(episodes, at_once, draws)

    def worker() -> Callable[[int], tuple[int, dict[str, Any], list[Decision]]]:
        with gatherer.closed_on_error():
            play = make_worker(gatherer)

        def one(episode: int) -> tuple[int, dict[str, Any], list[Decision]]:
            with gatherer.closed_on_error():
                played = play(episode)
                gatherer.episode_ended()
                return episode, *played

        return one

    try:
        found = sorted(run_on_threads(range(episodes), worker, at_once), key=lambda row: row[0])
    except RunStopped as stopped:
        raise gatherer.error or stopped from None
    finally:
        gatherer.close()
    decisions = [decision for _, _, made in found for decision in made]
    return Rollouts(decisions, [record for _, record, _ in found], gatherer.batches)


def play_games(
    id: str,
    agents: Sequence[str | AgentLike] | str | AgentLike,
    episodes: int,
    seed: int | Sequence[int] = 0,
    *,
    at_once: int = 64,
    on_illegal: OnIllegal = "retry_random",
    max_steps: int | None = None,
    reading: Reading = "paragraph",
    frozen: Collection[str] = (),
    roles: Roles | None = None,
    draws: Sequence[int] = (),
    **options: Any,
) -> Rollouts:
    """Episodes of a game as in `match`, with all decisions of the agents that tell their tokens.

    The same agent in several seats, or all, is one model that shares its weights and its batches. Others play as ever.
    What the seats named in `frozen` do is told too, and marked. `roles` says what role a seat had in an episode, where
    its name does not, as in Spy. The same seeds are played otherwise with other `draws`, the step of a training, say.
    """
    plan = make_plan(id, agents, seed, on_illegal, options, max_steps, reading)
    check_counts(episodes)
    if isinstance(plan.seed, tuple) and len(plan.seed) < episodes:
        raise MmgamesError(f"There are {len(plan.seed)} seeds, and {episodes} episodes are to be played.")
    game = registry.load(id).game(**options)
    given = {one if isinstance(one, str) else builtins.id(one): one for one in plan.agents}
    found = {key: find_agent(one, game.spec) for key, one in given.items()}
    models = {key: agent for key, agent in found.items() if agent.tells_tokens}
    check_models(models.values())
    for name in frozen:
        if name not in game.seats:
            raise unknown("seat", name, game.spec.id, game.seats)
    players: list[EpisodePlayer] = []

    def make_worker(gatherer: RequestGatherer) -> EpisodeWorker:
        def in_seat(one: str | AgentLike) -> str | AgentLike:
            if (key := one if isinstance(one, str) else builtins.id(one)) in models:
                return ModelSeat(models[key], gatherer)
            return one if isinstance(one, str) else fresh_agent(one)

        player = EpisodePlayer(replace(plan, agents=tuple(map(in_seat, plan.agents))))
        player.players = _GatheredPlayers(player.players.agents, gatherer)
        players.append(player)
        return lambda episode: _play_game(player, episode, frozen, roles)

    try:
        return play_on_threads(episodes, at_once, make_worker, draws)
    finally:
        for player in players:
            player.close()


def check_models(models: Collection[Agent]) -> None:
    """A sentence if nobody is there to be learned from, or somebody who cannot be."""
    if not models:
        raise MmgamesError("Nobody in these seats tells the tokens of its replies; give one of them a model of `hf`.")
    for model in models:
        if model.requests_per_answer > 1:
            raise MmgamesError(f"{agent_name(model)} votes on its replies; a decision is one reply, so use votes=1.")


def _play_game(
    player: EpisodePlayer, episode: int, frozen: Collection[str], roles: Roles | None
) -> tuple[dict[str, Any], list[Decision]]:
    """One episode: its record, and what the models in its seats decided."""
    agents = enumerate(player.agents)
    seats = {seat: agent.agent for seat, agent in agents if isinstance(agent, Answering)}
    models = {seat: agent for seat, agent in seats.items() if isinstance(agent, ModelSeat)}
    for model in models.values():
        model.episode = episode
    totals: list[list[float]] = []
    record = player.play(episode, lambda live: totals.append(live.totals))
    final = record["returns"] or (totals[-1] if totals else [])
    made = []
    for seat, model in models.items():
        name = player.live.game.seats[seat]
        said = [reply for reply in record.get("replies", ()) if reply["seat"] == name]
        turns = [reply["step"] for reply in said]
        flags: dict[Mark, bool] = {"frozen": name in frozen, "failed": bool(record["failed"])}
        for number, ((prompt, written), reply) in enumerate(zip(model.asked, said, strict=False)):
            turn, attempt = reply["step"], turns[:number].count(reply["step"])
            following = turns[number + 1] if number + 1 < len(turns) else None
            refused = (
                {key: reply[key] for key in ("kind", "refused")} if "kind" in reply and "unread" not in reply else None
            )
            after = final if following is None else totals[following]
            marks = marks_of(written, refused)
            if refused and following != turn and record.get("forfeit") != name:
                marks.append("replaced")
            marks += [mark for mark, so in flags.items() if so]
            made.append(
                Decision(
                    env=player.plan.id,
                    episode=episode,
                    seed=record["seed"],
                    seat=seat,
                    role=roles(record, name) if roles and not record["failed"] else name,
                    turn=turn,
                    attempt=attempt,
                    prompt=prompt,
                    written=written,
                    refused=refused,
                    reward=float(after[seat] - totals[turn][seat]),
                    reward_to_go=float(final[seat] - totals[turn][seat]),
                    marks=tuple(marks),
                )
            )
    return record, sorted(made, key=lambda one: (one.turn, one.attempt, one.seat))


def marks_of(written: TokenReply, refused: Mapping[str, str] | None) -> list[Mark]:
    """What there is to be said against a reply by itself."""
    marks: list[Mark] = ["cut off"] if written.finish == "length" else []
    marks += ["refused"] if refused else []
    return marks + (["retokenised"] if written.retokenised else [])
