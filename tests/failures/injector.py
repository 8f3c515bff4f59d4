"""Episodes with faults put into them on purpose: real games, played by agents that say what the wordings tell them to.

What is true is taken from the views and tables of the games themselves, not from what is tested. The sets differ in
every wording and seed. The rules were written with `building`, then mended after each of the next three had been
measured once; `frozen` was written when they were done, and `families` before they were widened, in the manner of eight
families of models; `opened` and the five `batches` were held back until they had measured them. `withheld.json`, where
there is one, is a set that nobody looks at who writes rules.
`python -m tests.failures.injector SET` prints precision and recall by kind.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mmgames.agents.base import Agent
from mmgames.core.turn import Turn
from mmgames.games.hanabi.words import COLOURS as FIREWORKS
from mmgames.puzzles.color_puzzle.manual import COLOURS as SQUARES
from mmgames.puzzles.led_puzzle.manual import COLOURS as LIGHTS
from mmgames.puzzles.led_puzzle.manual import PLACES as FOUR
from mmgames.puzzles.maze_puzzle.manual import COLOURS as SPHERES
from mmgames.puzzles.who_puzzle.manual import PLACES as SIX
from mmgames.puzzles.wire_puzzle.manual import COLOURS as WIRES
from mmgames.running.matches import match
from mmgames.suites import failures

WORDINGS = json.loads(Path(__file__).with_name("wordings.json").read_text("utf-8"))
SEEDS = {"building": 100, "held_back": 900, "fresh": 500, "last": 700, "frozen": 300, "families": 1300, "opened": 1100}
BATCHES = [json.loads(path.read_text("utf-8")) for path in sorted(Path(__file__).parent.glob("batch_*.json"))]
WORDINGS["batches"] = {kind: [wording for batch in BATCHES for wording in batch[kind]] for kind in BATCHES[0]}
SEEDS["batches"] = 1700
WITHHELD = Path(__file__).with_name("withheld.json")
if WITHHELD.exists():
    withheld = json.loads(WITHHELD.read_text("utf-8"))
    WORDINGS["withheld"], SEEDS["withheld"] = withheld.get("withheld", withheld), 1500
REPEATED = {
    "building": "Which one should it be, please tell me.",
    "held_back": "Tell me what to do NOW!",
    "frozen": "Could you please provide more information about the next step?",
    "last": "Any news? What is the right one?",
    "fresh": "I still do not know. Help me with this one!",
    "families": "I'm waiting for your instructions.",
    "opened": "Please say it once more.",
    "batches": "Would you repeat the last step for me?",
    "withheld": "Please say that again.",
}
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
FALSE, IGNORED, LOOP, ROLE, PLAN, NARROW = (
    "false statement",
    "ignored the partner",
    "repetition loop",
    "role confusion",
    "plan with an illegal move",
    "low diversity of moves",
)
BOARDS = ("TicTacToe", "Gomoku", "Reversi", "Chess", "Breakthrough", "Sudoku")
PANELS = ("Wire", "Who", "Led", "Memory", "Color", "Password", "Maze")
Label = tuple[int, str, str]


class Injected(NamedTuple):
    """An episode's record, and the faults in it: step, seat and kind. Of kinds not `judged` there may be more."""

    record: dict[str, Any]
    faults: set[Label]
    judged: tuple[str, ...] = (FALSE, IGNORED, LOOP, ROLE, PLAN, NARROW)


class Thing(NamedTuple):
    """What a sentence can be about: the wordings that suit, what they are filled with, and how else they could be."""

    wordings: str
    right: Mapping[str, Any]
    wrong: Mapping[str, Any]
    no_statement: str


class Speaker(Agent):
    """Says what a function makes of its turn."""

    def __init__(self, say: Callable[[Turn], str]) -> None:
        self.say = say

    def act(self, turn: Turn) -> str:
        return self.say(turn)


def episodes(half: str, times: int = 1) -> Iterator[Injected]:
    """All of one part, always the same; `times` plays more of them."""
    for number, make in enumerate((statements, talks, sides, spies, loops, plans, narrow)):
        for again in range(times):
            yield from make(half, SEEDS[half] + 10 * again, np.random.default_rng([SEEDS[half], number, again]))


def play(id: str, says: Callable[[Turn], str], seed: int, on_illegal: str = "fail", **options: Any) -> dict[str, Any]:
    game = f"mmgames/{id}-v0"
    return dict(match(game, Speaker(says), 1, seed, on_illegal=on_illegal, **options).episodes[0])


def step_of(counter: dict[str, int]) -> int:
    """The number of this step."""
    counter["n"] = counter.get("n", -1) + 1
    return counter["n"]


def one(rng: np.random.Generator, items: Any) -> Any:
    return items[int(rng.integers(len(items)))]


def answer(turn: Turn, rng: np.random.Generator) -> str:
    names = list(turn.names.values())
    return json.dumps({"action": one(rng, names)})


def filled(wording: str, values: Mapping[str, Any]) -> str:
    capital = {name.capitalize(): str(value)[:1].upper() + str(value)[1:] for name, value in values.items()}
    return wording.format(**values, **capital)


# What can be said of what is seen


def statements(half: str, first: int, rng: np.random.Generator) -> Iterator[Injected]:
    for game in (*BOARDS, "KuhnPoker", "Hanabi", *(f"{name}Puzzle" for name in PANELS)):
        yield _stating(half, game, first, rng)


def _stating(half: str, game: str, seed: int, rng: np.random.Generator) -> Injected:
    faults: set[Label] = set()
    counter: dict[str, int] = {}
    words = WORDINGS[half]

    def say(turn: Turn) -> str:
        step = step_of(counter)
        if game.endswith("Puzzle") and turn.role == "expert":
            return f"Thank you for message {step}."
        things = list(_things(game, turn, half))
        parts = []
        wrong = False
        for _ in range(2 if step < 12 else 0):
            thing = one(rng, things)
            drawn = rng.random()
            if drawn < 0.4:
                parts.append(filled(one(rng, words[thing.wordings]), thing.right))
            elif drawn < 0.7:
                parts.append(filled(one(rng, words[thing.wordings]), thing.wrong))
                wrong = True
            elif thing.no_statement:
                parts.append(filled(one(rng, words[thing.no_statement]), thing.wrong))
        if wrong:
            faults.add((step, turn.role, FALSE))
        said = "\n".join(parts) or f"Turn {step}."
        return said if game.endswith("Puzzle") else f"{said}\n{answer(turn, rng)}"

    record = play(game, say, seed, max_steps=12)
    return Injected(record, faults)


def _things(game: str, turn: Turn, half: str) -> Iterator[Thing]:
    view, other = turn.view, half != "building"
    if game in BOARDS:
        yield from _cells(turn)
    elif game == "KuhnPoker":
        cards = ("Jack", "Queen", "King")
        own = view.cards[view.seat]
        yield Thing("own card", {"card": cards[own]}, {"card": cards[own - 1]}, "own card, no statement")
    elif game == "Hanabi":
        seat = 1 - view.seat
        for slot, card in enumerate(view.hand(seat)):
            right, wrong = (f"{FIREWORKS[colour]} {card.rank + 1}" for colour in (card.colour, card.colour - 1))
            at = {"seat": seat, "slot": slot}
            yield Thing("other card", {**at, "card": right}, {**at, "card": wrong}, "other card, no statement")
        yield count("hint tokens", view.hints)
        yield count("lives", view.lives)
    elif view.device is not None:
        yield from _parts(game.removesuffix("Puzzle"), view.device, other)


def _cells(turn: Turn) -> Iterator[Thing]:
    package = turn.game.spec.package
    words, rules = (importlib.import_module(f"{package}.{name}") for name in ("words", "rules"))
    flat = [code for row in rules.cells(turn.view) for code in row]
    places = words.PLACES
    for at, code in enumerate(flat):
        other = [c for c in words.CODES if c != code][at % (len(words.CODES) - 1)]
        right, wrong = (_content(words.CODES[c], places[at]) for c in (code, other))
        yield Thing("place", right, wrong, "place, no statement")
    for code in list(words.CODES)[1:3]:
        thing = words.CODES[code].split(maxsplit=1)[1]
        if thing not in ("X", "O") and "digit" not in thing:
            yield count(f"{thing}s", flat.count(code))


def _content(name: str, place: str) -> dict[str, str]:
    return {"place": place, "a_value": name, "value": name.split(maxsplit=1)[1]}


def count(things: str, number: int) -> Thing:
    wrong = number + 2
    right = {"n": number, "word": NUMBERS[number] if number < len(NUMBERS) else number, "things": things}
    false = {"n": wrong, "word": NUMBERS[wrong] if wrong < len(NUMBERS) else wrong, "things": things}
    return Thing("count", right, false, "count, no statement")


def _parts(game: str, device: Any, other: bool) -> Iterator[Thing]:
    if game == "Wire":
        for n, colour in enumerate(device.wires, 1):
            called = (f"wire number {n}", f"the {ORDINALS[n - 1]} wire from the top")[n % 2] if other else \
                (f"wire {n}", f"the {ORDINALS[n - 1]} wire")[n % 2]  # fmt: skip
            yield part("look", called, colour, WIRES)
        yield count("wires", len(device.wires))
    elif game in ("Who", "Led"):
        places, labels = (SIX, device.labels) if game == "Who" else (FOUR, device.letters)
        for place, label in zip(places, labels, strict=True):
            plain = place.replace("_", "-" if other else " ")
            yield part("label", f"the {plain} button", label, [one for one in labels if one != label] or ["Z"])
        if game == "Led" and device.done < len(device.lights):
            light = "the light of this stage" if other else "the present light"
            yield part("look", light, device.lights[device.done], LIGHTS)
    elif game == "Memory" and device.done < 5:
        yield part("label", "the display", str(device.display), "1234")
        for n, label in enumerate(device.labels):
            yield part("label", f"the {ORDINALS[n]} button{' from the left' * other}", str(label), "1234")
    elif game == "Color":
        for at, colour in enumerate(device.squares):
            row, column = divmod(at, 4)
            called = f"the square in row {row} and column {column}" if other else f"row {row}, column {column}"
            yield part("look", called, colour, SQUARES)
        for colour in SQUARES:
            yield count(f"{colour} squares", device.squares.count(colour))
    elif game == "Password":
        for n, letter in enumerate(device.letters.upper()):
            yield part("label", f"wheel number {n + 1}" if other else f"wheel {n + 1}", letter, "KQX")
    elif game == "Maze":
        yield part("look", "the torus", device.torus, SPHERES)


def part(wordings: str, called: str, value: str, values: Any) -> Thing:
    wrong = next(one for one in values if one != value)
    return Thing(wordings, {"part": called, "value": value}, {"part": called, "value": wrong}, "part, no statement")


# Who speaks to whom, and does what


def order_of(name: str) -> str:
    """An action as people say it: press the top left button."""
    words = name.replace("_", " ")
    return words.replace("press ", "press the ", 1) if words.endswith("button") else words


def talks(half: str, first: int, rng: np.random.Generator) -> Iterator[Injected]:
    for game in ("Wire", "Who", "Led", "Keypad", "Maze", "Telehealth"):
        for seed in range(2):
            yield _talking(half, f"{game}Puzzle", first + seed, rng)


def _talking(half: str, game: str, seed: int, rng: np.random.Generator) -> Injected:
    words, faults, counter = WORDINGS[half], set[Label](), dict[str, int]()
    memory: dict[str, Any] = {"names": [], "advised": None}

    def expert(step: int) -> str:
        memory["advised"] = None
        first, second = (memory["names"][i] for i in rng.permutation(len(memory["names"]))[:2])
        values = {"order": order_of(first), "other": order_of(second), "name": first}
        drawn = rng.random()
        if drawn < 0.5:
            memory["advised"] = first
            return filled(one(rng, words["advice"]), values)
        if drawn < 0.7:
            return filled(one(rng, words["no advice"]), values)
        if drawn < 0.85:
            faults.add((step, "expert", ROLE))
            return filled(one(rng, words["expert as solver"]), values)
        return filled(one(rng, words["expert as itself"]), values)

    def say(turn: Turn) -> str:
        step = step_of(counter)
        if turn.role == "expert":
            return expert(step)
        memory["names"] = list(turn.names)
        parts = [f"This is message {step}."]
        drawn = rng.random()
        if drawn < 0.3:
            faults.add((step, "solver", ROLE))
            parts.append(one(rng, words["solver as expert"]))
        elif drawn < 0.6:
            parts.append(one(rng, words["solver as itself"]))
        if rng.random() < 0.7:
            others = [name for name in memory["names"] if name != memory["advised"]]
            obeys = rng.random() < 0.5
            done = memory["advised"] if obeys and memory["advised"] else one(rng, others)
            parts.append(f"\n{done}")
            if memory["advised"] not in (None, done):
                faults.add((step, "solver", IGNORED))
        return " ".join(parts)

    return Injected(play(game, say, seed, mistakes=9), faults)


def sides(half: str, first: int, rng: np.random.Generator) -> Iterator[Injected]:
    for game in ("TicTacToe", "Chess", "Gomoku", "Reversi"):
        yield _siding(half, game, first, rng)


def _siding(half: str, game: str, seed: int, rng: np.random.Generator) -> Injected:
    faults, counter = set[Label](), dict[str, int]()

    def say(turn: Turn) -> str:
        step = step_of(counter)
        own, other = (turn.game.seats[seat].upper() if game == "TicTacToe" else turn.game.seats[seat]
                      for seat in (turn.seat, 1 - turn.seat))  # fmt: skip
        mixed = rng.random() < 0.4
        if mixed:
            faults.add((step, turn.role, ROLE))
        said = filled(one(rng, WORDINGS[half]["other side" if mixed else "own side"]), {"own": own, "other": other})
        return f"{said} This is turn {step}.\n{answer(turn, rng)}"

    return Injected(play(game, say, seed, max_steps=8), faults)


def spies(half: str, first: int, rng: np.random.Generator) -> Iterator[Injected]:
    for seed in range(2):
        faults, counter = set[Label](), dict[str, int]()

        def say(turn: Turn, faults: set[Label] = faults, counter: dict[str, int] = counter) -> str:
            if turn.view.stage == "vote":
                return "N/A"
            step = step_of(counter)
            blurts = turn.view.role == "spy" or rng.random() < 0.2
            if blurts:
                faults.add((step, turn.role, ROLE))
            return one(rng, WORDINGS[half]["spy as spy" if blurts else "player as itself"])

        yield Injected(play("Spy", say, first + seed, pictures="clevr"), faults)


# What shows in moves


def loops(half: str, first: int, rng: np.random.Generator) -> Iterator[Injected]:
    """A talk in which the solver says or does the same over and over, three times or more; and one with only two."""
    for game in ("Wire", "Who", "Atm", "Password"):
        for times in (2, 3, 5):
            faults, counter = set[Label](), dict[str, int]()
            acts = rng.random() < 0.5
            begin = int(rng.integers(3))

            def say(
                turn: Turn, times: int = times, acts: bool = acts, begin: int = begin, game: str = game,
                faults: set[Label] = faults, counter: dict[str, int] = counter,
            ) -> str:  # fmt: skip
                step = step_of(counter)
                if turn.role == "expert":
                    return f"I am thinking about message {step}."
                mine = step // 2
                if not begin <= mine < begin + times:
                    return f"Something new, number {mine}."
                if mine >= begin + 2:
                    faults.add((step, "solver", LOOP))
                if acts and game == "Atm":
                    return "press_up_arrow"
                return REPEATED[half]

            yield Injected(play(f"{game}Puzzle", say, first + times), faults)


def plans(half: str, first: int, rng: np.random.Generator) -> Iterator[Injected]:
    for game, impossible in (("TicTacToe", "D4"), ("Gomoku", "Z9"), ("Reversi", "A1"), ("Chess", "a1a8")):
        for seed in range(1):
            faults, counter = set[Label](), dict[str, int]()
            last = {"move": impossible, "step": -1}

            def say(
                turn: Turn, faults: set[Label] = faults, counter: dict[str, int] = counter,
                last: dict[str, Any] = last, impossible: str = impossible,
            ) -> str:  # fmt: skip
                again = turn.refused is not None
                step = counter["n"] if again else step_of(counter)
                plan = one(rng, WORDINGS[half]["plan"])
                drawn = 1.0 if again else rng.random()
                if drawn < 0.3:
                    faults.add((step, turn.role, PLAN))
                    return f'{plan}\n{{"action": "{impossible}"}}'
                if drawn < 0.5:
                    return f'{{"action": "{impossible}"}}'
                if drawn < 0.6:
                    return plan
                return f"{plan} Turn {step}.\n{answer(turn, rng)}"

            yield Injected(play(game, say, first + seed, "retry", max_steps=9), faults)


def narrow(half: str, first: int, rng: np.random.Generator) -> Iterator[Injected]:
    """Somebody who always does the same where there are several things to do, and somebody who does not."""
    for game, same in (("CoinDilemma", True), ("CoinDilemma", False), ("MonsterHunt", True), ("MonsterHunt", False)):
        for seed in range(1):
            faults: set[Label] = set()
            favourite: dict[str, str] = {}

            def say(turn: Turn, same: bool = same, favourite: dict[str, str] = favourite) -> str:
                names = list(turn.names.values())
                favourite.setdefault(turn.role, one(rng, names))
                stays = same and favourite[turn.role] in names and rng.random() < 0.95
                return json.dumps({"action": favourite[turn.role] if stays else one(rng, names)})

            record = play(game, say, first + seed, max_steps=40)
            if same:
                faults |= {(len(record["actions"]) - 1, seat, NARROW) for seat in favourite}
            yield Injected(record, faults, (NARROW,))  # who always does the same is in a loop, too


def judged(half: str, times: int = 1) -> dict[str, Counter[str]]:
    """How many faults of each kind are found, missed, and named where there is none."""
    counts = {kind: Counter[str]() for kind in (FALSE, IGNORED, LOOP, ROLE, PLAN, NARROW)}
    for injected in episodes(half, times):
        found = {(one.step, one.seat, one.kind) for one in failures.found(injected.record)}
        found = {label for label in found if label[2] in injected.judged}
        for name, labels in (("hits", found & injected.faults), ("misses", injected.faults - found),
                             ("alarms", found - injected.faults)):  # fmt: skip
            for _, _, kind in labels:
                counts[kind][name] += 1
    return counts


def shares(count: Counter[str]) -> tuple[float, float]:
    """Precision and recall."""
    hits = max(count["hits"], 1e-9)
    return hits / (hits + count["alarms"]), hits / (hits + count["misses"])


def main() -> None:
    counts = judged(sys.argv[1], times=5)
    for kind, count in (counts | {"all": sum(counts.values(), Counter[str]())}).items():
        precision, recall = shares(count)
        print(f"{kind:28} precision {precision:.3f}  recall {recall:.3f}  {dict(count)}")


if __name__ == "__main__":
    main()
