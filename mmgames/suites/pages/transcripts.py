"""The pages that a leaderboard leads to: of each folder of episodes a report, with episodes turn by turn."""

from collections.abc import Sequence
from pathlib import Path

from mmgames.errors import MissingExtra
from mmgames.suites.pages import report
from mmgames.suites.results.standings import Standing
from mmgames.text.tables import one_line

UNREADABLE = (OSError, KeyError, TypeError, AttributeError, ValueError, MissingExtra)
"""What records that another program wrote, or half wrote, may raise, or those of a game whose packages are not here; an
MmgamesError is a ValueError."""


def write(standings: Sequence[Standing], folder: Path, episodes: int) -> tuple[dict[Path, str], list[str]]:
    """Write a page for the episodes of each folder and suite. The address of each result file's page, seen from the
    folder, and a sentence for each that could not be made.

    What was sealed is shown to nobody, so a folder that holds such a result has no page.
    """
    closed = {one.file.parent for one in standings if "sealed" in one.result}
    together: dict[tuple[Path, str], list[Standing]] = {}
    for one in standings:
        kept = one.file.parent not in closed and any(
            not path.name.endswith(".calls.jsonl") for path in one.file.parent.glob("*.jsonl")
        )
        if kept:
            together.setdefault((one.file.parent, one.suite.name), []).append(one)
    addresses: dict[Path, str] = {}
    told = []
    for number, ((home, suite), own) in enumerate(together.items(), 1):
        name = f"episodes-{number}-{suite}.html"
        try:
            text = report.page([dict(one.result) for one in own], [home], episodes)
        except UNREADABLE as error:
            told.append(one_line(f"the episodes in {home} ({type(error).__name__}: {error})"))
            continue
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
        addresses |= {one.file: name for one in own}
    return addresses, told
