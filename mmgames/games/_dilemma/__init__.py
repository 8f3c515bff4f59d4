"""The grid kit: what CoinDilemma, MonsterHunt and BattleOfTheColors share (5×5 grid, 50 steps, red and blue)."""
