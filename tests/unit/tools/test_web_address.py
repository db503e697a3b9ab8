"""Which addresses are of the public internet: by numbers, in every way in which one can hold another."""

from __future__ import annotations

import pytest

from fireside.tools.web_fetcher import is_public

NOT_PUBLIC = (
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "127.0.0.1",
    "127.255.255.254", "169.254.0.1", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255",
    "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1",
    "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1",
    "255.255.255.255", "168.63.129.16", "::", "::1", "::2", "::127.0.0.1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "100::1", "2001::1", "2001:0:7f00:1::1", "2001:10::1",
    "2001:20::1", "2001:db8::1", "2002:7f00:1::1", "2002:a9fe:a9fe::1", "3fff::1", "5f00::1", "fc00::1",
    "fd00:ec2::254", "fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1",
    "localhost", "example.org", "0x7f000001", "127.1", "2130706433", "0177.0.0.1", "1.2.3", "1.2.3.4.5",
    "1.2.3.4/32",
)  # fmt: skip

PUBLIC = (
    "1.1.1.1", "8.8.8.8", "93.184.216.34", "100.63.255.255", "100.128.0.1", "172.15.255.255", "172.32.0.1",
    "169.253.255.255", "192.0.1.1", "198.17.255.255", "198.20.0.1", "223.255.255.255",
    "2606:4700:4700::1111", "2a00:1450:4001:82a::200e", "::ffff:8.8.8.8", "64:ff9b::808:808",
)  # fmt: skip


@pytest.mark.parametrize("number", [*NOT_PUBLIC, ""])
def test_an_address_of_this_computer_or_network_is_not_public(number: str) -> None:
    assert not is_public(number)


@pytest.mark.parametrize("number", PUBLIC)
def test_an_address_of_the_internet_is(number: str) -> None:
    assert is_public(number)
