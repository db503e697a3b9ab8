"""Read the progress of a build from the output of ninja."""

from __future__ import annotations

import re
from dataclasses import dataclass

_COUNT = re.compile(r"^\s*\[(\d+)/(\d+)\] ")


@dataclass(frozen=True, kw_only=True)
class BuildProgress:
    """The finished steps of ninja."""

    n_done: int
    n_total: int

    @property
    def fraction(self) -> float:
        return self.n_done / self.n_total


def read_progress(line: str) -> BuildProgress | None:
    """Return the progress in a line of output, or None."""
    match = _COUNT.match(line)
    if match is None or int(match[2]) == 0:
        return None
    return BuildProgress(n_done=min(int(match[1]), int(match[2])), n_total=int(match[2]))
