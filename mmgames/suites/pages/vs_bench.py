"""VS-Bench's page of results: the paper's tables with ours in them, the mini games, and where the paper slips."""

from collections.abc import Collection, Mapping, Sequence
from math import sqrt
from typing import Any

from mmgames.running.statistics import pooled
from mmgames.suites.pages import layout, prose
from mmgames.suites.pages.layout import Cell, Comparison, PaperTable, TableRow
from mmgames.suites.pages.tables import score_of
from mmgames.suites.papers import published
from mmgames.suites.results import unplayed

_SAID = prose.paragraphs("vs_bench")
SLIPS = prose.items("vs_bench", "slips")
MINI = {"TicTacToe": "TicTacToe", "TinyHanabi final": "TinyHanabi"}
SECOND = {
    "Hanabi": "Hanabi",
    "Overcooked": "Overcooked",
    "Knights Archers Zombies": "KnightsArchersZombies",
    "Breakthrough": "Breakthrough",
    "Kuhn Poker": "KuhnPoker",
    "Atari Pong": "Pong",
    "MPE": "Particles",
    "Coin Dilemma": "CoinDilemma",
    "Monster Hunt": "MonsterHunt",
    "Battle of the Colors": "BattleOfTheColors",
}
"""The games of the second edition: cooperative, competitive, and both; by the column of the paper's tables."""
GAMES = {column: game for column, game in SECOND.items() if column not in ("Knights Archers Zombies", "MPE")}
"""Those of the first."""
PERCEIVED = {**GAMES, "TicTacToe": "TicTacToe", "TinyHanabi": "TinyHanabi"}
"""Column of the table of perception, which the paper's first edition does not have -> game."""
OPTIMUM = {"Coin Dilemma": 14.7145, "Monster Hunt": 158.0467, "Battle of the Colors": 29.3423}
"""What two players can collect at most, each and on average: `python -m mmgames.baselines.search.dilemma_optimum`."""
HUNT_OPTIMAL = 88.0  # what the paper's normalised column is made with; it prints 92.2
OVERALL = "Overall"
REASONING, DECISIONS, ASIDE = "strategic reasoning", "decision making", "mini game"
PERCEPTION = "perception"
ENDS = {REASONING: "-Predict", PERCEPTION: "-Recognise"}
"""How the names of a measure's tasks end."""
EPISODES, BREAKTHROUGH_GAMES = 10, 20  # the paper's
SHORT = {"Battle of the Colors": "Battle", "Monster Hunt": "Hunt", "Coin Dilemma": "Coin", "Atari Pong": "Pong"}
SHORT |= {"Knights Archers Zombies": "KAZ"}
SHORT |= {"Kuhn Poker": "Kuhn", "Atari Pong score": "Pong score", "Atari Pong steps": "Pong steps"}
VARIANTS = {"text-only": "text-only", "multimodal": "multimodal", "cot": "CoT"}  # ours -> the paper's word
_KINDS = tuple(f"published: {kind}" for kind in ("random", "optimal", "reasoning model", "model"))
BLIND = ("random", "oracle")  # who see nothing, so that a variant changes nothing for them


def measured(row: Mapping[str, Any]) -> str:
    """Which measure a row of a result belongs to."""
    name = row["environment"].partition("/")[2].rpartition("-v")[0]
    asked = next((measure for measure, end in ENDS.items() if name.endswith(end)), None)
    if asked is not None:
        return asked
    return DECISIONS if name in SECOND.values() else ASIDE


def episodes(environment: str) -> int:
    """Over how many episodes a published figure is."""
    return BREAKTHROUGH_GAMES if "Breakthrough" in environment else EPISODES


def page(title: str, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str]) -> str:
    intro = _SAID["intro"].replace("QUESTIONS", _how_many(results))
    return layout.page(title, command, results, [intro, *tables(results)], SLIPS, pictures)


def _how_many(results: Sequence[dict[str, Any]]) -> str:
    """How many questions a game stand behind the rows of Table 1."""
    asked = sorted({row["episodes"] for result in results for row in rows_of(result, REASONING).values()})
    if not asked:
        return "not asked here"
    return f"{asked[0]} questions a game" if len(asked) == 1 else f"{asked[0]} to {asked[-1]} questions a game"


def tables(results: Sequence[dict[str, Any]]) -> list[PaperTable]:
    """The paper's tables as far as something of them was measured."""
    made = [_reasoning(results), _actions(results), _decisions(results), _returns(results), _mini(results)]
    made += [
        perception(results, PERCEIVED, _SAID["perception"]),
        _variants("Table 5", REASONING, results),
        _variants("Table 6", DECISIONS, results),
    ]
    made = [table for table in made if any(row.cells for row in table.rows if not row.published)]
    return [*made, _models()]


def overall_bars(results: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Both overall figures from 0 to 1, ours and the published ones, for a plot."""
    paper = published.tables("vs_bench")
    bars: dict[str, dict[str, float]] = {REASONING: {}, DECISIONS: {}}
    for result in results:
        for measure, found in bars.items():
            capped = result["overall"].get(f"{measure}, each game at most 100", result["overall"].get(measure))
            if capped is not None:
                found[f"ours: {result['agent']}{unplayed.over(result, measure)}"] = max(0.0, capped / 100)
    for name, measure in (("Table 1", REASONING), ("Table 2", DECISIONS)):
        for row in _published(name):
            if row.group.endswith("model"):
                bars[measure][row.name] = max(0.0, paper[name].value(row.name, OVERALL) / 100)
    return bars


# Rows


def _published(name: str) -> list[TableRow]:
    return sorted(published.tables("vs_bench")[name].rows.values(), key=lambda row: _KINDS.index(row.group))


def rows_of(
    result: Mapping[str, Any], measure: str, games: Mapping[str, str] | None = None
) -> dict[str, Mapping[str, Any]]:
    """The rows of a result that belong to a measure, by the paper's column."""
    every = games or (PERCEIVED if measure == PERCEPTION else GAMES | MINI)
    columns = {name: column for column, name in every.items()}
    found = {}
    for row in result["rows"]:
        if measured(row) == measure:
            name = row["environment"].partition("/")[2].rpartition("-v")[0].removesuffix(ENDS.get(measure, ""))
            found[columns[name]] = row
    return found


def not_played(result: Mapping[str, Any], measure: str, games: Mapping[str, str] | None = None) -> dict[str, Cell]:
    """The cells of what could not be played, by the paper's column."""
    end = ENDS.get(measure, "")
    names = games or {ASIDE: MINI, PERCEPTION: PERCEIVED}.get(measure, GAMES)
    return layout.not_played(result, {f"mmgames/{name}{end}-v0": column for column, name in names.items()})


def named(result: Mapping[str, Any]) -> str:
    variant = result.get("variant", "multimodal")
    return str(result["agent"]) + ("" if variant == "multimodal" else f", {variant}")


def published_deviation(id: str) -> float | None:
    """The standard deviation of a game's episodes in Table 2, over all models that it has; None where it has none."""
    column = next((column for column, name in GAMES.items() if id == f"mmgames/{name}-v0"), "")
    rows = published.tables("vs_bench")["Table 2"].rows.values()
    found = [row.cells[column].error for row in rows if "model" in row.group and column in row.cells]
    known = [error for error in found if error is not None]
    return sqrt(sum(error**2 for error in known) / len(known)) if known else None


def with_mean(cells: dict[str, Cell], columns: Collection[str] = tuple(GAMES)) -> dict[str, Cell]:
    """The cells with their mean in front, where all of the columns are there."""
    found = [cells[column].measured for column in columns if column in cells]
    if len(found) < len(columns) or any(one["mean"] is None for one in found):
        return cells
    exact = [{**one, "standard_error": one["standard_error"] or 0.0} for one in found]
    return {OVERALL: Cell.of(pooled(exact)), **cells}


def details(rows: Mapping[str, Mapping[str, Any]], name: str) -> dict[str, Cell]:
    return {column: Cell.of(row[name]) for column, row in rows.items() if name in row}


def counts_of(
    results: Sequence[dict[str, Any]], measure: str, what: str, games: Mapping[str, str] | None = None
) -> list[TableRow]:
    """How many values stand behind ours."""
    found = []
    for result in results:
        numbers = {column: Cell(row["episodes"]) for column, row in rows_of(result, measure, games).items()}
        found.append(TableRow(f"{named(result)}, {what}", numbers, counts=True))
    found = [row for row in found if row.cells]
    alike = len(found) > 1 and all(row.cells == found[0].cells for row in found)
    return [TableRow(f"{what}, each", found[0].cells, counts=True)] if alike else found


# Tables


def reasoning_rows(results: Sequence[dict[str, Any]], games: Mapping[str, str]) -> list[TableRow]:
    """What of a table of predictions is ours: agents, how many questions, chance."""
    rows = []
    for result in results:
        own = rows_of(result, REASONING, games)
        if own:
            scores = {column: Cell.of(score_of(row)) for column, row in own.items()}
            rows.append(TableRow(named(result), with_mean(scores, games) | not_played(result, REASONING, games)))
            rows += layout.beside_scores(named(result), own)
            if result["agent"] != "oracle" and (exact := details(own, "exact")):
                rows.append(TableRow(f"{named(result)}, the very move", with_mean(exact, games)))
            means = {column: Cell(row["f1"]) for column, row in own.items() if "f1" in row}
            if result["agent"] != "oracle" and means:
                rows.append(TableRow(f"{named(result)}, mean F1 of the actions", means))
    asked = max((rows_of(result, REASONING, games) for result in results), key=_questions, default={})
    chance = [
        TableRow(name, with_mean(details(asked, detail), games), _CHANCE)
        for name, detail in ((_GUESS_EXACT, "chance_exact"), (_GUESS, "chance"))
        if asked
    ]
    return [*rows, *counts_of(results, REASONING, "questions", games), *chance]


def _reasoning(results: Sequence[dict[str, Any]]) -> PaperTable:
    return PaperTable(
        "Table 1: strategic reasoning, right predictions in %",
        (OVERALL, *GAMES),
        [*reasoning_rows(results, GAMES), *_published("Table 1")],
        _SAID["reasoning"],
        [Comparison(_GUESS_EXACT, "Random", {}, prose.by_column("vs_bench", "why guesses"))],
        short=SHORT,
    )


def _actions(results: Sequence[dict[str, Any]]) -> PaperTable:
    """Precision, recall and F1 of every kind of action; who knows the answers has 100 everywhere."""
    measures = {"precision": "precision", "recall": "recall", "f1": "F1"}
    told = {named(result): rows_of(result, REASONING) for result in results if result["agent"] != "oracle"}
    columns = [f"{agent}, {shown}" for agent in told for shown in measures.values()]
    rows: dict[str, dict[str, Cell]] = {}
    for agent, games in told.items():
        for column, row in games.items():
            for action, figures in row.get("by_action", {}).items():
                name = f"{SHORT.get(column, column)}: {action.strip('<>')}, made {figures['questions']}×"
                rows.setdefault(name, {}).update(
                    {f"{agent}, {shown}": Cell(figures[of]) for of, shown in measures.items()}
                )
    made = [TableRow(name, cells) for name, cells in rows.items()]
    return PaperTable("Table 1, by action: precision, recall and F1 in %", columns, made, _SAID["actions"])


def _questions(rows: Mapping[str, Mapping[str, Any]]) -> int:
    return sum(row["episodes"] for row in rows.values())


def _decisions(results: Sequence[dict[str, Any]]) -> PaperTable:
    rows = []
    for result in results:
        own = rows_of(result, DECISIONS)
        if not own:
            continue
        cells = {column: layout.normalised_cell(row) for column, row in own.items()}
        rows.append(TableRow(named(result), with_mean(cells) | not_played(result, DECISIONS)))
        charged = layout.beside_scores(named(result), own, normalised=True)
        rows += [TableRow(row.name, with_mean(dict(row.cells))) for row in charged]
        if any((cell.value or 0.0) > 100 for cell in cells.values()):
            capped = {c: Cell(None if cell.value is None else min(cell.value, 100.0)) for c, cell in cells.items()}
            whole = with_mean(capped)
            if OVERALL in whole:
                whole[OVERALL] = Cell(whole[OVERALL].value)
            rows.append(TableRow(f"{named(result)}, each game at most 100", whole))
        if planned := details(own, "of_optimum"):
            rows.append(TableRow(f"{named(result)}, the exact optimum being 100", planned))
    counts = counts_of(results, DECISIONS, "episodes")
    return PaperTable(
        "Table 2: decision making, normalised return in %",
        (OVERALL, *GAMES),
        [*rows, *counts, *_published("Table 2")],
        _SAID["decisions"],
        short=SHORT,
    )


def _returns(results: Sequence[dict[str, Any]]) -> PaperTable:
    table = published.tables("vs_bench")["Table 4"]
    rows, errors = [], {}
    for result in results:
        own = rows_of(result, DECISIONS)
        cells = {column: Cell.of(score_of(row)) for column, row in own.items()}
        for column, detail, name in (
            ("Hanabi", "fireworks", "Hanabi fireworks"),
            ("Atari Pong", "steps", "Atari Pong steps"),
            ("Atari Pong", "game_score", "Atari Pong score"),
        ):
            if column in own:
                cells[name] = details({column: own[column]}, detail)[column]
        if "Hanabi" in cells:
            cells["Hanabi final"] = cells.pop("Hanabi")
        cells.pop("Atari Pong", None)
        if not cells:
            continue
        empty = not_played(result, DECISIONS)
        cells |= {name: cell for name in table.columns for column, cell in empty.items() if name.startswith(column)}
        rows.append(TableRow(named(result), cells))
        errors[named(result)] = _theirs(cells, own)
    return PaperTable(
        "Table 4: decision making, episode returns",
        table.columns,
        [
            *rows,
            TableRow(_MOST, {column: Cell(most) for column, most in OPTIMUM.items()}, _PLANNED),
            *_published("Table 4"),
        ],
        _SAID["returns"],
        [
            Comparison("random", "Random", errors.get("random", {}), prose.by_column("vs_bench", "why random")),
            Comparison("oracle", "Optimal", errors.get("oracle", {}), prose.by_column("vs_bench", "why optimal")),
        ],
        short=SHORT,
    )


def _theirs(cells: Mapping[str, Cell], own: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """The standard errors of the published row: what ours would be over as many episodes as the paper played."""
    errors = {}
    for name, cell in cells.items():
        column = next((column for column in own if name.startswith(column)), None)
        if column is not None and cell.error is not None:
            errors[name] = cell.error * sqrt(own[column]["episodes"] / episodes(own[column]["environment"]))
    return errors


def _mini(results: Sequence[dict[str, Any]]) -> PaperTable:
    rows = []
    for result in results:
        own = rows_of(result, ASIDE)
        cells = {column: Cell.of(score_of(row)) for column, row in own.items()}
        for column, cell in details(own, "fireworks").items():
            cells[column.replace("final", "fireworks")] = cell
        if cells:
            rows.append(TableRow(named(result), cells))
    counts = counts_of(results, ASIDE, "episodes")
    return PaperTable("Mini games", (*MINI, "TinyHanabi fireworks"), [*rows, *counts], _SAID["mini"], places=2)


def perception(results: Sequence[dict[str, Any]], games: Mapping[str, str], about: str) -> PaperTable:
    """Elements of pictures, which a later edition of the paper asks about; of its figures none are here."""
    rows = []
    for result in results:
        if own := rows_of(result, PERCEPTION, games):
            scores = {column: Cell.of(score_of(row)) for column, row in own.items()}
            rows.append(TableRow(named(result), with_mean(scores, games) | not_played(result, PERCEPTION, games)))
            rows += layout.beside_scores(named(result), own)
            rows.append(TableRow(f"{named(result)}, {_ALL}", with_mean(details(own, "all_elements"), games)))
    asked = max((rows_of(result, PERCEPTION, games) for result in results), key=_questions, default={})
    chance = {name: details(asked, detail) for name, detail in ((_EACH, "chance"), (_ALL, "chance_all"))}
    every = [pair for result in results for pair in rows_of(result, PERCEPTION, games).items()]
    guessed = {_BLIND: {column: Cell.of(row["floor"]) for column, row in every if "floor" in row}}
    below = [TableRow(name, cells, _CHANCE) for name, cells in {**chance, **guessed}.items() if cells]
    counts = counts_of(results, PERCEPTION, "questions", games)
    title = "Perception: right elements in %"
    columns, short = (OVERALL, *games), {**SHORT, "TinyHanabi": "Tiny"}
    return PaperTable(title, columns, [*rows, *counts, *below], about, short=short)


def _variants(name: str, measure: str, results: Sequence[dict[str, Any]]) -> PaperTable:
    table = published.tables("vs_bench")[name]
    value, error = ("raw", "standard_error") if measure == REASONING else ("normalised", "normalised_standard_error")
    rows = []
    for result in results:
        words = VARIANTS.values() if result["agent"] in BLIND else [VARIANTS[result.get("variant", "multimodal")]]
        own = rows_of(result, measure)
        cells = {
            f"{column} {word}": Cell(row[value], row[error])
            for column, row in own.items()
            for word in words
            if f"{column} {word}" in table.columns
        }
        rows += [TableRow(named(result), cells)] if cells else []
    about = "accuracy in %" if measure == REASONING else "normalised return in %"
    return PaperTable(
        f"{name}: text-only, multimodal and chain-of-thought, {about}",
        table.columns,
        [*rows, *_published(name)],
        _SAID["varied"],
        short={column: column.replace("Monster ", "") for column in table.columns},
    )


def _models() -> PaperTable:
    """Which models the paper has, and what they are."""
    table = published.tables("vs_bench")["Table 3"]
    rows = [TableRow(row.name, row.cells, row.group, counts=True) for row in _published("Table 3")]
    about = " ".join(["1 is yes and 0 no.", *table.notes])
    return PaperTable("Table 3: the paper's models", table.columns, rows, about)


_PLANNED, _MOST = "ours: exact planning", "the most that two can collect on average"
_CHANCE = "ours: chance over these questions"
_EACH, _ALL, _BLIND = "any value, each element by itself", "all elements right", "fitted, without looking"
_GUESS = "any legal move, equally good ones count"
_GUESS_EXACT = "any legal move, the very one"
