"""Who may ask a server that others can reach, how often, and how much at a time.

Addresses begin with a token that all invitations share; without it nothing is answered, not even the page. What the
page then asks for wants a key, a host's, a seat's or a spectator's, in the header Authorization: it stands behind the #
of an invitation, which browsers do not send, so neither logs nor Referer ever hold it. All refusals read the same.
"""

import asyncio
import hmac
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mmgames.play.game_rooms import Rooms, Visitor
from mmgames.play.hosted_game import Refused
from mmgames.play.page_guard import HEADERS, bearer_key

REFUSED = "This is by invitation. Open the address that you were given; if it no longer works, ask for another one."
TOO_OFTEN = "That is too much at once; wait a moment."
MOST_BYTES = 256_000  # of a request; what the page lets people type is shorter
TOO_LONG = f"The message is too long; at most {MOST_BYTES:,} bytes are taken."
BODY = 10.0  # seconds in which a request has to arrive
FOR_GUESTS = ("game", "room")
"""What keys of seats and spectators are good for; all else is the host's."""


class Limits:
    """How often: a key, an address that loads the page, and an address that is refused."""

    def __init__(self) -> None:
        self.keys = RateLimit(10, 40)
        self.host = RateLimit(50, 500)
        self.pages = RateLimit(100, 1000)  # a class may come from one address
        self.strangers = RateLimit(2, 20)


class NetworkGuard:
    def __init__(
        self,
        app: ASGIApp,
        token: str,
        rooms: Rooms,
        hosts: Iterable[str],
        scheme: str,
        policy: str,
        proxied: bool,
        door: bool = False,
    ) -> None:
        """`door`: everybody who knows the bare address may come in, and is led to the page where seats are given."""
        self.app, self.token, self.rooms, self.proxied = app, token, rooms, proxied
        self.hosts, self.door = set(hosts), door
        self.origins = {f"{scheme}://{host}" for host in self.hosts}
        self.limits = Limits()
        self.body_seconds = BODY
        self._headers = {b"content-security-policy": policy.encode(), **HEADERS}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return

        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        body = BoundedBody(receive, headers, self.body_seconds)
        visitor, refusal = self._let_in(scope, headers)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                # Nobody waits for whoever is refused, nor for the rest of what is not read.
                closing = [(b"connection", b"close")] if refusal is not None or not body.whole else []
                message["headers"] = [*message["headers"], *self._headers.items(), *closing]
            await send(message)

        if refusal is not None:
            await refusal(scope, receive, guarded)
            return
        scope["visitor"] = visitor
        await self.app(scope, body.receive, guarded)

    def _let_in(self, scope: Scope, headers: dict[bytes, str]) -> tuple[Visitor | None, JSONResponse | None]:
        """Whose key came with the request (None: only the page is asked for), or what it is refused with."""
        client = self._client(scope, headers)
        part = self._part(scope, headers)
        visitor = None
        if self.door and scope["path"] == "/" and scope["method"] == "GET" and self._named(headers):
            return None, JSONResponse({}, 307, {"location": f"/{self.token}/#/class"})
        if self.door and part == "api" and scope["path"].split("/")[3:] == ["class"]:
            part = "page"  # anybody's, counted by address
        if part == "api":
            visitor = self._visitor(scope["path"].split("/")[3:], headers, client)
            part = None if visitor is None else part
        if part is None:
            return None, _no(REFUSED, 403) if self.limits.strangers.take(client) else _no(TOO_OFTEN, 429)
        if visitor is None:
            often = not self.limits.pages.take(client)
        else:
            often = not (self.limits.host if visitor.is_host else self.limits.keys).take(visitor.key)
        if often:
            return None, _no(TOO_OFTEN, 429)
        length = headers.get(b"content-length", "0")
        if not length.isdecimal() or len(length) > 9 or int(length) > MOST_BYTES:
            return None, _no(TOO_LONG, 413)
        return visitor, None

    def _client(self, scope: Scope, headers: dict[bytes, str]) -> str:
        """The address of whoever asks. A proxy adds it behind whatever was written there before."""
        forwarded = headers.get(b"x-forwarded-for", "").rpartition(",")[2].strip()[:64] if self.proxied else ""
        return forwarded or (scope["client"] or ("",))[0]

    def _part(self, scope: Scope, headers: dict[bytes, str]) -> str | None:
        """What is asked for, the "page" or its "api"; None for whoever does not come from an invitation."""
        origin = headers.get(b"origin")
        if not self._named(headers):
            return None
        if (origin is not None or scope["method"] not in ("GET", "HEAD")) and origin not in self.origins:
            return None
        parts: list[str] = scope["path"].split("/")
        if not hmac.compare_digest(_bytes("".join(parts[1:2])), _bytes(self.token)):
            return None
        return "api" if parts[2:3] == ["api"] else "page"

    def _named(self, headers: dict[bytes, str]) -> bool:
        return headers.get(b"host", "").lower() in self.hosts

    def _visitor(self, asked: list[str], headers: dict[bytes, str], client: str) -> Visitor | None:
        visitor = self.rooms.visitor(bearer_key(headers.get(b"authorization", "")))
        if visitor is None or not (visitor.is_host or "".join(asked[:1]) in FOR_GUESTS):
            return None
        return visitor


class BoundedBody:
    """What comes with a request, which may be neither too long nor too slow; `whole` once there is no more of it."""

    def __init__(self, receive: Receive, headers: dict[bytes, str], seconds: float) -> None:
        self._receive = receive
        self.whole = b"transfer-encoding" not in headers and headers.get(b"content-length", "0") == "0"
        self._size, self._end = 0, asyncio.get_running_loop().time() + seconds

    async def receive(self) -> Message:
        if self.whole:
            return await self._receive()
        try:
            left = max(0.0, self._end - asyncio.get_running_loop().time())
            message = await asyncio.wait_for(self._receive(), left)
        except TimeoutError as error:
            raise Refused("The message did not arrive in time.", 408) from error
        self._size += len(message.get("body", b""))
        if self._size > MOST_BYTES:
            raise Refused(TOO_LONG, 413)
        self.whole = not message.get("more_body", False)
        return message


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _no(sentence: str, status: int) -> JSONResponse:
    return JSONResponse({"error": sentence}, status)


class RateLimit:
    """So many requests a second, and a `burst` at once, for each of many; who asked longest ago is forgotten."""

    def __init__(
        self, rate: float, burst: float, most: int = 10_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.rate, self.burst, self.most, self._clock = rate, burst, most, clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, who: Hashable) -> bool:
        """Whether one more request is granted."""
        now = self._clock()
        left, then = self._left.pop(who, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.rate)
        granted = left >= 1.0
        self._left[who] = (left - granted, now)
        while len(self._left) > self.most:
            self._left.popitem(last=False)
        return granted
