"""Ask tasks: questions with options about boards. The answers are worked out again here, from the words alone."""

import re
from collections import Counter
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames import tasks
from mmgames.suites.floors import blind
from mmgames.tasks.ask import LETTERS, options
from mmgames.tasks.game_templates import TEMPLATES
from mmgames.tasks.positions import BOARDS
from mmgames.tasks.templates import number
from tests.refusing import refused

TASKS = [spec.id for spec in tasks.specs.values() if spec.kind == "ask"]
TTT, CHESS, COOK = "mmgames/TicTacToe-Ask-v0", "mmgames/Chess-Ask-v0", "mmgames/Overcooked-Ask-v0"
KITCHENS = BOARDS["mmgames/Overcooked-v0"].bands

Spot = tuple[int, int]
CHESS_WORDS = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}


def make(id: str, **options: Any) -> Any:
    return gymnasium.make(id, disable_env_checker=True, **{"size": 64, "shots": 0, **options}).unwrapped


def rows_of(text: str, lettered: bool) -> list[tuple[str, list[str]]]:
    label = r"[A-P]" if lettered else r"\d{1,2}"
    found = []
    for line in text.splitlines():
        match = re.fullmatch(rf"({label}) ((?:\S(?: |$)|\| )+)", " ".join(line.split()))
        if match:
            found.append((match.group(1), [sign for sign in match.group(2).split() if sign != "|"]))
    return found


class Drawing:
    def __init__(self, text: str, game: str) -> None:
        self.game = game
        lettered = game in ("TicTacToe", "Reversi", "Sudoku", "Minesweeper", "Gomoku")
        rows = rows_of(text, lettered)
        side = len(rows)
        assert side in (3, 8, 9, 15) and all(len(signs) == side for _, signs in rows)
        columns = [str(i + 1) for i in range(side)]
        if not lettered:
            columns = list("abcdefgh")
        self.at, self.lines = {}, {}
        for y, (label, signs) in enumerate(rows):
            for x, sign in enumerate(signs):
                name = f"{label}{columns[x]}" if lettered else f"{columns[x]}{label}"
                self.at[name] = (y, x, sign)
                for kind in (f"row {label}", f"rank {label}"):
                    self.lines.setdefault(kind, []).append(sign)
                for kind in (f"column {columns[x]}", f"file {columns[x]}"):
                    self.lines.setdefault(kind, []).append(sign)
        self.grid = [signs for _, signs in rows]
        self.side = side
        self.all = [sign for signs in self.grid for sign in signs]
        self.empty = "#" if game == "Minesweeper" else "."

    def word(self, sign: str) -> str:
        if sign == ".":
            named = {"Chess": "square", "Breakthrough": "square", "Gomoku": "point"}
            return f"an empty {named.get(self.game, 'cell')}"
        if self.game == "TicTacToe":
            return f"an {sign}"
        if self.game == "Sudoku":
            return f"the digit {sign}"
        if self.game == "Chess":
            return f"a {'white' if sign.isupper() else 'black'} {CHESS_WORDS[sign.upper()]}"
        if self.game == "Minesweeper":
            special = {"#": "a closed cell", "*": "a shown mine", "0": "an open cell with no mine beside it"}
            return special.get(sign, f"an open cell with the number {sign}")
        piece = {"Reversi": "disc", "Gomoku": "stone", "Breakthrough": "piece"}[self.game]
        return f"a {'black' if sign == 'b' else 'white'} {piece}"

    def full(self, signs: list[str]) -> int:
        return sum(sign != self.empty for sign in signs)

    def around(self, place: str) -> list[str]:
        y, x, _ = self.at[place]
        return [s for b, a, s in self.at.values() if max(abs(a - x), abs(b - y)) == 1]

    def edge(self) -> list[str]:
        return [s for y, x, s in self.at.values() if {y, x} & {0, self.side - 1}]

    def stretches(self, sign: str, ways: tuple[Spot, ...] = ((0, 1), (1, 0), (1, 1), (1, -1))) -> int:
        """The longest line of a sign."""
        best = 0
        for y, x, _ in self.at.values():
            for down, right in ways:
                length, b, a = 0, y, x
                while 0 <= b < self.side and 0 <= a < self.side and self.grid[b][a] == sign:
                    length, b, a = length + 1, b + down, a + right
                best = max(best, length)
        return best

    def colour(self, sign: str) -> str:
        if self.game == "Chess":
            return "it is empty" if sign == "." else "white" if sign.isupper() else "black"
        return {"b": "black", "w": "white"}.get(sign, "")

    def box(self, name: str) -> list[str]:
        down, across = ("middle", "middle") if name == "central" else name.split()
        top, left = 3 * ["top", "middle", "bottom"].index(down), 3 * ["left", "middle", "right"].index(across)
        return [self.grid[top + i][left + j] for i in range(3) for j in range(3)]

    def part(self, name: str) -> list[str]:
        match = re.fullmatch(r"the (.+) box", name)
        return self.box(match.group(1)) if match else self.lines[name]


def right_letter(text: str, seen: Any, solutions: list[tuple[str, Any]]) -> str:
    """The letter of the only option that is right, worked out from what is seen."""
    asked = re.search(r"^(.+\?)$", text, re.M)
    assert asked is not None
    found = [(re.fullmatch(pattern, asked[1]), answer) for pattern, answer in solutions]
    answer = next(str(answer(seen, *match.groups())) for match, answer in found if match)
    right = [letter for letter, option in re.findall(r"^([A-D])\. (.+)$", text, re.M) if option == answer]
    assert len(right) == 1, (text, answer)
    return right[0]


def compare(first: int, second: int, names: tuple[str, str, str]) -> str:
    return names[2] if first == second else names[0] if first > second else names[1]


def halves(board: Drawing, first: str, second: str) -> str:
    place = 0 if first == "upper" else 1
    empty = [0, 0]
    for cell in board.at.values():
        empty[cell[place] >= board.side // 2] += cell[2] == "."
    return compare(*empty, (f"the {first} half", f"the {second} half", "both have as many"))


def more_kinds(board: Drawing, first: str, second: str) -> str:
    counts = [sum(f"{CHESS_WORDS.get(s.upper(), '')}s" == kind for s in board.all) for kind in (first, second)]
    return compare(counts[0], counts[1], (f"more {first}", f"more {second}", "as many of both"))


def most(board: Drawing, what: str) -> str:
    rows = {name: signs for name, signs in board.lines.items() if name.startswith(board.row_word)}  # type: ignore[attr-defined]
    return max(rows, key=lambda name: sum(board.word(sign) == what for sign in rows[name]))


def who(board: Drawing) -> str:
    won = [mark for mark in "XO" if board.stretches(mark) == 3]
    return "both" if len(won) == 2 else won[0] if won else "nobody"


RED_BLUE = {"red": "X", "blue": "O"}
CELL = r"(?:cell|square|point)s"
SOLUTIONS: list[tuple[str, Any]] = [
    (r"What (?:is on|does) (\w+?)(?: show)?\?", lambda b, p: b.word(b.at[p][2])),
    (rf"On how many {CELL} of the board is there (.+)\?", lambda b, w: sum(b.word(s) == w for s in b.all)),
    (rf"How many {CELL} of the board are empty\?", lambda b: b.all.count(".")),
    (rf"On how many {CELL} of (.+) is there (.+)\?", lambda b, n, w: sum(b.word(s) == w for s in b.lines[n])),
    (rf"How many {CELL} of (.+) are not empty\?", lambda b, n: b.full(b.lines[n])),
    (rf"How many of the {CELL} along the edge of the board are not empty\?", lambda b: b.full(b.edge())),
    (rf"How many of the {CELL} around (\w+), also diagonally, are not empty\?", lambda b, p: b.full(b.around(p))),
    (r"How many of the cells around (\w+), also diagonally, show a mine\?", lambda b, p: b.around(p).count("*")),
    (
        r"Are there more black or more white (?:discs|pieces) on the board\?",
        lambda b: compare(
            *(sum(b.colour(s) == c for s in b.all) for c in ("black", "white")),
            ("more black", "more white", "as many of both"),
        ),
    ),
    (r"Who has three marks in a row, column or diagonal\?", who),
    (r"How many (red|blue) marks are on the board\?", lambda b, c: b.all.count(RED_BLUE[c])),
    (r"How many (red|blue) marks are in (.+)\?", lambda b, c, n: b.lines[n].count(RED_BLUE[c])),
    (rf"Which row has (.+) on the most {CELL}\?", most),
    (
        r"Do five stones of one colour stand next to each other in a row, column or diagonal\?",
        lambda b: "yes" if max(map(b.stretches, "bw")) >= 5 else "no",
    ),
    (r"How many (black|white) stones stand next to each other on any diagonal, at the most\?",
     lambda b, c: b.stretches(c[0], ((1, 1), (1, -1)))),
    (r"How many (black|white) stones stand next to each other in (.+), at the most\?",
     lambda b, c, n: max(map(len, re.findall(f"{c[0]}*", "".join(b.lines[n]))))),
    (r"How many (black|white) stones are along the edge of the board\?", lambda b, c: b.edge().count(c[0])),
    (r"How many (black|white) discs are there in all\?", lambda b, c: b.all.count(c[0])),
    (rf"How many {CELL} of (row .+|column .+) are empty\?", lambda b, n: b.lines[n].count(".")),
    (r"How often does the digit (\d) stand in (.+)\?", lambda b, d, n: b.part(n).count(d)),
    (r"How many cells of (the .+ box) are empty\?", lambda b, n: b.part(n).count(".")),
    (r"What is the sum of the digits in (.+)\?", lambda b, n: sum(int(s) for s in b.part(n) if s != ".")),
    (r"Does (.+) contain the digit (\d)\?", lambda b, n, d: "yes" if d in b.lines[n] else "no"),
    (r"How many mines are shown\?", lambda b: b.all.count("*")),
    (r"How many cells are shown, mines too\?", lambda b: b.full(b.all)),
    (r"How many cells of (.+) are shown, mines too\?", lambda b, n: b.full(b.lines[n])),
    (r"Does (\w+) show a mine\?", lambda b, p: "yes" if b.at[p][2] == "*" else "no"),
    (r"Which colour has the piece on (\w+)\?", lambda b, p: b.colour(b.at[p][2])),
    (r"Counting both colours, are there more (\w+) or more (\w+)\?", more_kinds),
    (r"Which half of the board has more empty squares, (\w+) or (\w+)\?", halves),
]  # fmt: skip


# CoinDilemma's words do not draw the grid, and Overcooked's draw the bare kitchen, which is solved below.
@pytest.mark.parametrize("balanced", [False, True])
@pytest.mark.parametrize("id", [id for id in TASKS if not ("CoinDilemma" in id or "Overcooked" in id)])
def test_the_answer_is_what_the_drawn_board_says(id: str, balanced: bool) -> None:
    env = make(id, observe="text", balanced=balanced)
    game = tasks.find(id).game.partition("/")[2].removesuffix("-v0")
    kinds = set()
    for seed in range(150):
        observation, _ = env.reset(seed=seed)
        kinds.add(env.question.facts["template"])
        board = Drawing(observation["text"], game)
        board.row_word = "row" if game in ("Reversi", "Gomoku") else "rank"  # type: ignore[attr-defined]
        assert env.step(right_letter(observation["text"], board, SOLUTIONS))[1] == 1.0
    assert len(kinds) == len(TEMPLATES[tasks.find(id).game])


class Kitchen:
    """What the words say: the map, the chefs, the pots and what lies about."""

    def __init__(self, text: str) -> None:
        terrain = {".": "a free floor tile", "X": "an empty counter", "O": "a crate of onions",
                   "D": "a stack of dishes", "P": "an empty pot", "S": "a serving hatch"}  # fmt: skip
        lines = re.findall(r"^  ([.XODPS]+)$", text, re.M)
        self.at = {(x, y): terrain[sign] for y, line in enumerate(lines) for x, sign in enumerate(line)}
        self.onions: dict[Spot, int] = {}
        for x, y, inside in re.findall(r"^pot \((\d), (\d)\): (.+)$", text, re.M):
            count = self.onions[int(x), int(y)] = int(inside[0]) if inside[0].isdigit() else 0
            if "not started" in inside:
                self.at[int(x), int(y)] = f"a pot with {count} raw onion{'s' * (count > 1)}"
            elif count:
                self.at[int(x), int(y)] = "a pot whose soup is done" if "done" in inside else "a pot that is cooking"
        self.loose = []
        listed = re.search(r"^on counters: (.+)$", text, re.M)
        assert listed is not None
        for thing, x, y in re.findall(r"(an? [a-z ]+) at \((\d), (\d)\)", listed[1]):
            self.at[int(x), int(y)] = f"{thing} on a counter"
            self.loose.append(thing)
        self.chefs: dict[str, tuple[Spot, str, str]] = {}
        told = r"^(chef_\d)(?: \(you\))?: at \((\d), (\d)\), faces (\w+), holds (.+)$"
        for (who, x, y, way, held), hat in zip(re.findall(told, text, re.M), ("blue", "green"), strict=True):
            name = f"{who} ({hat} hat)"
            self.at[int(x), int(y)] = name
            self.chefs[name] = (int(x), int(y)), way, held
            self.loose.append(held)

    def line(self, name: str, value: str) -> list[str]:
        return [what for spot, what in self.at.items() if spot["xy".index(name)] == int(value)]

    def before(self, chef: str) -> str:
        (x, y), way, _ = self.chefs[chef]
        return self.at[x + {"left": -1, "right": 1}.get(way, 0), y + {"up": -1, "down": 1}.get(way, 0)]

    def floor_around(self, chef: str) -> int:
        (x, y), *_ = self.chefs[chef]
        near = [what for (a, b), what in self.at.items() if max(abs(a - x), abs(b - y)) == 1]
        return near.count("a free floor tile")


LINE = r"are in the (?:row|column) ([xy]) = (\d)\?"
ABOUT_KITCHENS: list[tuple[str, Any]] = [
    (r"What is on \((\d), (\d)\)\?", lambda k, x, y: k.at[int(x), int(y)]),
    (rf"How many free floor tiles {LINE}", lambda k, n, v: k.line(n, v).count("a free floor tile")),
    (rf"How many empty counters {LINE}", lambda k, n, v: k.line(n, v).count("an empty counter")),
    (rf"How many counters, empty or not, {LINE}", lambda k, n, v: sum("counter" in what for what in k.line(n, v))),
    (r"How many onions lie on counters or are held by a chef\?", lambda k: k.loose.count("an onion")),
    (r"How many empty dishes lie on counters or are held by a chef\?", lambda k: k.loose.count("an empty dish")),
    (r"How many dishes of soup lie on counters or are held by a chef\?", lambda k: k.loose.count("a dish of soup")),
    (r"How many of the tiles around (.+), also diagonally, are free floor\?", Kitchen.floor_around),
    (r"How many onions are in the pot on \((\d), (\d)\)\?", lambda k, x, y: k.onions[int(x), int(y)]),
    (r"What does (.+) hold\?", lambda k, chef: k.chefs[chef][2]),
    (r"Which way does (.+) face\?", lambda k, chef: k.chefs[chef][1]),
    (r"What is on the tile that (.+) faces\?", Kitchen.before),
]


@pytest.mark.parametrize("layout", KITCHENS)
def test_the_answer_is_what_the_words_say_of_the_kitchen(layout: str) -> None:
    env = make(COOK, observe="text", band=layout)
    kinds = set()
    for seed in range(200):
        text = env.reset(seed=seed)[0]["text"]
        kinds.add(env.question.facts["template"])
        assert f"The kitchen ({layout})" in text
        assert env.step(right_letter(text, Kitchen(text), ABOUT_KITCHENS))[1] == 1.0
    assert len(kinds) == len(TEMPLATES["mmgames/Overcooked-v0"])


def test_every_game_with_a_board_has_its_task() -> None:
    assert [f"{game.removesuffix('-v0')}-Ask-v0" for game in BOARDS if game in mmgames.specs] == TASKS
    assert {TTT, CHESS, "mmgames/Breakthrough-Ask-v0", "mmgames/CoinDilemma-Ask-v0", COOK} <= set(TASKS)
    for answer in range(30):
        counted, summed = number("?", answer, 30), number("?", answer, near=5)
        assert str(answer) not in counted.wrong and str(answer) not in summed.wrong
        assert all(0 < abs(int(wrong) - answer) <= 3 and 0 <= int(wrong) <= 30 for wrong in counted.wrong)
        assert all(0 < abs(int(wrong) - answer) <= 5 and int(wrong) >= 0 for wrong in summed.wrong)
        assert len(options(counted, np.random.default_rng(answer))) == len(LETTERS)


@pytest.mark.parametrize("id", TASKS)
def test_options_differ_the_right_one_is_anywhere_and_to_name_what_is_frequent_gains_little(id: str) -> None:
    env = make(id, observe="text")
    places: dict[int, Counter[int]] = {}
    answers: Counter[str] = Counter()
    for seed in range(400):
        env.reset(seed=seed)
        shown, right = env.question.facts["options"], env.question.answer
        assert 2 <= len(shown) <= 4 and len(set(shown)) == len(shown)
        places.setdefault(len(shown), Counter())[right] += 1
        answers[shown[right]] += env.question.facts["template"] in ("what_is_at", "shown_at")
    if any(game in id for game in ("Chess", "Minesweeper", "Sudoku", "CoinDilemma", "Overcooked")):
        assert answers.total() > 24 and answers.most_common(1)[0][1] < 0.4 * answers.total()
    for many, counts in places.items():
        total = counts.total()
        spread = (total / many * (1 - 1 / many)) ** 0.5
        assert all(abs(counts[place] - total / many) < 4.5 * spread + 1 for place in range(many))


def test_what_stands_beside_a_question() -> None:
    env = make(CHESS, shots=3)
    observation, _ = env.reset(seed=4)
    assert observation["rgb"].shape == (4, 64, 64, 3)
    assert len({picture.tobytes() for picture in observation["rgb"]}) == 4
    assert [observation["text"].count(f"## Example {i}") for i in (1, 2, 3, 4)] == [1, 1, 1, 0]
    assert len(re.findall(r'^\{"answer": "[A-D]"\}$', observation["text"], re.M)) == 3
    assert observation["text"].rindex("## Question") > observation["text"].rindex("## Example 3")
    refused(lambda: make(TTT, balanced=1), "balanced")
    for shots in (-1, 4, 1.5, True):
        refused(partial(gymnasium.make, CHESS, shots=shots), "0 to 3 examples")
    told = "A tile is written (x, y), (0, 0) is the top left one, x grows to the right and y downwards."
    assert make(COOK).reset(seed=0)[0]["text"].count(told) == 1
    assert make(COOK, shots=2).reset(seed=0)[0]["text"].count(told) == 1
    alone = make(COOK, observe="text").reset(seed=0)[0]["text"]
    assert told not in alone and told[1:] in alone  # the map says it
    assert "## Coordinates" not in make(CHESS).reset(seed=0)[0]["text"]
    for id, telling in (("Sudoku", "Empty cells"), ("Minesweeper", "closed cells"), ("Gomoku", "Move ")):
        env = make(f"mmgames/{id}-Ask-v0", observe="text")
        for seed in range(10):
            board = env.reset(seed=seed)[0]["text"].partition("## Question")[2].partition("?")[0]
            assert telling not in board.rsplit("\n", 1)[0]
    assert "X is drawn in red, O in blue." in make("mmgames/TicTacToe-Ask-v0", observe="text").reset(seed=0)[0]["text"]
    assert "in red" not in make("mmgames/TicTacToe-Ask-v0").reset(seed=0)[0]["text"]


@pytest.mark.parametrize("game", ["TicTacToe", "Reversi", "Sudoku", "Minesweeper", "Gomoku", "Chess", "Overcooked"])
def test_who_does_not_look_at_balanced_questions_gets_what_chance_gives(game: str) -> None:
    found = blind.measure(f"mmgames/{game}-Ask-v0", episodes=160, fitted=160, balanced=True)
    for way in (blind.ALWAYS, blind.WORDS):
        assert abs(found[way]["mean"] - found[blind.CHANCE]["mean"]) < 3 + 3 * found[way]["standard_error"]


def test_who_does_not_look_gets_far_more_of_the_papers_questions_and_is_measured_by_episodes() -> None:
    for game, least in (("TicTacToe", 60), ("Minesweeper", 45)):
        assert blind.measure(f"mmgames/{game}-Ask-v0", episodes=300, fitted=500)[blind.WORDS]["mean"] > least
    found = blind.measure("mmgames/KnightsArchersZombies-Predict-v0", episodes=6, fitted=6)[blind.ALWAYS]
    assert found["episodes"] == 6 and 12 < found["questions"] <= 24
    assert blind.measure("mmgames/TicTacToe-Ask-v0", episodes=20, fitted=20)[blind.ALWAYS]["questions"] == 20
