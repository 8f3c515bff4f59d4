"""Replays joint actions in overcooked_ai and says what the kitchen looks like after each.

Run by the interpreter of .venv-lowest, so nothing of ours is imported here. Standard input holds one JSON
document, {"cook_time": …, "delivery": …, "episodes": [[layout, [[action, action], …]], …]}; standard output gets one
JSON line for each episode: a list with the state after each joint action.
"""

import json
import sys

from overcooked_ai_py.mdp.actions import Action, Direction
from overcooked_ai_py.mdp.overcooked_mdp import OvercookedGridworld


def item(thing) -> str:
    """onion, dish, or soup and its number of onions."""
    if thing is None:
        return "nothing"
    return f"soup {len(thing.ingredients)}" if thing.name == "soup" else thing.name


def seen(world, state, infos) -> dict:
    pots = world.get_pot_locations()
    return {
        "at": [list(chef.position) for chef in state.players],
        "facing": [Direction.DIRECTION_TO_INDEX[chef.orientation] for chef in state.players],
        "holds": [item(chef.held_object) for chef in state.players],
        "pots": {
            f"{x},{y}": [len(state.objects[x, y].ingredients), state.objects[x, y]._cooking_tick]
            for x, y in pots
            if (x, y) in state.objects
        },
        "counters": {f"{x},{y}": item(thing) for (x, y), thing in state.objects.items() if (x, y) not in pots},
        "sparse": infos["sparse_reward_by_agent"],
        "shaped": infos["shaped_reward_by_agent"],
    }


def replay(layout: str, actions: list, cook_time: int, delivery: int) -> list[dict]:
    world = OvercookedGridworld.from_layout_name(layout, cook_time=cook_time, delivery_reward=delivery)
    state = world.get_standard_start_state()
    story = []
    for joint in actions:
        state, infos = world.get_state_transition(state, [Action.INDEX_TO_ACTION[action] for action in joint])
        story.append(seen(world, state, infos))
    return story


task = json.load(sys.stdin)
for layout, actions in task["episodes"]:
    print(json.dumps(replay(layout, actions, task["cook_time"], task["delivery"])))
