"""VS-Bench's page of results: the paper's tables with ours in them, the mini games, and where the paper slips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from mmgames.running.statistics import pooled
from mmgames.suites import holes, published
from mmgames.suites.pages import layout
from mmgames.suites.pages.layout import Cell, Comparison, PaperTable, TableRow
from mmgames.suites.pages.tables import score_of

GAMES = {
    "Hanabi": "Hanabi",
    "Overcooked": "Overcooked",
    "Breakthrough": "Breakthrough",
    "Kuhn Poker": "KuhnPoker",
    "Atari Pong": "Pong",
    "Coin Dilemma": "CoinDilemma",
    "Monster Hunt": "MonsterHunt",
    "Battle of the Colors": "BattleOfTheColors",
}
"""Column of the paper's tables -> game."""
MINI = {"TicTacToe": "TicTacToe", "TinyHanabi final": "TinyHanabi"}
OPTIMUM = {"Coin Dilemma": 14.7145, "Monster Hunt": 158.0467, "Battle of the Colors": 29.3423}
"""What two players can collect at most, each and on average: `python -m mmgames.baselines.search.dilemma_optimum`."""
HUNT_OPTIMAL = 88.0  # what the paper's normalised column is made with; it prints 92.2
OVERALL = "Overall"
REASONING, DECISIONS, ASIDE = "strategic reasoning", "decision making", "mini game"
EPISODES, BREAKTHROUGH_GAMES = 10, 20  # the paper's
SHORT = {"Battle of the Colors": "Battle", "Monster Hunt": "Hunt", "Coin Dilemma": "Coin", "Atari Pong": "Pong"}
SHORT |= {"Kuhn Poker": "Kuhn", "Atari Pong score": "Pong score", "Atari Pong steps": "Pong steps"}
VARIANTS = {"text-only": "text-only", "multimodal": "multimodal", "cot": "CoT"}  # ours -> the paper's word
_KINDS = tuple(f"published: {kind}" for kind in ("random", "optimal", "reasoning model", "model"))
BLIND = ("random", "oracle")  # who see nothing, so that a variant changes nothing for them


def measured(row: Mapping[str, Any]) -> str:
    """Which measure a row of a result belongs to."""
    name = row["environment"].partition("/")[2].rpartition("-v")[0]
    if name.endswith("-Predict"):
        return REASONING
    return DECISIONS if name in GAMES.values() else ASIDE


def episodes(environment: str) -> int:
    """Over how many episodes a published figure is."""
    return BREAKTHROUGH_GAMES if "Breakthrough" in environment else EPISODES


def page(title: str, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str]) -> str:
    return layout.page(title, command, results, [_INTRO, *tables(results)], SLIPS, pictures)


def tables(results: Sequence[dict[str, Any]]) -> list[PaperTable]:
    """The paper's tables as far as something of them was measured."""
    made = [_reasoning(results), _decisions(results), _returns(results), _mini(results)]
    made += [_variants("Table 5", REASONING, results), _variants("Table 6", DECISIONS, results)]
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
                found[f"ours: {result['agent']}{holes.over(result, measure)}"] = max(0.0, capped / 100)
    for name, measure in (("Table 1", REASONING), ("Table 2", DECISIONS)):
        for row in _published(name):
            if row.group.endswith("model"):
                bars[measure][row.name] = max(0.0, paper[name].value(row.name, OVERALL) / 100)
    return bars


# Rows


def _published(name: str) -> list[TableRow]:
    return sorted(published.tables("vs_bench")[name].rows.values(), key=lambda row: _KINDS.index(row.group))


def _of(result: Mapping[str, Any], measure: str) -> dict[str, Mapping[str, Any]]:
    """The rows of a result that belong to a measure, by the paper's column."""
    columns = {name: column for column, name in (GAMES | MINI).items()}
    found = {}
    for row in result["rows"]:
        if measured(row) == measure:
            name = row["environment"].partition("/")[2].rpartition("-v")[0].removesuffix("-Predict")
            found[columns[name]] = row
    return found


def _not_played(result: Mapping[str, Any], measure: str) -> dict[str, Cell]:
    """The cells of what could not be played, by the paper's column."""
    end = "-Predict" if measure == REASONING else ""
    names = MINI if measure == ASIDE else GAMES
    return layout.not_played(result, {f"mmgames/{name}{end}-v0": column for column, name in names.items()})


def _named(result: Mapping[str, Any]) -> str:
    variant = result.get("variant", "multimodal")
    return str(result["agent"]) + ("" if variant == "multimodal" else f", {variant}")


def _whole(cells: dict[str, Cell]) -> dict[str, Cell]:
    """The cells with their mean in front, where all eight are there."""
    found = [cells[column].measured for column in GAMES if column in cells]
    if len(found) < len(GAMES) or any(one["mean"] is None for one in found):
        return cells
    exact = [{**one, "standard_error": one["standard_error"] or 0.0} for one in found]
    return {OVERALL: Cell.of(pooled(exact)), **cells}


def _detail(rows: Mapping[str, Mapping[str, Any]], name: str) -> dict[str, Cell]:
    return {column: Cell.of(row[name]) for column, row in rows.items() if name in row}


def _counts(results: Sequence[dict[str, Any]], measure: str, what: str) -> list[TableRow]:
    """How many values stand behind ours."""
    found = []
    for result in results:
        numbers = {column: Cell(row["episodes"]) for column, row in _of(result, measure).items()}
        found.append(TableRow(f"{_named(result)}, {what}", numbers, counts=True))
    found = [row for row in found if row.cells]
    alike = len(found) > 1 and all(row.cells == found[0].cells for row in found)
    return [TableRow(f"{what}, each", found[0].cells, counts=True)] if alike else found


# Tables


def _reasoning(results: Sequence[dict[str, Any]]) -> PaperTable:
    rows = []
    for result in results:
        own = _of(result, REASONING)
        if own:
            scores = {column: Cell.of(score_of(row)) for column, row in own.items()}
            rows.append(TableRow(_named(result), _whole(scores) | _not_played(result, REASONING)))
            rows += layout.beside_scores(_named(result), own)
            if result["agent"] != "oracle" and (exact := _detail(own, "exact")):
                rows.append(TableRow(f"{_named(result)}, the very move", _whole(exact)))
    counts = _counts(results, REASONING, "questions")
    asked = max((_of(result, REASONING) for result in results), key=_questions, default={})
    chance = [
        TableRow(name, _whole(_detail(asked, detail)), _CHANCE)
        for name, detail in ((_GUESS_EXACT, "chance_exact"), (_GUESS, "chance"))
        if asked
    ]
    why = {
        "Hanabi": "the mean over our positions of one over the number of legal moves; how 8.8 was found is not said",
        "Breakthrough": "likewise; ours are spread evenly over the game, and how 4.3 was found is not said",
        OVERALL: "follows from Hanabi and Breakthrough",
    }
    return PaperTable(
        "Table 1: strategic reasoning, right predictions in %",
        (OVERALL, *GAMES),
        [*rows, *counts, *chance, *_published("Table 1")],
        _REASONING,
        [Comparison(_GUESS_EXACT, "Random", {}, why)],
        short=SHORT,
    )


def _questions(rows: Mapping[str, Mapping[str, Any]]) -> int:
    return sum(row["episodes"] for row in rows.values())


def _decisions(results: Sequence[dict[str, Any]]) -> PaperTable:
    rows = []
    for result in results:
        own = _of(result, DECISIONS)
        if not own:
            continue
        cells = {column: layout.normalised_cell(row) for column, row in own.items()}
        rows.append(TableRow(_named(result), _whole(cells) | _not_played(result, DECISIONS)))
        charged = layout.beside_scores(_named(result), own, normalised=True)
        rows += [TableRow(row.name, _whole(dict(row.cells))) for row in charged]
        if any((cell.value or 0.0) > 100 for cell in cells.values()):
            capped = {c: Cell(None if cell.value is None else min(cell.value, 100.0)) for c, cell in cells.items()}
            whole = _whole(capped)
            if OVERALL in whole:
                whole[OVERALL] = Cell(whole[OVERALL].value)
            rows.append(TableRow(f"{_named(result)}, each game at most 100", whole))
        if planned := _detail(own, "of_optimum"):
            rows.append(TableRow(f"{_named(result)}, the exact optimum being 100", planned))
    counts = _counts(results, DECISIONS, "episodes")
    return PaperTable(
        "Table 2: decision making, normalised return in %",
        (OVERALL, *GAMES),
        [*rows, *counts, *_published("Table 2")],
        _DECISIONS,
        short=SHORT,
    )


def _returns(results: Sequence[dict[str, Any]]) -> PaperTable:
    table = published.tables("vs_bench")["Table 4"]
    rows, errors = [], {}
    for result in results:
        own = _of(result, DECISIONS)
        cells = {column: Cell.of(score_of(row)) for column, row in own.items()}
        for column, detail, name in (
            ("Hanabi", "fireworks", "Hanabi fireworks"),
            ("Atari Pong", "steps", "Atari Pong steps"),
            ("Atari Pong", "game_score", "Atari Pong score"),
        ):
            if column in own:
                cells[name] = _detail({column: own[column]}, detail)[column]
        if "Hanabi" in cells:
            cells["Hanabi final"] = cells.pop("Hanabi")
        cells.pop("Atari Pong", None)
        if not cells:
            continue
        empty = _not_played(result, DECISIONS)
        cells |= {name: cell for name in table.columns for column, cell in empty.items() if name.startswith(column)}
        rows.append(TableRow(_named(result), cells))
        errors[_named(result)] = _theirs(cells, own)
    optimal = {
        "Overcooked": "the paper's optimum is defined as two deliveries of 20; a third soup can be begun in 50 steps",
        "Atari Pong score": "our reference wins more points than it loses; the paper prints 1.5, which is a 0:3 loss",
        "Atari Pong steps": "the 398 steps are one long game and no maximum; rallies of our reference last longer",
        "Hanabi final": "their reference is a trained policy, ours searches over hands",
        "Hanabi fireworks": "their reference is a trained policy, ours searches over hands",
        "Kuhn Poker": "exact",
        "Coin Dilemma": "ours follows the best plan for both players, found by dynamic programming",
        "Monster Hunt": "ours follows the best plan for both players, who meet the monster together 30 times",
        "Battle of the Colors": "the published figure is above what any two players can collect on average",
    }
    random = {"Kuhn Poker": "uniform play is exploitable by 11/24, which rounds to 0.5"}
    return PaperTable(
        "Table 4: decision making, episode returns",
        table.columns,
        [
            *rows,
            TableRow(_MOST, {column: Cell(most) for column, most in OPTIMUM.items()}, _PLANNED),
            *_published("Table 4"),
        ],
        _RETURNS,
        [
            Comparison("random", "Random", errors.get("random", {}), random),
            Comparison("oracle", "Optimal", errors.get("oracle", {}), optimal),
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
        own = _of(result, ASIDE)
        cells = {column: Cell.of(score_of(row)) for column, row in own.items()}
        for column, cell in _detail(own, "fireworks").items():
            cells[column.replace("final", "fireworks")] = cell
        if cells:
            rows.append(TableRow(_named(result), cells))
    counts = _counts(results, ASIDE, "episodes")
    return PaperTable("Mini games", (*MINI, "TinyHanabi fireworks"), [*rows, *counts], _MINI, places=2)


def _variants(name: str, measure: str, results: Sequence[dict[str, Any]]) -> PaperTable:
    table = published.tables("vs_bench")[name]
    value, error = ("raw", "standard_error") if measure == REASONING else ("normalised", "normalised_standard_error")
    rows = []
    for result in results:
        words = VARIANTS.values() if result["agent"] in BLIND else [VARIANTS[result.get("variant", "multimodal")]]
        own = _of(result, measure)
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
        [*rows, *_published(name)],
        _VARIED,
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
_GUESS = "any legal move, equally good ones count"
_GUESS_EXACT = "any legal move, the very one"
_INTRO = (
    "Eight games, two measures: **strategic reasoning**, to say what the other player does next (400 questions a "
    "game), and **decision making**, the return of an episode. `oracle` is each game's own reference agent and knows"
    " the answer of every question; `random` guesses and moves at random. No published row is a person: the paper "
    "has no human study."
)
_REASONING = (
    "A prediction is right if it names the move that was made, one that is equally good to whoever made it, or one "
    "with the same outcome. Nobody is asked what a random player does. Who plays the games, seats, move numbers and "
    "kinds of answers are mixed as the paper says; for Hanabi, Overcooked and Pong the paper's states come from "
    "models and people, ours from reference agents. Up to ten questions come from one episode. The published "
    "*Random* row is one over the number of actions, so it is compared with the chance to name the very move."
)
_DECISIONS = (
    "Random play is 0 and the optimal reference 100, by the published returns (Table 4); Hunt by 88.0, Kuhn by "
    "−11/24, Pong as (score − 1.44) / (100 − 1.44), where a score is 30 for each point won and 10 · (steps − 105) / "
    "293, clipped, and 1.44 that of 147.2 steps. Overall is the mean of the eight games. In the three dilemmas "
    "`oracle` follows the best plan for both players together, and in the row *the exact optimum being 100* what that "
    "plan is worth stands in place of the published optimum. Published ± are **standard deviations** over 10 episodes "
    "(20 games of Breakthrough, 25 queries for each information set of Kuhn), ours standard errors."
)
_RETURNS = (
    "Per player, mean over both where there are two. Hanabi has two scores: *final* is 0 when the lives run out, "
    "*fireworks* counts the cards on the table all the same. Kuhn is minus the exploitability, computed exactly for "
    "agents that tell how they mix. Pong score is (points difference + 6) / 2. Published ± are standard deviations. "
    "The random and optimal rows have none; their standard errors are estimated as ours would be over 10 episodes "
    "(20 of Breakthrough)."
)
_MINI = (
    "Part of the released code and of no published table. TicTacToe: mean return against MCTS with 1,000 "
    "simulations, half of the games in each seat. TinyHanabi: self-play, 6 points at most."
)
_VARIED = (
    "`--set variant=text-only` and `--set variant=cot` measure a model that way. `random` and `oracle` look at "
    "nothing, so they are the same in all. Chain of thought was not run for reasoning models. The multimodal columns"
    " are those of Tables 1 and 2."
)
SLIPS = (
    "**Returns of the grid games** are called sums of both players in the text. The figures are means per player: "
    "our random rows agree with them (Table 4), twice as much would not, and of Coin and Battle no two players could "
    "collect twice the optimal row.",
    "**Monster Hunt's optimum** is printed as 92.2, but the normalised column follows from 88.0: gemini-2.5-flash "
    "has (15.6 + 10.1) / (88.0 + 10.1) = 26.2 %, with 92.2 it would be 25.1 %. Two players who wait in the middle "
    "(`wait_middle`) make 89.3 ± 0.6 over 1,000 episodes, between the two; ten episodes, as the paper has, cannot tell "
    "them apart. Neither is an optimum: two who plan together collect 158.0 on average.",
    "**Battle of the Colors' optimum** is printed as 29.9. Dynamic programming over all 25⁴ positions and 50 steps "
    "says that two players collect 29.34 each on average at the most, and 1,000 episodes of that plan agree (Table 4). "
    "Single episodes of it differ so much that a mean over ten has a standard error of about 1: the printed figure is "
    "one such mean, and no policy makes it on average.",
    "**Pong's score** is 1.5 for the optimal row, the random row and nearly all models. That is (0 − 3 + 6) / 2, a "
    "0:3 loss, so the optimal cell cannot be right. The 398 steps of the optimal row are one long game and no "
    "maximum.",
    "**Pong's normalised column** follows from the printed steps with 147.2 for random play (gemini-2.5-flash 1.6, "
    "doubao-1-5-thinking-pro 2.9, claude-3-7-sonnet −0.5), except grok-2-vision: −0.1 printed, 0.2 from its 152.6 "
    "steps, and its score of 1.6 does not fit either.",
    "**Kuhn's random row** is printed as −0.5. Uniform play is exploitable by exactly 11/24 ≈ 0.458, and the "
    "normalised figures fit that.",
    "**Overcooked's 40** is defined as two deliveries of 20 points. Our planner begins a third soup in the 50 steps,"
    " which is why it has more than 100 %; the capped row shows what it comes to without that.",
    "**The random row of Table 1** is one over the number of actions in six games; how Hanabi's 8.8 and "
    "Breakthrough's 4.3 were found is not said. Counting equally good moves guessing is worth more (second chance "
    "row), most of all in Breakthrough, where a search of three to six moves finds more than half of all moves "
    "equally good. No published model comes near that, so the published figures of Breakthrough are about the very "
    "move, and a model is compared with them by its row *the very move*.",
    "**Mixed play in Kuhn Poker**: where the equilibrium bets now and then, betting and passing are worth the same, "
    "and both count here. Whether the paper counts both is not said; its random row, 50.0, counts one.",
    "**Monster Hunt in Table 5** differs from Table 1 where both should show the same: gemini-2.5-flash 32.0 / 31.2,"
    " o4-mini 36.2 / 36.6, doubao-1-5-thinking-pro 19.2 / 18.4, qvq-max 16.2 / 16.8, Qwen2.5-VL-72B 25.0 / 27.2, "
    "Llama-3.2 23.5 / 24.0.",
    "**The text** credits Qwen2.5-VL-72B with Coin Dilemma and InternVL3-78B with Monster Hunt; the cells of Table 2"
    " have it the other way round. It also says Leduc Poker once where the game is Kuhn Poker.",
    "**Battle of the Colors**, released: blocks may come back on top of each other, and then meeting there pays red "
    'and moves both. `rules="released"` does that; the default keeps them apart, as the paper describes it.',
    "**Hanabi's reference** is a trained policy in the paper (24.0). Ours plays a move that is better on many hands "
    "it may be holding, with a bot that plays by conventions finishing the games.",
)
