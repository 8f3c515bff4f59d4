"""What `mmgames eval` asks a suite beside its results: arguments of its own, plots, remarks and a page."""

import argparse
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mmgames.errors import MmgamesError
from mmgames.suites.entries import Players, players_name
from mmgames.suites.pages import plots, tables
from mmgames.suites.pages.layout import PaperTable
from mmgames.suites.results.rows import behaviour_shares, overall_figure
from mmgames.text.tables import markdown_table


class CommandLineHooks:
    """The part of a suite that the command line calls; a suite may write any of it anew."""

    title: str
    behaviour: Mapping[str, Mapping[str, tuple[str, ...]]]

    def ids_of(self, names: Sequence[str] | str | None) -> set[str]:
        """The ids of the environments that a user names; a sentence about one that the suite does not have."""
        raise NotImplementedError

    def with_settings(self, options: dict[str, Any]) -> Any:
        """The suite that settings of a user are about; those that only choose it are taken out of them."""
        return self

    def that_made(self, result: Mapping[str, Any]) -> Any:
        """The suite as it was when it made a result."""
        return self

    def radar(self, result: dict[str, Any]) -> dict[str, float]:
        """What a radar plot of a result shows, from 0 to 1: each axis and how far out the line is."""
        return behaviour_shares(result)

    radar_title = "social behaviour, share of events"

    def radar_axes(self, only: Sequence[str]) -> Collection[str]:
        """The axes of a radar plot of these environments, of all if none is named."""
        ids = self.ids_of(only)
        return [axis for id, axes in self.behaviour.items() if not ids or id in ids for axis in axes]

    def arguments(self, parser: Any) -> None:
        """Add the arguments that only this suite has to those of `mmgames eval`."""
        parser.add_argument("--radar", metavar="FILE", help=f"also plot a radar: {self.radar_title} (plot extra)")

    def check_arguments(self, args: argparse.Namespace) -> None:
        """A sentence about a plot that cannot be drawn or written; better before anything is played than after it."""
        if getattr(args, "radar", None):  # a suite may have other arguments
            plots.check(args.radar)
            if (axes := len(self.radar_axes(args.only))) < plots.FEWEST_AXES:
                raise MmgamesError(
                    f"--radar: a radar plot of these environments would have {axes} axes, and needs "
                    f"{plots.FEWEST_AXES}; choose others with --only, or leave it out."
                )

    def agents(self, args: argparse.Namespace) -> list[Players]:
        """The agents that are chosen with arguments of its own."""
        return []

    def words(self, players: Players) -> tuple[str, ...]:
        """The arguments that choose these agents."""
        return ("--agent", players if isinstance(players, str) else players_name(players))

    def plot(self, args: argparse.Namespace, results: Sequence[dict[str, Any]]) -> dict[str, str]:
        """Draw the plots that its arguments ask for: caption -> file."""
        if not getattr(args, "radar", None):
            return {}
        shares = {result["agent"]: self.radar(result) for result in results}
        plots.radar(args.radar, f"{self.title}\n{self.radar_title}", shares)
        return {self.radar_title.capitalize(): args.radar}

    def page(self, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str]) -> str:
        """The page of results in Markdown; `pictures` are captions and files beside it. A suite with a paper's tables
        lays them out with `suites.pages.layout`."""
        return tables.page(self.title, command, results, self.sections(results), pictures)

    def paper_tables(self, results: Sequence[dict[str, Any]]) -> list[PaperTable]:
        """The paper's tables with our rows and the published ones; the page and the report show them."""
        return []

    def sections(self, results: Sequence[dict[str, Any]]) -> list[str]:
        """What the page of results has after the common tables, in Markdown."""
        mean = [[result["agent"], overall_figure(result)] for result in results]
        return [
            "Normalised, random play being 0 and the reference 100, mean over the environments:",
            markdown_table(("agent", "overall"), mean),
        ]

    def headline(self, result: dict[str, Any]) -> list[str]:
        """The overall scores of a result, which stand above the table on the terminal."""
        return [f"overall normalised {overall_figure(result)}"]

    def remarks(self, result: dict[str, Any]) -> list[str]:
        """What is said about a result below the table on the terminal, a line each."""
        lines = []
        for environment, axes in result["behaviour"].items():
            lines.append(f"{environment}: " + ", ".join(f"{axis} {count:.2f}" for axis, count in axes.items()))
        return lines
