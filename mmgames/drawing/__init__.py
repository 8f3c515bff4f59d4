"""Pictures: the canvas that rooms draw with, PNG files, the window."""
