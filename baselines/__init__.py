"""Reference agents, one readable file each. Environments and matches find them by name."""
