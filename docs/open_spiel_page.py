"""Writes the page of OpenSpiel's games, `open-spiel-games.md`: which can be played, and why the rest cannot.

python docs/open_spiel_page.py
"""

import importlib.metadata
from pathlib import Path

import mmgames
from mmgames.agents.finding import GENERAL_AGENTS, RESTRICTED_AGENTS, known_agents
from mmgames.core.game import Game
from mmgames.errors import MmgamesError
from mmgames.games.open_spiel import wheel
from mmgames.text.tables import markdown_table

EVERYWHERE = set(GENERAL_AGENTS) - set(RESTRICTED_AGENTS) | {"ippo"}

PAGE = Path(__file__).with_name("open-spiel-games.md")
ID = "mmgames/OpenSpiel-v0"
HEAD = ("game", "called", "seats", "information", "chance", "utility", "actions", "length", "features", "agents")


def version() -> str:
    return importlib.metadata.version("open_spiel")


def survey() -> tuple[dict[str, Game], dict[str, str]]:
    """Every game of the wheel by its bare name: those that qualify, and the reasons why the others do not."""
    wheel.try_apart(*wheel.registered())  # all in one process: quicker than one by one
    games: dict[str, Game] = {}
    reasons: dict[str, str] = {}
    for name in wheel.registered():
        try:
            games[name] = mmgames.load_game(ID, game=name)
        except MmgamesError as error:
            reasons[name] = str(error)
    return games, reasons


def page(games: dict[str, Game], reasons: dict[str, str]) -> str:
    refused = [(f"`{name}`", _short(name, reason)) for name, reason in reasons.items()]
    blind = [name for name, game in games.items() if not game.spec.searchable]
    return f"""# Games of OpenSpiel

[`{ID}`](environments/OpenSpiel.md) plays them: `gym.make("{ID}", game="leduc_poker")`.
{counts(games, reasons)}

This page is written by `python docs/open_spiel_page.py` from what the games say themselves, with their default
parameters. Besides the agents named here, `random`, `human` and whoever answers in words play all of them.

{markdown_table(HEAD, [_row(name, game) for name, game in games.items()], markup=True)}

## What cannot be imagined

These {len(blind)} games hide something that OpenSpiel does not draw again, or not as moves that could have been made.
Nothing can be imagined in them: there are no searches and no `cfr`, the test that nothing hidden leaks does not run,
and `game.spec.searchable` is False:
{", ".join(f"`{name}`" for name in blind)}.

## Why the rest do not qualify

Those that need parameters play when they get them, if the game they make qualifies: `misere(game=tic_tac_toe())`. Those
whose seats move at the same time can be had move by move: `turn_based_simultaneous_game(game=goofspiel())`.

{markdown_table(("game", "why"), refused, markup=True)}
"""


def counts(games: dict[str, Game], reasons: dict[str, str]) -> str:
    every = len(games) + len(reasons)
    return f"Of the {every} games of OpenSpiel {version()}, {len(games)} qualify by their name alone."


def _row(name: str, game: Game) -> tuple[str, ...]:
    spec = game.spec
    kind = wheel.registered()[name]
    view = game.view(game.start(None), None)  # type: ignore[arg-type] - chance is explicit, nothing is drawn
    return (
        f"`{name}`",
        kind.long_name,
        str(len(game.seats)),
        spec.information,
        spec.chance,
        spec.utility.replace("_", " "),
        f"{game.num_actions:,}",
        f"{spec.length:,}",
        f"{len(view.tensor) // 4:,}" if view.tensor else "none",
        ", ".join(agent for agent in known_agents(spec) if agent not in EVERYWHERE),
    )


def _short(name: str, reason: str) -> str:
    """The reason without the words that all reasons begin with, and without advice."""
    reason = reason.removeprefix(f"OpenSpiel's {name} ").removeprefix("cannot be played here: ").removesuffix(".")
    return reason.partition(" (")[0]


def main() -> None:
    games, reasons = survey()
    PAGE.write_text(page(games, reasons), "utf-8")
    print(f"{PAGE.name}: {counts(games, reasons)}")


if __name__ == "__main__":
    main()
