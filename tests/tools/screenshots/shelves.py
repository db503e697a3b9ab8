"""Repositories for pictures: a hub on loopback whose files are the starter model, longer or shorter."""

from __future__ import annotations

import random
from pathlib import Path

from fakes.fake_hub import FakeHub, Repo, gguf_bytes

FAMILY = "HuggingFaceTB/SmolLM2-135M-Instruct-GGUF"
GATED = "google/gemma-3-270m-it-GGUF"
LOST = "HuggingFaceTB/SmolLM2-360M-Instruct-GGUF"
DAMAGED = "HuggingFaceTB/SmolLM2-1.7B-Instruct-GGUF"

_MIB = 1024 * 1024
_README = """---
license: apache-2.0
base_model: HuggingFaceTB/SmolLM2-135M-Instruct
---
# SmolLM2 135M Instruct

SmolLM2 is a family of compact language models in three sizes: 135M, 360M and 1.7B parameters.
They are made to run on a device, and solve a wide range of tasks all the same.

| Benchmark | SmolLM2 135M | SmolLM 135M |
|---|---|---|
| HellaSwag | 40.9 | 38.9 |
| ARC (average) | 37.3 | 33.9 |
| PIQA | 66.3 | 64.0 |

```sh
fireside pull HuggingFaceTB/SmolLM2-135M-Instruct-GGUF
```
"""
_OTHERS = (
    ("Qwen/Qwen3-4B-Instruct-2507-GGUF", 4_022_468_096, 412_330, 310, "apache-2.0", "text-generation"),
    ("bartowski/Llama-3.2-3B-Instruct-GGUF", 3_212_749_888, 297_114, 205, "llama3.2", "text-generation"),
    ("ibm-granite/granite-3.3-2b-instruct-GGUF", 2_533_531_648, 28_402, 41, "apache-2.0", "text-generation"),
    ("ggml-org/gemma-3-4b-it-GGUF", 3_880_099_328, 190_212, 160, "gemma", "image-text-to-text"),
    ("Qwen/Qwen3-Embedding-0.6B-GGUF", 595_776_512, 150_877, 230, "apache-2.0", "feature-extraction"),
    ("unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF", 30_532_122_624, 9_004, 90, "apache-2.0", "text-generation"),
)  # fmt: skip


def stock(hub: FakeHub, *, starter: Path) -> None:
    """Put everything on the hub that the pictures show."""
    content = starter.read_bytes()
    family = {
        f"SmolLM2-135M-Instruct-{label}.gguf": content + bytes(extra * _MIB)
        for label, extra in (("Q3_K_M", 0), ("Q4_K_M", 9), ("Q6_K", 34), ("Q8_0", 47), ("F16", 160))
    }
    hub.repos[FAMILY] = _repo({**family, "README.md": _README.encode()}, n_params=134_515_008)
    for number, (repo, n_params) in enumerate(((LOST, 361_821_120), (DAMAGED, 1_711_376_384))):
        name = repo.partition("/")[2].removesuffix("-GGUF")
        file = {f"{name}-Q4_K_M.gguf": gguf_bytes((30 + 20 * number) * _MIB, seed=number)}
        hub.repos[repo] = _repo(file, n_params=n_params)
    gated = {"gemma-3-270m-it-Q4_K_M.gguf": content}
    hub.repos[GATED] = _repo(gated, n_params=268_098_176, licence="gemma", is_gated=True)
    for repo, n_params, n_downloads, n_likes, licence, task in _OTHERS:
        rest = {f"{repo.partition('/')[2].removesuffix('-GGUF')}-Q4_K_M.gguf": gguf_bytes(_MIB)}
        hub.repos[repo] = _repo(
            rest, n_params=n_params, licence=licence, task=task, n_downloads=n_downloads, n_likes=n_likes
        )


def _repo(
    files: dict[str, bytes],
    *,
    n_params: int,
    licence: str = "apache-2.0",
    task: str = "text-generation",
    n_downloads: int = 0,
    n_likes: int = 0,
    is_gated: bool = False,
) -> Repo:
    chance = random.Random(n_params)
    return Repo(
        files=files,
        is_gated=is_gated,
        n_downloads=n_downloads or chance.randrange(10_000, 90_000),
        n_likes=n_likes or chance.randrange(20, 120),
        trending=chance.randrange(100),
        updated_at=f"2026-{chance.randrange(1, 11):02}-14T09:00:00.000Z",
        pipeline_tag=task,
        card={"license": licence, "base_model": "HuggingFaceTB/SmolLM2-135M-Instruct"},
        header={"total": n_params, "architecture": "llama", "context_length": 8192},
    )
