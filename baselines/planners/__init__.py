"""Scripted agents, one module for each game or family that has some."""
