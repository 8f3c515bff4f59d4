"""LVLM-Playground's page of results: the paper's tables with ours in them, both ways to ask, stars, and its slips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from mmgames.suites import published
from mmgames.suites.pages import layout
from mmgames.suites.pages.layout import Cell, Comparison, PaperTable, TableRow
from mmgames.suites.pages.tables import score_of
from mmgames.suites.stars import STARS, star_rows
from mmgames.text.tables import markdown_table

GAMES = tuple(STARS)
WEIGHTED = "Weighted"
RANDOM_RUNS, MODEL_RUNS = 1000, 200
_PAPER = "lvlm_playground"


def page(title: str, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str]) -> str:
    parts: list[PaperTable | str] = [_INTRO, *tables(results), "## Table 1: stars", _STARS]
    parts += [markdown_table(("", *STARS), star_rows()), *_only_published()]
    return layout.page(title, command, results, parts, SLIPS, pictures)


def tables(results: Sequence[dict[str, Any]]) -> list[PaperTable]:
    found = [
        _task(results, "Perceive", "Table 2", "right cells, %", _PERCEIVE, _WHY_PERCEIVE),
        _ask(results),
        _balanced(results),
        _task(results, "Rule", "Table 4", "legal moves, %", _RULE, _WHY_RULE),
        _unbeaten(results),
        _valid_moves(results),
    ]
    return [table for table in found if any(not row.published for row in table.rows)]


def _rows(result: Mapping[str, Any], kind: str, variant: str = "") -> dict[str, Mapping[str, Any]]:
    """The rows of a task by game."""
    end = f"-{kind}" if kind != "Play" else ""
    return {
        game: row
        for game in GAMES
        for row in result["rows"]
        if row["environment"] == f"mmgames/{game}{end}-v0" and row.get("variant", "") == variant
    }


def _ours(results: Sequence[dict[str, Any]], kind: str, variant: str = "") -> list[TableRow]:
    rows = []
    for result in results:
        found = _rows(result, kind, variant)
        cells = {game: Cell.of(score_of(row)) for game, row in found.items()}
        task = f"{kind}, {variant}" if variant else kind
        if len(cells) == len(GAMES):
            cells[WEIGHTED] = Cell(result["overall"].get(task))
        rows += [TableRow(result["agent"], cells | _not_played(result, kind, variant))] if cells else []
        rows += layout.beside_scores(result["agent"], found)
    return rows


def _not_played(result: Mapping[str, Any], kind: str, variant: str = "") -> dict[str, Cell]:
    """The cells of what could not be played, by game."""
    end = f"-{kind}" if kind != "Play" else ""
    return layout.not_played(
        result, {" ".join(filter(None, (f"mmgames/{game}{end}-v0", variant))): game for game in GAMES}
    )


def _theirs(name: str, binomial: bool) -> list[TableRow]:
    """The published rows in per cent, with the errors that their numbers of questions give."""
    rows = []
    for row in published.tables(_PAPER)[name].rows.values():
        runs = RANDOM_RUNS if row.name == "Random" else MODEL_RUNS
        cells = {}
        for game, cell in row.cells.items():
            share = cell.value or 0.0
            cells[game] = Cell(100 * share, 100 * sqrt(share * (1 - share) / runs) if binomial else None)
        rows.append(TableRow(row.name, cells, row.group))
    return sorted(rows, key=lambda row: row.group != "published: random")


def _spread(results: Sequence[dict[str, Any]], kind: str, measure: str = "") -> dict[str, float]:
    """The errors of the published random row: ours over as many plays as the paper had."""
    random = next((result for result in results if result["agent"] == "random"), None)
    errors = {}
    for game, row in _rows(random, kind).items() if random else ():
        found = row[measure]["standard_error"] if measure else row["standard_error"]
        errors[game] = (found or 0.0) * sqrt(row["episodes"] / RANDOM_RUNS)
    return errors


def _task(
    results: Sequence[dict[str, Any]], kind: str, name: str, title: str, about: str, why: Mapping[str, str]
) -> PaperTable:
    rows = [*_ours(results, kind), *_theirs(name, binomial=kind != "Perceive")]
    compared = Comparison("random", "Random", _spread(results, kind), why)
    return PaperTable(f"{name}: {kind}, {title}", (*GAMES, WEIGHTED), rows, about, [compared])


def _blind(results: Sequence[dict[str, Any]], variant: str) -> list[TableRow]:
    """Who does not look, beside what chance gives."""
    rows = []
    for result in results:
        found = {game: row["blind"] for game, row in _rows(result, "Ask", variant).items() if "blind" in row}
        if found:
            chance = {game: Cell(known["chance"]) for game, known in found.items()}
            rows = [
                TableRow(
                    "without looking", {game: Cell(known["blind"], known["error"]) for game, known in found.items()}
                ),
                TableRow("chance, one over the number of options", chance),
            ]
    return rows


def _ask(results: Sequence[dict[str, Any]]) -> PaperTable:
    rows = [*_ours(results, "Ask"), *_blind(results, ""), *_theirs("Table 3", binomial=True)]
    compared = Comparison("random", "Random", _spread(results, "Ask"), _WHY_ASK)
    return PaperTable("Table 3: Ask as the paper asks, right answers, %", (*GAMES, WEIGHTED), rows, _ASK, [compared])


def _balanced(results: Sequence[dict[str, Any]]) -> PaperTable:
    rows = [*_ours(results, "Ask", "balanced"), *_blind(results, "balanced")]
    return PaperTable("Ask, balanced, right answers, %", (*GAMES, WEIGHTED), rows, _BALANCED)


def _unbeaten(results: Sequence[dict[str, Any]]) -> PaperTable:
    told = published.tables(_PAPER)["Text, finding 5"]
    theirs = [
        TableRow(row.name, dict.fromkeys(GAMES, Cell(row.cells["All games"].value)), row.group)
        for row in told.rows.values()
    ]
    return PaperTable("Play: unbeaten, %", (*GAMES, WEIGHTED), [*_ours(results, "Play"), *theirs], _PLAY)


def _valid_moves(results: Sequence[dict[str, Any]]) -> PaperTable:
    rows = []
    for result in results:
        found = {game: row["valid_moves"] for game, row in _rows(result, "Play").items() if "valid_moves" in row}
        cells = {game: Cell(moves["mean"], moves["standard_error"]) for game, moves in found.items()}
        rows += [TableRow(result["agent"], cells | _not_played(result, "Play"))] if cells else []
        games = {game: Cell(row["episodes"]) for game, row in _rows(result, "Play").items()}
        rows += [TableRow(f"{result['agent']}, games", games, counts=True)] if cells else []
    theirs = list(published.tables(_PAPER)["Table 8"].rows.values())
    theirs.sort(key=lambda row: row.group != "published: random")
    compared = Comparison("random", "Random", _spread(results, "Play", "valid_moves"), _WHY_MOVES)
    return PaperTable("Table 8: Play, valid moves in a game", GAMES, [*rows, *theirs], _MOVES, [compared], places=2)


def _only_published() -> list[PaperTable]:
    paper = published.tables(_PAPER)
    out = []
    for name, title, places in (
        ("Table 5", "demands before rounding to stars", 2),
        ("Appendix A.2", "demands before scaling", 2),
        ("Appendix A.2, factors", "what the demands are computed from", 2),
        ("Appendix A.3 (unnumbered)", "people's mean rank of the games", 1),
        ("Table 6", "Perceive on Gomoku by number of stones", 3),
        ("Table 7", "Perceive on Chess by kinds of pieces", 3),
    ):
        table = paper[name]
        about = " ".join(table.notes) if name in ("Table 5", "Appendix A.2") else ""
        if name in ("Table 6", "Table 7"):
            about = "Ours are measured by `mmgames eval lvlm-robustness`; a guesser gets the same in every column."
        out.append(PaperTable(f"{name}: {title}", table.columns, list(table.rows.values()), about, places=places))
    return out


_INTRO = (
    "**random** is the paper's: it names any code, any option, any move on the board, and the first move that is not "
    "legal ends its game; **legal_random** plays any legal move; **oracle** knows the answers and plays by search. "
    "The paper tells its sample sizes, 1,000 plays of the random row and 200 questions to a model, and the small "
    "figures beside published shares are the errors that these give. *Weighted* weighs games by their stars."
)
_PERCEIVE = "Ours are over the number of boards in the command. How far boards of one model spread is not published."
_ASK = (
    "Many of these questions can be answered without looking: *without looking* is a guesser that sees question and "
    "options alone, fitted on 2,000 other questions. What a model scores here is to be read beside that row."
)
_BALANCED = (
    "Our own questions, of the same kinds, about boards of all kinds: the same question is put to several boards, "
    "their answers are the options, and each is as likely to be right. Nobody gains by not looking. `python -m "
    "benchmarks.blind_ask --questions 20000` measures it on a larger scale."
)
_RULE = "Positions are reached by legal play, as the paper promises; `rules=released` has those of its code."
_PLAY = (
    "The agent begins, in TicTacToe as O, against full minimax in TicTacToe, a search of three moves that counts "
    "discs in Reversi, one of two moves in Gomoku and our alpha-beta search in Chess. Sudoku and Minesweeper have to "
    "be solved. The paper says in words that every model scored 0 in every game."
)
_MOVES = (
    "Moves on the board before a game ends or fails: flags in Minesweeper and passing in Reversi do not count. "
    "Models had three attempts at each move; the random row has one."
)
_EXACT = (
    "guessing one of {codes} codes gives {share} on average whatever the board, so the published figure is itself "
    "{far} standard errors from what it must be"
)
_WHY_PERCEIVE = {
    "Sudoku": _EXACT.format(codes=10, share="10.0", far="about 3"),
    "Minesweeper": _EXACT.format(codes=11, share="9.1", far="about 2"),
    "Chess": _EXACT.format(codes=13, share="7.7", far="about 2"),
}
_WHY_ASK: dict[str, str] = dict.fromkeys(
    ("Sudoku", "Minesweeper", "Gomoku", "Chess"),
    "the released code pads yes and no with *maybe* and *unknown* to four options, and ours does not",
)
_WHY_RULE = {
    "Reversi": (
        "the published figure fits the positions of the paper's code, discs thrown on the board, where 12 to 13 % of "
        "the cells are legal moves (`rules=released`); in positions reached by legal play it is about 15 %"
    ),
}
_WHY_MOVES = {
    "TicTacToe": (
        "2.36 is what nine cells give when nobody ever wins (1 + 7/9 + 7·5/81 + … = 2.37); our opponent wins some of "
        "the games before that"
    ),
    "Reversi": (
        "4 of 64 cells are legal at the start, so a first invalid move ends the game after 0.07 valid moves on "
        "average; 1.15 fits counting the failing move too, with the 12.7 % of Table 4"
    ),
    "Sudoku": (
        "1.22 fits counting the failing move too: about one in five cells and digits is legal, which is 0.24 valid "
        "moves"
    ),
    "Minesweeper": "the paper does not say whether the first cell may be a mine; here it never is, and zeros open more",
    "Gomoku": (
        "27.01 is what counting the stones of both and the failing move gives if nobody ever wins (2 · 12.97 + 1); our "
        "opponent wins sooner, and we count the agent's stones alone"
    ),
}
_STARS = "The published ones, which scores use; in brackets what the published formula gives, where it differs."
SLIPS = (
    "Ask can be answered blind: naming what is most often right for a kind of question beats every published model in "
    "most games. Balanced questions cannot; both are printed.",
    "Table 4's random figure for Minesweeper (42.2) does not fit the code's positions, where 31 of 64 cells are closed "
    "(48.4); it fits positions reached by opening safe cells until half of the field is open, as ours are.",
    "Table 4's random figure for Reversi (12.7) fits positions with discs thrown on the board, not legal play.",
    "Table 8's random row does not count one thing: TicTacToe fits the agent's own moves, Reversi and Sudoku one more "
    "(the failing one), Gomoku the stones of both.",
    "The stars do not follow the paper's formula for Reasoning (Sudoku, Minesweeper, Gomoku, Chess) and Decision "
    "(Minesweeper, Gomoku); scores use the table, new games get stars by the formula.",
    "The order of games by the sum of their demands is printed with Sudoku above Reversi and Chess above Gomoku; the "
    "sums say otherwise (8.15 and 7.44, 16.62 and 16.32).",
    "The released code labels Gomoku's columns with letters in one prompt and its rows in another; the paper's text "
    "and its questions name rows with letters, and so do picture and prompt here.",
    "Table 7's last column equals the Chess column of Table 2; Table 6's bands do not average to the Gomoku column, "
    "for they are other boards.",
)
