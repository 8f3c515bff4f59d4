"""How two results of a suite compare: on the deals that both had, with what is missing taken at its worst."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mmgames.errors import MmgamesError
from mmgames.running.statistics import difference_interval, mean_and_error, pooled, student_interval
from mmgames.suites.pages.tables import figure, row_name
from mmgames.suites.results.result_files import row_key
from mmgames.text.tables import COLUMNS, cut

HIGHER, LOWER, ALIKE, OPEN, UNKNOWN = "higher", "lower", "not told apart", "open", "–"
"""What is said of a difference; it is open where missing values could turn it."""
OVERALL = "overall, normalised"
Measured = Mapping[str, Any]


def compare(first: Measured, second: Measured) -> list[dict[str, Any]]:
    """How much higher the second result is than the first, row by row, and the normalised mean over all rows.

    Where both were dealt from the same seed, the difference is over the deals that both have a value of, pair by pair.
    `worst` is the interval when what is missing is worth as little as it can be to the one and as much as it can be to
    the other, and the other way round.
    """
    if first["suite"] != second["suite"]:
        raise MmgamesError(f"Results of {first['suite']} and {second['suite']} cannot be compared.")
    if first.get("edition", 1) != second.get("edition", 1):
        raise MmgamesError(
            f"Results of two editions of {first['suite']} cannot be compared: they are scaled otherwise."
        )
    others = {row_key(row): row for row in second["rows"]}
    rows, scaled = [], []
    for row, other in [(row, others[row_key(row)]) for row in first["rows"] if row_key(row) in others]:
        same = same_seed(first, second) and row.get("released") == other.get("released")
        cases = _cases(row, other, same)
        rows.append(_line(row, other, cases))
        if cases and not row.get("aside"):
            low, high = row.get("normal", (0.0, 1.0))
            scaled.append([_scaled(case, 100 / (high - low)) for case in cases])
        if cases and all("without_luck" in found for found in (row, other)):
            rows.append(_without_luck(rows[-1], row, other))
    if not rows:
        raise MmgamesError("The two results have no environment in common.")
    counted = [sum(not row.get("aside") for row in result["rows"]) for result in (first, second)]
    whole = [pooled(case) for case in zip(*scaled, strict=True)] if [len(scaled)] * 2 == counted else []
    names = {"environment": OVERALL, "measure": "", "missing": 0, "values": ()}
    one, two = ({**names, "raw": result.get("overall_normalised")} for result in (first, second))
    overall = {
        **_line(one, two, whole),
        "over": [result.get("over", {}).get("overall_normalised") for result in (first, second)],
        "paired": all(row["paired"] for row in rows),
        "missing": [sum(row["missing"] for row in result["rows"]) for result in (first, second)],
        "values": [len(first["rows"]), len(second["rows"])],
    }
    return [*rows, overall]


def same_seed(first: Measured, second: Measured) -> bool:
    return all(first.get(name) == second.get(name) for name in ("seed", "sealed"))


def _line(row: Measured, other: Measured, cases: Sequence[Measured]) -> dict[str, Any]:
    """What is told of a pair of rows; `cases` are the difference as it was seen, and at its least and greatest."""
    told: dict[str, Any] = {"difference": None, "interval": None, "worst": None, "paired": False}
    if cases:
        seen, least, greatest = cases
        told = {"difference": seen["mean"], "interval": seen["interval"], "paired": seen.get("paired", False)}
        told["worst"] = [least["interval"][0], greatest["interval"][1]]
    return {
        **{name: row.get(name, "") for name in ("environment", "variant", "measure")},
        "first": row["raw"],
        "second": other["raw"],
        **told,
        "verdict": _verdict(told["interval"], told["worst"]),
        "missing": [row["missing"], other["missing"]],
        "values": [len(found.get("values", ())) for found in (row, other)],
    }


def _verdict(interval: Sequence[float] | None, worst: Sequence[float] | None) -> str:
    if interval is None or worst is None:
        return UNKNOWN
    if worst[0] > 0 or worst[1] < 0:
        return HIGHER if worst[0] > 0 else LOWER
    return OPEN if interval[0] > 0 or interval[1] < 0 else ALIKE


def _cases(row: Measured, other: Measured, same: bool) -> list[dict[str, Any]]:
    """The difference as it was seen, at its least and at its greatest; none where a row has no score."""
    if any(found["raw"] is None or not found.get("values") for found in (row, other)):
        return []
    ends = [end for found in (row, other) for end in found.get("bounds") or (*found["values"], *found["normal"])]
    low, high = min(ends), max(ends)
    one, two = map(_by_deal, (row, other))
    common = [deal for deal in one if deal in two] if same else []
    if len(common) > 1:
        theirs = {*two, *other.get("lost", ())}
        asked = [deal for deal in (*one, *row.get("lost", ())) if deal in theirs]
        cluster = dict(zip(one, row.get("clusters") or one, strict=True))

        def paired(deals: Sequence[Any], my_fill: float, their_fill: float) -> dict[str, Any]:
            apart = np.array([two.get(deal, their_fill) - one.get(deal, my_fill) for deal in deals])
            clusters = [cluster.get(deal, deal) for deal in deals] if "clusters" in row else None
            return {**mean_and_error(apart, clusters, high - low, low - high), "paired": True}

        return [paired(common, 0.0, 0.0), paired(asked, high, low), paired(asked, low, high)]
    filled = [[_filled(found, end, low, high) for end in (None, low, high)] for found in (row, other)]
    (mine, my_least, my_most), (theirs_seen, their_least, their_most) = filled
    pairs = ((mine, theirs_seen), (my_most, their_least), (my_least, their_most))
    return [{"mean": b["mean"] - a["mean"], "interval": difference_interval(a, b)} for a, b in pairs]


def _by_deal(row: Measured) -> dict[Any, float]:
    """The values by the deal they are of; files that do not tell deals have them in order, if none is missing."""
    known = row.get("deals") or ([] if row["missing"] else [str(number) for number in range(len(row["values"]))])
    return dict(zip(known, row["values"], strict=bool(known)))


def _filled(row: Measured, missing: float | None, low: float, high: float) -> Measured:
    """A row's mean and interval, with what is missing worth so much."""
    if row.get("interval") and (missing is None or not row["missing"]):
        return {"mean": row["raw"], "interval": row["interval"]}
    added = 0 if missing is None else row["missing"]
    values = np.array([*row["values"], *[missing] * added], float)
    clusters = [*row["clusters"], *(f"missing {number}" for number in range(added))] if "clusters" in row else None
    return mean_and_error(values, clusters, high, low)


def _scaled(case: Measured, scale: float) -> dict[str, Any]:
    return {"mean": scale * case["mean"], "interval": sorted(scale * end for end in case["interval"])}


def _without_luck(plain: Measured, one: Measured, two: Measured) -> dict[str, Any]:
    """The same comparison of scores from which luck is taken out; what is missing has none that is known."""
    mine, theirs = (np.array(found["values_without_luck"], float) for found in (one, two))
    paired = plain["paired"] and one.get("deals") == two.get("deals") and len(mine) == len(theirs)
    told = [mean_and_error(values) for values in ([theirs - mine] if paired else [mine, theirs])]
    told = [{**found, "interval": student_interval(found, len(mine))} for found in told]
    between = told[0]["interval"] if paired else difference_interval(*told)
    first, second = (found["without_luck"]["mean"] for found in (one, two))
    worst = plain["worst"] if any(plain["missing"]) else between
    figures = {"first": first, "second": second, "difference": second - first, "interval": between, "worst": worst}
    variant = f"{plain['variant']} without luck".strip()
    return {**plain, "variant": variant, **figures, "paired": paired, "verdict": _verdict(between, worst)}


def alone(first: Measured, second: Measured) -> list[list[str]]:
    """The rows that only the first of two results has, and those that only the second has."""
    both = {row_key(row) for row in first["rows"]} & {row_key(row) for row in second["rows"]}
    return [[row_name(row) for row in result["rows"] if row_key(row) not in both] for result in (first, second)]


HEAD = ("first", "second", "difference", "95 % interval", "second is", "missing", "worst case")


def shown(rows: Sequence[Measured]) -> tuple[list[str], list[list[str]]]:
    """The head and the cells of a table of a comparison that fits a terminal, the overall line first."""
    names, cells = [], []
    for row in (*rows[-1:], *rows[:-1]):
        names.append(row_name(row) or row["environment"])
        if any(found and found["environments"] < found["of"] for found in row.get("over", ())):
            both = [f"{found['environments']} of {found['of']}" if found else "?" for found in row["over"]]
            names[-1] = f"overall ({' and '.join(dict.fromkeys(both))})"  # the means of so many environments
        figures = (figure(row[column]) for column in ("first", "second", "difference"))
        missing = " and ".join(map(str, row["missing"])) if any(row["missing"]) else ""
        worst = _between(row["worst"]) if missing else ""
        cells.append([*figures, _between(row["interval"]), row["verdict"], missing, worst])
    columns = 7 if any(line[-1] for line in cells) else 5
    taken = sum(2 + max(len(line[at]) for line in [HEAD, *cells]) for at in range(columns))
    lines = [[cut(name, COLUMNS - taken), *line[:columns]] for name, line in zip(names, cells, strict=True)]
    return ["environment", *HEAD[:columns]], lines


def pairing(rows: Sequence[Measured]) -> str:
    """Which rows are over the deals that both had."""
    apart = [row_name(row) for row in rows[:-1] if not row["paired"]]
    return f"Not paired, deal by deal: {', '.join(apart)}." if apart else "All rows are paired, deal by deal."


def _between(ends: Sequence[float] | None) -> str:
    return "–" if ends is None else f"{figure(ends[0])} to {figure(ends[1])}"
