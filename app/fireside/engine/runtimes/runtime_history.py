"""The history of runtimes: test results, crashes at start, and the runtime used before."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import RuntimeUnwritable
from fireside.core.i18n import tr
from fireside.core.os_errors import render_os_error
from fireside.core.runtime import RuntimeTest
from fireside.files.atomic_replace import replace_file

MARKS_NAME: Final = "runtimes.json"
CRASH_LIMIT: Final = 3
"""A runtime whose runners ended so often at their start, one after the other, is not used any more."""

log = logging.getLogger(__name__)


class RuntimeHistory(msgspec.Struct, frozen=True, kw_only=True):
    """All of it, as the file holds it."""

    tests: dict[str, RuntimeTest] = {}
    crashes: dict[str, int] = {}
    """How often in a row a runner ended before its model was loaded."""
    previous: dict[str, str] = {}
    """The runtime used before, by whose it was: a model's id, or nothing for all models."""
    note: str = ""

    def with_test(self, name: str, test: RuntimeTest) -> RuntimeHistory:
        """Return these marks with how a runtime did just now, which is a new start for it."""
        return msgspec.structs.replace(
            self,
            tests={**self.tests, name: test},
            crashes={key: n for key, n in self.crashes.items() if key != name},
            note="",
        )

    def with_crash(self, name: str) -> RuntimeHistory:
        """Return these marks with one more runner that ended at its start; too many fail the runtime."""
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
        """Return these marks with a runner that has loaded its model."""
        return msgspec.structs.replace(
            self, crashes={key: n for key, n in self.crashes.items() if key != name}
        )

    def without(self, name: str) -> RuntimeHistory:
        """Return these marks with nothing of a runtime that is gone."""
        return msgspec.structs.replace(
            self,
            tests={key: test for key, test in self.tests.items() if key != name},
            crashes={key: n for key, n in self.crashes.items() if key != name},
            previous={key: used for key, used in self.previous.items() if used != name},
        )


def read_history(folder: Path) -> RuntimeHistory:
    """Return what is remembered; a file that cannot be read is none, since all of it can be found again."""
    try:
        return msgspec.json.decode((folder / MARKS_NAME).read_bytes(), type=RuntimeHistory)
    except FileNotFoundError:
        return RuntimeHistory()
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as exc:
        log.warning("what is remembered of runtimes cannot be read: %s", exc)
        return RuntimeHistory()


def write_history(folder: Path, marks: RuntimeHistory) -> None:
    """Remember. Raises ``RuntimeUnwritable``."""
    try:
        replace_file(folder / MARKS_NAME, msgspec.json.format(msgspec.json.encode(marks), indent=2))
    except OSError as exc:
        raise RuntimeUnwritable(path=str(folder), reason=render_os_error(exc)) from exc
