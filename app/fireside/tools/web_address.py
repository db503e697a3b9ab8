"""Decide which addresses web tools may fetch: only the public internet. Pure.

Services on this computer, in the user's network or in a cloud's internal network trust whoever can reach
them; a model that was misled must not.
"""

from __future__ import annotations

import ipaddress
from typing import Final

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_V4: Final = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
            "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3", "168.63.129.16/32",
        ),
    )
)  # fmt: skip
"""Not public, by IANA's registry of special-purpose addresses; the last is Azure's internal one."""
_V6_PUBLIC: Final = ipaddress.IPv6Network("2000::/3")
_V6: Final = tuple(map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
"""Exceptions in it: tunnels, which embed another address, and documentation."""
_TRANSLATED: Final = tuple(map(ipaddress.IPv6Network, ("::ffff:0:0/96", "64:ff9b::/96")))
"""The last 32 bits are an IPv4 address, which is what is reached."""


def is_public(text: str) -> bool:
    """Return whether an IP address is public; an invalid address is not."""
    try:
        address: _Address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _V4)
    if any(address in network for network in _TRANSLATED):
        return is_public(str(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)))
    return address in _V6_PUBLIC and not any(address in network for network in _V6)
