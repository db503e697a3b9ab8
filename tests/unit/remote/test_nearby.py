"""Firesides that announce themselves are found, over mDNS on loopback."""

from __future__ import annotations

from zeroconf.asyncio import AsyncServiceInfo

from fireside.core.pairing import FoundFireside
from fireside.remote import nearby
from fireside.remote.nearby import SERVICE_TYPE, Announcer, look

HERE = ["127.0.0.1"]
LOOK_S = 2.5
"""What was just announced is not repeated within a second (RFC 6762, section 6)."""
FINGERPRINT = "ab" * 32


async def test_what_is_announced_is_found_until_it_is_taken_back() -> None:
    announcers = [
        Announcer(name, addresses=HERE, port=3474 + number, fingerprint=fingerprint)
        for number, (name, fingerprint) in enumerate(
            (("Desk.home", FINGERPRINT), ("Odd\u202e one", "cd" * 32))
        )
    ]
    for announcer in announcers:
        await announcer.start()
    try:
        found: tuple[FoundFireside, ...] = ()
        while len(found) < len(announcers):
            found = await look(seconds=LOOK_S, interfaces=HERE)
        assert found == (
            FoundFireside(name="Desk", address="https://127.0.0.1:3474", fingerprint=FINGERPRINT),
            FoundFireside(name=found[1].name, address="https://127.0.0.1:3475", fingerprint="cd" * 32),
        )
        assert "\u202e" not in found[1].name
        assert await look(seconds=LOOK_S, own=HERE, interfaces=HERE) == ()
    finally:
        for announcer in announcers:
            await announcer.close()
    assert await look(seconds=LOOK_S, interfaces=HERE) == ()


def test_what_anyone_may_announce_is_checked() -> None:
    def announced(address: str, **properties: str) -> FoundFireside | None:
        info = AsyncServiceInfo(
            SERVICE_TYPE,
            f"x.{SERVICE_TYPE}",
            port=1,
            parsed_addresses=[address],
            properties=dict(properties),
        )
        return nearby._found(info, own=())

    assert announced("10.0.0.1", name="A", fingerprint=FINGERPRINT) is not None
    assert announced("10.0.0.1", name="A", fingerprint="x") is None
    assert announced("93.184.216.34", name="A", fingerprint=FINGERPRINT) is None
    found = announced("fd00::1", name="", fingerprint=FINGERPRINT)
    assert found is not None
    assert (found.name, found.address) == ("fd00::1", "https://[fd00::1]:1")
