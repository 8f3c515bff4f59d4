"""Questions about scenes: their answers are true, and who does not look gains nothing."""

import json
import re
from collections import Counter

import gymnasium as gym
import numpy as np
import pytest

from mmgames import tasks
from mmgames.games.spy.pictures import clevr
from mmgames.games.spy.questions import possible_sets, scene_with
from mmgames.tasks.questions import Style
from tests.environments import begun

NAMES = ("Spy-Count", "Spy-Compare", "Spy-ReadChart", "Spy-Difference")
CHANCE = {"Spy-Count": 1 / 4, "Spy-Compare": 1 / 3, "Spy-ReadChart": 1 / 4}
KNOWN = {*clevr.COLOURS, *clevr.SHAPES, *clevr.SIZES, *clevr.MATERIALS}


def asked(name, count=500, **style):
    spec, rng = tasks.find(name), np.random.default_rng(7)
    made = spec.source_class()(spec, Style(**{"drawn": False, "size": 64, **style}))
    return made, [made.ask(rng) for _ in range(count)]


@pytest.fixture(scope="module", params=CHANCE)
def listed(request):
    return request.param, *asked(request.param)


def bound(chance, count):
    return chance + 5 * np.sqrt(chance * (1 - chance) / count)


def test_neither_answers_nor_kinds_of_questions_nor_guesses_gain_more_than_chance(listed):
    name, _, questions = listed
    answers = Counter(question.answer for question in questions)
    assert max(answers.values()) / len(questions) < bound(CHANCE[name], len(questions))
    name, _, questions = listed
    train, test = questions[: len(questions) // 2], questions[len(questions) // 2 :]
    best = {}
    for kind in {question.facts["kind"] for question in questions}:
        best[kind] = Counter(q.answer for q in train if q.facts["kind"] == kind).most_common(1)[0][0]
    right = np.mean([question.answer == best[question.facts["kind"]] for question in test])
    assert right < bound(CHANCE[name], len(test))
    name, made, questions = listed
    rng = np.random.default_rng(1)
    scores = [made.score(question, made.read(question, made.guess(question, rng))) for question in questions]
    assert abs(np.mean(scores) - CHANCE[name]) < 5 * np.sqrt(0.25 / len(scores))


def test_neither_the_size_of_an_option_nor_a_set_gives_it_away():
    _, questions = asked("Spy-ReadChart")

    def number(text):
        return int(text.rstrip(" %"))

    for pick in (min, max):
        shown = [(question.facts["options"], question.answer) for question in questions]
        right = np.mean([options.index(pick(options, key=number)) == answer for options, answer in shown])
        assert right < bound(1 / 4, len(questions))
    made, questions = asked("Spy-Difference", 400)
    chance = np.mean([1 / len(possible_sets(n)) for n in (4, 5, 6)])
    most = Counter(question.answer for question in questions).most_common(1)[0][1]
    assert most / len(questions) < bound(chance, len(questions))
    rng = np.random.default_rng(1)
    scores = [made.score(question, made.read(question, made.guess(question, rng))) for question in questions]
    assert np.mean(scores) < bound(chance, len(questions))


def facts_in(text):
    parts = [part.split("\n- ")[1:] for part in text.split("\n\n") if part.startswith(("## The picture", "## Picture"))]
    return [dict(line.rstrip(".").split(" is ", 1) for line in lines) for lines in parts]


def test_words_alone_are_enough_to_answer():
    for name in NAMES:
        made, questions = asked(name, 25, words_alone=True)
        for question in questions:
            described = facts_in(question.text)
            task = question.text.split("## Question\n")[1].split("\n")[0]
            if name == "Spy-Difference":
                one, other = (list(facts.values()) for facts in described)
                places = [place for place, pair in enumerate(zip(one, other, strict=True), 1) if pair[0] != pair[1]]
                reply = json.dumps({"answer": places})
            elif name == "Spy-ReadChart":
                item = task.split(" of ")[1].rstrip("?")
                value = next(value for topic, value in described[0].items() if topic.endswith(f" of {item}"))
                reply = "ABCD"[question.facts["options"].index(value)]
            else:
                words = [word.removesuffix("s") for word in re.findall(r"\w+", task.replace(" objects", ""))]
                known = [word for word in words if word in KNOWN]
                counts = [sum(f" {word}" in value for value in described[0].values()) for word in known]
                if name == "Spy-Count":
                    reply = str(counts[0])
                else:
                    reply = "more" if counts[0] > counts[1] else "fewer" if counts[0] < counts[1] else "as many"
            assert made.score(question, made.read(question, reply)) == 1, (question.text, reply)


@pytest.mark.parametrize("attribute,counts", [("colour", {"red": 3}), ("shape", {"cube": 2, "sphere": 2})])
def test_scenes_are_made_to_fit(attribute, counts):
    scene = scene_with(np.random.default_rng(0), attribute, counts, 4)
    found = Counter(getattr(thing, attribute) for thing in scene.things)
    assert all(found[word] == number for word, number in counts.items()) and 4 <= len(scene.things) <= 6


def test_the_lists_of_a_reply_have_to_agree():
    made, (question,) = asked("Spy-Difference", 1)
    for reply in ('{"answer": [1, 3]}', "[3, 1]", "<think>[2]</think> It is [1,3].", "[1,3], again: [3 , 3, 1 ]", "[]"):
        assert made.read(question, reply) == ((1, 3) if "3" in reply else ())
        assert made.read(question, f"{reply} Or [2].").kind == "not clear"
    for reply in ("", "the red one", "[1, 2", "[a]", "1, 3", "[" * 50_000, "<think>[1]"):
        *_, reward, _, _, info = begun(gym.make("mmgames/Spy-Difference-v0", size=64)).step(reply)
        assert reward == 0 and info["illegal"]
