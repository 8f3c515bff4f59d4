"""The command line. Each command is a module of `mmgames.commands` with three things:

SUMMARY              one line for `mmgames --help`; the module's docstring is the command's own help
arguments(parser)    adds its arguments
run(args) -> int     does the work and returns the exit code

One whose arguments depend on what it is asked to do has `more_arguments(parser, words)` too; `words` is what was typed.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

COMMANDS = (
    "list",
    "show",
    "demo",
    "match",
    "arena",
    "play",
    "study",
    "serve",
    "eval",
    "compare",
    "plan",
    "seal",
    "report",
    "leaderboard",
    "failures",
    "view",
    "train",
    "dataset",
    "bench",
    "compile",
    "new",
)
"""The commands, in the order in which the help names them."""

WRONG_USE = 2
_ABOUT = """\
Games for agents that see, read and play together.

First steps:
  mmgames list                              which environments there are
  mmgames show CoinDilemma --out coin.png   what one of them looks like
  mmgames demo                              an episode of each, as a table and a page of pictures
  mmgames play                              play them in a browser
"""


class Parser(argparse.ArgumentParser):
    """Argparse with one sentence for an error instead of a usage block."""

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_USE, f"{self.prog}: {message}. `{self.prog} --help` shows how to use it.\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 is success, 1 a failure while working, 2 a command line that cannot be meant."""
    from mmgames.errors import MissingExtra, MmgamesError, unknown

    given = list(sys.argv[1:] if argv is None else argv)
    try:
        if given and not given[0].startswith("-") and given[0] not in COMMANDS:
            raise unknown("command", given[0], "mmgames", COMMANDS)
        parser, commands = build_parser(given)
        args, rest = parser.parse_known_args(given)
        if args.command is None and not rest:
            parser.print_help()
            return 0
        if rest:
            own = commands.get(args.command, parser)
            raise unknown("argument", rest[0], own.prog, own._option_string_actions)
        code = args.run(args)
        sys.stdout.flush()
        return code
    except (MmgamesError, MissingExtra) as error:
        print(f"mmgames: {error}", file=sys.stderr)
        return WRONG_USE
    except BrokenPipeError:
        # The reader (`mmgames list | head`) has seen enough; keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"mmgames: {error.strerror or error}: {error.filename or 'no file named'}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("mmgames: stopped.", file=sys.stderr)
        return 130


def build_parser(given: Sequence[str] = ()) -> tuple[Parser, dict[str, Parser]]:
    """The whole parser and the parser of each command, as they are for the words given."""
    from mmgames.version import __version__

    parser = Parser(
        "mmgames", description=_ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"mmgames {__version__}")
    places = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    commands: dict[str, Parser] = {}
    for name in COMMANDS:
        module = importlib.import_module(f"mmgames.commands.{name}")
        commands[name] = places.add_parser(
            name,
            help=module.SUMMARY,
            description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        module.arguments(commands[name])
        if hasattr(module, "more_arguments") and given[:1] == [name]:
            module.more_arguments(commands[name], given[1:])
        commands[name].set_defaults(run=module.run)
    return parser, commands


if __name__ == "__main__":
    sys.exit(main())
