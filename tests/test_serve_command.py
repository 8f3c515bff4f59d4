"""`mmgames serve` says what it needs."""

import importlib.metadata

import pytest

from mmgames import cli


def test_an_sdk_of_the_first_release_line_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: {"mcp": "1.30.0"}[name])
    assert cli.main(["serve", "--mcp"]) == 2
    told = capsys.readouterr().err
    assert "needs mcp 2 or later; here is 1.30.0" in told and "environment of its own" in told
