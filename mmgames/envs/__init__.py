"""The four faces of every game: one seat (Gymnasium), turns (AEC), all at once (parallel), many at once (batched)."""
