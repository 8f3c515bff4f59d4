"""The arena: who is stronger, found out with few games."""
