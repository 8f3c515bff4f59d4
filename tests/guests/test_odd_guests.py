"""Guests of odd shapes: what they may be made of, and what is said of those that cannot be played."""

import functools
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

import mmgames
from mmgames.core import registry
from mmgames.running.replays import replay
from tests.guests.odd import Odd


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        yield


def bring(**parts: Any) -> str:
    return mmgames.from_pettingzoo(lambda **how: Odd(**parts, **how))


def played(id: str, **options: Any) -> dict[str, Any]:
    """An episode that was played and replays."""
    (episode,) = mmgames.match(id, "random", 1, seed=2, **options).episodes
    *_, last = replay(episode)
    assert not episode["failed"] and list(last.game.returns(last.state)) == episode["returns"]
    return episode


def names(id: str, **options: Any) -> tuple[str, ...]:
    observation, _ = gymnasium.make(id, others="random", observe="legal_actions", **options).reset(seed=1)
    told: tuple[str, ...] = observation["legal_actions"]
    return told


def test_choices_and_masks_of_every_form_are_read_as_their_libraries_write_them() -> None:
    for act, first, count in [
        (spaces.Discrete(3, start=-1), "action -1", 3),
        (spaces.MultiDiscrete([2, 3], start=[1, -1]), "action 1 -1", 6),
        (spaces.MultiBinary(2), "action 0 0", 4),
        (spaces.Tuple([spaces.Discrete(2), spaces.MultiDiscrete([2, 2])]), "action 0 and 0 0", 8),
        (spaces.Dict({"say": spaces.Discrete(2), "go": spaces.Discrete(3)}), "action go 0 and say 0", 6),
    ]:
        id = bring(act=act)
        assert names(id)[0] == first and len(set(names(id))) == count
        assert played(id)["length"] == 6  # it takes nothing that its space does not hold
    for act, mask, left in [
        (spaces.Discrete(3), [True, False, True], ("action 0", "action 2")),
        (spaces.MultiDiscrete([2, 3]), (np.array([1, 0]), np.array([0, 1, 1])), ("action 0 1", "action 0 2")),
        (spaces.MultiDiscrete([2, 3]), np.array([1, 0, 0, 1, 1]), ("action 0 1", "action 0 2")),
        (spaces.MultiDiscrete([2, 3]), np.array([0, 0, 0, 1, 0, 1]), ("action 1 0", "action 1 2")),
        (spaces.Tuple([spaces.Discrete(2)] * 2), (np.array([0, 1]), None), ("action 1 and 0", "action 1 and 1")),
        (spaces.Dict({"go": spaces.Discrete(2)}), {"go": np.array([0, 1])}, ("action go 1",)),
    ]:
        id = bring(act=act, info=lambda agent, step, mask=mask: {"action_mask": mask})
        assert names(id) == left
        played(id)
    id = bring(info=lambda agent, step: {"action_mask": np.full(3, agent == "a" or step % 2 == 0, np.int8)})
    assert [len(step.game.movers(step.state)) for step in replay(played(id))] == [2, 1, 2, 1, 2, 1, 0]
    sight = spaces.Dict(
        {"hand": spaces.MultiBinary(2), "board": spaces.Discrete(4), "action_mask": spaces.MultiBinary(3)}
    )
    id = bring(sight=sight, see=lambda step: {"hand": np.ones(2), "board": 1, "action_mask": np.array([0, 1, 1])})
    assert names(id) == ("action 1", "action 2")
    observation, _ = gymnasium.make(id, others="random", observe=("text", "features")).reset(seed=1)
    assert observation["features"].shape == (6,) and "action_mask" not in observation["text"]


def test_seats_come_and_go_with_any_names_and_rewards_may_be_arrays_of_one() -> None:
    there = {0: [1], 1: [1, 2], 2: [0, 2], 3: [0], 4: [0, 1]}
    id = bring(agents=(0, 1, 2), there=lambda step: there.get(step, []))
    assert registry.find(id).seats == ("0", "1", "2") and played(id)["returns"] == [3.0, 3.0, 2.0]
    assert played(bring(reward=np.array([0.5])))["returns"] == [3.0, 3.0]


def test_frames_of_every_form_are_pictures_and_without_a_renderer_they_show_the_words() -> None:
    for draw, colour in [
        (lambda: np.full((16, 24), 90, np.uint8), (90, 90, 90)),
        (lambda: np.full((16, 24, 3), (1.0, 0.0, 0.2)), (255, 0, 51)),
        (lambda: np.full((16, 24, 4), (200, 0, 0, 0), np.uint8), (255, 255, 255)),
        (lambda: [np.zeros((16, 24, 3), np.uint8), np.full((16, 24, 3), 90, np.uint8)], (90, 90, 90)),
    ]:
        observation, _ = gymnasium.make(bring(draw=draw), others="random", size=96).reset(seed=1)
        assert observation["rgb"].shape == (64, 96, 3) and tuple(observation["rgb"][30, 50]) == colour
    with pytest.warns(UserWarning, match="shown in words, as its renderer fails: NotImplementedError there is none"):
        played(bring(draw=lambda: raising(NotImplementedError("there is\nnone"))))
    for other in (bring(draw=lambda: None), bring(modes=(None,)), bring(modes=("ansi",), draw=lambda: "+--+\n|x |")):
        observation, _ = gymnasium.make(other, others="random", size=128).reset(seed=1)
        assert observation["rgb"].shape == (128, 128, 3) and observation["rgb"].std() > 1
    assert "|x |" in gymnasium.make(other, others="random", observe="text").reset(seed=1)[0]["text"]


def raising(error: Exception) -> Any:
    raise error


def test_what_has_no_size_is_told_without_features_and_many_numbers_by_where_they_are_not_zero() -> None:
    for sight, see in [
        (spaces.Text(30), lambda step: "é: no letter of the space"),
        (spaces.Sequence(spaces.Discrete(9)), lambda step: tuple(range(step))),
        (
            spaces.Graph(spaces.Box(-1, 1, (2,)), spaces.Discrete(3)),
            lambda step: spaces.GraphInstance(np.zeros((2, 2)), np.array([1]), np.array([[0, 1]])),
        ),
    ]:
        id = bring(sight=sight, see=see)
        played(id)
        with pytest.raises(mmgames.MmgamesError, match="no features"):
            gymnasium.make(id, others="random", observe="features").reset(seed=1)
    for board, told in ((np.zeros((9, 9)), "9 by 9 numbers, all of them 0."), (np.eye(9), "0 but for 0,0; 1,1; 2,2;")):
        id = bring(sight=spaces.Box(0, 1, (9, 9)), see=lambda step, board=board: board.astype(np.float32))
        assert told in gymnasium.make(id, others="random", observe="text").reset(seed=1)[0]["text"]


def test_two_functions_never_share_an_id_and_what_was_registered_stays_when_new_words_are_wrong() -> None:
    from tests.guests import heap  # in here, as it registers a guest

    two, three = (bring(agents=range(count)) for count in (2, 3))
    again = mmgames.from_pettingzoo(functools.partial(heap.env, most=6))
    assert two != three and len(registry.find(two).seats) == 2 and len(registry.find(three).seats) == 3
    assert again != heap.HEAP and mmgames.from_pettingzoo(heap.env) == heap.HEAP
    assert mmgames.from_pettingzoo(heap) == "pettingzoo/tests.guests.heap-v0"
    id = mmgames.from_pettingzoo("tests.guests.heap", words={"actions": ["one", "two"]})
    with pytest.raises(mmgames.MmgamesError, match="has 2 actions, and 3 names"):
        mmgames.from_pettingzoo("tests.guests.heap", words={"actions": ["one", "two", "three"]})
    assert names(id) == ("one", "two")


def test_gymnasiums_environments_need_no_renderer_and_are_found_by_the_module_that_registers_them() -> None:
    id = mmgames.from_gymnasium("tests.guests.odd:odd/Plain-v2")
    assert id == "gymnasium/tests.guests.odd.odd.Plain-v2" and names(id)[:2] == ("action 0 and 1", "action 0 and 2")
    assert "mission: doorway" in gymnasium.make(id, observe="text").reset(seed=1)[0]["text"]
    told = subprocess.run(
        [sys.executable, "-m", "mmgames", "match", id, "random", "--episodes", "1"], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )  # fmt: skip
    assert told.returncode == 0, told.stderr


def test_people_give_arrays_on_the_page(tmp_path: Path) -> None:
    from tests.play_server import serving, your_turn

    id = bring(act=spaces.Box(-1, 1, (1, 2)))
    with serving(tmp_path) as client:
        game = client.begin(id, "person", "random")
        with game.seen("a") as seen:
            assert game.move("a", your_turn(seen)["number"], "[[0.5, -1]]")[0] == 200
            frame = your_turn(seen)
    assert frame["step"] == 1 and frame["deeds"][0] == {"role": "A", "name": "[[0.5, -1.0]]"}


BROKEN = RuntimeError("the engine\nbroke")


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: bring(agents=()), "there must be some, all different"),
        (lambda: bring(agents=("a", "a")), "there must be some, all different"),
        (lambda: bring(there=lambda step: ["a", "b", "new"][: step + 2]), "'new' takes part, and is none of"),
        (lambda: bring(act=spaces.Box(-1, 1, (0,))), "neither choices nor an array"),
        (lambda: bring(act=spaces.Dict({"go": spaces.Box(-1, 1, (2,))})), "neither choices nor an array"),
        (lambda: bring(info=lambda agent, step: {"action_mask": np.ones(2)}), "a mask has 2 numbers where there are 3"),
        (lambda: bring(info=lambda agent, step: {"action_mask": np.zeros(3)}), "leave nobody anything to do"),
        (lambda: bring(reward=float("nan")), "the reward of a is nan"),
        (lambda: bring(see=lambda step: object()), "an observation holds object"),
        (lambda: bring(see=lambda step: np.zeros(4)), "4 numbers where its space has 1"),
        (lambda: bring(see=lambda step: raising(BROKEN) if step == 2 else np.zeros(1)), "Error: the engine broke"),
        (lambda: mmgames.from_pettingzoo(Odd()), "Odd is neither a function"),  # type: ignore[arg-type]
        (lambda: mmgames.from_pettingzoo(".heap"), "no module behind"),
        (lambda: mmgames.from_pettingzoo("tests.guests.heap", words={"actions": {"third": ["a"]}}), "Unknown seat"),
        (lambda: mmgames.from_gymnasium("tests.guests.heap:guests/Drift-v3", words={"actions": ["a"]}),
         "would name choices"),
        (lambda: mmgames.from_gymnasium(Odd), "no id with a version"),  # type: ignore[arg-type]
        (lambda: mmgames.from_gymnasium("CartPol-v1"), "Did you mean 'CartPole-v1'"),
        (lambda: registry.find("pettingzoo/tests.guests.heap.env-v3"), "have the version 0 here"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_told_in_one_sentence(call: Any, why: str) -> None:
    with pytest.raises(mmgames.MmgamesError, match=why) as told:
        call()
    assert "\n" not in str(told.value)
