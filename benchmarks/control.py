"""How robots are controlled: `python benchmarks/control.py [FIGURE…] [--json]`, all figures or some; without
`embodied` only those of the kinematic engine.

kinematic  the share that planners solve with engine="kinematic", of 100 episodes of each game of two arms; beside it
           what their planners and random agents do, the steps they need, and why skills fail
physics    the same in ManiSkill's physics
kinematic-steps  steps a second of TwoRobotPickCube with engine="kinematic", 256 episodes at once, random actions
kinematic-first  seconds from the start of a process to its first picture of TwoRobotPickCubeSkills, 512 pixels

pick       of 100 episodes of TwoRobotPickCube, how many its planner solves
stack      the same of TwoRobotStackCube
kitchen    the same of ThreeRobotKitchen
pick-skills, stack-skills  the same of TwoRobotPickCubeSkills and TwoRobotStackCubeSkills
steps      control steps a second of TwoRobotPickCube, random actions, features and no picture
kitchen-steps  the same of ThreeRobotKitchen
skills     decisions a second of TwoRobotPickCubeSkills, as its planner takes them, features and no picture
pictures   pictures of 512 pixels a second, drawn from poses, of TwoRobotPickCube
kitchen-pictures  the same of ThreeRobotKitchen
first      seconds from the start of a process to its first picture of TwoRobotPickCube, 512 pixels
seen       the fewest pixels of anything that is to be reached, at the start of 40 episodes of each game, 512 pixels
again      the largest difference between the poses of two processes, the same seeds and actions, grasps among them
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from figures import Figure, main, process_seconds, rate, rate_over

import mmgames
from mmgames.agents.finding import make_agent
from mmgames.core.live import LiveGame
from mmgames.core.registry import load
from mmgames.core.turn import Turn
from mmgames.embodied._scenes import renderer
from mmgames.running import replays

EPISODES, STEPS, PICTURES, AGAIN, SKILL_EPISODES, STARTS = 100, 100, 10, 2, 5, 40
AWAY = (0.0, 0.0, -60.0, 1.0, 0.0, 0.0, 0.0)  # a pose that no camera sees
FIRST = """
import time
import mmgames
env = mmgames.parallel_env("mmgames/{name}-v0", observe="rgb"{options})
env.reset(seed=0)
print(time.process_time())
"""
NAMES = {
    "pick": "TwoRobotPickCube",
    "stack": "TwoRobotStackCube",
    "kitchen": "ThreeRobotKitchen",
    "pick-skills": "TwoRobotPickCubeSkills",
    "stack-skills": "TwoRobotStackCubeSkills",
}


def _solved(name: str) -> Figure:
    result = mmgames.match(NAMES[name], "planner", episodes=EPISODES, seed=0)
    solved = np.array([record["events"]["success"] for record in result.episodes])
    steps = np.mean([record["length"] for record, done in zip(result.episodes, solved, strict=True) if done])
    error = solved.std() / np.sqrt(EPISODES)
    how = f"share of {EPISODES} seeds that the planner solves, ± {error:.3f}, in {steps:.0f} steps on average"
    return Figure(float(solved.mean()), "solved", how)


def _agreement(engine: str) -> Figure:
    told, shares = [], []
    for name in ("pick", "stack", "pick-skills", "stack-skills"):
        for agent in ("planner", "random"):
            records = mmgames.match(NAMES[name], agent, episodes=EPISODES, seed=0, engine=engine).episodes
            solved = np.array([record["events"]["success"] for record in records])
            steps = np.array([record["events"].get("steps of control", record["length"]) for record in records])
            error = 100 * solved.std() / np.sqrt(EPISODES)
            line = f"{NAMES[name]}, {agent}: {100 * solved.mean():.0f} ± {error:.0f} % of {EPISODES}"
            line += f", {steps[solved > 0].mean():.0f} steps where solved" if solved.any() else ""
            done = [one for record in records for both in record.get("skills", ()) for one in both]
            why = Counter(one["failed"] for one in done if one["failed"])
            failed = ", ".join(f"{reason} {count}" for reason, count in why.most_common())
            told.append(line + (f"; of {len(done)} skills failed {why.total()}: {failed or 'none'}" if done else ""))
            shares.append(solved.mean() if agent == "planner" else 1.0)
    return Figure(float(min(shares)), "solved", "\n  ".join(["the least of four planners", *told]))


def kinematic_steps() -> Figure:
    env: Any = mmgames.vector_env(NAMES["pick"], 256, threads=1, engine="kinematic")
    env.reset(seed=0)
    actions = [env.random_actions() for _ in range(10)]

    def work() -> int:
        for chosen in actions:
            env.step(chosen)
        return 256 * len(actions)

    return rate(work, "steps/s", "256 episodes at once in one process, features, random actions drawn before")


def _live(name: str) -> LiveGame:
    loaded = load(NAMES[name])
    live = LiveGame(loaded, loaded.game())
    live.start(np.random.default_rng(0))
    return live


def _steps(name: str) -> Figure:
    live, rng = _live(name), np.random.default_rng(0)

    def work() -> int:
        for _ in range(STEPS):
            if not live.movers:
                live.start(rng)
            live.play({seat: live.sample(seat, rng) for seat in live.movers})
            for seat in range(len(live.game.seats)):
                live.features(seat)
        return STEPS

    work()
    return rate(work, "steps/s", "random actions of all robots, features, no picture, resets left in")


def skills() -> Figure:
    live, rng = _live("pick-skills"), np.random.default_rng(0)
    planner = make_agent("planner", live.game.spec)

    def work() -> int:
        decisions = 0
        for _ in range(SKILL_EPISODES):
            live.start(rng)
            while live.movers:
                live.play({seat: planner.act(Turn(live, seat, rng)) for seat in live.movers})
                for seat in range(len(live.game.seats)):
                    live.features(seat)
                decisions += 1
        return decisions

    work()
    return rate(work, "decisions/s", "a skill of both arms at once, features, no picture, resets left in")


def _pictures(name: str) -> Figure:
    live, rng = _live(name), np.random.default_rng(0)
    views = []
    for _ in range(PICTURES):
        live.play({seat: live.sample(seat, rng) for seat in live.movers})
        views.append((live.view(None), 512))
    how = f"512 pixels, each of another position; {renderer.find().sentence}"
    return rate_over(views, live.loaded.picture.draw, "pictures/s", how, rounds=2)


def first(name: str, options: str = "") -> Figure:
    code = FIRST.format(name=NAMES[name], options=options)
    return process_seconds(code, "a process that imports mmgames, makes an environment and resets it")


def seen() -> Figure:
    """Pictures with a thing and without it differ where it is seen."""
    fewest: dict[str, int] = {}
    for name in NAMES.values():
        loaded = load(name)
        game = loaded.game()
        for seed in range(STARTS):
            live = LiveGame(loaded, game)
            live.start(np.random.default_rng(seed))
            view = live.view(None)
            whole = loaded.picture.draw(view, 512).astype(int)
            for number, thing in enumerate(game.task.things):
                things = (*view.scene.things[:number], AWAY, *view.scene.things[number + 1 :])
                without = loaded.picture.draw(view._replace(scene=view.scene._replace(things=things)), 512)
                count = int((np.abs(whole - without).max(axis=2) > 12).sum())
                fewest[f"{name} {thing}"] = min(count, fewest.get(f"{name} {thing}", count))
    return Figure(min(fewest.values()), "pixels", ", ".join(f"{name} {count}" for name, count in fewest.items()))


def again() -> Figure:
    """Records of the planner are replayed here and in another process."""
    records = mmgames.match(NAMES["pick"], "planner", episodes=AGAIN, seed=0).episodes
    command = [sys.executable, __file__, "--poses"]
    there = subprocess.run(command, input=json.dumps(records), capture_output=True, text=True, check=True)
    one, other = _poses(records), np.array(json.loads(there.stdout.splitlines()[-1]))
    how = f"metres and radians, over {len(one)} positions of {AGAIN} episodes"
    return Figure(float(np.abs(one - other).max()), "apart", how)


def _poses(records: list[dict[str, Any]]) -> np.ndarray:
    """All poses and joints of all positions of these episodes, one row each."""
    scenes = [live.state.poses for record in records for live in replays.replay(record)]
    return np.array([[n for part in (*s.things, *(p for r in s.robots for p in r)) for n in part] for s in scenes])


if __name__ == "__main__":
    if "--poses" in sys.argv:
        print(json.dumps(_poses(json.load(sys.stdin)).tolist()))
    else:
        figures: dict[str, Callable[[], Figure]] = {name: partial(_solved, name) for name in NAMES}
        figures |= {"steps": partial(_steps, "pick"), "kitchen-steps": partial(_steps, "kitchen")}
        figures |= {"pictures": partial(_pictures, "pick"), "kitchen-pictures": partial(_pictures, "kitchen")}
        figures |= {"skills": skills, "first": partial(first, "pick"), "seen": seen, "again": again}
        figures |= {engine: partial(_agreement, engine) for engine in ("kinematic", "physics")}
        figures["kinematic-steps"] = kinematic_steps
        figures["kinematic-first"] = partial(first, "pick-skills", ', engine="kinematic"')
        main(figures, __doc__)
