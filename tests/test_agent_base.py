"""The base class of agents and its adapter: defaults for every hook, questions that follow from what is written."""

import copy
import importlib
import inspect
import pickle
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import mmgames
from mmgames.agents.answering import Answering
from mmgames.agents.base import AdaptedAgent, Agent, as_agent
from mmgames.agents.facts import option_docs
from mmgames.agents.finding import find_agent, known_agents, make_agent
from mmgames.agents.identity import agent_name, description, fresh_agent
from mmgames.core.registry import find
from mmgames.errors import MmgamesError
from mmgames.running.journal import Journal

SPEC = find("TicTacToe")
HOOKS = [name for name, found in vars(Agent).items() if inspect.isfunction(found) and not name.startswith("_")]
QUESTIONS = [name for name, found in vars(Agent).items() if isinstance(found, property)]
CAN = [name for name in QUESTIONS if name not in ("given", "class_name", "compiled_policy")]
TOLD: dict[str, tuple[Any, ...]] = {"find_members": ("find",), "begin": (None, 0), "end": ("view",), "close": ()}
TOLD |= {"refused": ("why",), "forget": (), "draw_with": ("rng",), "read_with": ("read",), "placed": ("scene",)}
TOLD |= {"recall": ({}, "B2"), "keep": (None, "0:x")}


def can(agent: Agent) -> set[str]:
    return {name for name in CAN if getattr(agent, name)}


class OnlyActs:
    def act(self, turn: Any) -> Any:
        return turn.legal[-1]


class OnlyAnswers:
    def answer(self, observation: dict[str, Any]) -> str:
        return observation["legal_actions"][-1] if "legal_actions" in observation else "B2"


class HasAll:
    """An object that is no Agent and has every hook."""

    name = "all of it"
    concurrent = True
    style = {"size": 64}  # noqa: RUF012
    model = "tiny"
    last_call: dict[str, Any] = {}  # noqa: RUF012
    illegal_replies = 2

    def __init__(self, log: list[Any]) -> None:
        self.log = log

    def __getattr__(self, hook: str) -> Any:
        if hook not in HOOKS:
            raise AttributeError(hook)
        return lambda *what: self.log.append((hook, *what)) or f"its {hook}"


def test_an_object_that_only_acts_is_told_everything_and_copied_made_anew_and_packed() -> None:
    given = OnlyActs()
    agent = find_agent(given, SPEC)
    assert can(agent) == {"can_play"} and agent.given is given and agent.class_name == "OnlyActs"
    assert (agent.style, agent.last_call, agent.illegal_replies, agent.concurrent) == ({}, {}, 0, False)
    for hook, what in TOLD.items():
        assert getattr(agent, hook)(*what) is None
    assert agent.choices(None) == () and agent.describe() is None  # type: ignore[arg-type]
    assert make_agent(given, SPEC).given is given, "it plays without a bridge"
    result = mmgames.match("TicTacToe", (given, "random"), 2)
    assert result.summary()["failed"] == 0 and result.plan.about()["agents"] == ["OnlyActs", "random"]
    assert gymnasium.make(SPEC.id, others=given).unwrapped.agents[1] is given  # type: ignore[attr-defined]
    agent = as_agent(given)
    for other in (fresh_agent(agent), fresh_agent(given), copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert isinstance(other.given, OnlyActs) and other.given is not given
    assert as_agent(agent) is agent


def test_an_object_that_only_answers_plays_over_the_bridge_and_its_calls_are_kept(tmp_path: Path) -> None:
    given = OnlyAnswers()
    assert can(find_agent(given, SPEC)) == {"can_answer", "only_answers"}
    agent = make_agent(given, SPEC)
    assert isinstance(agent, Answering) and agent.can_play and agent.keeps_calls and agent.agent.given is given
    assert agent_name(agent) == "OnlyAnswers" and agent.class_name == "Answering"
    result = mmgames.match("TicTacToe", (given, "random"), 1, on_illegal="random", out=tmp_path / "out.jsonl")
    assert result.episodes[0]["replies"] and (tmp_path / "out.calls.jsonl").exists()


def test_the_adapter_hands_on_every_hook() -> None:
    more = "act answer choices probabilities batch_player complete_batch describe fresh messages takes_draw"
    assert {*TOLD, *more.split()} == set(HOOKS)
    log: list[Any] = []
    given = HasAll(log)
    agent = as_agent(given)
    for hook, what in TOLD.items():
        getattr(agent, hook)(*what)
    assert log == [(hook, *what) for hook, what in TOLD.items()]
    for hook in ("act", "answer", "choices", "probabilities", "messages", "complete_batch"):
        assert getattr(agent, hook)("asked") == f"its {hook}"
    assert agent.takes_draw("asked") is True and as_agent(OnlyActs()).takes_draw("asked") is False
    assert agent.batch_player("env", 1) == "its batch_player" and agent.describe() == "its describe"
    assert as_agent(agent.fresh()).given == "its fresh"
    assert (agent.concurrent, agent.style, agent.model, agent.illegal_replies) == (True, {"size": 64}, "tiny", 2)
    assert agent_name(given) == "all of it"
    assert can(agent) == set(CAN) - {"only_answers", "has_policy"}


def test_what_a_call_took_is_read_after_the_call() -> None:
    class Counts(OnlyAnswers):
        def answer(self, observation: dict[str, Any]) -> str:
            self.last_call = {"tokens_in": 5, "tokens_out": 2}
            return "B2"

    journal = Journal(None, {})
    assert journal.ask(as_agent(Counts()), "0:x", 0, {"text": "?"}) == "B2"
    assert journal.budget.spent["tokens"] == 7


def test_what_is_no_agent_is_said_to_be_none() -> None:
    class Neither(Agent):
        pass

    for wrong, called in ((object(), "object"), (7, "int"), (Neither(), "Neither"), (None, "NoneType")):
        with pytest.raises(MmgamesError, match=rf"with act\(turn\) or answer\(observation\), not {called}\."):
            find_agent(wrong, SPEC)  # type: ignore[arg-type]


class Derived(mmgames.Agent):
    def __init__(self, place: int = 0) -> None:
        self.place = place

    def act(self, turn: Any) -> Any:
        return turn.legal[self.place % len(turn.legal)]


def test_a_subclass_is_itself_and_can_do_what_it_writes() -> None:
    agent = Derived(2)
    assert find_agent(agent, SPEC) is agent and make_agent(agent, SPEC) is agent and agent.given is agent
    assert can(agent) == {"can_play"} and description(agent) == {"place": 2}
    assert isinstance(fresh_agent(agent), Derived) and fresh_agent(agent) is not agent

    class More(Derived):
        def probabilities(self, turn: Any) -> dict[Any, float]:
            return {turn.legal[0]: 1.0}

        def describe(self) -> dict[str, Any]:
            return {"more": True}

    assert can(More()) == {"can_play", "tells_probabilities", "describes_itself"}
    assert description(More()) == {"more": True}
    for hook, what in TOLD.items():
        assert getattr(agent, hook)(*what) is None


def test_a_policy_belongs_to_who_plays_by_it() -> None:
    class Policy:
        policy = None

        def act(self, turn: Any) -> Any:
            return turn.sample()

    class Otherwise(Policy):
        def act(self, turn: Any) -> Any:
            return turn.legal[0]

    class Inherits(Policy):
        pass

    assert as_agent(Policy()).has_policy and as_agent(Inherits()).has_policy and not as_agent(Otherwise()).has_policy
    assert as_agent(Inherits()).compiled_policy is None
    walker = make_agent("self_interest", find("CoinDilemma"))
    assert walker.has_policy and walker.compiled_policy is type(walker).policy


def test_all_our_agents_derive_from_the_base_class_whose_hooks_the_guide_names() -> None:
    assert all("human" in known_agents(spec) for spec in mmgames.specs.values())
    places = {where for spec in mmgames.specs.values() for where in known_agents(spec).values()}
    ours = [where.partition(":") for where in sorted(places) if where.startswith("mmgames.")]
    derived = 0
    for module, _, name in ours:
        try:
            found = getattr(importlib.import_module(module), name)
        except ImportError:
            continue  # its extra is not installed
        assert issubclass(found, Agent), f"{module}:{name}"
        derived += 1
    assert derived > 40
    guide = (Path(__file__).parents[1] / "docs" / "guides" / "agents.md").read_text("utf-8")
    attributes = [name for name in Agent.__annotations__ if name != "policy"]
    for name in (*HOOKS, *QUESTIONS, *attributes, "policy"):
        assert f"`{name}" in guide, name
    assert issubclass(AdaptedAgent, Agent) and not set(HOOKS) - set(vars(AdaptedAgent))


def test_what_a_docstring_says_of_options_may_go_on_below() -> None:
    told = option_docs("Plays.\n\ndepth, width  how far\n    it looks\nnoise  a little\n\n    And that is all.")
    assert told == {"depth": "how far it looks", "width": "how far it looks", "noise": "a little"}
