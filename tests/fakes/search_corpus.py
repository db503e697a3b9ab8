"""Repositories to search in, as different as those of a real hub."""

from __future__ import annotations

from fakes.fake_hub import FakeHub, Repo, gguf_bytes

README = b"""---
license: apache-2.0
base_model: acme/Chatty-8B
---
# Chatty

It talks.
"""


def fill_shelf(hub: FakeHub) -> None:
    """Put six repositories on the hub, of which five hold model files."""
    hub.repos["acme/Chatty-8B-GGUF"] = Repo(
        files={
            "README.md": README,
            "Chatty-8B-Q4_K_M.gguf": gguf_bytes(4000),
            "Chatty-8B-Q8_0-00001-of-00002.gguf": gguf_bytes(5000, seed=2),
            "Chatty-8B-Q8_0-00002-of-00002.gguf": gguf_bytes(3000, seed=3),
            "Chatty-8B-F16-00001-of-00002.gguf": gguf_bytes(9000, seed=4),
        },
        in_git=frozenset({"README.md"}),
        n_downloads=900,
        n_likes=10,
        trending=5,
        updated_at="2026-03-04T05:06:07.000Z",
        pipeline_tag="text-generation",
        card={"license": "apache-2.0", "base_model": "acme/Chatty-8B"},
        header={
            "total": 8_190_000_000,
            "architecture": "qwen3",
            "context_length": 40960,
            "chat_template": "{{ messages }}\n{% if tools %}{{ tools }}{% endif %}<think>",
            "eos_token": "<|im_end|>",
        },
    )
    hub.repos["acme/Seeing-4B-GGUF"] = Repo(
        files={
            "mmproj-Seeing-4B-F16.gguf": gguf_bytes(700, seed=5),
            "Seeing-4B-Q4_K_M.gguf": gguf_bytes(2000, seed=6),
        },
        n_downloads=500,
        n_likes=50,
        trending=9,
        updated_at="2026-01-01T00:00:00.000Z",
        pipeline_tag="image-text-to-text",
        card={"license": "other", "license_name": "acme-community", "license_link": "LICENSE.md"},
        header={"total": 3_880_000_000, "architecture": "gemma3", "context_length": 131072},
    )
    hub.repos["tidy/find-embed-GGUF"] = Repo(
        files={"find-Q8_0.gguf": gguf_bytes(500, seed=7)},
        n_downloads=2000,
        n_likes=30,
        trending=1,
        updated_at="2026-02-01T00:00:00.000Z",
        pipeline_tag="sentence-similarity",
        card={"license": "mit"},
        header={"total": 137_000_000, "architecture": "nomic-bert", "context_length": 2048},
    )
    hub.repos["meta/Guarded-70B-GGUF"] = Repo(
        files={"README.md": README, "Guarded-70B-Q4_K_M.gguf": gguf_bytes(6000, seed=8)},
        in_git=frozenset({"README.md"}),
        is_gated=True,
        n_downloads=100,
        n_likes=5,
        trending=3,
        updated_at="2025-12-01T00:00:00.000Z",
        pipeline_tag="text-generation",
        card={"license": "llama3.1"},
        header={"total": 70_600_000_000, "architecture": "llama", "context_length": 131072},
    )
    hub.repos["ada/secret-GGUF"] = Repo(
        files={"secret-Q4_0.gguf": gguf_bytes(300, seed=9)},
        is_private=True,
        header={"total": 1_000_000, "architecture": "llama", "context_length": 512},
    )
    hub.repos["acme/Chatty-8B"] = Repo(
        files={"README.md": README, "model.safetensors": b"x" * 100}, in_git=frozenset({"README.md"})
    )
