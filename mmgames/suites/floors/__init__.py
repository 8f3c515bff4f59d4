"""Who never looks: agents that answer from what is frequent, as a floor under every measure."""
