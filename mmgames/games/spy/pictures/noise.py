"""Noise: now and then the spy's picture is blank, or the same as everybody's."""

from dataclasses import replace
from typing import Literal

import numpy as np

from mmgames.games.spy.pictures.pair import Blank, Pair, PairSource, PictureScene

NoiseKind = Literal["blank", "identical", "both"]
KINDS: tuple[NoiseKind, ...] = ("blank", "identical", "both")


class Noisy:
    """Another source's pairs, of which a share have a changed picture that is blank or identical to the original."""

    def __init__(self, source: PairSource, share: float, kind: NoiseKind = "both") -> None:
        self.source, self.share, self.kind = source, share, kind

    def vary(self, scene: PictureScene, rng: np.random.Generator) -> Pair | None:
        return None if isinstance(scene, Blank) else self.source.vary(scene, rng)

    def pair(self, rng: np.random.Generator) -> Pair:
        pair = self.source.pair(rng)
        # Two draws whatever comes of them: the same seed deals the same pairs with any share.
        struck, blank = rng.random() < self.share, rng.random() < 0.5
        if not struck:
            return pair
        if self.kind == "blank" or (self.kind == "both" and blank):
            return replace(pair, changed=Blank(), changes=())
        return replace(pair, changed=pair.original, changes=())
