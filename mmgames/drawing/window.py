"""The window for render_mode="human". The only place that imports pygame."""

import importlib.resources
import io
import os

import numpy as np

from mmgames.errors import needs_extra


class Window:
    def __init__(self, title: str, shape: tuple[int, ...]) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        with needs_extra('render_mode="human"', "window"):
            import pygame
        self._pygame = pygame
        pygame.display.init()
        icon = importlib.resources.files("mmgames.assets").joinpath("window/icon.png").read_bytes()
        pygame.display.set_icon(pygame.image.load(io.BytesIO(icon), "icon.png"))
        pygame.display.set_caption(f"mmgames – {title}")
        self._screen = pygame.display.set_mode((shape[1], shape[0]))

    def show(self, picture: np.ndarray) -> None:
        surface = self._pygame.surfarray.make_surface(picture.swapaxes(0, 1))
        self._screen.blit(surface, (0, 0))
        self._pygame.event.pump()
        self._pygame.display.flip()

    def close(self) -> None:
        self._pygame.display.quit()
