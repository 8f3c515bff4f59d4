"""Vision-Zero: an agent as the civilians and as the spy, against every scripted one; who is caught, how votes fall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mmgames.core import registry
from mmgames.core.agents import Agent
from mmgames.core.table import markdown
from mmgames.matches import mean_and_error
from mmgames.suites.suite import Run, Suite, SuiteRow, play_match
from mmgames.suites.tables import figure, with_error

GAME = "mmgames/Spy-v0"
OPPONENTS = ("random", "truthful", "consistency", "vague", "copying", "oracle")
SIDES = ("civilians", "spy")
MEASURES = {"civilians": "spy caught in per cent", "spy": "spy not caught in per cent"}

# Win rate in per cent against the untrained model, before and after training; 50 rounds as the spy, 50 as civilians.
PUBLISHED = {"Qwen2.5-VL-7B, trained in the game (CLEVR)": (50.0, 71.0)}

VOTE_HEAD = ("side", "against", "agent", "votes right %", "N/A %", "invalid %", "clue reward ± s.e.", "no clue %")


def rounds(side: str, opponent: str) -> Callable[[Run], np.ndarray]:
    """A protocol: the agent on one side, the opponent on the other, every seat the spy's as often."""

    def protocol(run: Run) -> np.ndarray:
        assert not isinstance(run.agent, tuple)
        spy, civilian = (run.agent, opponent) if side == "spy" else (opponent, run.agent)
        game: Any = registry.load(run.entry.id).game(**run.entry.options)
        players, rows = game.players, []
        for seat in range(players):
            episodes = (run.episodes + players - 1 - seat) // players
            if episodes:
                agents: list[str | Agent] = [civilian] * len(game.seats)
                agents[seat] = spy
                # Each seat has rounds of its own: the same ones five times would look like more than they are.
                own = replace(run, seed=run.seed * players + seat)
                name = f"player_{seat + 1}"
                rows += play_match(own, tuple(agents), episodes, name, spy=name).finished
        votes = [row["events"] for row in rows]
        asked = max(1, sum(events["votes"] for events in votes))
        names = game.seats[:players]
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
        caught = np.array([events["caught"] for events in votes], float)
        return 100 * (caught if side == "civilians" else 1 - caught)

    return protocol


def _on(side: str, player: str, row: dict[str, Any]) -> bool:
    """Whether a player was on that side in a round."""
    return (player in row["spies"]) == (side == "spy")


class VisionZero(Suite):
    def sections(self, results: Sequence[dict[str, Any]]) -> list[str]:
        """Who beats whom, how the votes fell, and the published shape."""
        wins = [
            [
                result["agent"],
                *(with_error(_rate(result, side, name), 1) for name in OPPONENTS),
                figure(_mean(result, side), 1),
            ]
            for side in SIDES
            for result in results
        ]
        half = len(results)
        head = ("agent", *OPPONENTS, "mean")
        votes = [
            [
                row["side"],
                row["opponent"],
                row["agent"],
                *(figure(100 * row[name], 1) for name in ("votes_right", "votes_na", "votes_invalid")),
                with_error(row["clue_reward"], 3),
                figure(100 * row["no_clue"], 1),
            ]
            for result in results
            for row in result["rows"]
        ]
        published = [[name, figure(before, 0), figure(after, 0)] for name, (before, after) in PUBLISHED.items()]
        return [
            "## Who beats whom",
            "As the civilians, the share of rounds in per cent in which the spy named above is caught:",
            markdown(head, wins[:half]),
            "As the spy, the share of rounds in per cent in which the civilians named above do not catch it:",
            markdown(head, wins[half:]),
            "## Votes and clues",
            "Votes are those of the civilians; the clue reward is that of the agent's side, per player and round.",
            markdown(VOTE_HEAD, votes),
            "## The published shape",
            "The paper measures a model against itself before training, half of the rounds on either side. Scripted "
            "agents do not learn: put a model of your own beside it.",
            markdown(("model", "win rate before, %", "after, %"), published),
        ]

    def remarks(self, result: dict[str, Any]) -> list[str]:
        return [
            f"as {'the ' * (side == 'spy')}{side}: wins {figure(_mean(result, side), 1)} % of rounds; "
            f"votes right {figure(100 * _share(result, side, 'votes_right'), 1)} %, "
            f"N/A {figure(100 * _share(result, side, 'votes_na'), 1)} %"
            for side in SIDES
        ]


def _rows(result: dict[str, Any], side: str) -> list[dict[str, Any]]:
    return [row for row in result["rows"] if row["side"] == side]


def _rate(result: dict[str, Any], side: str, opponent: str) -> dict[str, float | None]:
    row = next(row for row in _rows(result, side) if row["opponent"] == opponent)
    return {"mean": row["raw"], "standard_error": row["standard_error"]}


def _mean(result: dict[str, Any], side: str) -> float | None:
    wins = [row["raw"] for row in _rows(result, side)]
    return float(np.mean(wins)) if wins and None not in wins else None


def _share(result: dict[str, Any], side: str, name: str) -> float:
    return float(np.mean([row[name] for row in _rows(result, side)]))


def _entry(side: str, opponent: str) -> SuiteRow:
    return SuiteRow(
        id=GAME,
        measure=MEASURES[side],
        protocol=rounds(side, opponent),
        oracle="oracle",
        normal=(0.0, 100.0),
        published={},
        variant=f"{side} against {opponent}",
    )


SUITE = VisionZero(
    name="vision-zero",
    title="Vision-Zero",
    entries=tuple(_entry(side, opponent) for side in SIDES for opponent in OPPONENTS),
    on_illegal="silent",
)
