"""Predict tasks: one question about what the other seat does next, answered once."""

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames import tasks
from mmgames.core import registry
from mmgames.games._dilemma.rules import ACTIONS, DOWN, LEFT, STAY, UP
from mmgames.tasks.predict import (
    Episodes,
    Moment,
    accuracy,
    action_kind,
    by_action,
    equal_actions,
    mean_f1,
    possible_names,
    question,
    uniform_accuracy,
)
from mmgames.tasks.predict_recipes import RECIPES, ROWS, recipes, targets
from mmgames.tasks.questions import Style
from tests.cases import cases
from tests.environments import begun, make
from tests.refusing import refused

COIN, HUNT, KUHN = (f"mmgames/{name}-Predict-v0" for name in ("CoinDilemma", "MonsterHunt", "KuhnPoker"))


def looks(env: Any) -> Any:
    asked = env.question
    return asked.text, asked.answer, asked.correct, [picture.tobytes() for picture in asked.pictures]


def test_every_recipe_has_its_task_a_mix_that_adds_up_and_players_for_every_seat(monkeypatch: Any) -> None:
    predicting = [spec for spec in tasks.specs.values() if spec.kind == "predict"]
    assert [spec.name for spec in predicting] == [f"{name}-Predict" for name in recipes()]
    assert {"CoinDilemma", "MonsterHunt", "BattleOfTheColors", "KuhnPoker", "Pong"} <= set(recipes())
    for spec in predicting:
        assert spec.id in gymnasium.registry and spec.game in mmgames.specs
    for name, recipe in recipes().items():
        assert sum(recipe.mix.values()) == ROWS
        for authors in recipe.mix:
            assert len(authors) == len(registry.find(name).seats)
    mix = RECIPES["Hanabi"].mix
    weaker = {authors: rows for authors, rows in mix.items() if "careless_bot" in authors}
    assert sum(weaker.values()) == ROWS / 10
    assert all([authors[seat] for seat in targets(authors)] == ["rule_bot"] for authors in weaker)
    without = {id: spec for id, spec in registry.specs.items() if id != "mmgames/KuhnPoker-v0"}
    monkeypatch.setattr(registry, "specs", without)
    assert "KuhnPoker" in RECIPES and "KuhnPoker" not in recipes()
    refused(lambda: tasks.find("mmgames/CoinDilema-Predict-v0"), "CoinDilemma-Predict-v0")


# An episode of Pong takes half a second, and the checker asks for a dozen; its spaces and seeds are looked at below.
@pytest.mark.parametrize("id", [id for id, spec in tasks.specs.items() if spec.kind == "predict"])
def test_what_really_happened_earns_a_point(id: str) -> None:
    env = make(id)
    observation, _ = env.reset(seed=5)
    assert observation in env.observation_space
    answer = env.question.answer
    assert observation["legal_actions"] == tuple(env.question.names.values())
    _, reward, terminated, truncated, info = env.step(answer)
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert info["exact"] and info["answer"] in info["correct"]
    assert set(info["correct"]) <= set(observation["legal_actions"])


def test_what_comes_to_the_same_earns_the_point_and_a_wrong_answer_or_none_earns_nothing() -> None:
    env = begun(make(HUNT))
    for _ in range(60):
        env.reset()
        if len(env.question.correct) > 1:
            break
    _, reward, *_, info = env.step(next(action for action in env.question.correct if action != env.question.answer))
    assert reward == 1.0 and not info["exact"]
    for actions, nonsense in (("discrete", 99), ("text", "somewhere")):
        env = begun(make(COIN, actions=actions), 1)
        names, correct = env.question.names, env.question.correct
        wrong = next(action for action in names if action not in correct)
        _, reward, *_, info = env.step(wrong if actions == "discrete" else f'{{"action": "{names[wrong]}"}}')
        assert reward == 0 and "illegal" not in info
        env.reset(seed=1)
        _, reward, terminated, *_, info = env.step(nonsense)
        assert reward == 0 and terminated and info["illegal"].endswith(".")
        refused(partial(env.step, 0), "call reset")


@pytest.mark.parametrize("id", [COIN, KUHN])
def test_the_seed_decides_all_questions_that_follow(id: str) -> None:
    def story(env: Any) -> list[Any]:
        env.reset(seed=7)
        return [(looks(env), env.reset()) and looks(env) for _ in range(5)]

    env = make(id)
    first = story(env)
    assert story(env) == first == story(make(id)) and len({asked[0] for asked in first}) > 1


def test_one_episode_serves_several_questions_and_a_seed_starts_another() -> None:
    env = begun(make("mmgames/Pong-Predict-v0"), 3)
    kept = looks(env)
    env.reset()
    facts = env.question.facts
    assert env.source._kept and looks(env) != kept
    env.reset()
    assert env.question.facts["seed"] == facts["seed"]
    env.reset(seed=3)
    assert looks(env) == kept


def in_the_corner(did: int) -> tuple[Any, Moment]:
    """Blue stands in the bottom left corner, far from everything, and does something there."""
    game = mmgames.load_game("CoinDilemma")
    state = game.start(np.random.default_rng(0)).replace(at=(24, 0), things=(12, 14))
    return game, Moment(("random", "random"), 1, 0, 1, 0, (state,), {0: STAY, 1: did})


def test_the_question_is_made_of_what_the_asked_seat_sees() -> None:
    loaded = registry.load("KuhnPoker")
    game, rng = loaded.game(), np.random.default_rng(0)
    env = begun(make(KUHN))
    differed = False
    for _ in range(20):
        env.source.forget()
        (moment, *_) = env.source._moments(rng)
        other = game.imagine(moment.states[-1], moment.asked, rng)
        seats = moment.seat, moment.asked
        moments = [Moment(*("x",), 0, 0, *seats, (state,), moment.moves) for state in (moment.states[-1], other)]
        told = [question(loaded, game, each, Style(size=64)) for each in moments]
        differed |= other != moment.states[-1]
        assert told[0].text == told[1].text and np.array_equal(told[0].pictures[0], told[1].pictures[0])
    assert differed
    for did in (STAY, LEFT, DOWN):
        assert equal_actions(*in_the_corner(did)) == {STAY, LEFT, DOWN}
    assert equal_actions(*in_the_corner(UP)) == {UP}


def test_words_alone_describe_what_the_picture_shows_and_frames_are_as_asked() -> None:
    with_picture, alone = make(COIN), make(COIN, observe=("text", "legal_actions"))
    seen, read = with_picture.reset(seed=4)[0], alone.reset(seed=4)[0]
    assert "red coin: (" in read["text"] and "red coin: (" not in seen["text"]
    assert set(read) == {"text", "legal_actions"} and alone.question.pictures == ()
    for text in (seen["text"], read["text"]):
        assert "## Question\nSay which action the other player" in text
        assert all(name in text.rpartition("## Legal actions of")[2] for name in ACTIONS)
    env = make(COIN, reasoning="cot", frames=3, render_mode="rgb_array")
    observation, _ = env.reset(seed=4)
    assert "step by step" in observation["text"] and "## Pictures\n3 pictures" in observation["text"]
    assert observation["rgb"].shape[0] == 3 and np.array_equal(env.render(), observation["rgb"][-1])
    told = begun(make(COIN, render_mode="ansi"), 4)
    assert told.render() == told.question.text


def test_wrong_options_get_one_sentence() -> None:
    for options, sentence in cases(__file__)["wrong options"]:
        refused(partial(gymnasium.make, COIN, **options), sentence)


ROWS_OF_TWO = [
    {"id": "a", "legal_actions": ["up", "down", "stay", "left"], "answer": "up", "correct": ["up"]},
    {"id": "b", "legal_actions": ["up", "stay"], "answer": "up", "correct": ["up", "stay"]},
]


def test_accuracy_counts_the_action_itself_and_what_comes_to_the_same() -> None:
    assert accuracy(ROWS_OF_TWO, {"a": "up", "b": "up"}) == {"raw": 1.0, "equivalent": 1.0}
    assert accuracy(ROWS_OF_TWO, {"a": "down", "b": "stay"}) == {"raw": 0.0, "equivalent": 0.5}
    assert accuracy(ROWS_OF_TWO, {"b": "up"}) == {"raw": 0.5, "equivalent": 0.5}
    assert uniform_accuracy(ROWS_OF_TWO) == {"raw": (1 / 4 + 1 / 2) / 2, "equivalent": (1 / 4 + 1) / 2}
    refused(lambda: uniform_accuracy([]), "no rows")
    found = by_action([
        ("<UP>", "<UP>", True),
        ("<UP>", "<DOWN>", True),  # as good as what was made
        ("<UP>", "<STAY>", False),
        ("<STAY>", "<UP>", False),
        ("<STAY>", None, False),
    ])  # fmt: skip
    assert found["<UP>"] == {"questions": 3, **dict.fromkeys(("precision", "recall", "f1"), pytest.approx(200 / 3))}
    assert found["<STAY>"] == {"questions": 2, "precision": 0.0, "recall": 0.0, "f1": 0.0}
    assert mean_f1(found) == pytest.approx(100 / 3)
    always = by_action([("<UP>", "<UP>", True)] * 9 + [("<STAY>", "<UP>", False)])
    assert always["<UP>"]["precision"] == 90 and always["<STAY>"]["precision"] is None and mean_f1(always) < 48
    kinds = {"(Play 3)": "Play", "(Reveal player +1 color R)": "Reveal color", "a2a3": "ahead", "b7c6": "aside"}
    assert {name: action_kind(name) for name in kinds} == kinds


def test_nobody_is_asked_what_the_random_player_does() -> None:
    env = begun(make(COIN, observe="text"), 3)
    about = []
    for _ in range(120):
        env.reset()
        facts = env.question.facts
        about.append(facts["agents"][("red", "blue").index(facts["predicted"])])
        assert facts["asked"] != facts["predicted"]
    assert "random" not in about and "self_interest" in about and targets(("random", "chase")) == [1]
    env = begun(make("mmgames/Hanabi-Predict-v0", observe="text"))
    kinds: Counter[str] = Counter()
    for _ in range(450):
        env.reset()
        kinds[env.question.names[env.question.answer].split()[0]] += 1
    for start, weight in RECIPES["Hanabi"].kinds.items():
        assert abs(kinds[start] - 50 * weight) < 45, kinds
    kuhn = begun(make(KUHN, observe="text"))
    moves: Counter[int] = Counter()
    for _ in range(400):
        kuhn.reset()
        moves[kuhn.question.facts["move"]] += 1
    assert abs(moves[1] - 200) < 50 and abs(moves[0] - 100) < 45 and abs(moves[2] - 100) < 45, moves


@pytest.mark.parametrize("name", ["Breakthrough", "CoinDilemma", "KuhnPoker"])
def test_equally_good_moves_all_count(name: str) -> None:
    """The author itself says what it might as well have done; those moves lead elsewhere and count all the same."""
    recipe = RECIPES[name]
    authors = ("minimax:3", "minimax:3") if name == "Breakthrough" else next(iter(reversed(recipe.mix)))
    episodes = Episodes(recipe, authors)
    several = 0
    for seed in range(4):
        for move, (live, moves, choices) in enumerate(episodes.play(seed)):
            assert choices is not None
            for seat, action in moves.items():
                assert action in choices[seat]
                moment = Moment(authors, seed, move, seat, 1 - seat, (live.state,), moves, choices[seat])
                assert set(choices[seat]) <= equal_actions(live.game, moment) <= set(live.game.legal(live.state, seat))
                several += len(choices[seat]) > 1
            if move == 12:
                break
    assert several


def test_the_list_of_answers_tells_nobody_its_own_cards() -> None:
    loaded = registry.load("Hanabi")
    game, rng = loaded.game(), np.random.default_rng(0)
    env = make("mmgames/Hanabi-Predict-v0", observe="text")
    hints = 0
    for seed in range(12):
        env.reset(seed=seed)
        (moment, *_) = env.source._moments(rng)
        told = possible_names(loaded, game, moment)
        assert set(game.legal(moment.states[-1], moment.seat)) <= set(told)
        for _ in range(5):
            other = replace(moment, states=(game.imagine(moment.states[-1], moment.asked, rng),))
            assert possible_names(loaded, game, other) == told
            assert set(game.legal(other.states[-1], moment.seat)) <= set(told)
        hints += sum("Reveal" in name for name in told.values()) == 10
        assert question(loaded, game, moment, Style(drawn=False)).text.endswith(", ".join(told.values()))
    assert hints
