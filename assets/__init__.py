"""Pictures and page styles of our own making."""
