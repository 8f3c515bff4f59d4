"""Pictures: the canvas that games draw with, PNG files, the window."""
