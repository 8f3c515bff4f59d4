"""One of four does not know the word that the others hint at.

## Description
Three players know a word and one, the spy, does not. Everybody gives a clue; then the vote is about who the spy is.

## Rules
- Who is the spy, which word it is and who opens the round are drawn for every episode.
- From the opener on, everybody gives one clue in turn. Whoever knows the word must not say it.
- Then all but the opener vote at the same time, each for somebody else.
- If nobody has as many votes as the spy, the spy is caught.

## Actions
Text. A clue is a single word of at most 20 letters; a vote is the name of another player.

## Observation
The picture shows everybody's clue and, to those who know it, the word. Features (23): the own seat, the opener,
whether the spy is oneself, the word, the clues' lengths, the votes.

## Rewards
At the end -3 for a spy who is caught and +1 for the others; if not, +3 and -1.

## Episode end
Terminates after the vote.

## Agents
`random`.

## Source
Made for these tests.
"""

from mmgames.core.spec import GameSpec

SPEC = GameSpec(
    name="ClueRound",
    package=__name__,
    summary="who does not know the word?",
    seats=("ada", "bob", "cleo", "dan"),
    dynamics="mixed",
    information="imperfect",
    utility="zero_sum",
    actions="text",
    chance="incidental",
    length=5,
    source="tests",
    family="toys",
    namespace="tests",
    doc=__doc__,
)
