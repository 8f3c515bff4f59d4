"""VS-Bench, decision making: episode return, random play being 0 and the optimal reference 100."""

from __future__ import annotations

from mmgames.games.pong.score import score_of_record
from mmgames.suites.suite import Figure, Suite, SuiteRow, against, minus_exploitability, scored, self_play

# The paper gives ten-episode means without errors for these rows; the errors here are the spread of our own
# thousand-episode runs over the square root of ten. Its text calls the grid returns sums, its numbers are means
# over the two players.
TEN_EPISODES = "mean over both players of ten episodes; the standard error is estimated from our own spread"

# Social behaviour in the three dilemmas: what is counted, by environment, axis and the events that make it up.
BEHAVIOUR: dict[str, dict[str, tuple[str, ...]]] = {
    "mmgames/CoinDilemma-v0": {
        "own coin": ("red takes red coin", "blue takes blue coin"),
        "other's coin": ("red takes blue coin", "blue takes red coin"),
    },
    "mmgames/MonsterHunt-v0": {
        "apple": ("red eats an apple", "blue eats an apple"),
        "monster alone": ("red meets the monster alone", "blue meets the monster alone"),
        "monster together": ("both meet the monster",),
    },
    "mmgames/BattleOfTheColors-v0": {
        "red block": ("both on the red block",),
        "blue block": ("both on the blue block",),
        "apart": ("on different blocks",),
    },
}


SUITE = Suite(
    name="vs-bench",
    title="VS-Bench: decision making",
    behaviour=BEHAVIOUR,
    entries=(
        SuiteRow(
            id="mmgames/Hanabi-v0",
            measure="final score, self-play",
            protocol=self_play,
            oracle="rule_bot",
            normal=(0.0, 24.0),
            published={
                "random": Figure(0.0),
                "oracle": Figure(24.0, None, "their oracle is a trained IPPO policy, ours a rule-based bot"),
            },
        ),
        SuiteRow(
            id="mmgames/Overcooked-v0",
            measure="points, self-play",
            protocol=self_play,
            oracle="planner",
            most=100,
            normal=(0.2, 40.0),
            published={
                "random": Figure(0.2, None, "of ten episodes"),
                "oracle": Figure(40.0, None, "two deliveries by people; ours is a planner and not stopped at two"),
            },
        ),
        SuiteRow(
            id="mmgames/CoinDilemma-v0",
            measure="return per player, self-play",
            protocol=self_play,
            oracle="common_welfare",
            normal=(-0.1, 14.2),
            published={"random": Figure(-0.1, 0.3, TEN_EPISODES), "oracle": Figure(14.2, 0.5, TEN_EPISODES)},
        ),
        SuiteRow(
            id="mmgames/MonsterHunt-v0",
            measure="return per player, self-play",
            protocol=self_play,
            oracle="wait_middle",
            normal=(-10.1, 88.0),
            published={
                "random": Figure(-10.1, 1.6, TEN_EPISODES),
                "oracle": Figure(92.2, 6.1, TEN_EPISODES + "; the paper prints 92.2 and normalises with 88.0"),
            },
        ),
        SuiteRow(
            id="mmgames/BattleOfTheColors-v0",
            measure="return per player, self-play",
            protocol=self_play,
            oracle="common_welfare",
            normal=(0.2, 29.9),
            published={"random": Figure(0.2, 0.2, TEN_EPISODES), "oracle": Figure(29.9, 1.0, TEN_EPISODES)},
        ),
        SuiteRow(
            id="mmgames/Breakthrough-v0",
            measure="return against MCTS, half of the games in each seat",
            protocol=against("mcts:simulations=100,rollouts=10,c=2"),
            oracle="minimax:depth=5",
            most=20,
            normal=(-1.0, 1.0),
            published={"random": Figure(-1.0), "oracle": Figure(1.0)},
        ),
        SuiteRow(
            id="mmgames/KuhnPoker-v0",
            measure="minus the exploitability, exact",
            protocol=minus_exploitability,
            oracle="equilibrium",
            normal=(-11 / 24, 0.0),
            published={
                "random": Figure(
                    -11 / 24, None, "printed as -0.5; -11/24 is exact and what the normalised figures fit"
                ),
                "oracle": Figure(0.0),
            },
        ),
        SuiteRow(
            id="mmgames/Pong-v0",
            measure="dense score, points won and length",
            protocol=scored(score_of_record),
            oracle="tracker",
            most=100,
            normal=(0.0, 100.0),
            published={},
        ),
    ),
)
