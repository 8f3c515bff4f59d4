"""Everybody looks at the same picture but the spy, whose picture is a little different; clues and a vote find it out.

## Description
A round of "Who is the spy?" over two nearly equal pictures. Civilians hold the original, the spy a changed copy. In
turn everybody gives a clue about the own picture, in two rounds; then the civilians vote, each alone, on who the spy
is.

## Rules
- Who is the spy is drawn for every episode and independent of seats and order. Everybody knows the own role only;
  with several spies (`spies`) all of them hold the changed picture, and none knows the others.
- A clue is a sentence of at most 400 characters. Everybody hears it, nobody hears thoughts. What is empty or longer is
  recorded as such and heard as "(no clue)". Anything else counts as said, whatever it contains.
- Who gives no clue loses the round: it ends at once, as if everybody had voted for that player. A spy is caught then;
  a civilian's silence saves the spy, and all votes were wrong. With `silence="heard"` the round goes on.
- A vote names one other player, or `N/A` for "I cannot tell". What names nobody, oneself, several players or one who
  does not exist is an invalid vote: it is recorded, nobody gets it, and it pays like a wrong one.
- A spy is caught if it alone has the most votes.
- With `judge="observer"` the players do not vote; a further seat that sees the original and hears all clues does.
- Pictures come from a source (`pictures`): `clevr`, `chart`, `boards`, `folder:PATH`, `photo:PATH`, with options of
  their own (`clevr:changes=1,attributes=colour`; `clevr:edits=change+remove+add`, so that objects may be missing or
  more; `chart:tables=FILE.json`), or any that another package brings. Both copies of a photograph carry
  several edits, of which one differs, so that neither copy shows where. `noise` blanks the spy's picture
  or gives it the original in a share of the rounds; `instances=200` draws from 200 fixed pairs.

## Actions
Any text. In turn a clue; at the end, for civilians, the name of a player (`player_3`; `3` does as well) or `N/A`, alone
or as a structured answer (`{"action": "player_3"}`). What stands before `</think>` is not part of an answer.

## Observation
The picture is the seat's own. Its text tells the role, the clues so far and what is to be done; without the picture
also what can be said about it. Spectators see both pictures, clues and votes. `legal_actions` are the votes, none while
clues are given. Features: the own seat, role and stage, who has said something in which round, how far the round is,
and the picture on a grid of six by eight in three colours.

## Rewards
All at the end. For clues, with v the votes somebody got, S and C their means over the m spies and n civilians: a spy
gets -beta/m (S - C) - lam (v - S), a civilian beta/n (S - C) - lam (v - C); these sum to zero. For the vote: +1 if
right, -0.5 for N/A, -1 if wrong. `reward="released"` pays a vote 0.3 for a readable one (otherwise -0.3), 1.2 times
the above, and 0.99 more if it is right.

## Episode end
Terminates after the vote, or after a clue that is none.

## Agents
They understand clues in ordinary English. `truthful` tells facts and votes for whoever contradicts the own picture;
`consistency` suspects empty and repeated clues as well. As spies `listening` guesses from the others' clues what their
picture shows, `vague` says nothing that can be checked, `copying` repeats what others said, `blurting` tells several
facts in one breath, and `silent` gives no clue; `oracle` knows what was changed. About pictures of which nothing is
known they give a neutral clue and vote N/A. `random`.

## Source
Vision-Zero. Its released code has no environment; the options that follow it are named "released".
"""

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
