"""The engine's own limits."""

from __future__ import annotations

import msgspec


class EngineOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of the engine. Times in seconds."""

    queue_limit: int = 64
    """Requests that may wait; one more is refused with ``QueueFull``."""
    max_models: int = 2
    """Models loaded at the same time."""
    min_residency_requests: int = 8
    """A model that was just loaded answers so many requests, if they wait, before it makes room for another
    that is not wanted more urgently."""
    min_residency_s: float = 20.0
    """The same in seconds from its load; what is over first counts."""
    handshake_limit_s: float = 60.0
    """A runner imports its libraries and looks for devices in this time, or is given up."""
    handshake_silence_s: float = 10.0
    """One that neither reads nor computes anything for so long meanwhile is given up too: it hangs, or
    it was stopped, and others wait to be loaded. A third of it, and that is said."""
    cancel_limit_s: float = 2.0
    """A runner on the processor that does not react to Cancel in this time is ended."""
    gpu_cancel_limit_s: float = 15.0
    """The same with layers on a GPU: there llama.cpp cannot stop within a batch."""
    silence_limit_s: float = 30.0
    """A busy runner that neither says nor computes anything in this time is ended."""
    gpu_silence_limit_s: float = 120.0
    """The same with layers on a GPU, where the processor may have nothing to do but wait."""
    load_limit_s: float = 120.0
    """A load that neither gets on nor reads nor computes anything in this time is ended."""
    heartbeat_s: float = 30.0
    """How often an idle runner is asked whether it is there."""
    growth_limit_bytes: int = 1024**3
    """A runner that holds so much more than it should is started anew when it is idle."""
