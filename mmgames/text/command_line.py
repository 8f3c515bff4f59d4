"""Values that are typed on a command line, and the sentence that refuses one."""

from __future__ import annotations

import argparse
import ast
from typing import Any


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


def add_settings(parser: Any, whose: str) -> None:
    parser.add_argument("--set", type=setting, action="append", default=[], metavar="NAME=VALUE", help=whose)
