"""Recognise tasks: the elements of a picture, each with its value, and nothing to be gained without looking."""

import json
import types
from collections import Counter, defaultdict
from math import sqrt
from typing import Any

import numpy as np
import pytest

import mmgames
from mmgames import tasks
from mmgames.suites.floors import blind
from mmgames.suites.pages.vs_bench import GAMES, MINI
from mmgames.tasks.questions import Style
from mmgames.tasks.recognise import Recognise, chance_exact, possible
from tests.cases import cases
from tests.environments import begun, make
from tests.refusing import refused

TASKS = [spec.id for spec in tasks.specs.values() if spec.kind == "recognise"]
COIN = "mmgames/CoinDilemma-Recognise-v0"
ASKED = 400


def source(id: str, **options: Any) -> Recognise:
    return Recognise(tasks.find(id), Style(drawn=False), **options)


@pytest.fixture
def coin() -> Any:
    return begun(make(COIN, observe="text"), 3)


@pytest.mark.parametrize("id", TASKS)
def test_elements_are_asked_as_they_are_seen_and_each_wrong_one_costs_its_share(id: str) -> None:
    env = make(id)
    observation, _ = env.reset(seed=1)
    assert observation in env.observation_space and set(observation) == {"rgb", "text"}
    truth, elements = env.question.answer, env.question.elements
    _, reward, terminated, truncated, info = env.step(json.dumps(truth))
    assert (reward, terminated, truncated, info["exact"], info["wrong"]) == (1.0, True, False, True, ())
    env.reset(seed=1)
    first, last = elements[0], elements[-1]
    other = next(value for value in possible(first) if value != first.value)
    wrong = {**truth, first.names[0]: other}
    del wrong[last.names[0]]
    _, reward, *_, info = env.step(json.dumps(wrong))
    assert reward == pytest.approx(1 - 2 / len(truth)) and not info["exact"]
    assert info["wrong"] == (first.names[0], last.names[0])
    asking = source(id)
    game, elements, rng = asking.game, asking.described.elements, np.random.default_rng(4)
    differing = game.spec.information == "perfect"
    for _ in range(0 if differing else 6):
        for seat in range(len(game.seats)):
            state = asking.described.make_state(game, rng, seat)
            other = game.imagine(state, seat, rng)
            differing |= other != state
            assert elements(game.view(other, seat)) == elements(game.view(state, seat))
    assert differing
    asking = source(id, most=99)
    seen: defaultdict[str, set[Any]] = defaultdict(set)
    for number in range(20):
        question: Any = asking.ask(np.random.default_rng(number))
        kinds = tuple((element.names, tuple(element.values.items())) for element in question.elements)
        seen[question.facts["seat"]].add((kinds, question.text))
        assert len({element.names[0] for element in question.elements}) == len(kinds)
    assert all(len(kinds) == 1 for kinds in seen.values())
    alone, beside = make(id, observe="text"), make(id)
    told = [alone.reset(seed=seed)[0]["text"] for seed in range(4)]
    assert all("## Now\n" in text and "## Picture" not in text for text in told)
    assert all("## Now" not in beside.reset(seed=seed)[0]["text"] for seed in range(4))


@pytest.mark.parametrize("id", TASKS)
def test_every_value_is_as_likely_as_the_others_and_who_guesses_stays_at_chance(id: str) -> None:
    asking = source(id, most=99)
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    values = {}
    for number in range(ASKED):
        question: Any = asking.ask(np.random.default_rng((5, number)))
        for element in question.elements:
            found[question.facts["seat"] + element.names[0]][element.value] += 1
            values[question.facts["seat"] + element.names[0]] = possible(element)
            assert element.value in possible(element)
    for name, counted in found.items():
        share, total = 1 / len(values[name]), sum(counted.values())
        for value in values[name]:
            noise = sqrt(share * (1 - share) / total)
            assert abs(counted[value] / total - share) < 4.5 * noise + 1 / total, (name, value)
    asking = source(id)
    rng = np.random.default_rng(6)
    earned, said, all_right, all_said = [], [], 0, 0.0
    for _ in range(200):
        question = asking.ask(rng)
        answer: Any = asking.read(question, asking.guess(question, rng))
        earned.append(asking.score(question, answer))
        said.append(asking.chance(question))
        all_right += asking.exact(question, answer)
        all_said += chance_exact(question.elements)
    assert abs(np.mean(earned) - np.mean(said)) < 4 * np.std(earned) / sqrt(len(earned)) + 0.002
    assert abs(all_right - all_said) <= 4 * sqrt(all_said) + 1
    found = blind.measure(id, 120, 120, seed=2)
    for way in (blind.ALWAYS, blind.WORDS, blind.SWAPPED):
        assert found[way]["mean"] - found[blind.CHANCE]["mean"] < 4 * found[way]["standard_error"] + 0.01


def test_case_spaces_and_numbers_as_numbers_do_not_matter(coin: Any) -> None:
    truth = coin.question.answer
    said = {name.upper(): int(value) if value.isdigit() else value.replace(" ", "") for name, value in truth.items()}
    assert coin.step(json.dumps({**said, "comment": "none"}))[1] == 1.0
    assert len(begun(make(COIN, most=3)).question.answer) == 3
    refused(lambda: make(COIN, most=0), "most=0")
    assert {mmgames.specs[tasks.specs[id].game].name for id in TASKS} >= {*GAMES.values(), *MINI.values()}


@pytest.mark.parametrize(("reply", "kind"), [*cases(__file__)["no answer"], ("x" * 200_001, "too long")])
def test_what_is_no_answer_earns_nothing_and_is_told_why(coin: Any, reply: Any, kind: str) -> None:
    _, reward, *_, info = coin.step(reply)
    assert reward == 0 and info["illegal_kind"] == kind and info["illegal"].endswith(".")


@pytest.mark.parametrize("value", ["(9, 9)", "everywhere", None, True, 1.5, {"x": 1}, [1, 2]])
def test_a_value_that_there_is_not_is_a_wrong_element(coin: Any, value: Any) -> None:
    truth = coin.question.answer
    _, reward, *_, info = coin.step(json.dumps({**truth, "red player": value}))
    assert reward == pytest.approx(1 - 1 / len(truth)) and info["wrong"] == ("red player",) and "illegal" not in info


def test_a_guesser_finds_out_what_is_frequent() -> None:
    asking = source("mmgames/Breakthrough-Recognise-v0")
    asking.described = types.SimpleNamespace(  # type: ignore[assignment]
        NOTES="", elements=asking.described.elements, make_state=lambda game, rng, seat: game.start(rng)
    )

    def asked(number: int) -> tuple[frozenset[str], list[blind.Part]]:
        question = asking.ask(np.random.default_rng(number))
        return blind.sentences(question), blind.parts(asking, question, ())

    guesser = blind.Blind([asked(number) for number in range(60, 400)], listed=True)
    for cues, parts in map(asked, range(5)):
        assert all(part.worth[guesser.choose(cues, part)] == 100 for part in parts)
    asking = source("mmgames/Pong-Recognise-v0")
    figures = defaultdict(set)
    for number in range(60):
        state = asking.described.make_state(asking.game, np.random.default_rng(number), 0)
        screen = np.frombuffer(state.frame, np.uint8).reshape(210, 160)
        field = screen[34:194]
        seen = [np.argwhere(field == colour).mean(axis=0) for colour in (14, 56, 200)]
        truth = {fact.names[0]: fact.value for fact in asking.described.elements(asking.game.view(state, 0))}
        parts = [str(int(at) // 40 + 1) for at in (seen[0][1], *(place[0] for place in seen))]
        assert parts == [value for name, value in truth.items() if "points" not in name]
        figures[truth["points of the left side"]].add(screen[:24, :80].tobytes())
        figures["right", truth["points of the right side"]].add(screen[:24, 80:].tobytes())
    assert len(figures) == 6 and all(len(shown) == 1 for shown in figures.values())
    assert len(set.union(*figures.values())) == 6
