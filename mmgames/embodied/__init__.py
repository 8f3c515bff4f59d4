"""Worlds with bodies: robots that share a room, from plans in words to real control."""
