"""VS-Bench's page of results: what its description does not say of tables, and what rows of both editions measure."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from mmgames.suites.pages import described, layout, prose
from mmgames.suites.pages.described import rows_in
from mmgames.suites.pages.layout import Cell, PaperTable, TableRow
from mmgames.suites.papers import published
from mmgames.suites.results import unplayed

GAMES, PERCEIVED, MINI = (
    {column: place.row for column, place in described.columns("vs_bench", name).items() if not place.figure}
    for name in ("games", "perceived", "mini")
)
"""Column of the paper's tables -> game: of the first edition, of the table of perception, and beside both."""
SECOND = {column: place.row for column, place in described.columns("vs_bench_second", "games").items()}
"""Those of the second edition."""
OPTIMUM = {"Coin Dilemma": 14.7145, "Monster Hunt": 158.0467, "Battle of the Colors": 29.3423}
"""What two players can collect at most, each and on average: `python -m mmgames.baselines.search.dilemma_optimum`."""
HUNT_OPTIMAL = 88.0  # what the paper's normalised column is made with; it prints 92.2
OVERALL = "Overall"
REASONING, DECISIONS, ASIDE = "strategic reasoning", "decision making", "mini game"
PERCEPTION = "perception"
ENDS = {REASONING: "-Predict", PERCEPTION: "-Recognise"}
"""How the names of a measure's tasks end."""
EPISODES, BREAKTHROUGH_GAMES = 10, 20  # the paper's
VARIANTS = {"text-only": "text-only", "multimodal": "multimodal", "cot": "CoT"}  # ours -> the paper's word
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
    intro = prose.paragraphs("vs_bench")["intro"].replace("QUESTIONS", _how_many(results))
    slips = prose.items("vs_bench", "slips")
    return layout.page(title, command, results, [intro, *tables(results)], slips, pictures)


def _how_many(results: Sequence[dict[str, Any]]) -> str:
    """How many questions a game stand behind the rows of Table 1."""
    asked = sorted({row["episodes"] for result in results for row in rows_of(result, REASONING).values()})
    if not asked:
        return "not asked here"
    return f"{asked[0]} questions a game" if len(asked) == 1 else f"{asked[0]} to {asked[-1]} questions a game"


def tables(results: Sequence[dict[str, Any]]) -> list[PaperTable]:
    """The paper's tables as far as something of them was measured."""
    best = {column: Cell(most) for column, most in OPTIMUM.items()}
    return described.tables(
        "vs_bench",
        results,
        actions=_actions,
        optimum=lambda results: [TableRow("the most that two can collect on average", best, "ours: exact planning")],
        reasoning_variants=lambda results: _variants("Table 5", REASONING, results),
        decision_variants=lambda results: _variants("Table 6", DECISIONS, results),
    )


def rows_of(result: Mapping[str, Any], measure: str) -> dict[str, Mapping[str, Any]]:
    """The rows of a result that belong to a measure, by the paper's column."""
    columns = {ASIDE: "mini", PERCEPTION: "perceived"}.get(measure, "games")
    return rows_in(result, described.columns("vs_bench", columns, f"{{}}{ENDS.get(measure, '')}"))


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
        for row in described.in_order("vs_bench", paper[name].rows.values()):
            if row.group.endswith("model"):
                bars[measure][row.name] = max(0.0, paper[name].value(row.name, OVERALL) / 100)
    return bars


def published_deviation(id: str) -> float | None:
    """The standard deviation of a game's episodes in Table 2, over all models that it has; None where it has none."""
    column = next((column for column, name in GAMES.items() if id == f"mmgames/{name}-v0"), "")
    rows = published.tables("vs_bench")["Table 2"].rows.values()
    found = [row.cells[column].error for row in rows if "model" in row.group and column in row.cells]
    known = [error for error in found if error is not None]
    return sqrt(sum(error**2 for error in known) / len(known)) if known else None


def _named(result: Mapping[str, Any]) -> str:
    variant = result.get("variant", "multimodal")
    return str(result["agent"]) + ("" if variant == "multimodal" else f", {variant}")


def _actions(results: Sequence[dict[str, Any]]) -> PaperTable:
    """Precision, recall and F1 of every kind of action; who knows the answers has 100 everywhere."""
    measures = {"precision": "precision", "recall": "recall", "f1": "F1"}
    short = described.description("vs_bench")["short"]
    told = {_named(result): rows_of(result, REASONING) for result in results if result["agent"] != "oracle"}
    columns = [f"{agent}, {shown}" for agent in told for shown in measures.values()]
    rows: dict[str, dict[str, Cell]] = {}
    for agent, games in told.items():
        for column, row in games.items():
            for action, figures in row.get("by_action", {}).items():
                name = f"{short.get(column, column)}: {action.strip('<>')}, made {figures['questions']}×"
                rows.setdefault(name, {}).update(
                    {f"{agent}, {shown}": Cell(figures[of]) for of, shown in measures.items()}
                )
    made = [TableRow(name, cells) for name, cells in rows.items()]
    return PaperTable(
        "Table 1, by action: precision, recall and F1 in %", columns, made, prose.paragraphs("vs_bench")["actions"]
    )


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
        rows += [TableRow(_named(result), cells)] if cells else []
    about = "accuracy in %" if measure == REASONING else "normalised return in %"
    return PaperTable(
        f"{name}: text-only, multimodal and chain-of-thought, {about}",
        table.columns,
        [*rows, *described.in_order("vs_bench", table.rows.values())],
        prose.paragraphs("vs_bench")["varied"],
        short={column: column.replace("Monster ", "") for column in table.columns},
    )
