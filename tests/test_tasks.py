"""What all tasks promise: Gymnasium's checker, which asks the same question again for the same seed, is content."""

import warnings

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from mmgames import tasks

TASKS = [
    pytest.param(id, actions, id=f"{id}, {actions}")
    for id, spec in tasks.specs.items()
    for actions in ("text", "discrete")
    if "Pong-Predict" not in id  # an episode of Pong for each question takes too long
    if actions == "text" or spec.kind in ("ask", "rule", "predict")
]


@pytest.mark.parametrize(("id", "actions"), TASKS)
def test_the_environment_checker_has_nothing_to_say(id: str, actions: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(id, size=64, actions=actions).unwrapped)
