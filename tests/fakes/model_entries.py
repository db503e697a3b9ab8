"""Models as the library and the engine would report them."""

from __future__ import annotations

from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry, ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.plan import MemoryKind, MemoryUse
from fireside.core.status import LoadedModel, Ready

STARTER_ID = ModelId("HuggingFaceTB/SmolLM2-135M-Instruct:Q4_1")


def starter_spec() -> ModelSpec:
    """Return the facts of the model that Fireside comes with."""
    return ModelSpec(
        id=STARTER_ID,
        name="SmolLM2 135M Instruct",
        path="/models/SmolLM2-135M-Instruct.Q4_1.gguf",
        size_bytes=98_000_000,
        architecture="llama",
        quantization="Q4_1",
        n_params=134_515_008,
        n_ctx_train=8192,
        n_layers=30,
        n_embd=576,
        n_vocab=49152,
        has_chat_template=True,
        licence="apache-2.0",
    )


def entry_of(spec: ModelSpec, *, source: str = "Library", removable: bool = True) -> ModelEntry:
    """Return the library's line for a readable model."""
    return ModelEntry(
        path=spec.path,
        file_name=spec.path.rsplit("/", 1)[-1],
        size_bytes=spec.size_bytes,
        source=source,
        removable=removable,
        spec=spec,
    )


def broken_entry(*, path: str, problem: str) -> ModelEntry:
    """Return the library's line for a file that cannot be read."""
    return ModelEntry(
        path=path,
        file_name=path.rsplit("/", 1)[-1],
        size_bytes=1_234_567,
        source="Library",
        removable=True,
        problem=problem,
    )


def loaded_state(spec: ModelSpec, *, n_ctx: int = 8192, n_gpu_layers: int = 0, n_active: int = 0) -> Ready:
    """Return the state of ``spec`` after a load."""
    return Ready(
        loaded=LoadedModel(
            n_ctx=n_ctx,
            n_seq_max=2,
            n_batch=512,
            n_layers=spec.n_layers,
            n_gpu_layers=n_gpu_layers,
            n_threads=2,
            devices=("NVIDIA GeForce RTX 4090",) if n_gpu_layers else (),
            memory=(),
            uses=(MemoryUse(device="CPU", kind=MemoryKind.WEIGHTS, n_bytes=spec.size_bytes * 2),),
            rss_bytes=spec.size_bytes * 3,
            load_s=0.4,
        ),
        options=LoadOptions(n_ctx=n_ctx),
        n_active=n_active,
    )
