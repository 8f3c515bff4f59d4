"""Say how many episodes a comparison needs, and what they cost."""

import argparse
import json
from collections.abc import Sequence
from typing import Any

from mmgames.commands import _arguments


def run(args: argparse.Namespace) -> int:
    from mmgames import suites
    from mmgames.errors import MmgamesError
    from mmgames.suites.results import planning

    if not args.difference > 0:
        raise MmgamesError(f"--difference {args.difference:g} is not possible; it is a number above 0.")
    for name in ("power", "level"):
        if not 0 < getattr(args, name) < 1:
            raise MmgamesError(f"--{name} {getattr(args, name):g} is not possible; it is between 0 and 1.")
    suite = suites.find(args.suite)
    options = _arguments.settings(args, "suite", "difference", "agent", "only", "seed")
    suite = suite.with_settings(options)
    left_out = suite.skipped(args.skip)
    entries = suite.to_play(args.only, suite.unplayed(args.only, False, left_out))
    if not entries:
        raise MmgamesError(f"Nothing of {suite.name} is left to play.")
    results = _pilot(suite, entries, left_out, options, args)
    found = planning.spreads(results, entries, args.paired)
    if not args.run_folder:
        found = planning.at_least_as_published(found, entries, suite)
    counted = [one for one in found if not one.aside]
    episodes = planning.episodes_needed(counted, args.difference, args.power, args.level)
    each = [planning.episodes_needed([one], args.difference, args.power, args.level) for one in found]
    environments = [
        {
            "environment": one.name,
            "deviation": one.deviation,
            "fixed_error": one.fixed,
            "paired": one.paired,
            "pilot_values": one.values,
            "in_overall": not one.aside,
            "episodes": None if episodes is None or one.aside else min(episodes, one.most or episodes),
            "episodes_alone": alone,
        }
        for one, alone in zip(found, each, strict=True)
    ]
    played = [entry for entry, one in zip(entries, found, strict=True) if not one.aside]
    costs = _costs(suite, played, options, args, episodes) if episodes is not None else None
    plan = {
        "suite": suite.name,
        **{name: getattr(args, name) for name in ("difference", "power", "level")},
        "episodes_per_environment": episodes,
        "from": args.run_folder,
        "pilot": [result["agent"] for result in results],
        "environments": environments,
        **({"cost": costs} if costs is not None else {}),
    }
    print(json.dumps(plan, indent=2) if args.json else _table(plan, bool(args.prices)))
    return 0 if episodes is not None else 1


def _pilot(suite: Any, entries: Sequence[Any], left_out: Any, options: Any, args: argparse.Namespace) -> list[Any]:
    """The results that say how episodes differ."""
    from mmgames.errors import MmgamesError
    from mmgames.suites.results import result_files

    if args.run_folder:
        results = result_files.read(args.run_folder)
        if others := [result["suite"] for result in results if result["suite"] != suite.name]:
            raise MmgamesError(f"{args.run_folder} holds results of {others[0]}, not of {suite.name}.")
        return results
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        how = {"only": args.only, "left_out": left_out, "out": folder, "progress": True, **options}
        suite.evaluate(args.pilot, args.pilot_episodes, args.seed, **how)
        return result_files.read(folder)


def _costs(
    suite: Any, entries: Sequence[Any], options: Any, args: argparse.Namespace, episodes: int
) -> dict[str, dict[str, Any]]:
    """What the agents that are compared would take, environment by environment; two models unless they are named."""
    from mmgames.commands import _estimates
    from mmgames.running.journal import Budget, read_prices

    budget = Budget(prices=read_prices(args.prices) if args.prices else None)
    chosen = args.agent or ["random", "random"]
    rows: dict[str, _estimates.CallCounts] = {}
    known: dict[str, Any] = {}
    for agent in chosen:
        if agent not in known:
            what = (suite, entries, agent, episodes, args.seed, budget, args.reply_tokens)
            known[agent] = _estimates.estimate_calls(*what, **options)
        for name, counts in known[agent].items():
            rows.setdefault(name, _estimates.CallCounts()).add(counts)
    whole = _estimates.CallCounts()
    for counts in rows.values():
        whole.add(counts)
    return {name: {**vars(counts), "money": counts.cost} for name, counts in [*rows.items(), ("all", whole)]}


def _table(plan: dict[str, Any], priced: bool) -> str:
    from mmgames.text.tables import text_table

    costs = dict(plan.get("cost", {}))
    heads = ["environment", "differs by", "alone"]
    heads += ["episodes", "calls", "tokens in", "tokens out"] + ["money"] * priced if costs else []
    whole = costs.pop("all", None)
    own = iter(costs.values())
    rows = []
    for one in plan["environments"]:
        differs = f"{one['deviation']:.1f}" if one["deviation"] else f"{one['fixed_error']:.1f} in all"
        alone = "never" if one["episodes_alone"] is None else f"{one['episodes_alone']:,}"
        cells = [f"{one['episodes']:,}", *_cost_cells(next(own), priced)] if costs and one["in_overall"] else []
        rows.append([one["environment"], differs, alone, *cells, *[""] * (len(heads) - 3 - len(cells))])
    if whole is not None:
        rows.append(["all", "", "", "", *_cost_cells(whole, priced)])
    return f"{_sentence(plan)}\n\n{text_table(heads, rows, right=range(1, len(heads)))}\n\n{_explained(plan)}"


def _sentence(plan: dict[str, Any]) -> str:
    difference, episodes = f"a difference of {plan['difference']:g} points overall", plan["episodes_per_environment"]
    if episodes is None:
        return f"{plan['suite']}: no number of episodes shows {difference}."
    return (
        f"{plan['suite']}: {episodes:,} episodes per environment and agent show {difference} with power "
        f"{plan['power']:g} at level {plan['level']:g}."
    )


def _explained(plan: dict[str, Any]) -> str:
    paired = {one["paired"] for one in plan["environments"]}
    deals = "the same deals" if True in paired else "deals of their own"
    deals += " in part" if len(paired) > 1 else ""
    published = "" if plan["from"] else ", or as published models do where they differ more"
    return (
        "differs by: the standard deviation of the difference of two agents in an episode, with "
        f"{deals},\nas in a pilot of {', '.join(plan['pilot'])}{published}. alone: episodes to see the difference\n"
        "in that environment by itself. Rows without a number of episodes are not in the overall score. Calls, tokens\n"
        "and money are of all agents together, if every reply is legal."
    )


def _cost_cells(counts: dict[str, Any], priced: bool) -> list[str]:
    cells = [f"{counts[name]:,.0f}" for name in ("calls", "tokens_in", "tokens_out")]
    return [*cells, "price unknown" if counts["money"] is None else f"{counts['money']:.2f}"] if priced else cells
