"""The hub's own library used without Fireside's session."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType


@contextmanager
def librarys_own_client() -> Iterator[ModuleType]:
    """Return ``huggingface_hub`` with a client that opens connections; at the end it has none again."""
    import huggingface_hub
    from huggingface_hub.utils._http import default_client_factory
    from huggingface_hub.utils.tqdm import disable_progress_bars

    from fireside.hub import hf_transport

    disable_progress_bars()
    huggingface_hub.set_client_factory(default_client_factory)
    try:
        yield huggingface_hub
    finally:
        huggingface_hub.set_client_factory(hf_transport.make_client)
