"""Agents for games with talk before their moves."""
