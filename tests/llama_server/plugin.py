"""A plugin of pytest for llama.cpp's tests: leaves out what ``exclusions.toml`` names, fetches nothing."""

from __future__ import annotations

import importlib
import sys
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

import pytest

LISTS = tomllib.loads(Path(__file__).with_name("exclusions.toml").read_text(encoding="utf-8"))


class NoLock:
    """What would keep two downloads apart."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        pass


def _fetch_nothing() -> None:
    """Give the tests what they import in order to download, which does nothing."""
    lock: Any = ModuleType("filelock")
    lock.FileLock = NoLock
    sys.modules["filelock"] = lock
    sys.modules["wget"] = ModuleType("wget")
    utils = importlib.import_module("utils")
    utils.ServerPreset.load_all = staticmethod(lambda: None)


# Before their conftest.py is imported.
_fetch_nothing()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "any_text: the words of an answer do not matter")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is listed; a pattern that fits nothing is a mistake where all tests are there."""
    unused = {pattern: kind for kind, patterns in LISTS.items() for pattern in patterns}
    for item in items:
        name = item.nodeid.removeprefix("unit/")
        for pattern, reason in LISTS["excluded"].items():
            if _fits(name, pattern):
                unused.pop(pattern, None)
                item.add_marker(pytest.mark.skip(reason=reason))
                break
        for pattern in LISTS["any_text"]:
            if _fits(name, pattern):
                unused.pop(pattern, None)
                item.add_marker(pytest.mark.any_text)
    if unused and config.args == ["unit"]:
        raise pytest.UsageError(f"exclusions.toml names what is not there: {', '.join(unused)}")


def _fits(name: str, pattern: str) -> bool:
    # Brackets hold the values of a test.
    return fnmatchcase(name, pattern.replace("[", "[[]"))


@pytest.fixture(autouse=True)
def _take_any_text(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a test expects the words of the model that it downloads, those of another are right too."""
    if request.node.get_closest_marker("any_text") is not None:
        monkeypatch.setattr(request.module, "match_regex", lambda *_: True)
