"""VS-Bench and LVLM-Playground games, one folder each. Folders that start with an underscore are shared kits."""
