"""Lines of a library as tests of its pages want them: one of each kind, with everything to be seen."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from fakes.model_entries import broken_entry, entry_of, starter_spec
from fireside.core.ids import ModelId
from fireside.core.library import (
    MetadataLine,
    ModelDetail,
    ModelLocation,
    ModelOrigin,
    ModelUpdate,
    TensorKindUse,
    TensorLine,
    UserMetadata,
)
from fireside.core.model import ModelEntry
from fireside.core.options import Purpose

# On the same day in every time zone.
NOON_S = datetime(2001, 9, 9, 12).timestamp()
DOWNLOADED_AT = datetime(2026, 10, 3, 12).astimezone().isoformat()
QWEN_ID = ModelId("qwen")
QWEN_PATH = "/lib/qwen.gguf"
GEMMA_PATH = "/ollama/gemma.gguf"
EMBED_PATH = "/added/embed.gguf"
BROKEN_PATH = "/lib/half.gguf"
BROKEN_REASON = "The file ends in the middle of its header."


def library_entry(
    name: str,
    *,
    path: str,
    model_id: str = "",
    source: str = "Library",
    removable: bool = True,
    **facts: Any,
) -> ModelEntry:
    """Return a usable line; ``facts`` are those of its ``ModelSpec``."""
    spec = msgspec.structs.replace(
        starter_spec(), id=ModelId(model_id or path), name=name, path=path, **facts
    )
    return entry_of(spec, source=source, removable=removable)


def qwen() -> ModelEntry:
    """Return a large favourite with tags that was downloaded and is there twice."""
    entry = library_entry(
        "Qwen3 8B",
        path=QWEN_PATH,
        model_id=QWEN_ID,
        size_bytes=5_000_000_000,
        n_params=8_190_000_000,
        n_ctx_train=40_960,
        architecture="qwen3",
        quantization="Q4_K_M",
    )
    return msgspec.structs.replace(
        entry,
        user_metadata=UserMetadata(tags=("work", "fast"), favourite=True, last_used_s=NOON_S),
        origin=ModelOrigin(
            repo="Qwen/Qwen3-8B-GGUF",
            commit="a" * 40,
            path="Qwen3-8B-Q4_K_M.gguf",
            digest="b" * 64,
            downloaded_at=DOWNLOADED_AT,
        ),
        places=(ModelLocation(path="/lmstudio/qwen.gguf", source="LM Studio", size_bytes=5_000_000_000),),
    )


def gemma() -> ModelEntry:
    """Return a model of another application that sees pictures."""
    return library_entry(
        "Gemma 3 4B",
        path=GEMMA_PATH,
        source="Ollama",
        removable=False,
        size_bytes=3_000_000_000,
        n_params=4_300_000_000,
        n_ctx_train=131_072,
        architecture="gemma3",
        quantization="Q8_0",
        projector_path="/ollama/mmproj.gguf",
    )


def embedder() -> ModelEntry:
    """Return a model that cannot chat, in an added folder."""
    return library_entry(
        "nomic-embed-text",
        path=EMBED_PATH,
        source="/added",
        size_bytes=100_000_000,
        n_params=137_000_000,
        n_ctx_train=2048,
        architecture="nomic-bert",
        quantization="F16",
        purpose=Purpose.EMBED,
    )


def broken() -> ModelEntry:
    """Return a file of the library that cannot be read."""
    return broken_entry(path=BROKEN_PATH, problem=BROKEN_REASON)


def one_of_each() -> tuple[ModelEntry, ...]:
    """Return the four, the unreadable one first."""
    return (broken(), qwen(), gemma(), embedder())


def newer_qwen() -> ModelUpdate:
    return ModelUpdate(
        path=QWEN_PATH,
        repo="Qwen/Qwen3-8B-GGUF",
        file="Qwen3-8B-Q4_K_M.gguf",
        commit="c" * 40,
        size_bytes=5_100_000_000,
        replaces="b" * 64,
    )


def detail_of(path: str) -> ModelDetail:
    """Return what a small header says."""
    return ModelDetail(
        path=path,
        files=(path, "/lib/mmproj.gguf"),
        metadata=(
            MetadataLine(key="general.architecture", kind="string", value="qwen3"),
            MetadataLine(key="qwen3.context_length", kind="uint32", value="40960"),
            MetadataLine(
                key="tokenizer.ggml.tokens", kind="array of string", value='["!", …]', n_items=151_936
            ),
        ),
        tensor_kinds=(
            TensorKindUse(kind="Q4_K", n_tensors=2, n_elements=8_000, n_bytes=4_500),
            TensorKindUse(kind="F32", n_tensors=1, n_elements=125, n_bytes=500),
        ),
        tensors=(
            TensorLine(name="blk.0.attn_q.weight", kind="Q4_K", shape=(40, 100), n_bytes=2_250),
            TensorLine(name="blk.0.attn_k.weight", kind="Q4_K", shape=(40, 100), n_bytes=2_250),
            TensorLine(name="output_norm.weight", kind="F32", shape=(125,), n_bytes=500),
        ),
        chat_template="{% for m in messages %}{{ m.content }}{% endfor %}",
        rendered_example="<|im_start|>user\nWhy?<|im_end|>\n",
    )
