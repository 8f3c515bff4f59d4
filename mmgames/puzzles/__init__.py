"""Solver/expert puzzles, one folder each. Folders that start with an underscore are shared kits."""
