"""The failure of a set-up step, with advice for the user."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_ADVICE = (
    (
        ("No space left on device", "There is not enough space on the disk"),
        "The disk is full. Free about 3 GB and run the same command again.",
    ),
    (
        ("DO NOT MATCH THE HASHES",),
        "A package is not the one that was checked when Fireside was released, so it was not installed. "
        "Run the same command again; if it stays so, the place that your packages come from changed them.",
    ),
    (
        (
            "Temporary failure in name resolution",
            "Failed to establish a new connection",
            "Network is unreachable",
            "Connection refused",
            "Read timed out",
            "getaddrinfo failed",
        ),
        "The packages could not be reached. Check the network connection and run the same command again; "
        "what is done is not repeated.",
    ),
    (
        ("Killed signal terminated program", "virtual memory exhausted", "out of memory allocating"),
        "The compiler ran out of memory. Compile one file at a time: CMAKE_BUILD_PARALLEL_LEVEL=1 make run",
    ),
    (
        ("No matching distribution found", "Could not find a version that satisfies"),
        "There is no package for this system or this version of Python. "
        "Fireside runs on Python 3.11 to 3.14 on Linux (glibc), macOS and Windows.",
    ),
    (
        ("No CMAKE_CXX_COMPILER could be found", "could not find any instance of Visual Studio"),
        "No C++ compiler was found. On Windows, install “Desktop development with C++” from the "
        "Visual Studio Build Tools; on macOS run: xcode-select --install",
    ),
)


@dataclass(kw_only=True, eq=False)
class SetupFailure(Exception):
    """A failed step. ``advice`` is what the user can do; ``log`` has the whole output."""

    sentence: str
    advice: str
    log: Path | None = None
    tail: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.sentence


def advice_for(tail: tuple[str, ...], *, otherwise: str) -> str:
    """Return advice about a failed command from its last lines of output."""
    text = "\n".join(tail)
    for patterns, advice in _ADVICE:
        if any(pattern in text for pattern in patterns):
            return advice
    return otherwise
