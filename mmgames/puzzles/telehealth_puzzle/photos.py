"""A local copy of PAD-UFES-20: metadata.csv and the photographs it names, anywhere below its folder."""

import csv
import math
import os
import warnings
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

from mmgames.errors import MmgamesError
from mmgames.puzzles.telehealth_puzzle.manual import CODES, NO, SIGNS, UNKNOWN, YES
from mmgames.puzzles.telehealth_puzzle.patients import SEXES, Profile

TABLE = "metadata.csv"
COLUMNS = ("img_id", "diagnostic", "age", "gender", "fitspatrick", "region", "diameter_1", "diameter_2", *SIGNS)
LARGEST = 768  # pixels on a side that are kept of a photograph
_TRUTH = {"true": YES, "1": YES, "1.0": YES, "yes": YES, "false": NO, "0": NO, "0.0": NO, "no": NO}
_AS_CODE = {"BOD": "SCC"}  # Bowen's disease counts as SCC, as in the data set's own paper
_NAMED = 3  # files that a warning names before it says "and more"


class Record(NamedTuple):
    """A row of the table that can be played."""

    photo: str
    code: str
    profile: Profile


def load(folder: str, where: str) -> tuple[Record, ...]:
    """All rows that can be used; one sentence warns how many cannot and why. `where` names the environment."""
    rows = _rows(folder, where)
    files = _pictures(folder)
    records, refused = [], Counter[str]()
    missing: list[str] = []
    for row in rows:
        image = (row["img_id"] or "").strip()
        code = (row["diagnostic"] or "").strip().upper()
        code = _AS_CODE.get(code, code)
        if code not in CODES:
            refused["have no diagnosis of the game"] += 1
        elif image not in files:
            missing.append(image or "(no name)")
        else:
            records.append(Record(files[image], code, _profile(row)))
    if missing:
        more = " and more" if len(missing) > _NAMED else ""
        refused[f"name a picture that is not there ({', '.join(missing[:_NAMED])}{more})"] = len(missing)
    table = os.path.join(folder, TABLE)
    why = "; ".join(f"{count} {reason}" for reason, count in refused.items()) or "it has no rows"
    if not records:
        raise MmgamesError(f"{where}: no row of {table!r} can be used ({why}); check that the folder is PAD-UFES-20.")
    if refused:
        tell(f"{where}: {refused.total()} of {len(rows)} rows of {table!r} are left out: {why}.")
    return tuple(records)


def tell(sentence: str) -> None:
    warnings.warn(sentence, stacklevel=3)


def _rows(folder: str, where: str) -> list[dict[str, str | None]]:
    table = Path(folder) / TABLE
    if not Path(folder).is_dir():
        raise MmgamesError(
            f'{where}: photos={str(folder)!r} is no folder; give "drawn" or the folder of a copy of PAD-UFES-20.'
        )
    try:
        with open(table, encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            lacking = [column for column in COLUMNS if column not in (reader.fieldnames or ())]
            rows = [] if lacking else list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise MmgamesError(f"{where}: {str(table)!r} cannot be read ({error}); it is PAD-UFES-20's table.") from error
    if lacking:
        raise MmgamesError(f"{where}: {str(table)!r} lacks {', '.join(lacking)}; it needs PAD-UFES-20's columns.")
    return rows


def _pictures(folder: str) -> dict[str, str]:
    """Every file below the folder by its name. The data set comes in several subfolders."""
    found: dict[str, str] = {}
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            found.setdefault(name, os.path.join(parent, name))
    return found


def _profile(row: dict[str, str | None]) -> Profile:
    age, skin = _number(row["age"]), _number(row["fitspatrick"])
    sex = (row["gender"] or "").strip().lower()
    region = (row["region"] or "").strip().lower()
    diameters = [value for value in (_number(row["diameter_1"]), _number(row["diameter_2"])) if value]
    return Profile(
        age=int(age) if age is not None and age < 130 else None,
        sex=sex if sex in SEXES else None,
        skin=int(skin) if skin is not None and 1 <= skin <= 6 else None,
        region=region if region not in ("", "unk", "nan") else None,
        diameters=tuple(sorted(diameters, reverse=True)),
        signs=tuple(_TRUTH.get((row[sign] or "").strip().lower(), UNKNOWN) for sign in SIGNS),
    )


def _number(text: str | None) -> float | None:
    """A number that can be an age or a size."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) and 0 <= value < 1_000 else None


@lru_cache(maxsize=64)
def pixels(photo: str) -> np.ndarray | None:
    """The middle square of a photograph, read-only; None if the file cannot be read."""
    try:
        with Image.open(photo) as image:
            image.draft("RGB", (LARGEST, LARGEST))
            picture = image.convert("RGB")
    except Exception:  # Pillow raises whatever a broken file provokes
        return None
    side = min(picture.size)
    left, top = (picture.width - side) // 2, (picture.height - side) // 2
    picture = picture.crop((left, top, left + side, top + side))
    if side > LARGEST:
        picture = picture.resize((LARGEST, LARGEST), Image.Resampling.BOX)
    array = np.array(picture)
    array.setflags(write=False)
    return array
