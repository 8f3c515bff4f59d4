"""Build fireworks together, holding cards that everybody but you can see.

## Description
A team puts cards of five colours on the table, each colour from 1 up to 5. Everybody holds the own cards the wrong
way round: all others see them, their owner does not. Hints are few, so a hint must say more than its words: what
partners mean by it, and what they believe that you know, decides the game.

## Rules
- The deck has 50 cards: in each of the colours red, yellow, green, white and blue three 1s, two each of 2, 3 and 4,
  and one 5. Two or three players hold five cards each, four or five players hold four.
- The players take turns. On a turn one plays a card, discards a card or gives a hint.
- A played card that is the next of its colour stays on the table. Any other goes to the discard pile and costs one of
  three lives.
- A hint costs one of eight hint tokens. It names a colour or a rank and points at all cards of that colour or rank in
  one other hand; there must be at least one.
- A discarded card gives a hint token back, and so does the completion of a colour. With all eight tokens on the table
  nobody may discard.
- Whoever has played or discarded draws a card. Slot 0 is the oldest card; a new card goes to the last slot.

## Actions
`(Discard i)` and `(Play i)` for each slot i, counted from 0. `(Reveal player +k color C)` and
`(Reveal player +k rank r)` hint the player k places after you, with C one of R, Y, G, W, B and r from 1 to 5. They are
OpenSpiel's actions, in its order: discards, plays, colours for +1, +2, …, ranks for +1, +2, … (20 actions for two
players, 48 for five).

## Observation
The picture shows the fireworks and the tokens at the top, every hand with a row of its own, the own one face down at
the bottom, and on the right the discard pile and everybody's last two moves. Every colour has a shape of its own.
Below each card stand the colours and ranks that its holder can still believe it to have; a gold frame marks cards
that hints have pointed at. Features (658 for two players, 956, 1041 and 1280 for three to five), each 0 or 1, are
OpenSpiel's observation vector: the others' hands, the table, the discard pile, the last move, what everybody has been
told.

## Rewards
Everybody gets +1 for each card that stays on the table, so a perfect game pays 25. With `score="final"` losing the
last life takes all points back; with `score="fireworks"` they are kept.

## Episode end
Terminates when the last life is lost, when all fireworks are complete, or when the deck is empty and everybody has
had one more turn.

## Agents
`rule_bot` plays by conventions: a hint means that the newest card it newly points at can be played, unless it points
at the card that would be discarded next, which it may be meant to save. Two of them make 22 points on average, three
or four players 22, five 20. `careless_bot` is the same bot with lapses: in one move of five (`slips=0.2`) it does
anything legal, and beside a `rule_bot` it makes 10 points. `oracle` searches: it tries every move on many hands that
it may be holding and lets a bot that plays by the same conventions finish these games. Two of them make 24.0 points on
average, at a few seconds a game; `oracle:samples=1000` tries more hands.

## Source
The card game by Antoine Bauza as played in VS-Bench; the rules agree with OpenSpiel's `hanabi`.
"""

from dataclasses import replace

from mmgames.core.spec import Agents, GameSpec, Option, Outcome

_TINY = """A small game of Hanabi: two colours, three ranks, twelve cards.

## Description
Two players build two fireworks from 1 to 3 without seeing their own cards. Small enough to think through, and still a
game in which a hint must say more than its words.

## Rules
- The deck has twelve cards: three 1s, two 2s and one 3, each in red and in yellow. Both players hold three cards.
- On a turn one plays a card, discards a card or gives a hint.
- A played card that is the next of its colour stays on the table. Any other goes to the discard pile and costs one of
  three lives.
- A hint costs one of eight hint tokens. It names a colour or a rank and points at all such cards in the other hand;
  there must be at least one.
- A discarded card gives a hint token back, and so does the completion of a colour. With all eight tokens on the table
  nobody may discard.
- Whoever has played or discarded draws a card. Slot 0 is the oldest card; a new card goes to the last slot.

## Actions
Eleven: `(Discard i)` and `(Play i)` for each slot i from 0 to 2, `(Reveal player +1 color C)` with C one of R and Y,
and `(Reveal player +1 rank r)` with r from 1 to 3, in this order.

## Observation
The picture shows fireworks and tokens at the top, the other's hand and below it the own one, face down, and on the
right the discard pile and both players' last two moves. Below each card stand the colours and ranks that its holder
can still believe it to have. Features (148), each 0 or 1, are OpenSpiel's observation vector.

## Rewards
Both get +1 for each card that stays on the table, so a perfect game pays 6. With `score="final"` losing the last life
takes all points back; with `score="fireworks"` they are kept.

## Episode end
Terminates when the last life is lost, when both fireworks are complete, or when the deck is empty and both have had
one more turn.

## Agents
`rule_bot` plays by conventions, `careless_bot` with lapses, `oracle` searches over the hands that it may be holding;
all are those of Hanabi.

## Source
The tiny setting of VS-Bench; the rules agree with those of OpenSpiel's `hanabi` with two colours, three ranks and hands
of three.
"""

_SCORE = Option(
    "final", "what a game is worth whose last life was lost: nothing, or its fireworks", ("final", "fireworks")
)
_AGENTS = {
    "rule_bot": "mmgames.baselines.planners.hanabi:RuleBot",
    "careless_bot": "mmgames.baselines.planners.hanabi:CarelessBot",
    "oracle": "mmgames.baselines.search.hanabi_oracle:Oracle",
}

Hanabi = GameSpec(
    name="Hanabi",
    package=__name__,
    summary="build fireworks together without seeing your own cards",
    seats=("player_0", "player_1"),
    dynamics="sequential",
    information="imperfect",
    utility="identical",
    actions="discrete",
    chance="incidental",
    length=90,
    source="VS-Bench",
    family="card games",
    options={"players": Option(2, "how many play", low=2, high=5), "score": _SCORE},
    agents=Agents(_AGENTS, talkers={"teller": "mmgames.baselines.talking.teller:Teller"}, reference=("rule_bot",)),
    looks=("night",),
    batched=True,
    outcome=Outcome(signals=f"{__name__}.signals:signals"),
)

TinyHanabi = replace(
    Hanabi,
    name="TinyHanabi",
    summary="Hanabi with two colours and three ranks",
    length=22,
    options={"score": _SCORE},
    doc=_TINY,
)

SPECS = (Hanabi, TinyHanabi)
