"""Replay: every state of a recorded episode again, from its seed and its actions."""

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.seeding import fresh_rng
from mmgames.errors import MmgamesError
from mmgames.running import records
from mmgames.running.clocks import late_answers, read_clock
from mmgames.text.refusals import Illegal
from mmgames.text.replies import EARLIER_READINGS, Named, check_reading
from mmgames.version import __version__

CLOSE = 1e-6
NEEDED: records.Fields = {
    "game": lambda value: isinstance(value, str),
    "options": lambda value: isinstance(value, dict),
    "seed": lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
    "actions": lambda value: isinstance(value, list) and all(isinstance(step, list) for step in value),
}


def replay(
    record: Mapping[str, Any] | str | os.PathLike[str], episode: int | None = None, live: LiveGame | None = None
) -> Iterator[LiveGame]:
    """The live game of a recorded episode at its start and after every transition; see `EpisodePlayer.steps`.

    `record` is a row of a match's results, or a results file, of which `episode` is the number of the one to replay.
    It is replayed in `live`, if one is given.
    """
    row = record if isinstance(record, Mapping) else find_record(record, episode)
    records.check_row(row, NEEDED, "The record cannot be replayed: it", "Play the match again to have one that can be.")
    if live is None:
        loaded = registry.load(row["game"])
        reading: Any = row.get("reading")  # settles how the prompts were, not what was played
        live = LiveGame(loaded, loaded.game(**row["options"]), reading if reading in get_args(Named) else "paragraph")
    return _replayed(live, row)


def find_record(path: str | os.PathLike[str], episode: int | None = None) -> dict[str, Any]:
    """The record of one episode in a results file; the last one, if it was played more than once."""
    about, rows = records.read(path)
    found = {row["episode"]: row for row in rows if isinstance(row.get("episode"), int)}
    if episode is None and len(found) == 1:
        (episode,) = found
    if not found:
        raise MmgamesError(f"{path} holds no episodes.")
    if episode not in found:
        asked = f"Say which episode of {path} you mean" if episode is None else f"{path} has no episode {episode}"
        raise MmgamesError(f"{asked}: there are {len(found)}, from {min(found)} to {max(found)}.")
    # What is the same for all rows also stands in the header.
    version = {"version": about["version"]} if "version" in about else {}
    return {"game": about.get("match"), "options": about.get("options", {}), **found[episode], **version}


def _replayed(live: LiveGame, row: Mapping[str, Any]) -> Iterator[LiveGame]:
    seats = live.game.seats
    live.start(fresh_rng(row["seed"])[0])
    yield live
    for step, actions in enumerate(row["actions"]):
        moves = {}
        if len(actions) != len(seats):
            raise _differs(row, f"step {step} has {len(actions)} actions for {len(seats)} seats")
        for seat, action in enumerate(actions):
            if (action is not None) != (seat in live.movers):
                turn = "is" if seat in live.movers else "is not"
                raise _differs(row, f"at step {step} {seats[seat]} {turn} to move")
            if action is not None:
                moves[seat] = _checked(live, seat, action, row, step)
        live.play(moves)
        yield live
    if "clock" in row and not row.get("failed"):
        clock = read_clock(row["clock"])
        if clock is not None and late_answers(clock, row["latencies"], len(seats)) != row["late"]:
            raise _differs(row, "its latencies do not make the answers late that it says were late")
    decided = row.get("returns") is not None and not {"forfeit", "draw_agreed"} & row.keys()
    if decided and not _agree(row["returns"], live.totals):
        raise _differs(row, f"it ends with returns {[float(total) for total in live.totals]}, not {row['returns']}")


def _agree(recorded: Sequence[float], totals: Sequence[float]) -> bool:
    """Whether returns are those that were recorded, but for the last digits of reals, which another machine rounds in
    its own way."""
    return len(recorded) == len(totals) and all(
        math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE) for one, other in zip(recorded, totals, strict=True)
    )


def _checked(live: LiveGame, seat: int, action: Any, row: Mapping[str, Any], step: int) -> Any:
    try:
        kept = row["moves"][step][seat] if "moves" in row else None
        if kept is None and live.game.spec.actions == "text" and row.get("reading") in EARLIER_READINGS:
            check_reading(row["reading"], "the record")
        move = live.check(seat, action) if kept is None else live.loaded.words.kept_again(kept)
    except (MmgamesError, LookupError, TypeError, ValueError) as error:
        move = Illegal("not in the asked form", str(error), repr(action))
    if isinstance(move, Illegal):
        raise _differs(row, f"at step {step} {live.game.seats[seat]} cannot have done that: {move.reason.rstrip('.')}")
    return move


def _differs(row: Mapping[str, Any], how: str) -> MmgamesError:
    made = row.get("version", __version__)
    versions = f" (it was made by mmgames {made}, this is {__version__})" if made != __version__ else ""
    return MmgamesError(
        f"The record of {row['game']} with seed {row['seed']} does not replay: {how}. It was changed, or made by other "
        f"rules{versions}."
    )
