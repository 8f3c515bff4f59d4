"""Builds the documentation site: `python docs/build_site.py [--out site] [--work build/docs]`.

The pages of environments, pictures and agents are written from the registry, the reference from docstrings; together
with the pages in this folder they are gathered in the work folder, and Sphinx makes the site from there. Any warning
fails the build.
"""

import argparse
import shutil
import sys
from pathlib import Path

from agent_pages import write_agents
from environment_pages import write_all
from finish_pages import finish_pages
from reference_pages import write_reference
from sphinx.cmd.build import build_main

from mmgames.cli import main as write_leaderboard

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ICON = ROOT / "assets" / "window" / "icon.png"
NOT_PAGES = ("__pycache__", "build_site.py", "*_page.py", "*_pages.py", "*_runs.py", "runs", "ruff.toml")
MARK = ".mmgames-docs"  # a folder with this file is ours to remove


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "site", help="where the site goes (default: site)")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "docs", help="default: build/docs")
    args = parser.parse_args(argv)
    pages = fresh(args.work)
    gather(pages)
    missing = write_all(pages / "environments")
    write_agents(pages / "agents", HERE / "results")
    write_reference(pages / "reference")
    fresh(args.out)
    strict = ["--fail-on-warning", "--keep-going", "--quiet"]
    code = build_main(["-b", "html", *strict, "-d", str(args.work / ".doctrees"), str(pages), str(args.out)])
    finish_pages(args.out)
    code = code or write_leaderboard(
        ["leaderboard", str(HERE / "results" / "runs"), "--out", str(args.out / "leaderboard")]
    )
    for id in missing:
        print(f"{id}: page without pictures, a package of its extra is not installed")
    if code == 0:
        print(f"Open {args.out / 'index.html'}")
    return code


def gather(pages: Path) -> None:
    """The hand-written pages and what they show."""
    shutil.copytree(HERE, pages, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*NOT_PAGES))
    shutil.copy2(ICON, pages / "_static" / ICON.name)
    shutil.copy2(ROOT / "CHANGELOG.md", pages / "changelog.md")


def fresh(folder: Path) -> Path:
    """The folder, empty. One that this script did not make is left alone."""
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        sys.exit(f"{folder} holds something else; name an empty folder or remove it.")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / MARK).touch()
    return folder


if __name__ == "__main__":
    sys.exit(main())
