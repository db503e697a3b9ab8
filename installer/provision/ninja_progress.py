"""Read how far a build is from what ninja writes."""

from __future__ import annotations

import re
from dataclasses import dataclass

_COUNT = re.compile(r"^\s*\[(\d+)/(\d+)\] ")


@dataclass(frozen=True, kw_only=True)
class BuildProgress:
    """How many of ninja's steps are done."""

    n_done: int
    n_total: int

    @property
    def fraction(self) -> float:
        return self.n_done / self.n_total


def read_progress(line: str) -> BuildProgress | None:
    """Return the progress that a line of build output tells of, or None."""
    found = _COUNT.match(line)
    if found is None or int(found[2]) == 0:
        return None
    return BuildProgress(n_done=min(int(found[1]), int(found[2])), n_total=int(found[2]))
