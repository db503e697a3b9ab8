"""What the user is told to do about a failed step."""

from __future__ import annotations

import pytest

from provision.failure import advice_for


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("OSError: [Errno 28] No space left on device", "disk is full"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "not installed"),
        ("NewConnectionError: Temporary failure in name resolution", "network"),
        ("c++: fatal error: Killed signal terminated program cc1plus", "memory"),
        ("ERROR: No matching distribution found for pyside6-essentials==6.11.3", "no package for this"),
        ("CMake Error: No CMAKE_CXX_COMPILER could be found.", "xcode-select"),
    ],
)
def test_a_known_cause_is_told_with_its_cure(line: str, advice: str) -> None:
    assert advice in advice_for(("something before", line, "something after"), otherwise="?")


def test_an_unknown_cause_gets_the_steps_own_advice() -> None:
    assert advice_for(("who knows",), otherwise="Run it again.") == "Run it again."
