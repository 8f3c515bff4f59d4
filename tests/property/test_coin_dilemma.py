"""Laws of CoinDilemma, against a second telling of its rules in plain Python.

Positions are read from what the words room says of them, so nothing here knows how a state is kept.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mmgames.core import registry

SIDE = 5
Cell = tuple[int, int]
MOVES = {"<STAY>": (0, 0), "<RIGHT>": (1, 0), "<LEFT>": (-1, 0), "<UP>": (0, 1), "<DOWN>": (0, -1)}
PAYS = {("red", "red"): (1, 0), ("red", "blue"): (1, -2), ("blue", "red"): (-2, 1), ("blue", "blue"): (0, 1)}

loaded = registry.load("mmgames/CoinDilemma-v0")
game: Any = loaded.game()
names = {
    name: action for action, name in loaded.words.names(game.view(game.start(np.random.default_rng(0)), 0)).items()
}


@dataclass(frozen=True)
class Board:
    players: dict[str, Cell]
    coins: dict[str, Cell]
    taken: dict[tuple[str, str], int]

    @property
    def cells(self) -> list[Cell]:
        return [*self.players.values(), *self.coins.values()]


def board(state: Any) -> Board:
    """The position as the words tell it."""
    text = loaded.words.describe(game.view(state, None))
    at = {thing: (int(x), int(y)) for thing, x, y in re.findall(r"^(\w+ \w+): \((\d), (\d)\)$", text, re.M)}
    taken = re.findall(r"(red|blue) takes (red|blue) coin (\d+)×", text)
    return Board(
        {colour: at[f"{colour} player"] for colour in ("red", "blue")},
        {colour: at[f"{colour} coin"] for colour in ("red", "blue")},
        {(who, which): int(count) for who, which, count in taken},
    )


def stepped(before: Board, red: str, blue: str, after: Board) -> tuple[Board, list[int]]:
    """The rules told again. Where a collected coin comes back is chance, so it is taken from `after`."""
    players = {}
    for colour, move in (("red", red), ("blue", blue)):
        (x, y), (dx, dy) = before.players[colour], MOVES[move]
        players[colour] = (min(max(x + dx, 0), SIDE - 1), min(max(y + dy, 0), SIDE - 1))
    coins, taken, paid = dict(before.coins), dict(before.taken), [0, 0]
    for which, cell in before.coins.items():
        takers = [who for who in ("red", "blue") if players[who] == cell]
        for who in takers:
            taken[who, which] += 1
            paid[0] += PAYS[who, which][0]
            paid[1] += PAYS[who, which][1]
        if takers:
            coins[which] = after.coins[which]
    return replace(before, players=players, coins=coins, taken=taken), paid


def chosen(now: Board, who: str, rng: np.random.Generator) -> str:
    """Mostly a step towards one of the coins, along x or y as the dice say, else anything."""
    (x, y), (to_x, to_y) = now.players[who], now.coins[("red", "blue")[int(rng.integers(2))]]
    across = {1: "<RIGHT>", -1: "<LEFT>", 0: ""}[int(np.sign(to_x - x))]
    along = {1: "<UP>", -1: "<DOWN>", 0: ""}[int(np.sign(to_y - y))]
    ways = sorted(MOVES) if rng.random() < 0.4 else [way for way in (across, along) if way]
    return ways[int(rng.integers(len(ways)))]


def test_a_second_telling_of_the_rules_agrees() -> None:
    shared, places, done = 0, set(), set()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        state = game.start(rng)
        first = board(state)
        assert len(set(first.cells)) == 4 and set(first.taken.values()) == {0}
        while game.movers(state):
            before = board(state)
            red, blue = chosen(before, "red", rng), chosen(before, "blue", rng)
            previous, state = state, game.play(state, {0: names[red], 1: names[blue]}, rng)
            after = board(state)
            expected, paid = stepped(before, red, blue, after)
            assert after == expected
            assert np.subtract(game.returns(state), game.returns(previous)).tolist() == paid
            assert len({*after.coins.values()} - {*after.players.values()}) == 2
            places |= {after.coins[coin] for coin in after.coins if after.coins[coin] != before.coins[coin]}
            shared += sum(after.taken.values()) - sum(before.taken.values()) > 1
            done |= {(before.players["red"], red), (before.players["blue"], blue)}
    assert shared > 0, "two coins, or one coin twice, were never taken in one step"
    assert len(places) == SIDE * SIDE, "some cell never gets a coin"
    assert len(done) == SIDE * SIDE * len(MOVES), "some move was never tried somewhere"
