"""Games of rooms, studies and matches for the ladder: people stand on it beside the agents that they met."""

from pathlib import Path

from mmgames.arena.seating import Seating, seating
from mmgames.errors import MmgamesError
from mmgames.running import records
from mmgames.running.resumable import ResultRow


def played_in(folder: Path) -> tuple[list[Seating], list[ResultRow]]:
    """What the records in a folder say, as games of an arena.

    A participant of a study is told apart by its code; people of rooms are all called person. Who gave up has lost;
    left out is what else did not end, and where an agent stood in for somebody.
    """
    seatings: list[Seating] = []
    games: list[ResultRow] = []
    for path in sorted(folder.rglob("*.jsonl")):
        about, rows = ({}, []) if path.name.endswith(".calls.jsonl") else records.read(path)
        if "match" not in about:
            continue
        seated = seating(about["match"], about.get("options", {}))
        if seated.kind == "roles":
            raise MmgamesError(f"{path}: {seated.id} is played in roles, which only an arena hands out evenly.")
        seatings.append(seated)
        for row in {row["episode"]: row for row in rows}.values():
            if (row.get("unfinished") and "given_up" not in row) or row.get("deputies"):
                continue
            codes = row.get("participants", {})
            names = [
                f"{agent} {codes[role]}" if role in codes else agent
                for role, agent in zip(seated.seats, about["agents"], strict=True)
            ]
            played = {"game": seated.id, "options": dict(seated.options), "agents": names, "deal": row["seed"]}
            games.append({**row, **played, "meeting": len(games)})
    if not games:
        raise MmgamesError(f"{folder} is no arena, and no room, study or match has left a game there.")
    return seatings, games
