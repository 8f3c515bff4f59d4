"""Agents that learn, and the algorithms that they learn with."""
