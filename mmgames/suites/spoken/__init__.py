"""What was said in an episode: what words and states decide of it, and a judge for the rest."""
