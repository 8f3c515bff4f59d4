"""Poker with three cards and one bet: the smallest game in which bluffing pays.

## Description
Each of two players puts one chip in the pot and gets one of the three cards Jack, Queen and King. They may bet one
more chip, and the higher card takes the pot unless somebody gives up. Perfect play has to bluff with the Jack now and
then and must not be readable: a test of reasoning about what the other cannot see.

## Rules
- The ante is one chip each. Both get one card of J < Q < K; the third stays in the deck.
- player_0 acts first. `<PASS>` puts nothing in, `<BET>` puts one chip in.
- Two passes, or a bet answered with a bet, lead to a showdown: the higher card wins the pot.
- A bet answered with a pass gives the pot to the player who bet, and no card is shown.

## Actions
`<PASS>`, `<BET>`, in this order; both are always legal for the player to move. Replies may also say check, fold or call
where these mean the same.

## Observation
The picture shows a card table: the own card face up at the bottom, the other's card face down at the top until a
showdown, each player's chips in the pot and what each has done; a gold frame marks the player to act. Features (17),
each 0 or 1: own card (3), the other's card as far as it is known (3), pass or bet for each of the three moves (6), the
seat (2), own turn (1), own bet and the other's bet in the pot (2).

## Rewards
Chips won or lost at the end: +1 and -1, or +2 and -2 when both have bet.

## Episode end
Terminates with a showdown or when a bet is answered with a pass, after two or three moves.

## Agents
`equilibrium` mixes its moves so that nothing beats it; `equilibrium:alpha=0` to `equilibrium:alpha=1/3` are different
equilibria for player_0, who loses 1/18 of a chip a game on average. `cfr` finds one by regret minimisation
(`cfr:iterations=100`, `cfr:iterations=100,plus=True`).

## Source
Kuhn's three-card poker as played in VS-Bench; the rules agree with OpenSpiel's `kuhn_poker`.
"""

from mmgames.core.spec import Agents, GameSpec, Outcome

SPEC = GameSpec(
    name="KuhnPoker",
    package=__name__,
    summary="three cards, one bet, and the need to bluff",
    seats=("player_0", "player_1"),
    dynamics="sequential",
    information="imperfect",
    utility="zero_sum",
    actions="discrete",
    chance="explicit",
    length=3,
    source="VS-Bench",
    family="card games",
    agents=Agents(
        {"equilibrium": "mmgames.baselines.planners.kuhn_poker:Equilibrium"},
        talkers={"claimer": "mmgames.baselines.talking.claimer:Claimer"},
        reference=("equilibrium",),
    ),
    looks=("night", "swapped"),
    batched=True,
    outcome=Outcome(signals="mmgames.baselines.search.tree_values:signals"),
)
