"""Who may ask a page's server on this machine, and what its pages may do: nothing from elsewhere is let in or loaded.

Every address begins with a token that is new with every start, so that other users and other pages of the browser do
not know it. Requests that name another host or come from another origin are refused all the same.
"""

import secrets

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
}


def bearer_key(authorization: str) -> str:
    """The key in the header of a request; empty: there is none."""
    kind, _, key = authorization.partition(" ")
    return key.strip() if kind.lower() == "bearer" else ""


class PageGuard:
    """Lets in whoever comes from this machine, from this page and with the token."""

    def __init__(self, app: ASGIApp, token: str, hosts: set[str], policy: str) -> None:
        """`policy` is the content security policy of all that is answered: what a page may load and run."""
        self.app, self.token, self.hosts = app, token, hosts
        self._headers = {b"content-security-policy": policy.encode(), **HEADERS}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers.items()]
            await send(message)

        why = self._why_not(scope)
        answer = self.app if why is None else JSONResponse({"error": why}, 403)
        await answer(scope, receive, guarded)

    def _why_not(self, scope: Scope) -> str | None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        origin = headers.get(b"origin")
        if headers.get(b"host") not in self.hosts:
            return "This server answers to this machine's own address alone."
        if (origin is not None or scope["method"] not in ("GET", "HEAD")) and origin not in {
            f"http://{host}" for host in self.hosts
        }:
            return "This request comes from another page; the server answers to its own page alone."
        token = scope["path"].lstrip("/").partition("/")[0]
        if not secrets.compare_digest(token.encode(), self.token.encode()):
            return "The token in this address is missing or stale; use the address that was printed last."
        return None
