"""What is loaded, as a table, as JSON and by name."""

from __future__ import annotations

import json

import msgspec
import pytest

from fireside.cli.commands.loaded_models import find_running, running_json, running_table
from fireside.core.ids import ModelId
from fireside.core.options import LoadOptions, Purpose
from fireside.core.plan import MemoryKind, MemoryUse
from fireside.core.status import (
    LoadedModel,
    LoadingModel,
    MemoryReport,
    ModelState,
    Ready,
    RunningModel,
    Unloading,
)


def ready(*, n_gpu_layers: int = 0, n_seq_max: int = 2, n_active: int = 0) -> Ready:
    loaded = LoadedModel(
        n_ctx=8192,
        n_seq_max=n_seq_max,
        n_batch=512,
        n_layers=30,
        n_gpu_layers=n_gpu_layers,
        n_threads=3,
        devices=("CPU", "CUDA0") if n_gpu_layers else ("CPU",),
        memory=(
            MemoryReport(
                buffer="CPU", weights_bytes=100_000_000, kv_bytes=50_000_000, compute_bytes=1_000_000
            ),
            MemoryReport(buffer="CUDA0", weights_bytes=49_000_000, kv_bytes=0, compute_bytes=0),
        ),
        uses=(
            MemoryUse(device="CPU", kind=MemoryKind.WEIGHTS, n_bytes=151_000_000),
            MemoryUse(device="CUDA0", kind=MemoryKind.WEIGHTS, n_bytes=49_000_000),
        ),
        rss_bytes=0,
        load_s=1.0,
    )
    return Ready(loaded=loaded, options=LoadOptions(), n_active=n_active)


def running(
    state: ModelState,
    *,
    model_id: str = "Qwen3-4B.Q4_K_M",
    expires_in_s: float | None = None,
    clients: tuple[str, ...] = (),
) -> RunningModel:
    return RunningModel(
        model_id=ModelId(model_id),
        name="Qwen3 4B",
        state=state,
        pid=42,
        expires_in_s=expires_in_s,
        clients=clients,
    )


def test_models_for_embeddings_are_marked() -> None:
    vectors = msgspec.structs.replace(running(ready()), purpose=Purpose.EMBED)
    assert "ready (embeddings)" in cells(vectors)
    assert "(" not in cells(running(ready()))
    kinds = json.loads(running_json([vectors, running(ready())], is_running=True))["models"]
    assert [each["purpose"] for each in kinds] == ["embed", "generate"]


def cells(model: RunningModel) -> str:
    return running_table([model]).splitlines()[1]


def test_what_is_unusual_about_a_load_is_told_below_the_table() -> None:
    larger = running(msgspec.structs.replace(ready(), note="Loaded with a larger context."))
    assert running_table([larger]).endswith("\nQwen3-4B.Q4_K_M: Loaded with a larger context.\n")
    (row,) = json.loads(running_json([larger], is_running=True))["models"]
    assert row["note"] == "Loaded with a larger context."
    assert running_table([running(ready())]).count("\n") == 2


def test_an_idle_model_is_listed_with_its_memory_and_expiry() -> None:
    line = cells(running(ready(), expires_in_s=290))
    assert line.split("  ")[0] == "Qwen3-4B.Q4_K_M"
    for part in ("200 MB", "CPU", "8,192", "ready", "in 5 min"):
        assert part in line


@pytest.mark.parametrize(
    ("seconds", "expected"), [(12, "in 12 s"), (1800, "in 30 min"), (5400, "in 1.5 h"), (None, "when memory")]
)
def test_the_expiry_has_a_suitable_unit(seconds: float | None, expected: str) -> None:
    assert expected in cells(running(ready(), expires_in_s=seconds))


def test_the_devices_of_layers_are_listed() -> None:
    assert "CUDA0 (20 of 31 layers), CPU" in cells(running(ready(n_gpu_layers=20)))
    assert "CUDA0  " in cells(running(ready(n_gpu_layers=31)))


def test_generating_loading_and_unloading_are_states() -> None:
    assert "2 answers" in cells(running(ready(n_active=2)))
    assert "loading 40%" in cells(running(LoadingModel(fraction=0.4)))
    assert "unloading" in cells(running(Unloading()))


def test_each_user_is_listed_once() -> None:
    line = cells(running(ready(n_active=3), clients=("window", "fireside run (42)", "window")))
    assert "window ×2, fireside run (42)" in line


def test_programs_get_numbers() -> None:
    whole = json.loads(running_json([running(ready(n_gpu_layers=20), expires_in_s=60.0)], is_running=True))
    assert whole["running"] is True
    (model,) = whole["models"]
    assert (model["model"], model["size_bytes"], model["n_ctx"]) == ("Qwen3-4B.Q4_K_M", 200_000_000, 8192)
    assert (model["n_gpu_layers"], model["expires_in_s"], model["pid"]) == (20, 60.0, 42)
    assert json.loads(running_json((), is_running=False)) == {"running": False, "models": []}


def test_a_model_is_meant_by_its_name_or_by_how_it_begins() -> None:
    models = (
        running(ready()),
        running(ready(), model_id="Qwen3-8B"),
        running(ready(), model_id="Qwen3-8B-Max"),
    )
    assert [each.model_id for each in find_running(models, "qwen3-4b.q4_k_m")] == ["Qwen3-4B.Q4_K_M"]
    # One that is called so is meant, not one whose name only begins so.
    assert [each.model_id for each in find_running(models, "qwen3-8b")] == ["Qwen3-8B"]
    assert len(find_running(models, "qwen3")) == 3
    assert find_running(models, "llama") == ()
    assert find_running(models, "") == ()
