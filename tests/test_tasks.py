"""What all tasks promise: Gymnasium's checker, which asks the same question again for the same seed, is content."""

import warnings

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from mmgames import tasks

TASKS = [id for id in tasks.specs if "Pong-Predict" not in id]  # an episode of Pong for each question takes too long


@pytest.mark.parametrize("id", TASKS)
@pytest.mark.parametrize("actions", ["text", "discrete"])
def test_the_environment_checker_has_nothing_to_say(id: str, actions: str) -> None:
    if actions == "discrete" and tasks.specs[id].kind not in ("ask", "rule", "predict"):
        pytest.skip("it is answered in words alone")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(id, size=64, actions=actions).unwrapped)
