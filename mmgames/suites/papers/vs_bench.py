"""VS-Bench: strategic reasoning (what will the other one do?), decision making (episode return) and perception.

Returns are normalised with the published figures, random play being 0 and the optimal reference 100; accuracies are in
per cent. Published figures are read from vs_bench_published.json. `variant` chooses what a model gets: pictures and
words (`multimodal`), words alone (`text-only`), or both and room to think (`cot`). `edition` chooses the paper's
edition: the first, with the figures of which all is compared, or the second (second_edition.py).
"""

import argparse
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from mmgames.agents.finding import find_agent, make_agent
from mmgames.core import registry
from mmgames.errors import MmgamesError, unknown
from mmgames.games.pong.score import score, score_of_record
from mmgames.running.episodes import OnIllegal
from mmgames.running.statistics import mean_and_error
from mmgames.suites import people
from mmgames.suites.entries import Players, PublishedFigure, Run, SuiteEntry
from mmgames.suites.pages import plots, vs_bench_second
from mmgames.suites.pages import vs_bench as vs_bench_page
from mmgames.suites.pages.layout import PaperTable
from mmgames.suites.pages.tables import figure, score_of, with_error
from mmgames.suites.pages.vs_bench import GAMES
from mmgames.suites.papers import prediction, published, second_edition
from mmgames.suites.papers.prediction import BEST_GUESS, Predictions, predict
from mmgames.suites.papers.sampled_policies import minus_exploitability
from mmgames.suites.protocols import against, play_match, self_play, shown
from mmgames.suites.questions import Asker, check_questions
from mmgames.suites.results import unplayed
from mmgames.suites.results.rows import missing_scores, overall_charged, share_of
from mmgames.suites.suite import Suite
from mmgames.text.command_line import page
from mmgames.text.replies import Reading

VARIANTS: dict[str, dict[str, Any]] = {
    "multimodal": {},
    "text-only": {"observe": ("text",)},
    "cot": {"reasoning": "cot"},
}


ASKERS: dict[Any, type[Asker]] = {predict: Predictions, prediction.recognise: prediction.Recognitions}
"""The protocols that ask questions, and what asks them."""


# Decision making


def hanabi(run: Run) -> np.ndarray:
    """The final score, which is 0 when the lives run out; the fireworks that were on the table go into the details."""
    result = play_match(run, run.agent, run.episodes)
    laid = [row["events"]["cards that fitted"] for row in result.finished]
    run.details["fireworks"] = mean_and_error(np.array(laid, float))
    return result.returns().mean(axis=1)


def pong(run: Run) -> np.ndarray:
    """Points won and length as one score; steps and the paper's game score go into the details."""
    result = play_match(run, run.agent, run.episodes)
    won, lost = (
        np.array([row["events"][f"points for {side}"] for row in result.finished], float) for side in ("right", "left")
    )
    steps = np.array([row["length"] for row in result.finished], float)
    # Half of what is left when the lost points are taken from twice three and the won ones added: 1.5 is a 0:3 loss.
    run.details.update(steps=mean_and_error(steps), game_score=mean_and_error((won - lost + 6) / 2))
    return np.array([score_of_record(row) for row in result.finished])


EDITIONS = (1, 2)


@dataclass(frozen=True)
class VsBench(Suite):
    edition: int = 1

    def of_edition(self, edition: Any) -> Self:
        """The suite as that edition of the paper has it."""
        if edition == self.edition:
            return self
        if edition not in EDITIONS:
            raise unknown("edition", str(edition), self.title, map(str, EDITIONS))
        if self.released:
            raise MmgamesError("Released questions are those of the first edition; leave edition=2 out.")
        first = edition == 1
        title, own = ("VS-Bench", ENTRIES) if first else (vs_bench_second.TITLE, second_edition.entries(ENTRIES))
        return replace(self, edition=edition, title=title, entries=own, every=())

    def with_settings(self, options: dict[str, Any]) -> Self:
        return self.of_edition(options.pop("edition", self.edition))

    def that_made(self, result: Mapping[str, Any]) -> Self:
        return self.of_edition(result.get("edition", 1))

    def evaluate(
        self,
        agent: Players,
        *args: Any,
        variant: str = "multimodal",
        edition: int | None = None,
        opponent: str = "",
        **kwargs: Any,
    ) -> dict[str, Any]:
        """As every suite; `overall` has the mean over the games of each measure: eight, ten of perception, and in the
        second edition ten of each.

        Whoever can only play is asked no questions, unless they are named with `only`. With an `opponent` games of two
        are played against that one, or beside it: those that have one anyway, or all that `only` names.
        """
        if edition not in (None, self.edition):
            return self.of_edition(edition).evaluate(agent, *args, variant=variant, opponent=opponent, **kwargs)
        if variant not in VARIANTS:
            raise unknown("variant", variant, self.title, VARIANTS)
        style = VARIANTS[variant]
        if self.released and "observe" in style:
            raise MmgamesError(f"Released questions are about pictures; variant={variant!r} is for those made here.")
        if style and people.among(agent) is not None:
            raise MmgamesError(f"People were shown pictures and words; variant={variant!r} is for models.")
        named = self.ids_of(kwargs.get("only", ()))
        entries = []
        played = meeting(self.entries, opponent, named, (self_play, hanabi)) if opponent else self.entries
        for entry in played:
            if agent == BEST_GUESS and entry.protocol is not predict and not named:
                continue
            if entry.protocol not in ASKERS:
                entries.append(replace(entry, protocol=shown(style, entry.protocol)) if style else entry)
            elif entry.id in named or (not named and self._predicts(agent)):
                entries.append(replace(entry, options={**entry.options, **style}))
        result = Suite.evaluate(replace(self, entries=tuple(entries)), agent, *args, **kwargs)
        return {**result, "variant": variant}

    def _predicts(self, agent: Players) -> bool:
        """Whether somebody answers questions and does not only play."""
        if isinstance(agent, tuple) or (isinstance(agent, str) and agent in Predictions.answerers()):
            return not isinstance(agent, tuple)
        try:
            return find_agent(agent, registry.find(self.every[-1].id)).can_answer
        except MmgamesError:
            return False  # it plays some of the games alone, which is said when they are checked

    def with_reading(self, reading: Reading) -> Self:
        """Read as released, what no legal action is costs a random move at once; else somebody is asked again."""
        on_illegal: OnIllegal = "random" if reading == "released" else "retry_random"
        return replace(super().with_reading(reading), on_illegal=on_illegal)

    def with_released(self, path: str | os.PathLike[str]) -> Self:
        from mmgames.datasets._released.vs_bench import released_file

        asked = [entry for entry in self.entries if entry.protocol is predict]
        return self.over_questions(path, asked, lambda at, spec: released_file(at, spec.name.partition("-")[0]))

    def check(self, entry: SuiteEntry, players: Players) -> None:
        if entry.protocol not in ASKERS:
            super().check(entry, players)
            return
        if self.released and players == BEST_GUESS:
            raise MmgamesError(
                f"{BEST_GUESS} works out the questions that are made here; released files do not tell it."
            )
        check_questions(entry, players, ASKERS[entry.protocol], " Name games with only= (--only).")

    def asker(self, entry: SuiteEntry) -> type[Asker] | None:
        return ASKERS.get(entry.protocol)

    def mean_of(self, entry: SuiteEntry) -> str:
        measured = vs_bench_page.measured({"environment": entry.id})
        return "" if measured == vs_bench_page.ASIDE else measured

    def published_deviation(self, entry: SuiteEntry) -> float | None:
        return vs_bench_page.published_deviation(entry.id) if self.edition == 1 else None

    def complete(self, result: dict[str, Any], entries: Sequence[SuiteEntry]) -> dict[str, Any]:
        for row in result["rows"]:
            _estimate(row)
            row["measured"] = vs_bench_page.measured(row)
        for row, entry in zip(result["rows"], entries, strict=True):
            if self.edition == 1 and not entry.variant:
                _of_optimum(row, entry)
        overall = {
            "strategic reasoning": _mean(result["rows"], vs_bench_page.REASONING),
            "decision making": _mean(result["rows"], vs_bench_page.DECISIONS),
            "decision making, each game at most 100": _mean(result["rows"], vs_bench_page.DECISIONS, 100.0),
            "perception": _mean(result["rows"], vs_bench_page.PERCEPTION),
        }
        overall = {name: value for name, value in overall.items() if value is not ...}
        measures = ("decision making", "strategic reasoning", "perception")
        main = next((name for name in measures if name in overall), measures[0])
        for row in result["rows"]:
            row["aside"] = row["measured"] != main  # not in the one overall figure that comparisons show
        over = {**result["over"], **({unplayed.ALL: result["over"][main]} if main in overall else {})}
        whole = {"overall": overall, "overall_normalised": overall.get(main), "over": over}
        whole |= {} if self.edition == 1 else {"edition": self.edition}
        charged = overall_charged([row for row in result["rows"] if not row["aside"]])
        result.pop("overall_charged", None)
        return {**result, **whole, **({} if charged is None else {"overall_charged": charged})}

    def headline(self, result: dict[str, Any]) -> list[str]:
        told = missing_scores(result)
        lines = [
            f"{name} {figure(value, 1)}{unplayed.over(result, name.partition(',')[0])}{told}"
            for name, value in result["overall"].items()
        ]
        return lines or [f"no overall{told}"]

    def remarks(self, result: dict[str, Any]) -> list[str]:
        lines = []
        for row in result["rows"]:
            name = row["environment"].partition("/")[2]
            if "fireworks" in row:
                lines.append(f"{name}: fireworks {with_error(row['fireworks'])}; the score above is the final one")
            if "steps" in row:
                lines.append(f"{name}: {with_error(row['steps'], 1)} steps{_PONG if self.edition == 1 else ''}")
            for side in second_edition.SIDES:
                if side in row:
                    lines.append(f"{name}: return as the {side} {with_error(row[side], 2)}")
            if "of_optimum" in row:
                lines.append(f"{name}: {with_error(row['of_optimum'], 1)} % with the exact optimum as 100")
            if "exact" in row:
                found, chance, chance_exact = (with_error(row[key], 1) for key in ("exact", "chance", "chance_exact"))
                lines.append(f"{name}: the very move {found} %; by chance {chance} %, the very move {chance_exact} %")
            if "all_elements" in row:
                found, chance = with_error(row["all_elements"], 1), figure(row["chance_all"]["mean"], 1)
                lines.append(f"{name}: all elements right {found} %; by chance {chance} %")
        return lines + super().remarks(result)

    def arguments(self, parser: Any) -> None:
        super().arguments(parser)
        parser.add_argument(
            "--overall", metavar="FILE", help="also plot both overall figures beside the published models (plot extra)"
        )

    def check_arguments(self, args: argparse.Namespace) -> None:
        super().check_arguments(args)
        if args.overall and self.edition != 1:
            raise MmgamesError("--overall plots the published models of the first edition; leave it out.")
        if args.overall:
            plots.check(args.overall)

    def plot(self, args: argparse.Namespace, results: Sequence[dict[str, Any]]) -> dict[str, str]:
        drawn = {}
        if args.overall:
            plots.grouped_bars(args.overall, self.title, "overall / 100", vs_bench_page.overall_bars(results))
            drawn["Overall, ours and the published models"] = args.overall
        return {**drawn, **super().plot(args, results)}

    def paper_tables(self, results: Sequence[dict[str, Any]]) -> list[PaperTable]:
        return vs_bench_page.tables(results) if self.edition == 1 else vs_bench_second.tables(results)

    def page(self, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str]) -> str:
        if self.edition == 1:
            return vs_bench_page.page(self.title, command, results, pictures)
        return vs_bench_second.page(self.title, command, results, pictures, second_edition.references())


_PONG = ", published 147.2 at random and 398 at best"


def _mean(rows: Sequence[Mapping[str, Any]], measure: str, most: float = np.inf) -> Any:
    """The mean over the games of a measure; None if one has no score, ... if none was played."""
    found = [row["normalised"] for row in rows if row["measured"] == measure]
    if not found:
        return ...
    return None if None in found else float(np.mean([min(value, most) for value in found]))


def _estimate(row: dict[str, Any]) -> None:
    """The paper gives no errors for its random and optimal rows: what ours would be over as many episodes."""
    figure, error = row["published"], row["standard_error"]
    if figure is None or not error:
        return
    theirs = error * np.sqrt(row["episodes"] / vs_bench_page.episodes(row["environment"]))
    figure["standard_error"] = float(theirs)
    figure["difference_in_standard_errors"] = float(figure["difference"] / np.hypot(error, theirs))


def _of_optimum(row: dict[str, Any], entry: SuiteEntry) -> None:
    """Beside the published normaliser: random play is 0 and what the best plan is worth is 100, where that is known."""
    best = {f"mmgames/{GAMES[column]}-v0": most for column, most in vs_bench_page.OPTIMUM.items()}.get(entry.id)
    if best is not None and row["raw"] is not None:
        row["of_optimum"] = share_of(score_of(row) | {"interval": None}, entry.normal[0], best)


def _figures(column: str) -> tuple[float, float]:
    """The published returns of a game, at random and at best."""
    table = published.tables("vs_bench")["Table 4"]
    if column == "Atari Pong":  # points and length as one score
        return score(0, table.value("Random", "Atari Pong steps")), 100.0
    return -11 / 24 if column == "Kuhn Poker" else table.value("Random", column), table.value("Optimal", column)


PROTOCOLS = {"self-play": self_play, "hanabi": hanabi, "pong": pong, "exploitability": minus_exploitability}


def _game(play: str, column: str = "", notes: Mapping[str, str] = MappingProxyType({}), **told: Any) -> SuiteEntry:
    """A game as vs_bench_games.toml has it."""
    if column:
        random, best = _figures(column)
        told["normal"] = random, vs_bench_page.HUNT_OPTIMAL if column == "Monster Hunt" else best
        known = {"random": random, "oracle": best}
        told["published"] = {who: PublishedFigure(value, None, notes.get(who, "")) for who, value in known.items()}
    protocol = PROTOCOLS.get(play) or against(play.removeprefix("against "))
    return SuiteEntry(protocol=protocol, **{"published": {}, **told, "normal": tuple(told["normal"])})


_FILE = page(__package__, "vs_bench_games")
ENTRIES = (*prediction.entries(), *prediction.perceived_entries(), *(_game(**told) for told in _FILE["games"]))
SUITE = VsBench(name="vs-bench", title="VS-Bench", behaviour=_FILE["behaviour"], entries=ENTRIES)


def meeting(
    entries: Sequence[SuiteEntry], opponent: str, named: Collection[str], played: Collection[Callable[..., Any]]
) -> list[SuiteEntry]:
    """The entries with this opponent, or partner, in the other seat, half of the games in each: those that are against
    somebody anyway, or those `named`, of the protocols `played`. Nothing was published of them."""
    made = []
    for entry in entries:
        own = entry.id in named if named else entry.measure.startswith("return against")
        if own and entry.id in registry.specs:
            spec = registry.find(entry.id)
            if len(spec.seats) != 2 or not (entry.protocol in played or entry.measure.startswith("return against")):
                raise MmgamesError(f"{entry.id} is not played against anybody; leave opponent= or this game out.")
            make_agent(opponent, spec)
            told = f"return beside {opponent}, half of the games in each seat"
            variant = f"opponent={opponent}"
            entry = replace(entry, protocol=against(opponent), measure=told, variant=variant, published={})
        made.append(entry)
    if made == [*entries]:
        raise MmgamesError("opponent= is for games of two that are played; name some with only= (--only).")
    return made
