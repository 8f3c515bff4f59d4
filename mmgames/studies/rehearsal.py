"""A rehearsal: made-up participants go through a study, and agents choose their moves, before anybody is invited."""

import time
from typing import Any

import numpy as np

from mmgames.agents.base import Agent
from mmgames.agents.finding import make_agent
from mmgames.errors import MmgamesError
from mmgames.play.hosted_game import Refused
from mmgames.studies.hosted_study import HostedStudy
from mmgames.studies.study_rounds import GameRound

LONGEST = 600.0  # seconds without any progress
LOOK = 0.01  # seconds between looks


def rehearse(study: HostedStudy, people: int, seed: int = 0) -> dict[str, int]:
    """So many made-up participants from consent to thanks; how many of them are where in the end."""
    rng = np.random.default_rng(seed)
    keys = [study.join(study.state.new_tickets(1)[0], f"rehearsal-{number}") for number in range(people)]
    agents: dict[tuple[str, int], Agent] = {}
    before, since = "", time.monotonic()
    while True:
        shown = [study.shown(key) for key in keys]
        if all(one["stage"] in ("thanks", "gone") for one in shown):
            return {stage: sum(one["stage"] == stage for one in shown) for stage in ("thanks", "gone")}
        for key, one in zip(keys, shown, strict=True):
            try:
                _go_on(study, key, one, rng, agents)
            except Refused:
                continue  # the round went on without it
        if (now := repr([(one["stage"], one.get("step"), study.moves_made()) for one in shown])) != before:
            before, since = now, time.monotonic()
        elif time.monotonic() - since > LONGEST:
            raise MmgamesError(f"The rehearsal stands still; participants are at {[one['stage'] for one in shown]}.")
        time.sleep(LOOK)


def _go_on(
    study: HostedStudy, key: str, shown: dict[str, Any], rng: np.random.Generator, agents: dict[Any, Agent]
) -> None:
    stage = shown["stage"]
    if stage in ("instructions", "between"):
        study.go_on(key, stage, shown.get("step"))
    elif stage in ("before", "after"):
        study.go_on(key, stage, None, {one["id"]: _answer(one, rng) for one in shown["questions"]})
    elif stage == "round":
        game, seat = study.games.find(shown["id"], shown["key"])
        assert isinstance(game, GameRound)
        turn = game.turn_of(seat, rng)
        if turn is not None:
            spec = turn.game.spec
            if (shown["id"], seat) not in agents:
                agents[shown["id"], seat] = make_agent(spec.quick_for(seat), spec)
                agents[shown["id"], seat].begin(turn.game, seat)
            game.move(seat, game.number, agents[shown["id"], seat].act(turn))
    elif stage == "question" and shown["asked"]:
        study.answer(key, shown["asked"]["call"], str(rng.choice(shown["asked"]["answers"] or ["I do not know"])))


def _answer(question: dict[str, Any], rng: np.random.Generator) -> Any:
    if question["right"]:
        return question["right"]
    if question["kind"] == "choice":
        return str(rng.choice(question["choices"]))
    numbers = question["kind"] in ("scale", "number")
    return str(rng.integers(question["low"], question["high"] + 1)) if numbers else "This is a rehearsal."
