"""Solids as SAPIEN shows them."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import Any

from mmgames.drawing.canvas import Colour
from mmgames.embodied._scenes import textures
from mmgames.embodied._scenes.solids import Solid, Solids, joined


def component(sapien: Any, solids: Solids) -> Any:
    """What shows something that does not bend; its pieces of one colour are shown as one."""
    alike: dict[tuple[Colour, float, str], list[Solid]] = defaultdict(list)
    for solid in solids:
        alike[solid.colour, solid.glow, solid.pattern].append(solid)
    body = sapien.render.RenderBodyComponent()
    for (colour, glow, pattern), pieces in alike.items():
        material = _material(sapien, colour, glow)
        if pattern:
            material.base_color_texture = _texture(sapien, pattern, colour)
        found = joined(pieces, textures.PATTERNS[pattern].metres if pattern else 0.0)
        body.attach(sapien.render.RenderShapeTriangleMesh(*found, material))
    return body


def _material(sapien: Any, colour: tuple[int, int, int], glow: float) -> Any:
    linear = [(part / 255) ** 2.2 for part in colour]
    return sapien.render.RenderMaterial(
        base_color=[*linear, 1.0], emission=[*(part * glow for part in linear), 1.0 if glow else 0.0]
    )


@lru_cache(maxsize=32)
def _texture(sapien: Any, pattern: str, colour: Colour) -> Any:
    return sapien.render.RenderTexture2D(textures.picture(pattern, colour), "R32G32B32A32Sfloat", mipmap_levels=6)
