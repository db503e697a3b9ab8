"""List the devices of one build of llama.cpp in a short-lived process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import RunnerError
from fireside.core.i18n import tr, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.runtime import BUILT_IN
from fireside.core.status import Device
from fireside.engine.clock import Clock
from fireside.engine.options import EngineOptions
from fireside.engine.processes.guarded_process import LimitExceeded, ProcessLimits, ask_process
from fireside.engine.processes.runner_process import Spawn
from fireside.engine.runner_session import RunnerSession
from fireside.wire.runner_modes import LIST_DEVICES, MAX_LISTING_BYTES, DeviceListing

# A driver maps far more memory than it uses, and has to wake a sleeping card first.
_LIMITS: Final = ProcessLimits(time_s=30.0, memory_bytes=4 << 30, reply_bytes=MAX_LISTING_BYTES)
RPC: Final = "RPC"
"""The backend that computes on another computer: for development only."""


class DeviceLister:
    """Lists the devices again on every call. ``__call__`` blocks for 0.3 s or more; callable from any thread.

    Args:
        command: command line that starts a runner, see ``runner_command``.
        environment: returns the complete environment, which selects the build; see ``runner_environment``.
    """

    def __init__(
        self,
        *,
        command: Sequence[str],
        environment: Callable[[], Mapping[str, str]],
        limits: ProcessLimits = _LIMITS,
    ) -> None:
        self._command = (*command, LIST_DEVICES)
        self._environment = environment
        self._limits = limits

    def __call__(self) -> DeviceListing:
        """Return the current devices and backends. Raises ``runner_start_failed``."""
        try:
            answer = ask_process(
                self._command, environment=self._environment(), request=b"", limits=self._limits
            )
        except OSError as exc:
            raise RunnerError.of("runner_start_failed", reason=f"{render_os_error(exc)}.") from exc
        if isinstance(answer, LimitExceeded):
            # “it takes too long.”, and so on
            reason = tr("it was to list the devices, and {what} A graphics driver may hang.").format(
                what=tr(answer.value)
            )
            raise RunnerError.of("runner_start_failed", reason=reason)
        try:
            listing = decode_json(answer, kind=DeviceListing)
        except JsonInvalid as exc:
            reason = tr_noop("it ended before it had listed the devices. A graphics driver may be damaged.")
            raise RunnerError.of("runner_start_failed", reason=reason) from exc
        has_rpc = any(device.backend == RPC for device in listing.devices)
        backends = tuple(each for each in listing.backends if each.name != RPC or has_rpc)
        return msgspec.structs.replace(listing, backends=backends)


async def probe_devices(*, spawn: Spawn, clock: Clock, runtime: str = BUILT_IN) -> tuple[Device, ...]:
    """Start a runner, return the devices it reports, and end it: about 1 s. Raises ``RunnerError``."""
    session = RunnerSession(
        await spawn("none", runtime=runtime),
        name="none",
        clock=clock,
        on_ended=lambda _: None,
        on_freed=lambda _: None,
    )
    try:
        hello = await session.handshake(limit_s=EngineOptions().handshake_limit_s)
        return hello.devices
    finally:
        await session.stop()
