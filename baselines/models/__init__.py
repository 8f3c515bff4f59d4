"""Language models in the seats: over HTTP, and local ones."""
