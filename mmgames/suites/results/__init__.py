"""Results of suites: rows, files, standings, and how many episodes tell two agents apart."""
