"""What models were asked, rebuilt from records: a journal keeps prompts as fingerprints alone.

`prompt_texts` has the texts of all calls of a file, for searches. `rebuild` has one call as it was: the messages with
their pictures, what is read from the reply, and what came of it. Its fingerprint tells whether what is shown
is what was sent.
"""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mmgames.agents.answering import Answering, described_style
from mmgames.agents.players import STRIKES
from mmgames.baselines.models.conversation import Conversation
from mmgames.baselines.search.exploitability import information_sets
from mmgames.core.constants import MOST_FRAMES
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.core.registry import load
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.running.endings import ending_of
from mmgames.running.journal import fingerprint
from mmgames.running.replays import replay
from mmgames.tasks.replays import after, put_again, questions_env, replies_of
from mmgames.text.refusals import REFUSAL_KINDS, Illegal

About = Mapping[str, Any]
Row = Mapping[str, Any]


def prompt_texts(about: About, rows: Mapping[int, Row]) -> Iterator[tuple[int, str, int, str]]:
    """(episode, seat, number, text) of every call in a file; what cannot be rebuilt is left out."""
    texts = _match_texts if "match" in about else _question_texts if "task" in about else _view_texts
    try:
        rebuilt = texts(about)
    except Exception:  # a game that is not installed here, or a file that does not say enough
        return
    for episode, row in rows.items():
        try:
            yield from ((episode, *found) for found in rebuilt(row))
        except Exception:  # whatever is wrong with one record, the others are searched
            continue


def _match_texts(about: About) -> Any:
    styles = [described_style(said) for said in about.get("descriptions") or [None] * len(about["agents"])]

    def texts(record: Row) -> Iterator[tuple[str, int, str]]:
        asked: dict[int, list[str]] = {}
        for reply in record.get("replies", ()):
            asked.setdefault(reply["step"], []).append(reply["seat"])
        number = dict.fromkeys({seat for seats in asked.values() for seat in seats}, 0)
        observers: dict[str, Observer] = {}
        for step, live in enumerate(replay(record)):
            for role in asked.get(step, ()):
                seat = live.game.seats.index(role)
                if role not in observers:
                    observers[role] = Observer(live.loaded, live.game, **styles[seat])
                yield role, number[role], observers[role].text(live.view(seat))
                number[role] += 1

    return texts


def _question_texts(about: About) -> Any:
    env = questions_env(about)  # it draws too: the words depend on what the pictures show

    def texts(row: Row) -> Iterator[tuple[str, int, str]]:
        observation, replies = put_again(env, row), replies_of(row)
        for number, reply in enumerate(replies):
            yield "", number, observation.get("text", "")
            if number < len(replies) - 1:
                observation = after(env, row, number, reply)

    return texts


def _view_texts(about: About) -> Any:
    loaded = load(about["policy"])
    game = loaded.game(**about["options"])
    views = list(information_sets(game))
    observer = Observer(loaded, game, **described_style(about.get("description")))

    def texts(row: Row) -> Iterator[tuple[str, int, str]]:
        text = observer.text(views[row["number"]])
        yield from (("", number, text) for number in range(len(row["replies"])))

    return texts


@dataclass
class RebuiltCall:
    """One call again. `read` is what is read from the reply, or why nothing; `reward` is that of its step."""

    messages: list[dict[str, Any]]
    fingerprint: str
    read: str | Illegal = ""
    played: str = ""
    reward: float | None = None
    right: str = ""  # the answer to a question
    ending: str = ""  # how its episode ended


class ReplayedModel(Conversation):
    """Says what a model said, and keeps what it was shown."""

    reply = ""

    def answer(self, observation: dict[str, Any]) -> str:
        self.fingerprint = fingerprint(observation)
        return super().answer(observation)

    def complete(self, messages: list[dict[str, Any]]) -> str:
        self.shown = messages
        return self.reply


def rebuild(about: About, row: Row | None, seat: str, number: int) -> RebuiltCall:
    """The call with this number of a seat in an episode, or about a question or a view."""
    if row is None:
        raise MmgamesError("No record of it is kept, so its prompt cannot be rebuilt: it went on or was stopped.")
    if "match" in about:
        return _rebuild_turn(about, row, seat, number)
    return _rebuild_question(about, row, number) if "task" in about else _rebuild_view(about, row, number)


def _model(said: Any) -> ReplayedModel:
    history = said.get("history", 0) if isinstance(said, Mapping) else 0
    return ReplayedModel(**described_style(said), history=history)


def _rebuild_turn(about: About, record: Row, role: str, number: int) -> RebuiltCall:
    own = [one for one in record.get("replies", ()) if one["seat"] == role]
    if number == len(own):  # it came to nothing, and the episode ended there
        own.append({"step": len(record["actions"]), "reply": ""})
    target: int = own[number]["step"]
    found: RebuiltCall | None = None
    before = 0.0
    for step, live in enumerate(replay(record)):
        live.keep_states(MOST_FRAMES)
        seat = live.game.seats.index(role)
        if step == 0:
            said = about.get("descriptions") or [None] * len(live.game.seats)
            player = Answering(model := _model(said[seat]))
        if found is not None:
            found.reward = live.totals[seat] - before
            break
        earlier = [place for place, one in enumerate(own) if one["step"] == step]
        first = number - max(model.history, STRIKES)  # what came before is not seen again
        turn = Turn(live, seat, np.random.default_rng(0))
        for place in (place for place in earlier if first <= place <= number):
            model.reply = own[place]["reply"]
            player.act(turn)
            turn.refused, turn.asked_again = _refusal(own[place]), "again" in own[place]
        if step == target:
            before = live.totals[seat]
            found = RebuiltCall(model.shown, model.fingerprint, _read(live, seat, own[number]["reply"]))
            if step < len(record["actions"]):
                found.played = _named(live, seat, record["actions"][step][seat])
    assert found is not None
    with contextlib.suppress(MmgamesError):  # what cannot be replayed to its end has no other
        *_, live = replay(record)
        found.ending = "; ".join(ending_of(live, record).lines())
    return found


def _refusal(reply: Mapping[str, Any]) -> Illegal | None:
    if "refused" not in reply:
        return None
    kind = reply.get("kind")
    return Illegal(kind if kind in REFUSAL_KINDS else "something else", reply["refused"], reply["reply"])


def _read(live: LiveGame, seat: int, reply: str) -> str | Illegal:
    """What is read from a reply in a position."""
    reader = LiveGame(live.loaded, live.game)
    reader.go_on_from(live.state, np.random.default_rng(0))
    move = reader.move_of(seat, reply)
    return move if isinstance(move, Illegal) else _named(live, seat, move)


def _named(live: LiveGame, seat: int, move: Any) -> str:
    names = live.loaded.words.names(live.view(seat))
    return str(names.get(move, move) if isinstance(move, (int, str)) else move)


def _rebuild_question(about: About, row: Row, number: int) -> RebuiltCall:
    env, model = questions_env(about), _model(about.get("description"))
    observation, replies = put_again(env, row), replies_of(row)
    for place, reply in enumerate(replies[: number + 1]):
        model.reply = reply
        model.answer(observation)
        if place < number:
            observation = after(env, row, place, reply)
    found = RebuiltCall(model.shown, model.fingerprint)
    read = env.source.read(env.question, replies[number])
    name = env.question.names.get(read, read) if isinstance(read, int) else read
    found.read = read if isinstance(read, Illegal) else str(name)
    if number == len(replies) - 1:
        found.reward, found.right = row.get("score"), str(env.source.truth(env.question).get("answer"))
    return found


def _rebuild_view(about: About, row: Row, number: int) -> RebuiltCall:
    loaded = load(about["policy"])
    game = loaded.game(**about["options"])
    seat, state = list(information_sets(game).values())[row["number"]]
    live = LiveGame(loaded, game)
    live.go_on_from(state, np.random.default_rng(0))
    player = Answering(model := _model(about.get("description")))
    replies = row["replies"][: number + 1]
    query = 0  # where the last query begins: each is a new game
    for place in range(1, len(replies)):
        strikes = sum("again" not in one for one in replies[query:place])
        if "refused" not in replies[place - 1] or strikes == STRIKES:
            query = place
    turn = Turn(live, seat, np.random.default_rng(0))
    for reply in replies[query:]:
        model.reply = reply["reply"]
        player.act(turn)
        turn.refused, turn.asked_again = _refusal(reply), "again" in reply
    return RebuiltCall(model.shown, model.fingerprint, _read(live, seat, row["replies"][number]["reply"]))
