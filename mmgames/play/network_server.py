"""A web server that others can reach: bounded in its connections, and encrypted as its `Listening` says."""

from typing import Any

import uvicorn

from mmgames.play.bounded_socket import BoundedSocket, most_connections, notice_the_gone, protocol_at
from mmgames.play.listening import Listening, bound
from mmgames.play.local_server import LocalServer


class NetworkServer(LocalServer):
    """One that is about to start, at the address that `listening` names."""

    _socket: BoundedSocket

    def __init__(self, listening: Listening, before: int = 0) -> None:
        self.listening = listening
        super().__init__(listening.port, before)

    def opened(self, port: int) -> BoundedSocket:
        opened = bound(self.listening._replace(port=port), BoundedSocket)
        assert isinstance(opened, BoundedSocket)
        opened.most = most_connections()
        if self.listening.proxied:
            opened.most_of_one = opened.most  # all of them come from the proxy
        notice_the_gone(opened)
        return opened

    def config(self, **more: Any) -> uvicorn.Config:
        config = super().config(
            timeout_keep_alive=30,  # a person thinks for so long, and shaking hands again costs
            loop="asyncio",
            http=protocol_at(self._socket),
            ws="none",
            server_header=False,
            proxy_headers=False,
            **more,
        )
        config.load()
        config.ssl = self.listening.tls
        return config
