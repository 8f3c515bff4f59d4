"""The five papers' suites, what only they measure, and their published tables."""
