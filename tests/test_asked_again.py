"""A reply that was not read is asked again, once and in one line that shows the form; it costs no strike."""

from typing import Any

import gymnasium
import pytest

from mmgames import suites
from mmgames.running.answers import TurnOutcome
from mmgames.running.journal import Budget
from mmgames.running.matches import match
from mmgames.text.refusals import ASKED_AGAIN, Illegal
from mmgames.wrappers import TextActions
from tests.players import Says


@pytest.mark.parametrize("first", ["I'll take the centre: B2!", '{"action": "A1"} or {"action": "B2"}', ""])
@pytest.mark.parametrize("policy", ["fail", "random", "retry", "retry_random"])
def test_the_second_reply_is_played_and_nothing_is_charged(first: str, policy: str) -> None:
    agent = Says(first, '{"action": "B2"}')
    row = match("TicTacToe", [agent, "random"], 1, max_steps=1, on_illegal=policy).episodes[0]
    assert row["actions"] == [[4, None]] and row["illegal"] == [0, 0] and row["failed"] is None
    assert row["asked_again"] == [1, 0] and "drawn" not in row
    assert [reply.get("again") for reply in row["replies"]] == [True, None]
    line = agent.prompts[1].removeprefix(agent.prompts[0]).strip().removeprefix("## Refused\n")
    assert "\n" not in line and '{"action": "…"}' in line


def test_it_is_asked_once_in_a_turn_inside_the_clock_and_not_where_a_refusal_loses() -> None:
    row = match("TicTacToe", [Says("Hm."), "random"], 1, max_steps=1, on_illegal="retry_random").episodes[0]
    assert (row["asked_again"], row["illegal"], row["drawn"]) == ([1, 0], [3, 0], [1, 0])
    illegal = Says('{"action": "Z9"}')
    row = match("TicTacToe", [illegal, "random"], 1, max_steps=1, on_illegal="retry_random").episodes[0]
    assert "asked_again" not in row and row["illegal"] == [3, 0]
    agent = Says("Hm.", '{"action": "B2"}')
    row = match("TicTacToe", [agent, "random"], 1, max_steps=1, on_illegal="lose").episodes[0]
    assert row["forfeit"] == "x" and len(agent.prompts) == 1
    agent = Says("Hm.")
    row = match("TicTacToe", [agent, "random"], 1, max_steps=1, on_illegal="random", reading=nothing).episodes[0]
    assert "asked_again" not in row and len(agent.prompts) == 1 and row["illegal"] == [1, 0]
    agent = Says("Hm.", '{"action": "B2"}')
    row = match("TicTacToe", [agent, "random"], 1, max_steps=1, on_illegal="random", clock=60).episodes[0]
    assert len(row["latencies"]) == 3 - 1 and row["late"] == [0, 0] and row["asked_again"] == [1, 0]
    assert sorted(ASKED_AGAIN) == ["not clear", "not in the asked form", "nothing said"]


def test_what_was_asked_again_and_never_answered_is_forgotten() -> None:
    told = TurnOutcome(replies=[{}, {}], seconds=[0.1, 0.2], latencies=[[0], [1]], again=1)
    told.take_back_last()
    assert (told.replies, told.seconds, told.latencies, told.again) == ([{}], [0.1], [[0]], 0)


def nothing(reply: str, names: Any) -> Any:
    return Illegal("not in the asked form", "nothing is read.", reply)


def test_votes_clues_and_messages_are_asked_again_but_not_by_the_released_rules() -> None:
    row = match("Spy", [Says("It is all grey.") for _ in range(5)], 1, on_illegal="silent").episodes[0]
    assert any(row["asked_again"]), "a vote of prose names nobody"
    mute = Says("", "It is grey.", "N/A")
    row = match("Spy", [mute, *(Says("Grey.", "Grey.", "N/A") for _ in range(4))], 1, on_illegal="silent").episodes[0]
    assert row["asked_again"][0] == 1 and "" not in [step[0] for step in row["actions"]]
    row = match("WirePuzzle", [Says("", "What do you see?"), Says("Cut it.")], 1, on_illegal="silent").episodes[0]
    assert row["asked_again"] == [1, 0] and "drawn" not in row
    row = match("WirePuzzle", [Says(""), Says("")], 1, on_illegal="silent", rules="released").episodes[0]
    assert "asked_again" not in row and row["illegal"] == [0, 0]
    row = match("Spy", [Says("", "Grey.") for _ in range(5)], 1, reward="released", silence="heard").episodes[0]
    assert "asked_again" not in row and row["illegal"] == [0] * 5
    voters = [Says("It is grey.", "It is round.", "All of them.") for _ in range(5)]
    row = match("Spy", voters, 1, spy="player_1").episodes[0]
    assert row["illegal"] == [0, 1, 1, 1, 1] and row["failed"] is None, "and costs what the rules say"
    clue = match("Spy", [Says("x" * 500)] * 5, 1, spy="player_1").episodes[0]
    assert clue["illegal"] == [1, 0, 0, 0, 0] and clue["replies"][0]["kind"] == "too long"


@pytest.mark.parametrize("form", ["{}", "Action: {}", '{{"action": "{}"}}', "Vote: {}", '{{"vote": "{}"}}'])
def test_all_forms_mean_the_same_in_puzzles_and_in_spy(form: str) -> None:
    played = []
    for written in ("{}", form):
        solver = Says(*(written.format(f"cut_wire_{number}") for number in (1, 2, 3)))
        rows = list(match("WirePuzzle", [solver, Says("Go on.")], 3, 1, on_illegal="silent", turns=3).episodes)
        voters = [Says("It is grey.", "It is round.", written.format("player_4")) for _ in range(5)]
        rows += match("Spy", voters, 2, 1, on_illegal="silent", spy="player_1").episodes
        played.append([(row["returns"], row["events"], row["illegal"], row.get("asked_again")) for row in rows])
    assert played[0] == played[1]


@pytest.mark.parametrize(("said", "again"), [("Action: cut the one with stripes", 2), ('{"action": "cut_wire_77"}', 0)])
def test_what_no_puzzle_reads_is_illegal_and_played_as_speech(said: str, again: int) -> None:
    row = match("WirePuzzle", [Says(said), Says("Go on.")], 1, on_illegal="silent", turns=2).episodes[0]
    assert row["illegal"] == [2, 0] == row["unread"] and row.get("asked_again", [0])[0] == again
    assert [one["speech"] for one in row["transcript"]][::2] == [said, said] and "drawn" not in row
    rated = suites.find("comma").evaluate((Says(said), "scripted_expert"), 1, only="WirePuzzle", turns=2)["rows"][0]
    assert rated["illegal"]["replies"] == 4 and rated["illegal"]["illegal"] == 2, "two messages of each seat"


@pytest.mark.parametrize(
    ("suite", "only"), [("vs-bench", "KuhnPoker-Predict"), ("lvlm-playground", "TicTacToe-Perceive")]
)
def test_a_question_is_asked_again_and_counted(suite: str, only: str) -> None:
    agent, budget = Says("I am not sure."), Budget()
    row = suites.find(suite).evaluate(agent, 2, only=only, budget=budget)["rows"][0]
    assert len(agent.prompts) == 4 and row["illegal"]["asked_again"] == 2 == row["illegal"]["illegal"]
    assert budget.spent["calls"] == 4
    assert agent.prompts[1].startswith(agent.prompts[0]) and "\n## Refused\n" in agent.prompts[1]


def test_what_is_read_the_second_time_counts() -> None:
    env: Any = gymnasium.make("mmgames/TicTacToe-Ask-v0", observe="text", actions="text", disable_env_checker=True)
    env.reset(seed=0)
    assert '{"answer": "…"}' in env.unwrapped.ask_again("I am not sure.")["text"].splitlines()[-1]
    assert env.unwrapped.ask_again('{"answer": "B"}') is None and env.unwrapped.ask_again('{"answer": "E"}') is None
    assert "illegal" not in env.step('{"answer": "B"}')[4]
    row = suites.find("vs-bench").evaluate(Says("Hm.", '{"action": "<PASS>"}'), 1, only="KuhnPoker")["rows"][0]
    assert row["illegal"]["asked_again"] == 2 and row["illegal"]["illegal"] == 0, "once by each seat's agent"


@pytest.mark.parametrize("policy", ["retry", "random"])
def test_text_actions_return_again(policy: str) -> None:
    env = TextActions(gymnasium.make("mmgames/TicTacToe-v0", disable_env_checker=True), policy)  # type: ignore[arg-type]
    first, _ = env.reset(seed=0)
    observation, reward, *ends, info = env.step("So I'll go with the centre.")
    assert '{"action": "…"}' in info["again"] and info["illegal_replies"] == 0
    assert reward == 0.0 and ends == [False, False] and observation["text"] == first["text"]
    *_, info = env.step("So I'll go with the centre.")
    assert "again" not in info and info["illegal_replies"] == 1
