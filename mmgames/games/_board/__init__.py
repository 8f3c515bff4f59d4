"""What the board games for two share: boards that are shown turned, and pieces of another make."""
