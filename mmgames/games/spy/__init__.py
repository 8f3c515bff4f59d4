"""Everybody looks at the same picture but the spy, whose picture is a little different."""

from mmgames.core.spec import Agents, GameSpec, Option

CIVILIANS, SPIES, ROUNDS = 4, 1, 2


def seat_names(players: int, observed: bool = False) -> tuple[str, ...]:
    return (*(f"player_{number}" for number in range(1, players + 1)), *(["observer"] * observed))


SPEC = GameSpec(
    name="Spy",
    package=__name__,
    summary="who holds the picture that is a little different?",
    seats=seat_names(CIVILIANS + SPIES),
    dynamics="mixed",
    information="imperfect",
    utility="general_sum",
    actions="text",
    chance="incidental",
    length=ROUNDS * (CIVILIANS + SPIES) + 1,
    source="Vision-Zero",
    family="clues and votes",
    options={
        "civilians": Option(CIVILIANS, "how many civilians there are", low=2, high=8),
        "spies": Option(SPIES, "how many spies there are; fewer than civilians", low=1, high=3),
        "clue_rounds": Option(ROUNDS, "how often everybody gives a clue", low=1, high=3),
        "order": Option(
            "fixed",
            '"fixed": clues are given in the order of seats; "shuffled": in an order drawn for every episode',
            choices=("fixed", "shuffled"),
        ),
        "pictures": Option(
            "clevr", 'where pictures come from: "clevr", "chart", "boards", "folder:PATH", "photo:PATH"'
        ),
        "noise": Option(0.0, "the share of rounds in which the spy's picture is blank or the original", low=0, high=1),
        "noise_kind": Option(
            "both", 'what noise does: "blank", "identical" or "both"', choices=("blank", "identical", "both")
        ),
        "instances": Option(
            0, "0: a fresh pair for every episode; n: every episode draws one of n pairs that never change", low=0
        ),
        "judge": Option(
            "civilians",
            '"civilians": each of them votes (the paper); "observer": a seat of its own does (the released code)',
            choices=("civilians", "observer"),
        ),
        "spy": Option("random", 'who is the spy: "random", or a player such as "player_2", for balanced evaluation'),
        "silence": Option(
            "loses",
            '"loses": who gives no clue, or one that is too long, loses the round at once; "heard": it goes on',
            choices=("loses", "heard"),
        ),
        "reward": Option(
            "paper", '"paper": the rewards of the paper; "released": of its code', choices=("paper", "released")
        ),
        "beta": Option(0.1, "what a clue pays for the votes that the spy gets", low=0),
        "lam": Option(0.1, "what a clue costs for the votes that oneself gets beyond the own side's mean", low=0),
    },
    agents=Agents(
        {
            **{
                name: f"mmgames.baselines.planners.spy:{name.capitalize()}"
                for name in (
                    "truthful",
                    "consistency",
                    "listening",
                    "vague",
                    "copying",
                    "blurting",
                    "silent",
                    "oracle",
                )
            },
            "spo": "mmgames.baselines.learning.spo_agent:Trained",
        },
        reference=("consistency",),
    ),
    one_against_all="spy",
)
