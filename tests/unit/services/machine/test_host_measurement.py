"""A listing of devices ends with its runner, whoever no longer waits for it."""

from __future__ import annotations

import asyncio
import contextlib

from fireside.core.options import LoadOptions
from fireside.core.status import Device
from fireside.engine.host_info import Host
from fireside.services.machine.host_measurement import HostMeasurement


async def test_a_listing_that_nobody_waits_for_is_ended_by_closing() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def devices() -> tuple[Device, ...]:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)  # as a runner is ended
            ended.set()
        return ()

    computer = HostMeasurement(
        devices=devices,
        host=lambda: Host(n_cores=2, available_bytes=1),
        options=LoadOptions,
    )
    waiting = asyncio.ensure_future(computer.measure())
    await begun.wait()
    waiting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await waiting
    assert not ended.is_set()
    await computer.close()
    assert ended.is_set()


async def test_closing_without_a_listing_does_nothing() -> None:
    async def devices() -> tuple[Device, ...]:
        return ()

    computer = HostMeasurement(
        devices=devices,
        host=lambda: Host(n_cores=2, available_bytes=1),
        options=LoadOptions,
    )
    await computer.close()
    assert (await computer.measure()).devices == ()
    await computer.close()
