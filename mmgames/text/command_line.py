"""Values that are typed on a command line, the sentence that refuses one, and arguments that stand in a file."""

import argparse
import ast
import tomllib
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

Arguments = Mapping[str, Mapping[str, Any]]
"""What argparse is told of each argument, by its flags or its name."""


def seed(text: str) -> int:
    return _whole_number(text, 0, "a seed is a whole number from 0 up")


def count(text: str) -> int:
    return _whole_number(text, 1, "this is counted in whole numbers from 1 up")


def steps(text: str) -> int:
    return _whole_number(text, 0, "steps are counted in whole numbers from 0 up")


def port(text: str) -> int:
    number = _whole_number(text, 0, "a port is a whole number from 0 (any free one) to 65535")
    if number > 65535:
        raise argparse.ArgumentTypeError(f"a port is at most 65535, not {text!r}")
    return number


def seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} is no length of time; give seconds, such as 0.5, a day at most")
    return number


def _whole_number(text: str, low: int, otherwise: str) -> int:
    if not text.isdecimal() or int(text) < low:
        raise argparse.ArgumentTypeError(f"{otherwise}, not {text!r}")
    return int(text)


def setting(text: str) -> tuple[str, Any]:
    """`name=value`, the value read as Python where it is some (3, 0.5, True) and as text otherwise."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=VALUE")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


NAMED = object()


def recipe_change(text: str) -> tuple[str, Any]:
    """`name=value`, or the name of a recipe alone, which is then NAMED."""
    return (text, NAMED) if text.isidentifier() else setting(text)


TYPES = {"int": int, "float": float, "Path": Path}
"""What a value can be read as, beside the functions here."""


def page(package: str | None, name: str) -> dict[str, Any]:
    """What stands in NAME.toml of a package."""
    assert package
    return tomllib.loads(files(package).joinpath(f"{name}.toml").read_text("utf-8"))


def add_arguments(parser: Any, arguments: Arguments, shared: Mapping[str, Arguments] = MappingProxyType({})) -> None:
    """Add arguments that stand in a file, in argparse's words. A name in `shared` stands for all it has; `group` is
    the heading that arguments stand under, and of those with the same `either` only one can be given."""
    groups: dict[str, Any] = {}
    for name, own in arguments.items():
        for flags, usual in shared.get(name, {name: {}}).items():
            words = {**usual, **own}
            heading, one_of = words.pop("group", None), words.pop("either", None)
            if "type" in words:
                words["type"] = TYPES.get(words["type"]) or globals()[words["type"]]
            place = parser
            if heading:
                place = groups[heading] = groups.get(heading) or parser.add_argument_group(heading)
            elif one_of:
                place = groups[one_of] = groups.get(one_of) or parser.add_mutually_exclusive_group()
            place.add_argument(*flags.split(), **words)


def arguments_of(package: str | None, part: str) -> Callable[[Any], None]:
    """What adds the arguments that a part of a package's arguments.toml has."""
    return lambda parser: add_arguments(parser, page(package, "arguments")[part])


def read_arguments(doc: str | None, script: str) -> argparse.Namespace:
    """The command line of a script; its part of the arguments.toml beside it has its name."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    own = tomllib.loads(Path(script).with_name("arguments.toml").read_text("utf-8"))
    add_arguments(parser, own[Path(script).stem])
    return parser.parse_args()
