"""Machines that reach each other over a network of their own: network namespaces, joined by a bridge."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

SERVER = "10.231.77.1"


class Machine(NamedTuple):
    name: str
    cable: str
    """The end of its cable that is plugged in here."""

    def plug(self, whether: bool) -> None:
        ip("link", "set", self.cable, "up" if whether else "down")

    def browser(self, folder: Path, command: str) -> str:
        """A command that starts a browser on this machine."""
        script = folder / f"browser-{self.name}"
        script.write_text(f'#!/bin/sh\nexec {shutil.which("ip")} netns exec {self.name} {command} "$@"\n')
        script.chmod(0o755)
        return str(script)


def ip(*words: str) -> None:
    subprocess.run([shutil.which("ip") or "ip", *words], check=True, capture_output=True, text=True)


@contextlib.contextmanager
def machines(count: int) -> Iterator[list[Machine]]:
    """So many of them; this one is reached from there as SERVER. Skips where the system does not let us."""
    own = f"mm{os.getpid() % 100000}"
    bridge, made = f"{own}br", []
    try:
        try:
            ip("link", "add", bridge, "type", "bridge")
            ip("addr", "add", f"{SERVER}/24", "dev", bridge)
            ip("link", "set", bridge, "up")
            for number in range(count):
                machine = Machine(f"{own}n{number}", f"{own}c{number}")
                ip("netns", "add", machine.name)
                made.append(machine)
                ip("link", "add", machine.cable, "type", "veth", "peer", "name", "eth0", "netns", machine.name)
                ip("link", "set", machine.cable, "master", bridge, "up")
                for words in (
                    ("addr", "add", f"10.231.77.{number + 2}/24", "dev", "eth0"),
                    ("link", "set", "eth0", "up"),
                    ("link", "set", "lo", "up"),
                ):
                    ip("-n", machine.name, *words)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"This machine makes no networks for tests: {error.stderr.strip()}")
        yield made
    finally:
        for machine in made:
            with contextlib.suppress(subprocess.CalledProcessError):
                ip("netns", "del", machine.name)
        with contextlib.suppress(subprocess.CalledProcessError):
            ip("link", "del", bridge)
