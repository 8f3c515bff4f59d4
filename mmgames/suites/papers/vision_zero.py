"""Vision-Zero: an agent as the civilians and as the spy, against every scripted one; who is caught, how votes fall."""

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from mmgames.agents.base import AgentLike
from mmgames.agents.identity import agent_name
from mmgames.core import registry
from mmgames.core.seeding import RunSeed, SealedSeed
from mmgames.games.spy import pictures as sources
from mmgames.readers.vision_zero import read_vote
from mmgames.running.statistics import mean_and_error
from mmgames.suites.entries import Players, Run, in_per_cent
from mmgames.suites.pages import described, layout, prose
from mmgames.suites.pages.layout import PaperTable
from mmgames.suites.pages.tables import figure
from mmgames.suites.papers.published import tables as published
from mmgames.suites.protocols import play_match
from mmgames.suites.suite import Suite

GAME = "mmgames/Spy-v0"
Player = str | AgentLike
OPPONENTS = ("random", "truthful", "consistency", "vague", "copying", "oracle")
SIDES = ("civilians", "spy")
MEASURES = {"civilians": "spy caught in per cent", "spy": "spy not caught in per cent"}


def _played(run: Run, spy: Player, civilian: Player, episodes: int, part: str = "") -> list[dict[str, Any]]:
    """The records of rounds between a spy and civilians, every seat being the spy's as often."""
    names = _players(run)
    rows: list[dict[str, Any]] = []
    observed = run.entry.options.get("judge") == "observer"
    for seat, name in enumerate(names):
        own = (episodes + len(names) - 1 - seat) // len(names)
        if own:
            agents = [civilian] * (len(names) + observed)
            agents[seat] = spy
            # Each seat has rounds of its own: the same ones five times would look like more than they are.
            seed = run.seed.part(seat) if isinstance(run.seed, SealedSeed) else run.seed * len(names) + seat
            seeded = replace(run, seed=seed)
            rows += play_match(seeded, tuple(agents), own, f"{part}{name}", spy=name).finished
    return rows


def _players(run: Run) -> tuple[str, ...]:
    game: Any = registry.load(run.entry.id).game(**run.entry.options)
    return tuple(game.seats[: game.players])


def against_reference(run: Run) -> np.ndarray:
    """The paper's figure: an agent against its reference, half of the rounds as the spy and half as the civilians.

    The two halves play the same pairs of pictures, so that an agent that is its own reference wins half of all rounds.
    """
    agent, reference = run.agent if isinstance(run.agent, tuple) else (run.agent, run.agent)
    half = run.episodes // 2
    wins = []
    for side, episodes in zip(SIDES, (run.episodes - half, half), strict=True):
        spy, civilian = (agent, reference) if side == "spy" else (reference, agent)
        rows = _played(run, spy, civilian, episodes, f"{side}-")
        caught = np.array([row["events"]["caught"] for row in rows], float)
        own = 100 * (1 - caught if side == "spy" else caught)
        run.details[f"wins_as_{side}"] = mean_and_error(own) if len(own) else None
        wins.append(own)
    run.details.update(side="both", opponent="reference")
    return np.concatenate(wins)


def rounds(side: str, opponent: str) -> Callable[[Run], np.ndarray]:
    """A protocol: the agent on one side, the opponent on the other, every seat the spy's as often."""

    def protocol(run: Run) -> np.ndarray:
        assert not isinstance(run.agent, tuple)
        spy, civilian = (run.agent, opponent) if side == "spy" else (opponent, run.agent)
        rows = _played(run, spy, civilian, run.episodes)
        votes = [row["events"] for row in rows]
        asked = max(1, sum(events["votes"] for events in votes))
        names = _players(run)
        rewards = [
            np.mean([paid for name, paid in zip(names, row["clue_rewards"], strict=False) if _on(side, name, row)])
            for row in rows
        ]
        clues = [clue for row in rows for clue in row["clues"] if _on(side, clue["seat"], row)]
        run.details.update(
            side=side,
            opponent=opponent,
            votes_right=sum(events["votes right"] for events in votes) / asked,
            votes_na=sum(events["votes N/A"] for events in votes) / asked,
            votes_invalid=sum(events["votes invalid"] for events in votes) / asked,
            clue_reward=mean_and_error(np.array(rewards)),
            no_clue=float(np.mean([bool(clue["flaw"]) for clue in clues])) if clues else 0.0,
        )
        if side == "civilians" and str(run.entry.options.get("pictures")).startswith("folder:"):
            run.details["released_rule"] = mean_and_error(100 * np.array(released_votes(rows), float))
        caught = np.array([events["caught"] for events in votes], float)
        return 100 * (caught if side == "civilians" else 1 - caught)

    return protocol


def released_votes(rows: Sequence[Mapping[str, Any]]) -> list[bool]:
    """Whether the released rule reads each vote of the civilians, their last reply of a round, as one for the spy."""
    right = []
    for row in rows:
        last = {reply["seat"]: reply["reply"] for reply in row.get("replies", ())}
        voters = [vote["seat"] for vote in row["votes"]]
        right += [f"player_{read_vote(last.get(seat, ''))}" in row["spies"] for seat in voters]
    return right


def _on(side: str, player: str, row: dict[str, Any]) -> bool:
    """Whether a player was on that side in a round."""
    return (player in row["spies"]) == (side == "spy")


ABOUT_THE_GAME = ("Text, Sect. 3.1 and Fig. 6", "Text, Sect. 2.1", "Table 5")


def _measured(results: Sequence[dict[str, Any]]) -> list[PaperTable]:
    """How often agents win against their reference, and what those that met all opponents did."""
    met = [result for result in results if _rows(result, "both")]
    others = [result for result in results if result not in met]
    return [*described.tables("vision_zero", met, "met"), *described.tables("vision_zero", others)]


def _published_tables() -> list[PaperTable]:
    return [published("vision_zero")[name].beside() for name in ABOUT_THE_GAME]


class VisionZero(Suite):
    READ_AS_RELEASED: ClassVar[Mapping[str, str]] = {"reward": "released"}

    def evaluate(self, agent: Players, episodes: int = 100, seed: RunSeed = 0, **how: Any) -> dict[str, Any]:
        """As every suite; two players, an agent and its reference, meet each other alone, as in the paper's figure."""
        suite = replace(self, entries=(REFERENCE,), every=(REFERENCE,)) if isinstance(agent, tuple) else self
        return super(VisionZero, suite).evaluate(agent, episodes, seed, **how)

    def arguments(self, parser: Any) -> None:
        super().arguments(parser)
        parser.add_argument("--trained", metavar="A", help="the agent that meets its reference, in both roles")
        parser.add_argument("--reference", metavar="A", help="what it was before; without it, the agent itself")

    def agents(self, args: argparse.Namespace) -> list[Players]:
        trained = args.trained or args.reference
        return [(trained, args.reference or trained)] if trained else []

    def words(self, players: Players) -> tuple[str, ...]:
        if not isinstance(players, tuple):
            return super().words(players)
        trained, reference = (player if isinstance(player, str) else agent_name(player) for player in players)
        return ("--trained", trained, "--reference", reference)

    def with_released(self, path: str | os.PathLike[str]) -> Self:
        """Over the pairs of a folder; Spy itself reads it."""
        source: Any = sources.find(f"folder:{os.fspath(path)}")
        entries = [replace(entry, options={"pictures": f"folder:{os.fspath(path)}"}) for entry in self.entries]
        return self.over_entries(path, entries, {GAME: {"file": str(path), "pairs": len(source.pairs)}})

    def paper_tables(self, results: Sequence[dict[str, Any]]) -> list[PaperTable]:
        return [*_measured(results), *_published_tables()]

    def page(self, command: str, results: Sequence[dict[str, Any]], pictures: Mapping[str, str]) -> str:
        said = prose.paragraphs("vision_zero")
        parts: list[PaperTable | str] = [said["about"], *_measured(results), said["published"], *_published_tables()]
        theirs = published("vision_zero")
        notes = [f"{name}: {note}" for name in ABOUT_THE_GAME for note in theirs[name].notes]
        return layout.page(self.title, command, results, parts, notes, pictures)

    def headline(self, result: dict[str, Any]) -> list[str]:
        if both := _rows(result, "both"):
            shares = [both[0][f"wins_as_{side}"] for side in SIDES]
            told = zip(SIDES, shares, strict=True)
            return [
                f"as {'the ' * (side == 'spy')}{side}: wins {figure(s['mean'], 1)} % of rounds" for side, s in told if s
            ]
        return [
            f"as {'the ' * (side == 'spy')}{side}: wins {figure(_mean(result, side), 1)} % of rounds; "
            f"votes right {figure(100 * _share(result, side, 'votes_right'), 1)} %, "
            f"N/A {figure(100 * _share(result, side, 'votes_na'), 1)} %"
            for side in SIDES
        ]

    def remarks(self, result: dict[str, Any]) -> list[str]:
        return []


def _rows(result: dict[str, Any], side: str) -> list[dict[str, Any]]:
    return [row for row in result["rows"] if row["side"] == side]


def _mean(result: dict[str, Any], side: str) -> float | None:
    wins = [row["raw"] for row in _rows(result, side)]
    return float(np.mean(wins)) if wins and None not in wins else None


def _share(result: dict[str, Any], side: str, name: str) -> float:
    return float(np.mean([row[name] for row in _rows(result, side)]))


REFERENCE = in_per_cent(GAME, "rounds won in per cent", against_reference, variant="against its reference")
SUITE = VisionZero(
    name="vision-zero",
    title="Vision-Zero",
    entries=tuple(
        in_per_cent(GAME, MEASURES[side], rounds(side, opponent), variant=f"{side} against {opponent}")
        for side in SIDES
        for opponent in OPPONENTS
    ),
    on_illegal="silent",
)
