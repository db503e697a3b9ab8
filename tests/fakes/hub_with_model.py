"""A hub on loopback with a small model in it, of two sizes."""

from __future__ import annotations

from fakes.fake_hub import FakeHub
from fakes.fake_hub_api import Repo
from fakes.gguf_files import GgufFile, Tensor, model_metadata
from fakes.hub_harness import BLOCK

REPO = "acme/tiny-GGUF"
BIG, SMALL = "tiny-Q8_0.gguf", "tiny-Q4_K_M.gguf"


def model_bytes(*, name: str, n_blocks: int = 6) -> bytes:
    """Return a file that counts as a model, of about so many blocks."""
    rows = n_blocks * BLOCK // (64 * 4)
    return GgufFile(
        metadata=model_metadata(changes={"general.name": name}),
        tensors=(Tensor("token_embd.weight", (64, rows)), Tensor("blk.0.attn_norm.weight", (64,))),
    ).to_bytes()


def stock(hub: FakeHub) -> Repo:
    """Put a model of two sizes on the hub."""
    hub.repos[REPO] = Repo(
        files={
            SMALL: model_bytes(name="Tiny Q4"),
            BIG: model_bytes(name="Tiny Q8", n_blocks=12),
            "README.md": b"# Tiny\n",
        },
        header={"total": 1000, "architecture": "llama", "context_length": 512},
    )
    return hub.repos[REPO]


def hub_settings(hub: FakeHub) -> dict[str, str]:
    """Return the environment in which the program asks ``hub``."""
    return {"FIRESIDE_HUB_ENDPOINT": hub.endpoint}
