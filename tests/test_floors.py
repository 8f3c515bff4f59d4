"""The house keeps its floors: a package imports only packages below it, no modules import each other in a circle, and
modules and functions stay small enough to be read. The floors are those that docs/design.md draws."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BESIDE = ("baselines", "wrappers", "assets")
"""Folders beside mmgames/ whose modules are mmgames.baselines.…, and so on."""

MOST_LINES, MOST_FUNCTION_LINES, MOST_ARGUMENTS = 450, 70, 12
COMPILED = ("kernel", "inlined", "njit", "jit")
"""Decorators of compiled kernels, which take all they need as arguments and are as long as their loop."""

MANY_ARGUMENTS = {
    "mmgames.running.matches.match": 13,  # what a user says of a match, each by name
    "mmgames.envs.batch_base.__init__": 13,  # likewise of a batch
    "mmgames.baselines.models.hf.__init__": 16,  # a user's options, each written by name: "hf:MODEL,max_tokens=300"
}


FOUND_LATER = {
    "core": {"envs"},  # the entry points that Gymnasium and PettingZoo get
    **{name: {"baselines"} for name in ("agents", "games", "puzzles", "embodied")},
    "tasks": {"games", "embodied", "datasets"},  # where questions come from
}
"""The packages above that one may name with a class, as "module:Class", in a table that somebody looks up later."""

FINDS_GAMES = "mmgames.core.registry"
"""It looks for games in the packages that hold them, by the names of these."""


@pytest.fixture(scope="module", autouse=True)
def forgotten_afterwards() -> Iterator[None]:
    yield
    modules.cache_clear()  # a million objects, which every later test would have to live with


@cache
def packages() -> set[str]:
    return {name.rpartition(".")[0] for name in modules()}


@cache
def modules() -> Mapping[str, ast.Module]:
    """Every module of mmgames by its name, parsed."""
    found = {}
    for folder in ("mmgames", *BESIDE):
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            name = ".".join(parts if folder == "mmgames" else ("mmgames", *parts))
            found[name] = ast.parse(path.read_text("utf-8"), str(path))
    return found


def imports(name: str) -> Iterator[str]:
    """The modules of mmgames that a module imports: at the top, inside functions, for type checking alone."""
    known = modules()
    package = name if name in packages() else name.rpartition(".")[0]
    for node in ast.walk(known[name]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                if inner in known or base in known:
                    yield inner if inner in known else base


def strings(name: str) -> Iterator[str]:
    """The names of modules of mmgames in strings of a module, with a star for whatever is filled in."""
    for node in ast.walk(modules()[name]):
        if isinstance(node, ast.JoinedStr):
            text = "".join(part.value if isinstance(part, ast.Constant) else "*" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if re.fullmatch(r"mmgames(\.[\w*]+)+(:[\w*]+)?", text) and package_of(text.partition(":")[0]) in floors():
            yield text


def arrows() -> Iterator[tuple[str, str]]:
    for name in modules():
        yield from ((name, other) for other in sorted(set(imports(name))) if other != name)


def package_of(module: str) -> str:
    """The folder or module directly below mmgames; the package itself is `mmgames`."""
    return module.split(".")[1] if "." in module else module


@cache
def floors() -> dict[str, int]:
    """The floor of every package, counted from the ground, as the drawing in docs/design.md has them."""
    page = (ROOT / "docs" / "design.md").read_text("utf-8")
    drawing = page.partition("## Floors")[2].partition("```text\n")[2].partition("```")[0].strip().splitlines()
    found = [line.partition("|")[0].split() for line in reversed(drawing)]
    return {name: floor for floor, names in enumerate(found) for name in names}


def leads_up(own: str, other: str) -> bool:
    """Whether another package stands no lower; what the drawing leaves out is below the ground."""
    floor = floors()
    return own != other and floor.get(own, -1) <= floor.get(other, -1)


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every function that is not a compiled kernel, with the name of its module."""
    for name, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                decorators = {ast.unparse(each).partition("(")[0].rpartition(".")[2] for each in node.decorator_list}
                if not decorators.intersection(COMPILED):
                    yield name, node


def test_packages_have_floors_and_neither_import_nor_name_one_above() -> None:
    """Single modules that the drawing leaves out, such as _clone.py, stand below the ground: they import no package."""
    found, drawn = {package_of(name) for name in modules()}, set(floors())
    assert drawn <= found and not {name for name in found - drawn if (ROOT / "mmgames" / name).is_dir()}
    assert [arrow for arrow in arrows() if package_of(arrow[0]) in found - drawn] == []
    wrong = [f"{name} -> {other}" for name, other in arrows() if leads_up(package_of(name), package_of(other))]
    assert not wrong, "\n".join(wrong)
    wrong = []
    for name, text in ((each, text) for each in modules() for text in strings(each)):
        module, _, attribute = text.partition(":")
        own, other = package_of(name), package_of(module)
        later = (attribute or module.endswith("*")) and other in FOUND_LATER.get(own, ())
        if leads_up(own, other) and not later and name != FINDS_GAMES and module != "mmgames.assets":  # files are there
            wrong.append(f"{name}: {text}")
    assert not wrong, "\n".join(wrong)


def test_no_modules_import_each_other_in_a_circle() -> None:
    left: dict[str, set[str]] = {name: set() for name in modules()}
    for name, other in arrows():
        left[name].add(other)
    while free := {name for name, others in left.items() if not others}:  # what imports nothing that is left is in none
        left = {name: others - free for name, others in left.items() if name not in free}
    while idle := set(left).difference(*left.values()):  # nor is what nobody left imports
        left = {name: others for name, others in left.items() if name not in idle}
    assert not left, "\n".join(f"{name} -> {', '.join(sorted(others))}" for name, others in sorted(left.items()))


def test_modules_and_functions_are_short_enough_to_be_read_and_take_few_arguments() -> None:
    ends = {name: tree.body[-1].end_lineno or 0 for name, tree in modules().items() if tree.body}
    long = [f"{name}: {lines} lines" for name, lines in ends.items() if lines > MOST_LINES]
    assert not long, "\n".join(long)
    lengths = [(name, node, (node.end_lineno or 0) - node.lineno + 1) for name, node in functions()]
    long = [f"{name}.{node.name}: {lines} lines" for name, node, lines in lengths if lines > MOST_FUNCTION_LINES]
    assert not long, "\n".join(long)
    arguments = [(f"{name}.{node.name}", node.args) for name, node in functions()]
    counts = [(name, len([*each.posonlyargs, *each.args, *each.kwonlyargs])) for name, each in arguments]
    many = [f"{name}: {count}" for name, count in counts if count > MANY_ARGUMENTS.get(name, MOST_ARGUMENTS)]
    assert not many, "\n".join(many)
