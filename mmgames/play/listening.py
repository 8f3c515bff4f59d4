"""Where a server for games over the network listens, under which names browsers come to it, and who encrypts.

Nothing is listened to in plain HTTP by accident: there is a certificate, or a proxy that has one, or the word for doing
without. Names are listed, as a server that answered to any name could be asked through somebody else's.
"""

import re
import socket
import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mmgames.errors import MmgamesError

EVERYWHERE = ("0.0.0.0", "::")
NAME = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9._-]*[a-z0-9])?)(:\d{1,5})?", re.IGNORECASE)
USUAL_PORT = {"https": 443, "http": 80}


class Listening(NamedTuple):
    """An address to listen at; `names` are what browsers may call it, the first of them in invitations."""

    address: str
    port: int
    names: tuple[str, ...]
    tls: ssl.SSLContext | None = None
    proxied: bool = False
    """Whether everybody comes through a proxy, which encrypts and says for whom it asks."""

    @property
    def scheme(self) -> str:
        return "https" if self.tls is not None or self.proxied else "http"

    def hosts(self, port: int) -> list[str]:
        """What the header Host may say, when `port` is the one that was got."""
        if self.proxied:
            return [name.lower() for name in self.names]
        named = [name if re.search(r":\d+$", name.rpartition("]")[2]) else f"{name}:{port}" for name in self.names]
        bare = [name.rpartition(":")[0] for name in named if name.endswith(f":{USUAL_PORT[self.scheme]}")]
        return [name.lower() for name in (*named, *bare)]


def listening(
    listen: str,
    port: int = 0,
    certificate: Path | None = None,
    key: Path | None = None,
    behind: str | None = None,
    names: Sequence[str] = (),
    insecure: bool = False,
) -> Listening:
    """What the command line asks for, or a sentence that says what is missing."""
    address, own_port = split(listen, port)
    if key is not None and certificate is None:
        raise MmgamesError("--key belongs to a certificate; name it with --certificate.")
    ways = sum((certificate is not None, behind is not None, insecure))
    if ways == 0:
        raise MmgamesError(
            "Games over the network want TLS: give --certificate and --key, or --behind NAME if a proxy encrypts for "
            "you; with --insecure everybody on the way can read along and play."
        )
    if ways > 1:
        raise MmgamesError("--certificate, --behind and --insecure exclude each other; choose one.")
    called = tuple(names) if behind is None else (behind, *names)
    if not called and address in EVERYWHERE:
        raise MmgamesError(
            f"{address} is no name that browsers can ask for; say theirs, for example --name 192.168.1.7."
        )
    called = called or (f"[{address}]" if ":" in address else address,)
    for name in called:
        if not NAME.fullmatch(name):
            raise MmgamesError(f"{name!r} is no name of a server; write it as in an address: games.example.org.")
    tls = None if certificate is None else tls_context(certificate, key)
    return Listening(address, own_port, called, tls, behind is not None)


def split(listen: str, port: int) -> tuple[str, int]:
    """ADDRESS[:PORT], with an IPv6 address in brackets where a port follows it."""
    found = re.fullmatch(
        r"\[([^\]]+)\](?::(\d{1,5}))?|([^:\s]+)(?::(\d{1,5}))?|([0-9a-fA-F:.]*::?[0-9a-fA-F:.]*)", listen
    )
    address = found and (found[1] or found[3] or found[5])
    given = found and (found[2] or found[4])
    if not found or not address or int(given or 0) > 65535:
        raise MmgamesError(f"--listen {listen!r} is no ADDRESS[:PORT], such as 192.168.1.7:8443 or [::1]:8443.")
    if given is not None and port and int(given) != port:
        raise MmgamesError(f"--listen names port {given} and --port {port}; one of them is enough.")
    return address, port if given is None else int(given)


def tls_context(certificate: Path, key: Path | None) -> ssl.SSLContext:
    def no_password() -> str:
        raise MmgamesError(f"The key {key or certificate} is locked with a password; give one that is not.")

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    for path in filter(None, (certificate, key)):
        if not path.is_file():
            raise MmgamesError(f"There is no file {path}; --certificate and --key name files in PEM form.")
    try:
        context.load_cert_chain(certificate, key, no_password)
    except (OSError, ValueError) as error:
        raise MmgamesError(
            f"{certificate}{f' and {key}' if key else ''} are no certificate with its key in PEM form: {error}."
        ) from error
    return context


def bound(listening: Listening, made: type[socket.socket] = socket.socket) -> socket.socket:
    """A socket that listens at the address."""
    try:
        family, *_, place = socket.getaddrinfo(
            listening.address, listening.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        # The protocol is named: only then does asyncio send small answers at once.
        opened = made(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:
        raise MmgamesError(f"{listening.address} is no address of this machine: {error}.") from error
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind(place)
        opened.listen(256)  # whoever comes early waits
    except OSError as error:
        opened.close()
        raise MmgamesError(
            f"{listening.address}, port {listening.port}, cannot be listened at: {error}; name another one."
        ) from error
    return opened
