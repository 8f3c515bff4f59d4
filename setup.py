"""Finds the packages: `mmgames` and the top-level folders that are mapped into it.

pyproject.toml cannot say both "find" and "these folders live elsewhere", hence these few lines.
Nothing called plain `wrappers`, `baselines` or `assets` is ever put into a wheel.

An editable install is a path to the clone and no more, so that type checkers find what Python finds: with folders that
are mapped it would be an import hook, which they do not follow. `mmgames/_clone.py` then leads to the mapped folders.
"""

import sys

from setuptools import find_packages, setup

MAPPED = ("wrappers", "baselines", "assets")

packages = find_packages(include=["mmgames", "mmgames.*"])
package_dir = {"": "."}
if "editable_wheel" not in sys.argv:
    package_dir = {"mmgames": "mmgames"}
    for folder in MAPPED:
        for found in [folder, *(f"{folder}.{name}" for name in find_packages(folder))]:
            packages.append(f"mmgames.{found}")
            package_dir[f"mmgames.{found}"] = found.replace(".", "/")

setup(packages=packages, package_dir=package_dir)
