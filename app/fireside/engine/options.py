"""The engine's own limits."""

from __future__ import annotations

import msgspec


class EngineOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of the engine. Times in seconds."""

    queue_limit: int = 256
    """Requests that may wait; one more is refused with ``QueueFull``."""
    max_models: int = 2
    """Models loaded at the same time."""
    min_residency_requests: int = 8
    """A model that was just loaded serves so many waiting requests before it is evicted for one that is not
    more urgent."""
    min_residency_s: float = 20.0
    """The same in seconds from its load; whichever is reached first."""
    handshake_limit_s: float = 60.0
    """A runner that has not imported its libraries and listed the devices in this time is killed."""
    handshake_silence_s: float = 10.0
    """One that neither reads nor computes anything for so long meanwhile is killed too: it hangs or was
    stopped, and other loads wait. After a third of it, the silence is published."""
    cancel_limit_s: float = 2.0
    """A runner on the CPU that does not react to Cancel in this time is killed."""
    gpu_cancel_limit_s: float = 15.0
    """The same with layers on a GPU: there llama.cpp cannot stop within a batch."""
    silence_limit_s: float = 30.0
    """A busy runner that neither sends nor computes anything in this time is killed."""
    gpu_silence_limit_s: float = 120.0
    """The same with layers on a GPU, where the CPU may have nothing to do but wait."""
    load_limit_s: float = 120.0
    """A load that neither progresses nor reads nor computes anything in this time is aborted."""
    heartbeat_s: float = 30.0
    """Interval at which idle runners are pinged."""
    growth_limit_bytes: int = 1024**3
    """A runner that holds so much more memory than expected is unloaded when it is idle."""
