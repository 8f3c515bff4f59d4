"""The contracts (Game, GameSpec, View, Agent) and the kits that games are made with."""
