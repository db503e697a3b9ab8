"""Find other Firesides on the local network, and be found, by mDNS (RFC 6762, RFC 6763). Imported on demand
alone.

What is announced proves nothing: whoever is on the network can announce anything. The user compares the
fingerprint, or takes it from the link that the other Fireside shows.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import secrets
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from fireside.core.pairing import FoundFireside
from fireside.gguf.header import printable

if TYPE_CHECKING:  # Takes 0.1 s to import.
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

SERVICE_TYPE: Final = "_fireside._tcp.local."
_FINGERPRINT: Final = re.compile(r"[0-9a-f]{64}")
_MAX_NAME: Final = 40
_MAX_FOUND: Final = 64
_ASK_MS: Final = 2000


class Announcer:
    """Announces this Fireside at the given addresses, from ``start`` to ``close``."""

    def __init__(self, name: str, *, addresses: Sequence[str], port: int, fingerprint: str) -> None:
        self._name = printable(name.partition(".")[0], limit=_MAX_NAME) or "Fireside"
        self._addresses = addresses
        self._port = port
        self._fingerprint = fingerprint
        self._mdns: AsyncZeroconf | None = None

    async def start(self) -> None:
        """Announce it. Raises ``OSError`` if there is no socket for it."""
        from zeroconf import Error
        from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

        self._mdns = AsyncZeroconf(interfaces=list(self._addresses))
        own = secrets.token_hex(3)  # two computers of one name are two
        info = AsyncServiceInfo(
            SERVICE_TYPE,
            f"{self._name} ({own}).{SERVICE_TYPE}",
            port=self._port,
            parsed_addresses=list(self._addresses),
            properties={"name": self._name, "fingerprint": self._fingerprint},
            server=f"fireside-{own}.local.",
        )
        try:
            await (await self._mdns.async_register_service(info))
        except Error as exc:
            raise OSError(str(exc)) from exc

    async def close(self) -> None:
        """Take the announcement back."""
        if self._mdns is not None:
            mdns, self._mdns = self._mdns, None
            await mdns.async_unregister_all_services()
            await mdns.async_close()


async def look(
    *, seconds: float, own: Collection[str] = (), interfaces: Sequence[str] | None = None
) -> tuple[FoundFireside, ...]:
    """Ask the local network for Firesides, and return those that answer within ``seconds``.

    Raises ``OSError``.

    Args:
        own: addresses of this computer, whose Fireside is left out.
        interfaces: addresses to ask from; all by default.
    """
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

    names: set[str] = set()

    def note(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        del zeroconf, service_type, state_change
        if len(names) < _MAX_FOUND:
            names.add(name)

    mdns = _open(interfaces)
    browser = None
    try:
        browser = AsyncServiceBrowser(mdns.zeroconf, SERVICE_TYPE, handlers=[note])
        await asyncio.sleep(seconds)
        infos = [AsyncServiceInfo(SERVICE_TYPE, name) for name in names]
        await asyncio.gather(*(info.async_request(mdns.zeroconf, _ASK_MS) for info in infos))
        found = {each.fingerprint: each for info in infos if (each := _found(info, own=own)) is not None}
        return tuple(sorted(found.values(), key=lambda each: each.name))
    finally:
        if browser is not None:
            await browser.async_cancel()
        await mdns.async_close()


def _open(interfaces: Sequence[str] | None) -> AsyncZeroconf:
    from zeroconf import InterfaceChoice, IPVersion
    from zeroconf.asyncio import AsyncZeroconf

    if interfaces:
        return AsyncZeroconf(interfaces=list(interfaces))
    try:
        return AsyncZeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.All)
    except OSError:  # a system without IPv6
        return AsyncZeroconf(interfaces=InterfaceChoice.All)


def own_addresses() -> frozenset[str]:
    """Return the addresses of this computer. Blocks."""
    import psutil

    return frozenset(entry.address for entries in psutil.net_if_addrs().values() for entry in entries)


def _found(info: AsyncServiceInfo, *, own: Collection[str]) -> FoundFireside | None:
    """Return what was announced, checked; ``None`` if it is not as we announce it."""
    texts = {
        key.decode("utf-8", "replace"): (value or b"").decode("utf-8", "replace")
        for key, value in info.properties.items()
    }
    addresses = [each for each in info.parsed_addresses() if _is_private(each)]
    if set(own) & set(addresses):
        return None
    fingerprint = texts.get("fingerprint", "")
    if not addresses or not info.port or not _FINGERPRINT.fullmatch(fingerprint):
        return None
    # IPv4 first: such an address is shorter, and every network has it.
    host = min(addresses, key=lambda each: ":" in each)
    return FoundFireside(
        name=printable(texts.get("name", ""), limit=_MAX_NAME) or host,
        address=f"https://{f'[{host}]' if ':' in host else host}:{info.port}",
        fingerprint=fingerprint,
    )


def _is_private(address: str) -> bool:
    number = ipaddress.ip_address(address)
    return (number.is_private or number in ipaddress.ip_network("100.64.0.0/10")) and not (
        number.is_link_local and number.version == 6
    )
