"""Plays random episodes in PettingZoo's knights_archers_zombies and says what the field is like around each cycle.

Run by an interpreter that has PettingZoo and pygame, so nothing of ours is imported here. Standard input holds one JSON
document, {"steps": …, "seed": …, "options": [{…}, …]}; standard output gets a JSON line for each episode, with all that
was drawn. Episodes take the options in turn until there are enough steps.
"""

import json
import math
import os
import random
import sys

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pygame

FULL, QUARTER = 2.0 * math.pi, math.pi / 2.0
pygame_vector = pygame.Vector2


class Rounded(pygame.Vector2):
    """A vector that rounds every product when it is turned. Some machines, not all, fuse them with the sum."""

    def rotate(self, degrees: float) -> "Rounded":
        angle = math.fmod(degrees * math.pi / 180.0, FULL)
        angle += FULL if angle < 0.0 else 0.0
        if math.fmod(angle + 1e-6, QUARTER) < 2e-6:
            turned = pygame_vector(self).rotate(degrees)
            return Rounded(turned.x, turned.y)
        sine, cosine = math.sin(angle), math.cos(angle)
        return Rounded(cosine * self.x - sine * self.y, sine * self.x + cosine * self.y)


def fuses() -> bool:
    """Whether pygame's vectors are turned with fused products on this machine."""
    plain, rounded = pygame_vector(0, -1), Rounded(0, -1)
    for _ in range(36):
        plain, rounded = plain.rotate(10), rounded.rotate(10)
    return tuple(plain) != tuple(rounded)


if fuses():
    pygame.Vector2 = Rounded  # type: ignore[misc]

from pettingzoo.butterfly.knights_archers_zombies import knights_archers_zombies as source  # noqa: E402


class Recorder:
    """The environment's random numbers, written down as they are drawn."""

    def __init__(self, generator) -> None:
        self.generator, self.drawn = generator, []

    def integers(self, low: int, high: int) -> int:
        number = int(self.generator.integers(low, high))
        self.drawn.append(number)
        return number


def state(env) -> dict:
    players = []
    for player in env.agent_map.values():
        knight = source.is_knight(player)
        swords = list(player.weapons) if knight else []
        waits = player.timeout.step_interval - player.timeout._current_step if player.timeout is not None else 0
        players.append(
            {
                "corner": [player.rect.x, player.rect.y],
                "side": player.rect.width,
                "direction": list(player.direction),
                "alive": player.is_alive,
                "waits": waits,
                "sword": [swords[0].arc, swords[0].rect.x, swords[0].rect.y] if swords else None,
                "arrows": [] if knight else [[a.rect.x, a.rect.y, *a.direction] for a in player.weapons],
                "score": player.score,
            }
        )
    zombies = [[zombie.rect.x, zombie.rect.y, zombie.wobble_interval._current_step] for zombie in env.zombie_list]
    return {
        "players": players,
        "zombies": zombies,
        "waited": env.zombie_spawn_interval._current_step,
        "frames": env.frames,
        "over": env.game_over,
        "observed": [env._observe_vector(agent).ravel().tolist() for agent in env.possible_agents],
    }


def play(options: dict, seed: int, draw: random.Random) -> dict:
    env = source.raw_env(**options)
    env.reset(seed=seed)
    env.zombie_spawn_interval.reset()
    env.np_random = recorder = Recorder(env.np_random)
    weights = [draw.random() + 0.1 for _ in range(6)]
    weights[4] += draw.random() * 3
    first, steps = state(env), []
    while not env.game_over and env.frames < env.max_cycles:
        frames, recorder.drawn = env.frames, []
        actions = draw.choices(range(6), weights, k=len(env.possible_agents))
        chosen = dict(zip(env.possible_agents, actions, strict=True))
        before = [0 if player.is_alive else player.score for player in env.agent_map.values()]
        while env.frames == frames:
            agent = env.agent_selection
            env.step(None if env.terminations[agent] or env.truncations[agent] else chosen[agent])
        after = state(env)
        kills = [player["score"] - scored for player, scored in zip(after["players"], before, strict=True)]
        steps.append({"actions": actions, "drawn": recorder.drawn, "kills": kills, **after})
    return {"options": options, "first": first, "steps": steps}


task = json.load(sys.stdin)
draw, played, episode = random.Random(task["seed"]), 0, 0
while played < task["steps"]:
    told = play(task["options"][episode % len(task["options"])], task["seed"] + episode, draw)
    played += len(told["steps"])
    episode += 1
    print(json.dumps(told))
