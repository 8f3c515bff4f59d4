"""Which states of the played episodes become rows: a mix to be met exactly, seats and move numbers evenly."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mmgames.errors import MmgamesError
from mmgames.tasks.predict_recipes import ROWS, PredictRecipe, beginning, targets

TENTHS = 10
GOLDEN = (5**0.5 - 1) / 2


class Pick(NamedTuple):
    """One state: an episode of a pairing (both by number), a move of it, and the seat whose move is to be predicted."""

    pairing: int
    episode: int
    move: int
    seat: int
    stratum: int  # the move number, or the tenth of the episode
    kind: str  # how the answer begins, where the recipe asks for that


def quotas(mix: Mapping[tuple[str, ...], int], rows: int) -> list[int]:
    """The rows of each pairing: the mix scaled to `rows`, largest remainders first."""
    exact = [count * rows / ROWS for count in mix.values()]
    whole = [int(share) for share in exact]
    by_remainder = sorted(range(len(exact)), key=lambda i: (whole[i] - exact[i], i))
    for i in by_remainder[: rows - sum(whole)]:
        whole[i] += 1
    return whole


def stratum(recipe: PredictRecipe, move: int, length: int) -> int:
    return move * TENTHS // length if recipe.by_share else move


def select(
    recipe: PredictRecipe, rows: int, episodes: Sequence[Mapping[str, Any]], seats: int, seed: int
) -> list[Pick]:
    """The states to be used, in the order of their episodes. Depends on nothing but its arguments."""
    rng = np.random.default_rng(seed)
    pools: dict[tuple[int, int], dict[tuple[str, int], list[Pick]]] = defaultdict(lambda: defaultdict(list))
    for record in sorted(episodes, key=lambda record: (record["pairing"], record["episode"])):
        moves = record["moves"]
        for move in range(record["opening"], len(moves)):
            for place, (seat, _) in enumerate(moves[move]):
                name = record["names"][move][place] if record.get("names") else ""
                where = (record["pairing"], record["episode"], move, seat)
                pick = Pick(*where, stratum(recipe, move, len(moves)), beginning(recipe, name))
                pools[pick.pairing, seat][pick.kind, pick.stratum].append(pick)
    chosen = _Chosen(recipe, rows)
    given = [0] * seats
    for pairing, (authors, quota) in enumerate(zip(recipe.mix, quotas(recipe.mix, rows), strict=True)):
        about = targets(authors)
        # An odd one goes to the seat that has had fewest.
        favoured = sorted(about, key=lambda seat: given[seat])[: quota % len(about)]
        for seat in about:
            share = quota // len(about) + (seat in favoured)
            given[seat] += share
            groups = pools[pairing, seat]
            for members in groups.values():
                rng.shuffle(members)  # type: ignore[arg-type]
            for _ in range(share):
                chosen.take_one(groups, f"{recipe.game}: {'/'.join(authors)}")
    return sorted(chosen.picks)


class _Chosen:
    """What has been chosen so far, counted in every way that has to come out even."""

    def __init__(self, recipe: PredictRecipe, rows: int) -> None:
        self.recipe = recipe
        self.picks: list[Pick] = []
        self.kinds: Counter[str] = Counter()
        self.strata: Counter[tuple[int, int]] = Counter()  # seat, stratum
        self.here: Counter[tuple[int, int, int]] = Counter()  # pairing, seat, stratum
        self.used: Counter[tuple[int, int]] = Counter()  # pairing, episode
        self.caps = {start: int(share * rows) for start, share in recipe.at_most.items()}

    def take_one(self, groups: dict[tuple[str, int], list[Pick]], where: str) -> None:
        """Take the state of a seat that is missed most."""
        for key in sorted(groups, key=lambda key: self._urgency(groups, key)):
            if self.kinds[key[0]] >= self.caps.get(key[0], len(self.picks) + 1):
                continue
            members = groups[key]
            free = [pick for pick in members if self.used[pick.pairing, pick.episode] < self.recipe.per_episode]
            if free:
                pick = min(free, key=lambda pick: self.used[pick.pairing, pick.episode])
                members.remove(pick)
                self._note(pick)
                return
        raise MmgamesError(f"{where}: the episodes have too few states for this data set.")

    def _urgency(self, groups: dict[tuple[str, int], list[Pick]], key: tuple[str, int]) -> tuple:
        kind, stratum = key
        if not groups[key]:
            return (np.inf,)
        any_pick = groups[key][0]
        return (
            self.kinds[kind] / self.recipe.kinds[kind] if kind in self.recipe.kinds else 0,
            self.here[any_pick.pairing, any_pick.seat, stratum],
            self.strata[any_pick.seat, stratum],
            stratum * GOLDEN % 1,  # early, middle and late moves in turn
        )

    def _note(self, pick: Pick) -> None:
        self.picks.append(pick)
        self.kinds[pick.kind] += 1
        self.strata[pick.seat, pick.stratum] += 1
        self.here[pick.pairing, pick.seat, pick.stratum] += 1
        self.used[pick.pairing, pick.episode] += 1


def check_balance(recipe: PredictRecipe, rows: int, picks: Sequence[Pick], seats: int) -> dict[str, Any]:
    """The counts of a selection; raises if the mix, the seats, the move numbers or the kinds of answers are off."""
    pairings = Counter(pick.pairing for pick in picks)
    wanted = quotas(recipe.mix, rows)
    _insist([pairings[i] for i in range(len(wanted))] == wanted, recipe, "the mix of players", dict(pairings))
    by_seat = Counter(pick.seat for pick in picks)
    for pairing, authors in enumerate(recipe.mix):
        split = Counter(pick.seat for pick in picks if pick.pairing == pairing)
        shares = [split.pop(seat, 0) for seat in targets(authors)]
        even = max(shares) - min(shares) <= 1 and not split
        _insist(even, recipe, "the seats of a pairing", shares)
    strata: dict[int, Counter[int]] = {}
    for seat in range(seats):
        counts = strata[seat] = Counter(pick.stratum for pick in picks if pick.seat == seat)
        fair = by_seat[seat] / max(len(counts), 1)
        _insist(max(counts.values(), default=0) <= 2 * fair + 1, recipe, "the move numbers", dict(counts))
    kinds = Counter(pick.kind for pick in picks)
    whole = sum(recipe.kinds.values())
    for start, weight in recipe.kinds.items():
        _insist(abs(kinds[start] - rows * weight / whole) <= 2 + rows / 50, recipe, "the kinds of answers", dict(kinds))
    for start, share in recipe.at_most.items():
        _insist(kinds[start] <= share * rows, recipe, f"the answers {start}", dict(kinds))
    names = ["/".join(authors) for authors in recipe.mix]
    return {
        "mix": {name: pairings[i] for i, name in enumerate(names)},
        "predicted seat": {seat: by_seat[seat] for seat in range(seats)},
        "tenth of the episode" if recipe.by_share else "move number": {
            seat: dict(sorted(counts.items())) for seat, counts in strata.items()
        },
        **({"kinds of answers": dict(kinds)} if recipe.kinds or recipe.at_most else {}),
    }


def _insist(holds: bool, recipe: PredictRecipe, what: str, counts: Any) -> None:
    if not holds:
        raise MmgamesError(
            f"{recipe.game}: {what} did not come out balanced ({counts}); try another seed or more rows."
        )
