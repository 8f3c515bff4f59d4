"""Writes the reference of the public API from its docstrings: a page for each module that others build on."""

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MODULES = (
    *("mmgames", "mmgames.running.matches", "mmgames.running.episodes", "mmgames.running.replays"),
    *("mmgames.envs.solo", "mmgames.envs.aec", "mmgames.envs.parallel", "mmgames.envs.vector"),
    "mmgames.envs.solo_vector",
    *("mmgames.wrappers.text_actions", "mmgames.wrappers.classic", "mmgames.wrappers.trl"),
    *("mmgames.core.game", "mmgames.core.spec", "mmgames.core.game_modules", "mmgames.core.turn"),
    *("mmgames.agents.base", "mmgames.agents.finding"),
    *("mmgames.text.replies", "mmgames.text.refusals", "mmgames.core.observation", "mmgames.agents.chat_messages"),
    *("mmgames.errors", "mmgames.tasks.questions", "mmgames.tasks.env"),
    *("mmgames.suites.suite", "mmgames.suites.entries", "mmgames.suites.protocols"),
    *("mmgames.running.records", "mmgames.testing"),
)


def write_reference(folder: Path) -> None:
    folder.mkdir(parents=True)
    for name in MODULES:
        (folder / f"{name}.md").write_text(module_page(name), "utf-8")
    lines = [f"- [`{name}`]({name}.md): {first_line(importlib.import_module(name))}" for name in MODULES]
    listing = "\n".join(lines)
    names = "\n".join(MODULES)
    intro = "Written from the docstrings of what others build on; the rest of the package is free to change."
    text = f"# Reference\n\n{intro}\n\n{listing}\n\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"
    (folder / "index.md").write_text(text, "utf-8")


def module_page(name: str) -> str:
    module = importlib.import_module(name)
    parts = [f"# {name}", prose(module)]
    for title, thing in public(module):
        parts += [f"## {title}", signature(title, thing), prose(thing)]
        if inspect.isclass(thing):
            for method, function in methods(thing):
                parts += [f"### {title}.{method}", signature(method, function), prose(function)]
    return "\n\n".join(part for part in parts if part) + "\n"


def public(module: Any) -> Iterator[tuple[str, Any]]:
    """The classes and functions that a module itself offers, in the order in which they stand there."""
    for name, thing in vars(module).items():
        own = getattr(thing, "__module__", "") == module.__name__
        if not name.startswith("_") and own and (inspect.isclass(thing) or inspect.isfunction(thing)):
            yield name, thing


def methods(kind: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that a class defines and explains itself."""
    for name, member in vars(kind).items():
        function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if not name.startswith("_") and inspect.isfunction(function) and function.__doc__:
            yield name, function


def signature(name: str, thing: Any) -> str:
    try:
        written = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return ""
    plain = re.sub(r"(: |-> )'([^']*)'", r"\1\2", written)
    return f"```python\n{name}{plain}\n```"


def prose(thing: Any) -> str:
    """A docstring as Markdown; signs that would be tags or marks of MyST stand for themselves outside of code."""
    doc = inspect.cleandoc(thing.__doc__ or "")
    if inspect.isclass(thing) and doc.startswith(f"{thing.__name__}("):
        return ""  # what dataclasses write themselves
    pieces = re.split(r"(`[^`]*`)", doc)
    return "".join(piece if piece.startswith("`") else re.sub(r"([<{\[$*|])", r"\\\1", piece) for piece in pieces)


def first_line(thing: Any) -> str:
    return prose(thing).partition("\n\n")[0].replace("\n", " ")
