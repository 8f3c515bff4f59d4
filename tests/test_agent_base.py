"""The base class of agents, its adapter and short names: defaults for hooks, questions that follow from a class."""

import copy
import importlib
import inspect
import json
import pickle
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import mmgames
from mmgames import cli, suites
from mmgames.agents.answering import Answering
from mmgames.agents.base import AdaptedAgent, Agent, as_agent
from mmgames.agents.facts import option_docs
from mmgames.agents.finding import find_agent, known_agents, make_agent
from mmgames.agents.identity import agent_name, description, fresh_agent, split_name
from mmgames.core import registry
from mmgames.core.registry import find
from mmgames.errors import MmgamesError
from mmgames.running.journal import Journal
from mmgames.running.matches import match
from tests.cases import cases
from tests.chat_server import serving
from tests.refusing import refused

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
    assert agent_name(given) == "all of it" and can(agent) == set(CAN) - {"only_answers", "has_policy"}


def test_calls_agents_and_options_are_read_as_they_are_written() -> None:
    class Counts(OnlyAnswers):
        def answer(self, observation: dict[str, Any]) -> str:
            self.last_call = {"tokens_in": 5, "tokens_out": 2}
            return "B2"

    journal = Journal(None, {})
    assert journal.ask(as_agent(Counts()), "0:x", 0, {"text": "?"}) == "B2" and journal.budget.spent["tokens"] == 7

    class Neither(Agent):
        pass

    for wrong, called in ((object(), "object"), (7, "int"), (Neither(), "Neither"), (None, "NoneType")):
        with pytest.raises(MmgamesError, match=rf"with act\(turn\) or answer\(observation\), not {called}\."):
            find_agent(wrong, SPEC)  # type: ignore[arg-type]
    told = option_docs("Plays.\n\ndepth, width  how far\n    it looks\nnoise  a little\n\n    And that is all.")
    assert told == {"depth": "how far it looks", "width": "how far it looks", "noise": "a little"}


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
    for name in (*HOOKS, *QUESTIONS, *[name for name in Agent.__annotations__ if name != "policy"], "policy"):
        assert f"`{name}" in guide, name
    assert issubclass(AdaptedAgent, Agent) and not set(HOOKS) - set(vars(AdaptedAgent))


def test_a_name_is_told_from_the_options() -> None:
    for written, plain, name in cases(__file__)["names"]:
        assert split_name(written) == (plain, name) and agent_name(written) == (name or plain)


def test_files_and_tables_use_the_name_and_files_say_who_it_is(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file = tmp_path / "kept.jsonl"
    command = ["match", "TicTacToe", "minimax:depth=1,as=Shallow", "random", "--episodes", "1", "--out", str(file)]
    assert cli.main([*command, "--processes", "1"]) == 0 and "Shallow" in capsys.readouterr().out
    about, row = map(json.loads, file.read_text().splitlines())
    assert about["about"]["agents"] == row["agents"] == ["Shallow", "random"]
    assert about["about"]["named"] == {"Shallow": "minimax:depth=1"}
    with pytest.raises(MmgamesError, match="holds other results"):
        match("mmgames/TicTacToe-v0", ("minimax:depth=2,as=Shallow", "random"), 2, out=file)
    plain = match("mmgames/TicTacToe-v0", ("minimax:depth=1", "random"), 1).episodes[0]
    assert {**plain, "agents": row["agents"]} == row, "a name changes nothing else"


def test_two_agents_with_one_name_are_refused(capsys: pytest.CaptureFixture) -> None:
    for one, two in (("minimax:as=A", "minimax:depth=3,as=A"), ("minimax:as=random", "random")):
        assert cli.main(["match", "TicTacToe", one, two, "--episodes", "1"]) == 2
        assert "Two agents are called" in capsys.readouterr().err
        command = ["eval", "vs-bench", "--only", "TicTacToe", "--episodes", "1", "--agent", one, "--agent", two]
        assert cli.main(command) == 2 and "Two agents are called" in capsys.readouterr().err
    for wrong in ("minimax:as=", "minimax:as=A,as=B"):
        refused(partial(find_agent, wrong, registry.find("TicTacToe")), "gives one short name")
    refused(lambda: suites.find("vs-bench").evaluate("random:as=Chance", 1), "keep their names")


def test_a_model_has_its_name_in_results_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    suite, only = suites.find("vs-bench"), ["TicTacToe", "KuhnPoker-Predict"]
    with serving(lambda request, number: "Hm.") as server:
        for model in ("one", "two"):
            agent = f"chat:{model},base_url={server.url},observe=text,as=Tiny"
            result = suite.evaluate(agent, 1, only=only, out=tmp_path / model)
    assert result["agent"] == "Tiny" and {row["agent"] for row in result["rows"]} == {"Tiny"}
    assert result["header"]["named"]["Tiny"].startswith("chat:two,base_url=")
    kept = sorted(path.name for path in (tmp_path / "two").glob("*.jsonl") if ".calls" not in path.name)
    assert kept == ["KuhnPoker-Predict-Tiny.jsonl", "TicTacToe-Tiny-seat-0.jsonl"]
    assert cli.main(["report", str(tmp_path / "two"), "--out", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text()
    assert '<tr class="ours"><td>Tiny</td>' in page and page.count("chat:two") == 1, "who it is, among the facts"
    capsys.readouterr()
    both = ["report", *(str(tmp_path / model) for model in ("one", "two")), "--out", str(tmp_path / "page.html")]
    assert cli.main(both) == 2 and "Two agents are called 'Tiny'" in capsys.readouterr().err
