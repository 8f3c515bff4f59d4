"""The command line. Each command is two files of `mmgames.commands`: a page, NAME.toml, with its summary, its help and
its arguments, and a module whose `run(args)` does the work and returns the exit code.

The page of one with many arguments names those that are `rare`, which its help tells only with --help-all.
One whose arguments depend on what it is asked to do has `more_arguments(parser, words)` too; `words` is what was typed.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Collection, Sequence
from typing import Any, NoReturn

from mmgames.commands import _arguments

COMMANDS = (
    "list",
    "info",
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
  mmgames info CoinDilemma                  its options, seats and agents
  mmgames show CoinDilemma --out coin.png   what one of them looks like
  mmgames demo                              an episode of each, as a table and a page of pictures
  mmgames play                              play them in a browser
"""


class Parser(argparse.ArgumentParser):
    """Argparse with one sentence for an error instead of a usage block."""

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_USE, f"{self.prog}: {message}. `{self.prog} --help` shows how to use it.\n")

    def fold(self, rare: Collection[str]) -> None:
        """Leave these arguments out of the help, unless all are asked for."""
        if not rare:
            return
        folded = [one for one in self._actions if not set(one.option_strings).isdisjoint(rare)]
        told = {one: one.help for one in folded}
        for one in folded:
            one.help = argparse.SUPPRESS

        class HelpAll(argparse.Action):
            def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> None:
                for one, said in told.items():
                    one.help = said
                parser.print_help()
                parser.exit()

        said = f"show this help with {len(folded)} more arguments, which are seldom needed, and exit"
        self.add_argument("--help-all", action=HelpAll, nargs=0, default=argparse.SUPPRESS, help=said)


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
        code = int(_module(args.command).run(args))
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


def _module(name: str) -> Any:
    return importlib.import_module(f"mmgames.commands.{name}")


def build_parser(given: Sequence[str] = ()) -> tuple[Parser, dict[str, Parser]]:
    """The whole parser and the parser of each command, or of the one command that the words given begin with."""
    from mmgames.version import __version__

    parser = Parser(
        "mmgames", description=_ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"mmgames {__version__}")
    places = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    commands: dict[str, Parser] = {}
    named = given[:1] and given[0] in COMMANDS
    for name in given[:1] if named else COMMANDS:
        page = _arguments.page(name)
        own = commands[name] = places.add_parser(
            name,
            help=page["summary"],
            description=page["about"],
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        _arguments.add(own, page["arguments"])
        if named and hasattr(module := _module(name), "more_arguments"):
            module.more_arguments(own, given[1:])
        own.fold(page.get("rare", ()))
    return parser, commands


if __name__ == "__main__":
    sys.exit(main())
