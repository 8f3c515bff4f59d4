"""Episodes that are played, kept and replayed, on threads, processes and machines."""
