"""What models and people write, and what is written for them. Uses nothing but `errors`."""
