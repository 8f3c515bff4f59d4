"""Builds the source archive and the wheel, and tries the wheel on every Python that pyproject.toml declares.

`python .ci/try_release.py [--out dist] [PYTHON …]`: interpreters are looked for as python3.11, python3.12, … unless
they are named. On each the wheel is installed into an environment of its own, with what it requires; the conformance
kit runs on one game of each kind, and README's examples run. A Python that is not there is named, and the exit code is
1 then.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WANTED = ("docs/index.md", "docs/release.md", "examples/notebook.ipynb", "tests/conftest.py", "CHANGELOG.md", "LICENSE")
"""Some of what the source archive has to hold beside the package."""


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pythons", nargs="*", metavar="PYTHON", help="interpreters to try it on")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="default: dist")
    args = parser.parse_args(argv)
    archive, wheel = build(args.out)
    pythons = args.pythons or [f"python{version}" for version in declared()]
    results = [try_on(python, archive, wheel) for python in pythons]
    return 0 if all(results) else 1


def declared() -> list[str]:
    """The versions of Python in the classifiers."""
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    return [line.rpartition(" :: ")[2] for line in about if line.startswith("Programming Language :: Python :: 3.")]


def build(out: Path) -> tuple[Path, Path]:
    """The source archive of what is committed, and the wheel that is made from it and not from the clone."""
    shutil.rmtree(out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        clean = Path(folder, "clean")  # caches and earlier builds of the clone stay out
        subprocess.run(["git", "clone", "--quiet", "--depth", "1", ROOT.as_uri(), str(clean)], check=True)
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out.resolve()), str(clean)]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout[-2000:] + done.stderr[-2000:])
    (archive,), (wheel,) = out.glob("*.tar.gz"), out.glob("*.whl")
    with tarfile.open(archive) as inside:
        names = {name.partition("/")[2] for name in inside.getnames()}
    missing = [name for name in WANTED if name not in names]
    if missing:
        sys.exit(f"{archive.name} lacks {', '.join(missing)}.")
    for path in (archive, wheel):
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")
    return archive, wheel


def try_on(python: str, archive: Path, wheel: Path) -> bool:
    """Whether the wheel works on an interpreter; what went wrong is printed."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with tarfile.open(archive) as inside:
            inside.extractall(home, filter="data")
        (sources,) = home.glob("mmgames-*")
        shutil.copy(sources / "tests" / "conformance" / "one_of_each_kind.py", home / "test_one_of_each_kind.py")
        own = str(home / "venv" / "bin" / "python")
        pip = (own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        kit = ("-m", "pytest", "-q", "-W", "ignore", "-p", "no:cacheprovider", "test_one_of_each_kind.py")
        examples = re.findall(r"^```python\n(.*?)^```$", (sources / "README.md").read_text("utf-8"), re.S | re.M)
        steps: dict[str, tuple[str, ...]] = {
            "an environment": (python, "-m", "venv", str(home / "venv")),
            "the installation": (*pip, f"{wheel}[testing]"),
            "the command": (str(home / "venv" / "bin" / "mmgames"), "list"),
            "README's examples": (own, "-c", "\n".join(examples)),
            "the conformance kit": (own, *kit),
        }
        for name, command in steps.items():
            try:
                done = subprocess.run(command, cwd=home, env=kept, capture_output=True, text=True)
            except OSError as error:
                print(f"{python}: not tried, {error.strerror}.")
                return False
            if done.returncode:
                print(f"{python}: {name} failed.\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
                return False
        version = subprocess.run([own, "--version"], capture_output=True, text=True).stdout.strip()
        print(f"{python} ({version}): {done.stdout.strip().splitlines()[-1]}", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
