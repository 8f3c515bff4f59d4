"""Modules that have moved since somebody may have imported them: the old name still works, with a DeprecationWarning.

This is the one place for old names. It belongs to no floor, and no module of mmgames uses it.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import warnings
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "mmgames.baselines.best_answer": "mmgames.baselines.search.best_answer",
    "mmgames.baselines.chat": "mmgames.baselines.models.chat",
    "mmgames.baselines.dilemma_optimum": "mmgames.baselines.search.dilemma_optimum",
    "mmgames.baselines.exploitability": "mmgames.baselines.search.exploitability",
    "mmgames.baselines.hf": "mmgames.baselines.models.hf",
    "mmgames.baselines.ippo": "mmgames.baselines.learning.ippo",
    "mmgames.baselines.iterative_spo": "mmgames.baselines.learning.iterative_spo",
    "mmgames.baselines.minimax": "mmgames.baselines.search.minimax",
    "mmgames.baselines.spo_language": "mmgames.baselines.learning.spo_language",
    "mmgames.core.agent": "mmgames.agents.base",
    "mmgames.core.agents": "mmgames.agents.finding",
    "mmgames.core.canvas": "mmgames.drawing.canvas",
    "mmgames.core.chat_messages": "mmgames.agents.chat_messages",
    "mmgames.core.cluster": "mmgames.running.ray_cluster",
    "mmgames.core.errors": "mmgames.errors",
    "mmgames.core.journal": "mmgames.running.journal",
    "mmgames.core.kernel_game": "mmgames.kernels.kernel_game",
    "mmgames.core.records": "mmgames.running.records",
    "mmgames.core.replies": "mmgames.text.replies",
    "mmgames.core.table": "mmgames.text.tables",
    "mmgames.envs.crowd": "mmgames.envs.batch_agents",
    "mmgames.episodes": "mmgames.running.episodes",
    "mmgames.matches": "mmgames.running.matches",
    "mmgames.replays": "mmgames.running.replays",
    "mmgames.suites.layout": "mmgames.suites.pages.layout",
}


class MovedModules:
    """Finds the modules of the table under their old names, after everybody else was asked."""

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in MOVED:
            return None
        return importlib.util.spec_from_loader(name, cls)  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: ModuleSpec) -> ModuleType:
        new = MOVED[spec.name]
        warnings.warn(f"{spec.name} is now {new}.", DeprecationWarning, stacklevel=2)
        module = importlib.import_module(new)
        MovedModules._own_spec = module.__spec__
        return module

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """It has run already, under its new name."""
        module.__spec__ = MovedModules._own_spec

    _own_spec: ModuleSpec | None = None


def keep_old_names() -> None:
    """Let the import system ask this table last."""
    if not any(finder is MovedModules for finder in sys.meta_path):
        sys.meta_path.append(MovedModules)  # type: ignore[arg-type]
