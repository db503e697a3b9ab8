"""What the system must have, and what the user is told when it does not."""

from __future__ import annotations

import sys

import pytest

from provision.distribution import Family
from provision.system_needs import (
    Need,
    _loads,
    compiler_needs,
    environment_need,
    packages_for,
    qt_library_needs,
    unmet,
)
from provision.system_packages import explain

MISSING = Need(
    name="libnone.so.9",
    packages={family: f"libnone-{family.value}" for family in Family},
    is_met=lambda: False,
)
THERE = Need(name="libc", packages=dict.fromkeys(Family, "libc"), is_met=lambda: True)
ALL = (environment_need(), *compiler_needs(), *qt_library_needs())


def test_only_what_is_missing_is_asked_for() -> None:
    assert unmet([THERE, MISSING]) == (MISSING,)


@pytest.mark.parametrize("family", Family)
def test_every_need_has_a_package_on_every_family(family: Family) -> None:
    assert [need.name for need in ALL if not need.packages[family]] == []


def test_a_package_that_brings_two_things_is_named_once() -> None:
    glib = [need for need in ALL if need.name in ("libglib-2.0.so.0", "libgthread-2.0.so.0")]
    assert packages_for(glib, family=Family.DEBIAN) == ("libglib2.0-0",)


@pytest.mark.skipif(sys.platform != "linux", reason="the libraries are Linux ones")
def test_a_library_that_does_not_load_is_missing() -> None:
    assert (_loads("libc.so.6"), _loads("libfireside-none.so.1")) == (True, False)


@pytest.mark.skipif(sys.platform == "win32", reason="the build finds Visual Studio by itself")
def test_a_compiler_that_is_not_there_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert [need.name for need in unmet(compiler_needs())] == ["a C compiler", "a C++ compiler"]


@pytest.mark.skipif(sys.platform == "win32", reason="the build finds Visual Studio by itself")
def test_a_compiler_that_cannot_compile_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "false")
    assert "a C compiler" in [need.name for need in unmet(compiler_needs())]


def test_a_user_gets_the_command_of_their_distribution() -> None:
    failure = explain((MISSING,), family=Family.FEDORA, is_root=False)
    assert failure.advice.endswith("\n\n    sudo dnf install -y libnone-fedora")


@pytest.mark.skipif(sys.platform == "darwin", reason="there the advice is Apple’s tools")
def test_on_an_unknown_distribution_the_things_themselves_are_named() -> None:
    failure = explain((MISSING,), family=None, is_root=False)
    assert "libnone.so.9" in failure.sentence
    assert "sudo" not in failure.advice


def test_a_long_list_is_cut() -> None:
    failure = explain((MISSING,) * 30, family=Family.ARCH, is_root=False)
    assert failure.sentence.count("libnone.so.9") == 3
    assert "27 more" in failure.sentence
