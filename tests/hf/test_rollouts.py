"""Rollouts: batches of what is pending, tokens as they were written, pictures where they were seen, what it is worth.

Tiny models with random weights write; where moves matter, an agent that says what a script tells it to.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from benchmarks.rollouts import astray
from mmgames.agents.token_replies import TokenPrompt, TokenReply, picture_hash, pictures_in
from mmgames.baselines.learning.rollout_advantages import group_advantages, role_advantages, turn_advantages
from mmgames.baselines.learning.rollouts import log_probabilities, play
from mmgames.baselines.learning.spo_advantages import RoleBaselines
from mmgames.baselines.models import local_weights
from mmgames.baselines.models.conversation import Conversation
from mmgames.baselines.models.hf import HuggingFace
from mmgames.baselines.models.local_weights import remembering
from mmgames.baselines.models.token_batches import EncodedPrompt, encode, write_encoded
from mmgames.baselines.models.token_server import TokenServer
from mmgames.errors import MmgamesError, RunStopped, ServiceRefused
from mmgames.running.rollouts import Decision
from tests.chat_server import serving
from tests.hf.models import KINDS, drawn
from tests.players import Acts
from tests.refusing import refused

SHORT = {"on_illegal": "retry_random", "max_steps": 2}


def model(kind: str, **options: Any) -> HuggingFace:
    settings = {"temperature": 1.0, "size": 64, "max_tokens": 4, "history": 2, "reasoning": "direct", **options}
    return HuggingFace("tiny", weights=drawn(kind), observe="text" if kind == "text" else "rgb", **settings)


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_written_is_what_is_learned_from(kind: str) -> None:
    agent = model(kind)
    played = play("KuhnPoker", agent, 2, **SHORT)
    assert played.batches == [2] * 6, "two episodes, two turns, three attempts each"
    assert [(one.turn, one.attempt, one.role) for one in played.decisions[:4]] == [
        *((0, attempt, "player_0") for attempt in range(3)),
        (1, 0, "player_1"),
    ]
    some = played.decisions[:4]
    again = log_probabilities(agent, some)
    assert again[0].requires_grad
    for one, found in zip(some, again, strict=True):
        assert len(one.reply_ids) == len(one.loss_mask) <= 4
        assert found.tolist() == pytest.approx(one.written.log_probs, abs=1e-3)
        whole = agent.weights.encode(one.prompt.messages)["input_ids"][0].tolist()
        assert one.prompt.said or whole == list(one.prompt_ids), "without a past it is the template's own tokens"
    first, second, third = played.decisions[:3]
    assert second.prompt_ids[: len(first.prompt_ids + first.reply_ids)] == first.prompt_ids + first.reply_ids
    assert third.prompt_ids[: len(second.prompt_ids + second.reply_ids)] == second.prompt_ids + second.reply_ids
    seen = 0 if kind == "text" else 1
    assert [len(one.prompt.pictures) for one in (first, second, third)] == [seen, 2 * seen, 3 * seen]


def test_replies_depend_on_their_episode_and_not_on_who_is_in_the_batch() -> None:
    agent = model("llava", history=0)
    ids = [
        [one.reply_ids for one in play("CoinDilemma", agent, 3, at_once=at_once, **SHORT).decisions]
        for at_once in (1, 3)
    ]
    assert ids[0] == ids[1] and len(set(ids[0])) > 10
    together = play("CoinDilemma", agent, 3, at_once=2, on_illegal="random", max_steps=2)
    assert together.batches == [4, 4, 2, 2], "both seats of both episodes at once"
    same_start = play("CoinDilemma", agent, 2, [7, 7], on_illegal="random", max_steps=1).decisions
    assert same_start[0].prompt.pictures == same_start[2].prompt.pictures
    assert same_start[0].reply_ids != same_start[2].reply_ids


def test_pictures_that_are_lost_or_swapped_and_prompts_with_other_tokens_are_noticed() -> None:
    agent = model("llava")
    one, two = play("MonsterHunt", agent, 1, on_illegal="random", max_steps=2, frozen=["blue"]).decisions[1:3]
    assert one.prompt.pictures[0] != two.prompt.pictures[-1]
    (seen,) = pictures_in(one.prompt.messages)
    for wrong in ([], [seen, seen], pictures_in(two.prompt.messages)[-1:]):
        content = [{"type": "image", "image": picture} for picture in wrong] or "nothing"
        with pytest.raises(MmgamesError, match="pictures of a prompt are not"):
            encode(agent.weights, replace(one.prompt, messages=[{"role": "user", "content": content}]))
    seen.putpixel((0, 0), (1, 2, 3))
    refused(lambda: log_probabilities(agent, [one]), "leave the messages")
    agent = model("text")
    (one,) = play("TicTacToe", [agent, "random"], 1, on_illegal="random", max_steps=1).decisions
    with pytest.raises(MmgamesError, match="other tokens"):
        log_probabilities(agent, [replace(one, written=replace(one.written, prompt_ids=(1, 2)))])
    dark = Image.new("RGB", (4, 2))
    assert picture_hash(dark) == picture_hash(dark.copy()) != picture_hash(dark.resize((2, 4)))


@pytest.mark.parametrize("kind", ["llava", "gemma"])
def test_a_picture_that_is_seen_again_is_not_brought_to_scale_again(kind: str, monkeypatch: Any) -> None:
    agent = model(kind)
    eye = type(agent.weights.processor.image_processor)
    scaled, count = eye.preprocess, []
    monkeypatch.setattr(eye, "preprocess", lambda *some, **how: [count.append(1), scaled(*some, **how)][1])
    played = play("MonsterHunt", agent, 1, on_illegal="random", max_steps=3)
    seen = [picture for one in played.decisions for picture in one.prompt.pictures]
    assert len(count) <= len({*seen}) < len(seen), "with their history, prompts show pictures again"
    log_probabilities(agent, played.decisions)
    assert len(count) <= len({*seen})
    monkeypatch.setattr(agent.weights, "remembering", agent.weights.processor)
    for one in played.decisions:
        plain = encode(agent.weights, one.prompt)
        assert [*one.prompt_ids] == plain.ids
        again = encode(type(agent.weights)(agent.weights.model, agent.weights.processor), one.prompt)
        for name, parts in plain.pictures.items():
            assert all(map(torch.equal, parts, again.pictures[name]))


def test_pictures_are_remembered_as_far_as_there_is_room_and_what_went_astray_is_found(monkeypatch: Any) -> None:
    eye = remembering(model("llava").weights.processor).image_processor
    pictures = [Image.new("RGB", (8, 8), (shade, 0, 0)) for shade in range(3)]
    monkeypatch.setattr(local_weights, "ROOM", 2 * eye(pictures[0], return_tensors="np")["pixel_values"].nbytes)
    first = [eye(picture, return_tensors="np")["pixel_values"] for picture in pictures]
    assert eye(pictures[2], return_tensors="np")["pixel_values"] is first[2], "it is still known"
    later = eye(pictures[0], return_tensors="np")["pixel_values"]
    assert later is not first[0] and (later == first[0]).all(), "the oldest was made anew"
    agent = model("llava")
    played = play("MonsterHunt", agent, 1, on_illegal="random", max_steps=2)
    (record,), decisions = played.records, played.decisions
    assert {*astray(agent, record, decisions)} == {"turns", "pictures"}
    last = decisions[-1]
    earlier, now = last.prompt.pictures
    assert earlier != now
    for pictures, said, what in (
        ((now,), last.prompt.said, "lost"),
        ((now, earlier), last.prompt.said, "swapped"),
        ((earlier, now), ((1, 2, 3),), "retokenised"),
    ):
        wrong = replace(last, prompt=replace(last.prompt, pictures=pictures, said=said))
        assert {*astray(agent, record, [*decisions[:-1], wrong])} == {"turns", "pictures", what}


@pytest.mark.parametrize("kind", ["text", "llava"])
def test_a_server_that_tells_its_tokens_writes_what_the_model_here_writes(kind: str) -> None:
    local = model(kind)
    weights = local.weights

    def complete(request: dict[str, Any], number: int) -> Any:
        """As vLLM: ids are taken as they are, messages are tokenised here."""
        chat = "messages" in request
        if chat:
            encoded = encode(weights, as_prompt(request["messages"]))
        else:
            encoded = EncodedPrompt(request["prompt"], {}, {})
        (wrote,) = write_encoded(weights, [encoded], [request["seed"]], request["max_tokens"], 1.0, 1.0)
        choice = {"finish_reason": wrote.finish, "token_ids": wrote.reply_ids}
        if chat:
            content = [{"logprob": value} for value in wrote.log_probs]
            choice |= {"message": {"content": wrote.text}, "logprobs": {"content": content}}
            return {"choices": [choice], "prompt_token_ids": wrote.prompt_ids}
        told = {"logprobs": {"token_logprobs": wrote.log_probs}, "prompt_token_ids": wrote.prompt_ids}
        return {"choices": [{**choice, **told, "text": wrote.text}]}

    with serving(complete) as server:
        shown = {"size": 64, "history": 2, "observe": local.observe, "processor": weights.processor}
        remote = TokenServer("tiny", base_url=server.url, temperature=1.0, max_tokens=4, **shown)
        there, here = (play("KuhnPoker", one, 2, max_steps=1).decisions for one in (remote, local))
    for ours, theirs in zip(here, there, strict=True):
        assert ours.prompt.pictures == theirs.prompt.pictures
        if not ours.prompt.said or kind == "text":
            assert theirs.reply_ids == ours.reply_ids and theirs.prompt_ids == ours.prompt_ids
            assert theirs.written.log_probs == pytest.approx(ours.written.log_probs, abs=1e-5)
            assert "retokenised" not in theirs.marks
    if kind == "llava":  # bytes that are no letters do not survive as text
        assert any("retokenised" in one.marks for one in there)


def as_prompt(messages: list[dict[str, Any]]) -> TokenPrompt:
    pictures = iter(pictures_in(messages))

    def shown(part: dict[str, Any]) -> dict[str, Any]:
        return {"type": "image", "image": next(pictures)} if part["type"] == "image_url" else part

    plain = [
        one if isinstance(one["content"], str) else {**one, "content": [*map(shown, one["content"])]}
        for one in messages
    ]
    return TokenPrompt(plain, (), tuple(map(picture_hash, pictures_in(plain))), 0)


@dataclass(eq=False, repr=False)
class Scripted(Conversation):
    """Says what a script says to a prompt; a letter is a token."""

    script: Callable[[TokenPrompt], str] = str

    def answer(self, observation: dict[str, Any]) -> str:
        raise AssertionError("it is asked in batches")

    def complete_batch(self, prompts: Any) -> list[TokenReply | Exception]:
        said = [self.script(prompt) for prompt in prompts]
        return [
            TokenReply(
                text, tuple(map(ord, json.dumps(prompt.messages))), tuple(map(ord, text)), (-1.0,) * len(text),
                "length" if text.endswith("…") else "stop",
            )
            for text, prompt in zip(said, prompts, strict=True)
        ]  # fmt: skip


def scripted(*moves: str) -> Scripted:
    """Makes these moves in turn, whatever happens."""
    return Scripted(observe="text", history=9, script=lambda prompt: moves[len(prompt.said)])


def test_rewards_returns_and_marks_are_those_of_the_game() -> None:
    x, o = scripted("A1", "Z9", "perhaps B1…", "B1", "C1"), scripted("A2", "B2")
    played = play("TicTacToe", [x, o], 1, frozen=["o"])
    assert played.records[0]["returns"] == [1.0, -1.0]
    assert [(one.turn, one.attempt, one.role, one.reward, one.reward_to_go, one.marks) for one in played.decisions] == [
        (0, 0, "x", 0.0, 1.0, ()),
        (1, 0, "o", 0.0, -1.0, ("frozen",)),
        (2, 0, "x", 0.0, 1.0, ("refused",)),
        (2, 1, "x", 0.0, 1.0, ("cut off", "refused")),
        (2, 2, "x", 0.0, 1.0, ()),
        (3, 0, "o", -1.0, -1.0, ("frozen",)),
        (4, 0, "x", 1.0, 1.0, ()),
    ]
    assert played.decisions[2].refused["kind"] == "not possible here"
    assert [one.loss_mask for one in played.decisions[:3]] == [[1, 1], [0, 0], [0, 0]]
    replaced = play("TicTacToe", [scripted(*["Z9"] * 9), "random"], 1, on_illegal="random").decisions
    assert {one.marks for one in replaced} == {("refused", "replaced")}
    lost = play("TicTacToe", [scripted("Z9"), "random"], 1, on_illegal="lose").decisions
    assert [(one.reward, one.marks) for one in lost] == [(-1.0, ("refused",))]


def test_a_partner_that_fails_costs_its_episode_alone_and_whoever_stops_the_run_says_why() -> None:
    played = play("TicTacToe", [scripted("A1"), Acts(OSError("gone"))], 3, at_once=2)
    assert [one.marks for one in played.decisions] == [("failed",)] * 3
    assert all("gone" in record["failed"] for record in played.records)
    stops = Acts(RunStopped("Enough of it."))
    with pytest.raises(RunStopped, match="Enough"):
        play("CoinDilemma", [Scripted(observe="text", script=lambda prompt: "stay"), stops], 4, at_once=3)


def test_roles_are_what_an_episode_made_of_the_seats_and_replies_may_hold_what_marks_them() -> None:
    agent = model("text")
    prompt = TokenPrompt([{"role": "user", "content": "⟦0⟧"}, {"role": "assistant", "content": "a"}], ((70,),), (), 0)
    ids = encode(agent.weights, prompt).ids
    assert agent.weights.tokenizer.decode(ids) == "<s>user: ⟦0⟧<end><s>assistant: g<end><s>assistant: "

    def spy_or_not(record: Any, seat: str) -> str:
        return "spy" if seat in record["spies"] else "civilian"

    speaker = Scripted(observe="text", script=lambda prompt: '{"vote": "N/A"}')
    played = play(
        "Spy", speaker, 2, roles=spy_or_not, civilians=2, clue_rounds=1, on_illegal="random", pictures="chart"
    )
    for episode in (0, 1):
        roles = {one.seat: one.role for one in played.decisions if one.episode == episode}
        assert sorted(roles.values()) == ["civilian", "civilian", "spy"]


def test_questions_of_tasks_are_decisions_too() -> None:
    played = play("TicTacToe-Perceive", model("llava"), 3, at_once=2)
    assert [one.episode for one in played.decisions] == [0, 1, 2] and played.batches == [2, 1]
    assert all(one.refused and one.reward == 0.0 and len(one.prompt.pictures) == 1 for one in played.decisions)
    knows = Scripted(observe="text", script=lambda prompt: '{"answer": "A"}')
    assert {one.reward for one in play("TicTacToe-Ask", knows, 12).decisions} == {0.0, 1.0}
    refused(lambda: play("TicTacToe-Ask", [knows, knows], 1), "one model")


def test_what_cannot_be_played_is_said_in_a_sentence() -> None:
    def broken(prompt: TokenPrompt) -> str:
        raise ZeroDivisionError("in the model")

    for agents, how, words in (
        (["random", "random"], {}, "tells the tokens"),
        ([scripted("A1"), "random"], {"frozen": ["z"]}, "'z'"),
        ([Scripted(observe="text", votes=3), "random"], {}, "votes=1"),
        ([scripted("A1"), "random"], {"at_once": 0}, "at a time"),
        ([scripted("A1"), "random"], {"seed": [1]}, "1 seeds"),
    ):
        refused(lambda agents=agents, how=how: play("TicTacToe", agents, 2, **how), words)
    with pytest.raises(ZeroDivisionError, match="in the model"):
        play("TicTacToe", [Scripted(observe="text", script=broken), "random"], 5, at_once=3)
    with serving(lambda request, number: "A1") as server:
        remote = TokenServer("tiny", base_url=server.url, observe="text")
        refused(lambda: play("TicTacToe", [remote, "random"], 2), "return_token_ids", kind=ServiceRefused)


def decision(episode: int, turn: int, role: str, reward: float, to_go: float, **more: Any) -> Decision:
    prompt, reply = TokenPrompt([], (), (), 0), TokenReply("", (), (), (), "stop")
    return Decision("game", episode, 7, "ab".index(role), role, turn, 0, prompt, reply, None, reward, to_go, **more)


def test_advantages_by_hand() -> None:
    made = [
        decision(0, 0, "a", 1.0, 3.0),
        decision(0, 1, "b", 5.0, 5.0),
        decision(0, 2, "a", 2.0, 2.0),
        decision(1, 0, "a", 0.0, 1.0),
        decision(1, 1, "b", 5.0, 5.0, marks=("refused",)),
        decision(1, 2, "a", 1.0, 1.0),
    ]
    # Group: a's episodes came to 3 and 1; b's to 5 and 5, which are alike.
    assert group_advantages(made).tolist() == [1.0, 0.0, 1.0, -1.0, 0.0, -1.0]
    # Turn by turn with half the worth of what is later: a's first turns 1 + 0.5 * 2 = 2 and 0 + 0.5 * 1, then 2 and 1.
    assert turn_advantages(made, discount=0.5).tolist() == [1.0, 0.0, 1.0, -1.0, 0.0, -1.0]
    # Role: a got 3, 2, 1, 1, with mean 7/4 and variance 11/16; b's only decision that counts has none to differ from.
    worth = role_advantages(made)
    assert worth == pytest.approx(np.array([1.25, 0.0, 0.25, -0.75, 0.0, -0.75]) / np.sqrt(11) * 4)
    running = RoleBaselines(alpha=0.5)
    assert role_advantages(made, running).tolist() == [2.125, 2.5, 1.125, 0.125, 0.0, 0.125]
    assert running.means == {"a": 0.875, "b": 2.5}
