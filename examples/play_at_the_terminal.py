"""Play against a reference agent at the terminal: python examples/play_at_the_terminal.py [GAME] [SEAT] [SEED]"""

import sys

import mmgames
from mmgames.running.matches import play

wanted = sys.argv[1] if len(sys.argv) > 1 else "TicTacToe"
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 0
try:
    game = mmgames.load_game(wanted)
    seat = sys.argv[2] if len(sys.argv) > 2 else game.seats[0]
    agents = ["human" if role == seat else game.spec.reference_for(i) for i, role in enumerate(game.seats)]
    *_, live = play(wanted, agents, seed)
except mmgames.MmgamesError as error:
    sys.exit(f"{error}")
print("\nThe end:", ", ".join(f"{role} {total:g}" for role, total in zip(game.seats, live.totals, strict=True)))
