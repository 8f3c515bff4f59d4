"""The commands of the `mmgames` program, one module each; see mmgames/cli.py for what a module holds."""
