"""A study for participants elsewhere: the same page behind a guard for the network, encrypted as rooms are."""

import secrets
from pathlib import Path
from typing import Any

from mmgames.play.game_rooms import Visitor
from mmgames.play.hosted_game import Refused
from mmgames.play.listening import Listening
from mmgames.play.network_guard import NetworkGuard, RateLimit
from mmgames.play.network_server import NetworkServer
from mmgames.play.page_guard import bearer_key
from mmgames.play.server import POLICY
from mmgames.studies.hosted_study import HostedStudy
from mmgames.studies.server import StudyPage, access_of, keep_access, tell

JOINS = (0.5, 40)  # a second and at once, for each address: a laboratory may have one for all
AT_THE_DOOR = ("study", "join")
"""What everybody may ask who has the link."""


class StudyGuard(NetworkGuard):
    """Lets in whoever has the link to the door, participants to their own, and the experimenter to the progress."""

    def __init__(self, app: Any, token: str, study: HostedStudy, watch: str, place: Listening, port: int) -> None:
        super().__init__(app, token, None, place.hosts(port), place.scheme, POLICY, place.proxied)  # type: ignore[arg-type]
        self._study, self._watch = study, watch
        self._joins = RateLimit(*JOINS)

    def _visitor(self, asked: list[str], headers: dict[bytes, str], client: str) -> Visitor | None:
        what, key = "".join(asked[:1]), bearer_key(headers.get(b"authorization", ""))
        if what in AT_THE_DOOR:
            return Visitor(f"the door for {client}") if what == "study" or self._joins.take(client) else None
        if what == "progress":
            return Visitor(key) if secrets.compare_digest(key.encode(), self._watch.encode()) else None
        try:
            known = self._study.games.find(asked[1], key) if what == "game" else self._study.find(key)
        except (Refused, IndexError):
            return None
        return Visitor(key) if known else None


class NetworkStudyServer(NetworkServer):
    """The study at an address that others can reach; started again in the same folder it has the same addresses."""

    def __init__(self, study: HostedStudy, folder: Path, place: Listening) -> None:
        known = access_of(folder)
        super().__init__(place, known["port"])
        self.study, self.token, watch = study, known["token"], known["watch"]
        self.url = f"{place.scheme}://{place.hosts(self.port)[0]}/{self.token}/"
        self.dashboard = f"{self.url}dashboard.html#{watch}"
        self._page = StudyPage(study, watch)
        self.app = StudyGuard(self._page.served(self.token), self.token, study, watch, place, self.port)
        keep_access(folder, {**known, "port": self.port})

    def tell(self) -> None:
        tell(self.url, self.dashboard)

    def stopping(self) -> None:
        self._page.hang_up()
