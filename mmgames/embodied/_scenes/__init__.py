"""Scenes: where everything of a task stands in the kitchen, and what that looks like from above and from a robot."""
