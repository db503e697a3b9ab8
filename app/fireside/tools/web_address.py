"""Judge where a web page may be fetched from: the public internet alone. Pure.

What answers on this computer, in the user's own network or beside a cloud's machine trusts who can reach it;
a model that is led astray must not ask there.
"""

from __future__ import annotations

import ipaddress
from typing import Final

_Number = ipaddress.IPv4Address | ipaddress.IPv6Address
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
"""Not public, by IANA's registry of special addresses; the last is Azure's for its own machines."""
_V6_PUBLIC: Final = ipaddress.IPv6Network("2000::/3")
_V6: Final = tuple(map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
"""Of these not: tunnels, which hold another address, and those of documents."""
_TRANSLATED: Final = tuple(map(ipaddress.IPv6Network, ("::ffff:0:0/96", "64:ff9b::/96")))
"""Their last 32 bits are an address of version 4, which is what is reached."""


def is_public(number: str) -> bool:
    """Whether an IP address is one of the public internet; what is no address is not."""
    try:
        found: _Number = ipaddress.ip_address(number)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv4Address):
        return not any(found in network for network in _V4)
    if any(found in network for network in _TRANSLATED):
        return is_public(str(ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)))
    return found in _V6_PUBLIC and not any(found in network for network in _V6)
