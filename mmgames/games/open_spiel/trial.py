"""A first try of an OpenSpiel game: does it fit the contract, and what can it do?

This file also runs as a program, `python trial.py "hex(board_size=5)"`, and then imports nothing of mmgames: some
parameters make OpenSpiel end the whole process, and this one may be ended.
"""

import json
import random
import sys
from typing import Any

import pyspiel

MOVES = 40  # decisions of a random game that are looked at
TRIES = 3  # at each decision, to draw hidden parts otherwise
MARK = "facts: "  # begins the lines that this program is run for; OpenSpiel may print others
MEMORY = 4 << 30  # bytes; a board of a billion cells is refused before it fills a machine

_KIND = pyspiel.GameType


def try_out(engine: str) -> dict[str, Any]:
    """Facts about a game, or under "refused" the reason why it does not fit."""
    game = pyspiel.load_game(engine)
    refused = misfit(game)
    if refused:
        return {"refused": refused}
    kind = game.get_type()
    hidden = kind.information != _KIND.Information.PERFECT_INFORMATION
    tensor = tensor_of(kind)
    rng = random.Random(0)
    state = to_decision(game.new_initial_state(), rng)
    if state.is_terminal() or not state.legal_actions():
        return {"refused": "nobody has a move in it"}
    branching = len(state.legal_actions())
    imagines, possible = False, hidden
    lengths, largest = set(), 0.0
    for _ in range(MOVES):
        if state.is_terminal():
            break
        seat, legal = state.current_player(), state.legal_actions()
        if possible and not imagines:
            drawn = drawn_again(state, seat, rng)
            possible = drawn is not None
            imagines = bool(drawn)
        for action in legal:
            state.action_to_string(seat, action)
        if tensor:
            values = values_of(state, tensor, seat)
            lengths.add(None if values is None else len(values))
            largest = max(largest, *(abs(value) for value in values or (0.0,)))
        state.apply_action(rng.choice(legal))
        state = to_decision(state, rng)
    constant = len(lengths) == 1 and None not in lengths
    return {"tensor": tensor if constant else "", "counts": largest > 1.0, "imagines": imagines, "branching": branching}


def misfit(game: Any) -> str:
    """Why a game cannot be played here; nothing where it can."""
    kind = game.get_type()
    if kind.dynamics == _KIND.Dynamics.SIMULTANEOUS:
        turns = f"turn_based_simultaneous_game(game={kind.short_name}())"
        return f"its seats move at the same time (OpenSpiel's {turns} has them move in turn)"
    if kind.dynamics == _KIND.Dynamics.MEAN_FIELD:
        return "it is a mean-field game, whose players are a distribution"
    if kind.chance_mode == _KIND.ChanceMode.SAMPLED_STOCHASTIC:
        return "OpenSpiel draws its chances inside, so that a seed does not settle an episode"
    if game.num_distinct_actions() < 1:
        return "its moves are structures and have no numbers"
    strings = kind.provides_observation_string or kind.provides_information_state_string
    return "" if strings else "it says nothing in words about what a player sees"


def tensor_of(kind: Any) -> str:
    """The name of the tensor that makes the features; nothing where there is none."""
    knows = ("information_state_tensor", kind.provides_information_state_tensor)
    sees = ("observation_tensor", kind.provides_observation_tensor)
    hidden = kind.information != _KIND.Information.PERFECT_INFORMATION
    return next((name for name, there in ((knows, sees) if hidden else (sees, knows)) if there), "")


def values_of(state: Any, tensor: str, seat: int) -> list[float] | None:
    try:
        return getattr(state, tensor)(seat)
    except pyspiel.SpielError:  # announced, but not there
        return None


def drawn_again(state: Any, seat: int, rng: random.Random) -> bool | None:
    """Whether hidden parts came out differently in some tries; None: OpenSpiel cannot draw them again.

    Some games hand back the same state, which would show a search what it must not know. Others change the state but
    not the moves that led to it, and then it is no state of the game: it cannot be replayed.
    """
    for _ in range(TRIES):
        try:
            drawn = state.resample_from_infostate(seat, rng.random)
        except pyspiel.SpielError:
            return None
        replayed = state.get_game().new_initial_state()
        for action in drawn.history():
            replayed.apply_action(action)
        if str(replayed) != str(drawn):
            return None
        if drawn.history() != state.history():
            return True
    return False


def to_decision(state: Any, rng: random.Random) -> Any:
    """The same state moved on through its chance nodes."""
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, weights)[0])
    return state


def main(engines: list[str]) -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    except (ImportError, ValueError, OSError):
        pass  # no such limit on this system
    for engine in engines:
        try:
            facts = try_out(engine)
        except MemoryError:
            facts = {"refused": f"it needs more than {MEMORY >> 30} GiB of memory"}
        except Exception as error:
            facts = {"failed": str(error)}
        print(f"\n{MARK}{json.dumps(facts)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
