"""Which distribution this is, and what to type on it."""

from __future__ import annotations

import pytest

from provision.distribution import Family, family_of, install_command


@pytest.mark.parametrize(
    ("os_release", "family"),
    [
        ({"ID": "debian"}, Family.DEBIAN),
        ({"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}, Family.DEBIAN),
        ({"ID": "fedora"}, Family.FEDORA),
        ({"ID": "rocky", "ID_LIKE": "rhel centos fedora"}, Family.FEDORA),
        ({"ID": "endeavouros", "ID_LIKE": "arch"}, Family.ARCH),
        ({"ID": "opensuse-tumbleweed", "ID_LIKE": "opensuse suse"}, Family.SUSE),
        ({"ID": "opensuse-leap"}, Family.SUSE),
        ({"ID": "nixos"}, None),
        ({}, None),
    ],
)
def test_a_distribution_is_known_by_its_id_or_by_what_it_is_like(
    os_release: dict[str, str], family: Family | None
) -> None:
    assert family_of(os_release) is family


@pytest.mark.parametrize(
    ("family", "command"),
    [
        (
            Family.DEBIAN,
            "sudo apt-get update && sudo apt-get install -y --no-install-recommends libegl1 gcc",
        ),
        (Family.FEDORA, "sudo dnf install -y libegl1 gcc"),
        (Family.ARCH, "sudo pacman -S --needed --noconfirm libegl1 gcc"),
        (Family.SUSE, "sudo zypper --non-interactive install libegl1 gcc"),
    ],
)
def test_the_command_is_whole_for_each_family(family: Family, command: str) -> None:
    assert install_command(family, ["libegl1", "gcc"], is_root=False) == command


def test_root_is_not_told_to_use_sudo() -> None:
    assert "sudo" not in install_command(Family.DEBIAN, ["gcc"], is_root=True)
