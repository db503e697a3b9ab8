"""Texts about load plans, changes and loads."""

from __future__ import annotations

import msgspec
import pytest

from fakes.fake_machine import CARD, GIB, MIB
from fakes.load_plans import made_plan, made_record, rooms, use
from fireside.core.ids import ModelId
from fireside.core.options import GPU_LAYERS_ALL, CacheType, LoadOptions
from fireside.core.plan import MemoryKind, Verdict
from fireside.core.shortfall import shortfalls
from fireside.core.status import LoadingModel, LoadStage
from fireside.ui.loading.load_text import (
    CHATS_KEPT,
    CHATS_REPROCESSED,
    change_text,
    context_steps,
    context_text,
    layers_text,
    loading_text,
    measured_text,
    memory_comparisons,
    missing_text,
    need_text,
    part_text,
    reload_text,
    short_verdict,
)

MODEL = ModelId("m")


@pytest.mark.parametrize(
    ("n_ctx", "words"),
    [
        (512, "512 tokens, about 1 page"),
        (8192, "8,192 tokens, about 12 pages"),
        (32_768, "32,768 tokens, about 50 pages"),
        (1_048_576, "1,048,576 tokens, about 1,550 pages"),
    ],
)
def test_a_context_is_said_in_tokens_and_pages(n_ctx: int, words: str) -> None:
    assert context_text(n_ctx) == words


@pytest.mark.parametrize("n_ctx_train", [256, 500, 2048, 8192, 40_960, 131_072, 1_048_576])
def test_the_places_of_the_context_rise_up_to_what_the_model_was_trained_for(n_ctx_train: int) -> None:
    steps = context_steps(n_ctx_train)
    assert list(steps) == sorted(set(steps))
    assert steps[-1] == n_ctx_train
    assert len(steps) <= 24


@pytest.mark.parametrize(
    ("n_gpu_layers", "words"),
    [(0, "none"), (16, "16 of 32"), (33, "all"), (GPU_LAYERS_ALL, "all")],
)
def test_layers_are_counted_in_words(n_gpu_layers: int, words: str) -> None:
    assert layers_text(n_gpu_layers, n_layers=32) == words


@pytest.mark.parametrize(
    ("n_gpu_layers", "words"),
    [
        (0, "no layers on the GPU"),
        (8, "25% of layers on the GPU"),
        (16, "50% of layers on the GPU"),
        (21, "21 of 32 layers on the GPU"),
        (33, "all layers on the GPU"),
    ],
)
def test_a_part_of_the_layers_is_said_as_a_user_would(n_gpu_layers: int, words: str) -> None:
    assert part_text(n_gpu_layers, n_layers=32) == words


def test_a_smaller_load_says_what_it_changes_and_nothing_else() -> None:
    before = LoadOptions(n_ctx=32_768, n_gpu_layers=33)
    smaller = LoadOptions(n_ctx=8192, n_gpu_layers=16)
    words = "context length 8,192 instead of 32,768, 50% of layers on the GPU"
    assert change_text(smaller, before=before, n_layers=32) == words
    assert change_text(before, before=before, n_layers=32) == ""


def test_everything_that_may_be_given_up_is_said() -> None:
    before = LoadOptions(projector_path="/p", draft_path="/d")
    smaller = LoadOptions(cache_type_k=CacheType.Q8_0, cache_type_v=CacheType.Q8_0, n_seq_max=1)
    assert change_text(smaller, before=before, n_layers=32).split(", ") == [
        "8 instead of 16-bit KV cache",
        "1 parallel request",
        "without vision",
        "without a draft model",
    ]


def test_the_short_verdict_names_the_graphics_card() -> None:
    assert short_verdict(made_plan(MODEL)) == "Fits: 6.8 of 8.6 GB on the GPU"


def test_the_short_verdict_of_a_model_on_the_processor_names_the_memory() -> None:
    plan = msgspec.structs.replace(
        made_plan(MODEL), uses=(use("CPU", MemoryKind.WEIGHTS, 4 * GIB),), verdict=Verdict.PARTLY
    )
    assert short_verdict(plan) == "Fits partly: 4.3 of 17.2 GB of memory"


def test_what_is_missing_is_said_by_device() -> None:
    places = rooms(gpu_free_bytes=GIB, ram_free_bytes=2 * GIB)
    plan = msgspec.structs.replace(
        made_plan(MODEL, places=places),
        uses=(use("CPU", MemoryKind.WEIGHTS, 3 * GIB), use(CARD.name, MemoryKind.WEIGHTS, GIB)),
    )
    words = missing_text(plan)
    assert words == "Missing: 2.1 GB of memory and 537 MB of memory of Radeon RX 7600."
    assert missing_text(made_plan(MODEL)) == ""


def test_what_is_needed_stands_beside_what_is_free() -> None:
    room = rooms()[1]
    assert need_text(0, room) == "Not used"
    assert need_text(3 * GIB, room) == "Needs 3.2 GB · 7.5 GB free"
    assert need_text(9 * GIB, room) == "Needs 9.7 GB · 7.5 GB free"
    with_cache = need_text(3 * GIB, room, cache_bytes=GIB)
    assert with_cache == "Needs 3.2 GB, and up to 1.1 GB for the prompt cache · 7.5 GB free"


def test_a_prediction_that_came_true_is_said_to_have() -> None:
    record = made_record(MODEL)
    assert measured_text(record) == "Uses 6.9 GB, as predicted; loaded in 2.4 s."
    assert not shortfalls(record)


def test_a_shortfall_is_said_in_full() -> None:
    record = made_record(MODEL, excess_bytes=900 * MIB)
    assert measured_text(record) == "Uses 7.9 GB, 944 MB more than predicted; loaded in 2.4 s."
    assert shortfalls(record)


def test_a_load_without_a_prediction_is_no_shortfall() -> None:
    record = msgspec.structs.replace(made_record(MODEL), predicted=())
    assert measured_text(record) == "Uses 6.9 GB; loaded in 2.4 s."
    assert not shortfalls(record)


def test_predicted_and_measured_stand_in_one_line_for_each_use() -> None:
    record = made_record(MODEL, excess_bytes=900 * MIB)
    (compute,) = [
        line
        for line in memory_comparisons(record)
        if (line.device, line.kind) == (CARD.name, MemoryKind.COMPUTE)
    ]
    assert (compute.predicted, compute.measured) == (300 * MIB, 1200 * MIB)


def test_a_reload_says_how_long_and_that_chats_stay() -> None:
    words = reload_text(2.6, keeps_states=True)
    assert words == f"Requires reload, about 3 s. {CHATS_KEPT}"
    assert reload_text(None, keeps_states=False) == f"Requires reload. {CHATS_REPROCESSED}"


def test_a_load_says_its_stage() -> None:
    def words(stage: LoadStage, fraction: float = 1.0) -> str:
        return loading_text(LoadingModel(fraction=fraction, stage=stage))

    assert words(LoadStage.STARTING, 0.0) == "Starting…"
    assert words(LoadStage.READING, 0.42) == "Reading model… 42%"
    assert words(LoadStage.ALLOCATING) == "Allocating context…"
    assert words(LoadStage.WARMING_UP) == "Warming up…"


def test_a_load_that_does_nothing_says_so_and_what_can_be_done() -> None:
    silent = LoadingModel(fraction=0.4, is_silent=True)
    assert loading_text(silent) == "No progress at the moment. Wait or cancel."
