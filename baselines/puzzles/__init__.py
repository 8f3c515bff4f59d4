"""Scripted solvers and experts of the puzzles."""
