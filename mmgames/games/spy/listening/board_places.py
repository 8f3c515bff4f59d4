"""Where on a board words point to: cells by name, rows and columns, corners, edges, halves, the middle."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from mmgames.games.spy.listening.vocabulary import ORDINALS, number

Cell = tuple[int, int]
Cells = frozenset[Cell]
Names = Mapping[str, Cell]
_NTH = "|".join((*ORDINALS, "last"))
_HIGH, _LOW = "top|upper|uppermost|topmost|highest", "bottom|lower|lowest|bottommost"
_MIDDLE = "middle|centre|center|central"
_SIDES = rf"{_HIGH}|{_LOW}|left|right|leftmost|rightmost"


@lru_cache(maxsize=64)
def names_of(game: str, high: int, wide: int) -> dict[str, Cell]:
    from mmgames.tasks.positions import board

    places = board(game).places(high, wide)
    return {places[row][column].lower(): (row, column) for row in range(high) for column in range(wide)}


_STEPS = {"left": (0, -1), "right": (0, 1), "above": (-1, 0), "below": (1, 0), "under": (1, 0), "beneath": (1, 0)}


class Map:
    """The named places of one board."""

    def __init__(self, game: str, high: int, wide: int) -> None:
        self.game, self.high, self.wide = game, high, wide
        self.names = names_of(game, high, wide)
        self.all: Cells = frozenset((row, column) for row in range(high) for column in range(wide))
        exact = "|".join(sorted((re.escape(name) for name in self.names), key=len, reverse=True))
        self.exact = re.compile(rf"(?<![\w'])({exact})(?!\w)")
        self.listing = re.compile(
            rf"(?<![\w'])(?:{exact})(?:(?:,? and|,? &|,) (?:at |on "
            rf")?(?:{exact})(?!\w))+(?! (?:is|are|holds|has)\b"
            rf"[^,]*[,;]? ?(?:and )?(?:{exact})(?!\w))"
        )
        self.beside = re.compile(
            rf"(?:\b(?:cell|square|point)|^)? ?\b(?:directly |immediately |just |right "
            rf")?(?:to the |on the )?"
            rf"(left|right|above|below|under|beneath)(?: of)? (?:the )?(?:({exact})(?!\w)|"
            rf"(?:{_MIDDLE})(?: cell| square| point)?\b)"
        )
        letters = self.names.get("a1", (0, 0))[0] == self.names.get("b1", (1, 1))[0]
        self.by_column = letters  # letters name columns, as in chess

    def find(self, said: str) -> tuple[Cells | None, str]:
        """The cells that a text speaks of, and the text without the words that say so."""
        parts: list[Cells] = []
        if (found := self.beside.search(said)) and re.match(r" ?(?:cell|square|point)\b|^", found[0]):
            base = self.names[found[2]] if found[2] else next(iter(self.centre()))
            if found[2] or len(self.centre()) == 1:
                down, across = _STEPS[found[1]]
                parts.append(frozenset({(base[0] + down, base[1] + across)}) & self.all)
                said = f"{said[: found.start()]} {said[found.end() :]}"
        named = [self.names[found] for found in self.exact.findall(said)]
        if named:
            parts.append(frozenset(named))
            said = self.exact.sub(" ", said)
        for pattern, make in _PLACES:
            if found := pattern.search(said):
                cells = make(self, found)
                if cells is not None:
                    parts.append(cells)
                    said = f"{said[: found.start()]} {said[found.end() :]}"
        if not parts:
            return None, said
        return frozenset.intersection(*parts), said

    def rows(self, *rows: int) -> Cells:
        return frozenset(cell for cell in self.all if cell[0] in [row % self.high for row in rows])

    def columns(self, *columns: int) -> Cells:
        return frozenset(cell for cell in self.all if cell[1] in [column % self.wide for column in columns])

    def side(self, word: str) -> Cells:
        """The row or column at an edge."""
        if re.fullmatch(_HIGH, word):
            return self.rows(0)
        if re.fullmatch(_LOW, word):
            return self.rows(-1)
        return self.columns(0) if word.startswith("left") else self.columns(-1)

    def half(self, word: str) -> Cells:
        edge = self.side(word)
        row = {cell[0] for cell in edge}
        first = (0, 0) in edge
        if len(row) == 1:
            return frozenset(c for c in self.all if (c[0] < self.high / 2 if first else c[0] >= self.high / 2))
        return frozenset(c for c in self.all if (c[1] < self.wide / 2 if first else c[1] >= self.wide / 2))

    def middle_row(self) -> Cells:
        return self.rows(self.high // 2) if self.high % 2 else self.rows(self.high // 2 - 1, self.high // 2)

    def middle_column(self) -> Cells:
        return self.columns(self.wide // 2) if self.wide % 2 else self.columns(self.wide // 2 - 1, self.wide // 2)

    def centre(self) -> Cells:
        return self.middle_row() & self.middle_column()

    def corners(self) -> Cells:
        return self.rows(0, -1) & self.columns(0, -1)

    def edges(self) -> Cells:
        return self.rows(0, -1) | self.columns(0, -1)

    def lettered(self, letter: str, word: str) -> Cells | None:
        """ "Row d", "column c", "the e file"."""
        place = self.names.get(f"{letter}1")
        if place is None:
            return None
        return self.columns(place[1]) if self.by_column else self.rows(place[0])

    def numbered(self, told: int, word: str) -> Cells | None:
        """ "Row 3", "column 2", "rank 7"."""
        place = self.names.get(f"a{told}")
        if word in ("row", "rank") and self.by_column and place is not None:
            return self.rows(place[0])
        limit = self.high if word in ("row", "rank") else self.wide
        if not 1 <= told <= limit:
            return None
        return self.rows(told - 1) if word in ("row", "rank") else self.columns(told - 1)

    def nth(self, word: str, line: str, origin: str | None) -> Cells | None:
        """ "The second row from the bottom", "the last rank"."""
        place = -1 if word == "last" else ORDINALS[word] - 1
        if line == "rank" and origin is None and self.by_column:
            return self.rows(-1 - place if place >= 0 else 0)
        if origin in ("bottom", "right"):
            place = -1 - place
        across = line in ("column", "file")
        if abs(place) >= (self.wide if across else self.high) + (place < 0):
            return None
        return self.columns(place) if across else self.rows(place)

    def several(self, which: str, count: str, line: str) -> Cells | None:
        """ "The top two rows"."""
        told = number(count) or 0
        first = which in ("left", "first") or bool(re.fullmatch(_HIGH, which))
        steps = range(told) if first else range(-told, 0)
        return self.columns(*steps) if line.startswith("col") else self.rows(*steps)

    def box(self, up: str | None, across: str | None) -> Cells | None:
        """One of the nine boxes of a Sudoku."""
        if self.high != 9 or self.wide != 9:
            return None
        row = 0 if up and re.fullmatch(_HIGH, up) else 2 if up and re.fullmatch(_LOW, up) else 1
        column = 0 if across == "left" else 2 if across == "right" else 1
        return self.rows(*range(3 * row, 3 * row + 3)) & self.columns(*range(3 * column, 3 * column + 3))

    def diagonal(self, word: str = "") -> Cells:
        """Both diagonals, or the one that falls to the right, or the other."""
        falls = frozenset(cell for cell in self.all if cell[0] == cell[1])
        rises = frozenset(cell for cell in self.all if cell[0] + cell[1] == self.wide - 1)
        return falls | rises if not word else falls if word == "falls" else rises

    def lines(self, word: str) -> list[Cells]:
        """All rows, columns or diagonals."""
        rows = [self.rows(row) for row in range(self.high)] if word in ("row", "line", "rank") else []
        columns = [self.columns(column) for column in range(self.wide)] if word in ("column", "line", "file") else []
        slanted = [self.diagonal("falls"), self.diagonal("rises")] if word in ("diagonal", "line") else []
        return [*rows, *columns, *slanted]


_Make = Callable[[Map, re.Match[str]], Cells | None]
_PLACES: tuple[tuple[re.Pattern[str], _Make], ...] = tuple(
    (re.compile(pattern), make)
    for pattern, make in (
        (rf"\b({_HIGH}|{_LOW}|{_MIDDLE})[ -](left|right|{_MIDDLE}) (?:box|block|3x3)\b",
         lambda m, f: m.box(f[1], f[2])),
        (rf"\b(?:{_MIDDLE}) (?:box|block|3x3)\b", lambda m, f: m.box(None, None)),
        (r"\b(?:row|column|file|col) ([a-o])\b", lambda m, f: m.lettered(f[1], f[0])),
        (r"\b([a-o])[- ](?:row|column|file)\b", lambda m, f: m.lettered(f[1], f[0])),
        (r"\b(row|column|rank) (\d+)\b", lambda m, f: m.numbered(int(f[2]), f[1])),
        (rf"\b(?:{_MIDDLE})(?: cell| square| field| point)?(?: of| in|,)? (?:the )?({_SIDES}) (?:row|edge|column|"
         rf"side)\b",
         lambda m, f: m.side(f[1]) & (m.middle_row() | m.middle_column())),
        (rf"\b({_SIDES}) (?:row|edge|column|side),? (?:in |at )?(?:the )?(?:{_MIDDLE})\b",
         lambda m, f: m.side(f[1]) & (m.middle_row() | m.middle_column())),
        (rf"\b({_SIDES}|first|last) (two|three|four) (rows|columns|ranks)\b", lambda m, f: m.several(f[1], f[2], f[3])),
        (rf"\b({_NTH}) (row|rank)(?: from (?:the )?(top|bottom))?\b", lambda m, f: m.nth(f[1], f[2], f[3])),
        (rf"\b({_NTH}) (column|file)(?: from (?:the )?(left|right))?\b", lambda m, f: m.nth(f[1], f[2], f[3])),
        (r"\bmain diagonal\b|\bdiagonal (?:running |going )?from (?:the )?(?:top|upper) left(?: corner)? to "
        r"(?:the )?(?:bottom|lower) right"
         r"(?: corner)?", lambda m, f: m.diagonal("falls")),
        (r"\b(?:anti-?|secondary |other )diagonal\b|\bdiagonal (?:running |going )?from (?:the )?(?:top|upper) "
        r"right(?: corner)? to "
         r"(?:the )?(?:bottom|lower) left(?: corner)?|\bdiagonal from (?:the )?bottom left(?: corner)? to "
         r"(?:the )?top right(?: corner)?",
         lambda m, f: m.diagonal("rises")),
        (rf"\b({_HIGH}|{_LOW})[ -]+(left|right)(?:[- ]hand)?\b(?:[- ]?most)?(?: corner| cell| square)?",
         lambda m, f: m.side(f[1]) & m.side(f[2])),
        (rf"\b(left|right)[ -]+({_HIGH}|{_LOW})\b(?: corner)?", lambda m, f: m.side(f[1]) & m.side(f[2])),
        (rf"\b({_HIGH}|{_LOW})[ -](?:{_MIDDLE})\b", lambda m, f: m.side(f[1]) & m.middle_column()),
        (rf"\b(?:{_MIDDLE})[ -](left|right)\b", lambda m, f: m.side(f[1]) & m.middle_row()),
        (rf"\b({_SIDES}) corners\b", lambda m, f: m.side(f[1]) & m.corners()),
        (rf"\b({_SIDES}) half\b", lambda m, f: m.half(f[1])),
        (r"\bcorners?\b", lambda m, f: m.corners()),
        (rf"\b({_HIGH}|{_LOW})(?:[- ]most)? (?:row|edge|line|rank|border)\b", lambda m, f: m.side(f[1])),
        (rf"\b(?:{_MIDDLE}) row\b", lambda m, f: m.middle_row()),
        (rf"\b(?:{_MIDDLE}) (?:column|file)\b", lambda m, f: m.middle_column()),
        (r"\b(left|right)(?:[- ]?hand|[- ]?most)? (?:column|edge|side|border|end)\b", lambda m, f: m.side(f[1])),
        (rf"\b(?:{_MIDDLE})\b", lambda m, f: m.centre()),
        (r"\b(?:edges?|border)\b", lambda m, f: m.edges()),
        (r"\bdiagonal\b", lambda m, f: m.diagonal()),
    )
)  # fmt: skip
