"""Arms that are told skills: they do them at the same time in real physics, and say what came of it."""

import hashlib
import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import mmgames
from mmgames.core import registry
from mmgames.errors import MmgamesError
from mmgames.running import replays
from mmgames.running.episodes import EpisodePlayer, make_plan

PICK, STACK = "mmgames/TwoRobotPickCubeSkills-v0", "mmgames/TwoRobotStackCubeSkills-v0"
WITHOUT = registry.why_missing(mmgames.specs[PICK])
pytestmark = pytest.mark.skipif(bool(WITHOUT), reason=WITHOUT)

REPLAY = """
import json, sys
from tests.embodied3d.test_skills import fingerprint
print(fingerprint(json.load(sys.stdin)))
"""


def fingerprint(record: dict[str, Any]) -> str:
    """All states of an episode that is played again."""
    return hashlib.sha256(repr([live.state for live in replays.replay(record)]).encode()).hexdigest()


def solve(id: str) -> dict[str, Any]:
    player = EpisodePlayer(make_plan(id, "planner", 0, "fail", {}))
    record = player.record(0)
    player.close()
    return record


@pytest.fixture(scope="module")
def solved() -> dict[str, Any]:
    return solve(PICK)


class Table:
    """An environment that is told skills by their names."""

    def __init__(self, id: str) -> None:
        self.env = mmgames.parallel_env(id, observe=("text", "features"), illegal="error")
        self.seen, _ = self.env.reset(seed=0)

    def possible(self, role: str) -> list[str]:
        words, live = self.env.live.loaded.words, self.env.live
        return list(words.names(live.view(self.env.possible_agents.index(role))).values())

    def tell(self, left: str, right: str) -> dict[str, dict[str, Any]]:
        """What the infos say of both skills."""
        names = [skill.name for skill in self.env.game.skills]
        self.seen, *_, infos = self.env.step({"left": names.index(left), "right": names.index(right)})
        return {role: info["skill"] for role, info in infos.items()}


def test_the_planner_hands_the_cube_over_in_four_decisions_and_another_process_does_the_same(
    solved: dict[str, Any],
) -> None:
    assert solved["length"] == 4 and solved["returns"] == [1.0, 1.0]
    assert solved["events"]["success"] == 1 and 40 < solved["events"]["steps of control"] < 120
    assert [[one["skill"] for one in both] for both in solved["skills"]] == [
        ["take the cube", "wait"],
        ["lay the cube in the middle", "wait"],
        ["go home", "take the cube"],
        ["wait", "bring the cube to the goal"],
    ]
    *_, end = replays.replay(solved)
    told = end.loaded.words.history(end.view(1))
    assert "Decision 3. left: go home – done; right: take the cube – done." in told and "the job is done" in told
    done = subprocess.run(
        [sys.executable, "-c", REPLAY], input=json.dumps(solved), capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[-1] == fingerprint(solved)


def test_the_tower_is_built_and_skills_are_possible_where_hands_reach() -> None:
    record = solve(STACK)
    assert record["events"]["success"] == 1 and set(record["returns"]) == {1.0} and record["length"] <= 5
    table = Table(PICK)
    assert table.possible("left") == ["take the cube", "go home", "wait"]
    assert table.possible("right") == ["go home", "wait"]
    with pytest.raises(MmgamesError, match=r"0 is not legal for right here\. Legal: 4 go home, 5 wait\."):
        table.env.step({"left": 5, "right": 0})
    came = table.tell("take the cube", "go home")
    assert came["left"]["failed"] == "" and came["left"]["steps"] > 5
    assert table.possible("left") == ["lay the cube in the middle", "open the hand", "go home", "wait"]
    assert table.tell("open the hand", "wait")["left"]["failed"] == ""
    assert table.possible("left") == ["take the cube", "go home", "wait"]
    table.env.close()


def test_a_skill_that_fails_says_why_and_two_hands_do_not_get_the_same_cube() -> None:
    table = Table(STACK)
    table.tell("take the blue cube", "take the green cube")
    table.tell("lay the blue cube on the target", "go home")
    came = table.tell("go home", "lay the green cube on the target")
    assert came["right"] == {"skill": "lay the green cube on the target", "failed": "something lies there", "steps": 0}
    assert came["left"]["failed"] == ""
    told = "left: go home – done; right: lay the green cube on the target – failed, something lies there."
    assert told in table.seen["left"]["text"] and told in table.seen["right"]["text"]
    assert table.seen["left"]["features"][-2:].tolist() == [1, -1]
    assert table.seen["right"]["features"][-2:].tolist() == [-1, 1]
    table.env.close()
    table = Table(PICK)
    table.tell("take the cube", "wait")
    table.tell("lay the cube in the middle", "wait")
    came = table.tell("take the cube", "take the cube")
    failed = [one["failed"] for one in came.values() if one["failed"]]
    assert failed and failed[0] in table.seen["left"]["text"]
    held = table.env.live.state.poses.facts[:2]
    assert np.sum(held) <= 1
    table.env.close()
