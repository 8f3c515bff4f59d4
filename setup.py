"""Finds the packages: `mmgames` and the top-level folders that are mapped into it.

pyproject.toml cannot say both "find" and "these folders live elsewhere", hence these few lines.
Nothing called plain `wrappers`, `baselines` or `assets` is ever installed.
"""

from setuptools import find_packages, setup

MAPPED = ("wrappers", "baselines", "assets")

packages = find_packages(include=["mmgames", "mmgames.*"])
package_dir = {"mmgames": "mmgames"}
for folder in MAPPED:
    for found in [folder, *(f"{folder}.{name}" for name in find_packages(folder))]:
        packages.append(f"mmgames.{found}")
        package_dir[f"mmgames.{found}"] = found.replace(".", "/")

setup(packages=packages, package_dir=package_dir)
