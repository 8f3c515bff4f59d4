"""An agent of your own in a seat of a match: an object with act(turn). This one reads words and answers in words."""

import mmgames  # noqa: F401 - importing it registers the environments
from mmgames.running.matches import play
from mmgames.text.refusals import Illegal
from mmgames.text.replies import parse


class FirstWord:
    """Always names the first legal move; a chat model would read `turn.words()` or `turn.observation`."""

    def act(self, turn):
        prompt = turn.words()
        assert "## Legal actions" in prompt
        move = parse(f"Action: {next(iter(turn.names.values()))}", turn.names)
        assert not isinstance(move, Illegal), move.reason
        return move


for live in play("mmgames/TicTacToe-v0", agents=[FirstWord(), "minimax"], seed=0):
    print(f"to move: {', '.join(live.game.seats[seat] for seat in live.movers) or 'nobody'}")
print(dict(zip(live.game.seats, live.totals, strict=True)))
