"""What happens, as events in a file: whoever reads them again comes to the same state, also after a kill."""

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mmgames.running.records import Records


class EventLog:
    """Every event is on disk before it counts. `apply` says what follows from one."""

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self._events = Records(path, about, {"event": lambda one: isinstance(one, str)})
        self._noting = threading.RLock()
        for row in self._events.rows:
            self.apply(row)

    def apply(self, row: Mapping[str, Any]) -> None:
        raise NotImplementedError

    def note(self, event: str, **more: Any) -> None:
        row = {"event": event, **more}
        with self._noting:
            self._events.append(row)
            self.apply(row)

    def close(self) -> None:
        self._events.close()
