"""Agents that search: minimax, MCTS, CFR, exact optima, engines."""
