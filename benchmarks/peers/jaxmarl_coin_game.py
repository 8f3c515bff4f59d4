"""JaxMARL's coin game."""

from _jaxmarl import any_action, tell
from jaxmarl.environments.coin_game import CoinGame

tell(CoinGame(), "coin_game 3×3, random actions", "CoinDilemma", any_action(5), (1024, 4096, 16384))
