"""Plays random episodes in mpe2 and says what the world is like before and after each joint action.

Run by an interpreter that has mpe2, so nothing of ours is imported here. Standard input holds one JSON document,
{"scenarios": […], "episodes": …, "seed": …}; standard output gets one JSON line for each episode: its scenario, what it
starts with, and for each step the actions, the rewards, the state and the observations.
"""

import importlib
import json
import random
import sys

MODULES = {"speaker_listener": "simple_speaker_listener_v4"}


def landmark(world, thing) -> int:
    return next((i for i, one in enumerate(world.landmarks) if one is thing), 0)


def secrets(world, scenario) -> list[int]:
    if scenario == "crypto":
        key = next(i for i, one in enumerate(world.landmarks) if list(one.color) == list(world.agents[2].key))
        return [landmark(world, world.agents[0].goal_a), key]
    if scenario == "reference":
        return [landmark(world, agent.goal_b) for agent in world.agents]
    if scenario == "speaker_listener":
        return [landmark(world, world.agents[0].goal_b), 0]
    return [landmark(world, getattr(world.agents[0], "_goal_a", None)), 0]


def state(env, scenario) -> dict:
    world = env.world
    said = [[i for i, heard in enumerate(agent.state.c) if heard] for agent in world.agents]
    return {
        "places": [list(entity.state.p_pos) for entity in world.entities],
        "speeds": [list(agent.state.p_vel) for agent in world.agents],
        "said": [words[0] if words else -1 for words in said],
        "secrets": secrets(world, scenario),
        "observed": [env.scenario.observation(agent, world).tolist() for agent in world.agents],
    }


def play(env, scenario: str, seed: int, draw: random.Random) -> dict:
    env.reset(seed=seed)
    first, steps = state(env, scenario), []
    while env.agents and not any(env.truncations.values()):
        actions = [draw.randrange(int(env.action_space(agent).n)) for agent in env.agents]
        for action in actions:
            env.step(action)
        rewards = [float(env.rewards[agent]) for agent in env.possible_agents]
        steps.append({"actions": actions, "rewards": rewards, **state(env, scenario)})
    return {"scenario": scenario, "first": first, "steps": steps}


task = json.load(sys.stdin)
draw = random.Random(task["seed"])
for scenario in task["scenarios"]:
    env = importlib.import_module(f"mpe2.{MODULES.get(scenario, 'simple_' + scenario + '_v3')}").raw_env()
    for episode in range(task["episodes"]):
        print(json.dumps(play(env, scenario, task["seed"] + episode, draw)))
