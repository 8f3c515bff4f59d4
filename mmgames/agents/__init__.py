"""Agents: what one is, how one is found, how one that answers in words plays."""
