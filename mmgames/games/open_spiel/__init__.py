"""Any game of OpenSpiel whose players move in turn: `game="leduc_poker"`, `game="hex(board_size=5)"`.

## Description
OpenSpiel holds some 126 games, from tic-tac-toe to bridge and Klondike solitaire; those whose players move in turn are
played here. The option `game` is OpenSpiel's own name, with parameters in brackets where they should differ from their
defaults. The page "Games of OpenSpiel" lists all of them with what is known of each, and the reason why the rest do not
qualify: simultaneous moves, mean-field games, chance that no seed settles, moves without numbers, parameters that only
the user can give. Give those and the games that need them play too: `misere(game=tic_tac_toe())`,
`turn_based_simultaneous_game(game=matrix_pd())`.

## Rules
- They are those of OpenSpiel's implementation; it has no text of them, so a player needs to know the game by name.
- Seats are `player_0`, `player_1`, … as many as the game has. Whether something is hidden, whether there is chance,
  whether results sum to zero and how long a game can last depend on the game: read `env.unwrapped.game.spec`.
- A game with parameters, and one that hides something, is tried in a process of its own first: some parameters make
  OpenSpiel end the process that uses them.

## Actions
OpenSpiel's, by its numbers; their names are its action strings. Where two legal moves have the same name, the number of
the action follows it: `Pass #3`.

## Observation
Text is OpenSpiel's observation string and, where something is hidden, its information-state string, which holds what
the seat has seen before. The picture shows the observation string, one sign to a cell, as large as it fits; lone
letters x and o are red and blue. Features are the observation tensor or, where something is hidden, the
information-state tensor where there is one. Tensors with numbers beyond 1 are scaled one to one: half of every number
up to 1, beyond that 1/2 + log(number) / (2 log 2^20). A few games have no tensor, and then `features` are refused.

## Rewards
OpenSpiel's returns; the reward of a step is their difference.

## Episode end
Terminates when OpenSpiel says so, after at most its `max_game_length` moves. Some of these limits are very large:
`max_steps=` cuts an episode short.

## Agents
`minimax` and `mcts` play two-player zero-sum games without chance in which nothing is hidden; `minimax` looks ahead as
many moves as it can within some 10,000 positions (`minimax:depth=4` says otherwise). `cfr` solves small hidden-card
games of two players, such as leduc_poker. Where something is hidden and OpenSpiel does not draw it again, nothing can
be imagined, searches are not offered and `game.spec.searchable` is False.

## Source
M. Lanctot et al., OpenSpiel: A Framework for Reinforcement Learning in Games (2019), as installed.
"""

from mmgames.core.spec import GameSpec, Option

SPEC = GameSpec(
    name="OpenSpiel",
    package=__name__,
    summary="any turn-taking game of OpenSpiel, Connect Four unless you choose another",
    seats=("player_0", "player_1"),
    dynamics="sequential",
    information="perfect",
    utility="zero_sum",
    actions="discrete",
    length=42,
    source="OpenSpiel",
    family="OpenSpiel",
    options={"game": Option("connect_four", "OpenSpiel's name of a game, with parameters or without")},
)
