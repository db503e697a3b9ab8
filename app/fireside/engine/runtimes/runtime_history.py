"""The history of runtimes: test results, crashes at start, and previously used runtimes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import RuntimeBuildError
from fireside.core.i18n import tr
from fireside.core.os_errors import render_os_error
from fireside.core.runtime import RuntimeTest
from fireside.files.json_file import JsonFile

HISTORY_NAME: Final = "runtimes.json"
CRASH_LIMIT: Final = 3
"""A runtime whose runners crash so many times in a row at their start is disabled."""

_SIZE_LIMIT: Final = 4_000_000


class RuntimeHistory(msgspec.Struct, frozen=True, kw_only=True):
    """The history of all runtimes, as it is stored."""

    tests: dict[str, RuntimeTest] = {}
    crashes: dict[str, int] = {}
    """Consecutive crashes before a model was loaded, by runtime."""
    previous: dict[str, str] = {}
    """The runtime to roll back to, by model id; an empty key stands for all models."""
    note: str = ""
    """For the user: which runtime was disabled, and why."""

    def with_test(self, name: str, test: RuntimeTest) -> RuntimeHistory:
        """Return this history with a new test result of a runtime; its crashes are cleared."""
        return msgspec.structs.replace(
            self,
            tests={**self.tests, name: test},
            crashes={key: n for key, n in self.crashes.items() if key != name},
            note="",
        )

    def with_crash(self, name: str) -> RuntimeHistory:
        """Return this history with one more crash at the start; after ``CRASH_LIMIT`` the test has failed."""
        n_crashes = self.crashes.get(name, 0) + 1
        crashed = msgspec.structs.replace(self, crashes={**self.crashes, name: n_crashes})
        test = self.tests.get(name)
        if n_crashes < CRASH_LIMIT or test is None or not test.works:
            return crashed
        reason = tr("it crashed at start.|it crashed at start %n times in a row.", "", n_crashes)
        failed = msgspec.structs.replace(test, works=False, reason=reason)
        note = tr(
            "“{name}” was disabled: {reason} Models use the built-in runtime until it passes its test again."
        ).format(name=name, reason=reason)
        return msgspec.structs.replace(crashed, tests={**self.tests, name: failed}, note=note)

    def with_start(self, name: str) -> RuntimeHistory:
        """Return this history after a runner has loaded its model: its crashes are cleared."""
        return msgspec.structs.replace(
            self, crashes={key: n for key, n in self.crashes.items() if key != name}
        )

    def without(self, name: str) -> RuntimeHistory:
        """Return this history without a removed runtime."""
        return msgspec.structs.replace(
            self,
            tests={key: test for key, test in self.tests.items() if key != name},
            crashes={key: n for key, n in self.crashes.items() if key != name},
            previous={key: used for key, used in self.previous.items() if used != name},
        )


def read_history(folder: Path) -> RuntimeHistory:
    """Return the stored history; empty if it cannot be read, since the runtimes can be tested again."""
    return _file(folder).read() or RuntimeHistory()


def write_history(folder: Path, history: RuntimeHistory) -> None:
    """Store the history. Raises ``runtime_unwritable``."""
    try:
        _file(folder).write(history)
    except OSError as exc:
        raise RuntimeBuildError.of(
            "runtime_unwritable", path=str(folder), reason=render_os_error(exc)
        ) from exc


def _file(folder: Path) -> JsonFile[RuntimeHistory]:
    return JsonFile(folder / HISTORY_NAME, RuntimeHistory, limit=_SIZE_LIMIT)
