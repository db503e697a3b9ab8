"""Plans and records of loads, as values."""

from __future__ import annotations

import msgspec

from fakes.fake_machine import CARD, GIB, MIB
from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.options import GPU_LAYERS_AUTO, LoadOptions
from fireside.core.plan import DeviceBudget, LoadPlan, LoadRecord, MemoryKind, MemoryUse, Verdict

N_LAYERS = 32


def use(device: str, kind: MemoryKind, n_bytes: int) -> MemoryUse:
    return MemoryUse(device=device, kind=kind, n_bytes=n_bytes)


def rooms(*, gpu_free_bytes: int = 7 * GIB, ram_free_bytes: int = 12 * GIB) -> tuple[DeviceBudget, ...]:
    """Return the rooms of a computer with 16 GiB of memory and a card of 8 GiB."""
    return (
        DeviceBudget(
            device="CPU",
            description=tr("RAM"),
            total_bytes=16 * GIB,
            free_bytes=ram_free_bytes,
            margin_bytes=GIB,
        ),
        DeviceBudget(
            device=CARD.name,
            description=CARD.description,
            total_bytes=8 * GIB,
            free_bytes=gpu_free_bytes,
            margin_bytes=512 * MIB,
        ),
    )


def made_plan(
    model_id: ModelId,
    *,
    options: LoadOptions | None = None,
    weights_bytes: int = 4 * GIB,
    bytes_per_token: int = 128 * 1024,
    places: tuple[DeviceBudget, ...] | None = None,
) -> LoadPlan:
    """Return a plan as the engine would make it for a model of ``N_LAYERS`` equal layers."""
    wanted = LoadOptions() if options is None else options
    places = rooms() if places is None else places
    ram, card = places[0], places[1]
    cache = wanted.n_ctx * wanted.n_seq_max * bytes_per_token
    a_layer = (weights_bytes + cache) // N_LAYERS
    compute = 300 * MIB
    n_room = max(0, card.free_bytes - card.margin_bytes - compute) // a_layer
    asked = N_LAYERS + 1 if wanted.n_gpu_layers < 0 else min(wanted.n_gpu_layers, N_LAYERS + 1)
    n_gpu = min(asked, n_room) if wanted.n_gpu_layers == GPU_LAYERS_AUTO else asked
    n_gpu = N_LAYERS + 1 if n_gpu >= N_LAYERS else n_gpu
    share = min(n_gpu, N_LAYERS) / N_LAYERS
    uses = (
        use("CPU", MemoryKind.WEIGHTS, round(weights_bytes * (1 - share)) + 64 * MIB),
        use("CPU", MemoryKind.CACHE, round(cache * (1 - share))),
        use("CPU", MemoryKind.COMPUTE, 40 * MIB),
        use("CPU", MemoryKind.PROGRAM, 64 * MIB),
        use(card.device, MemoryKind.WEIGHTS, round(weights_bytes * share)),
        use(card.device, MemoryKind.CACHE, round(cache * share)),
        use(card.device, MemoryKind.COMPUTE, compute if n_gpu else 0),
    )
    options = msgspec.structs.replace(wanted, n_gpu_layers=n_gpu, n_threads=wanted.n_threads or 3)
    on_card = sum(item.n_bytes for item in uses if item.device == card.device)
    in_ram = sum(item.n_bytes for item in uses if item.device == "CPU")
    fits = on_card <= card.free_bytes - card.margin_bytes and in_ram <= ram.free_bytes - ram.margin_bytes
    if not fits:
        verdict, words = Verdict.TOO_LARGE, "There is not enough memory for it."
    elif n_gpu > N_LAYERS:
        verdict, words = Verdict.FITS, f"It runs on the {card.description}."
    else:
        verdict = Verdict.PARTLY
        words = f"{n_gpu} of {N_LAYERS + 1} layers run on the {card.description}, the rest on the CPU."
    return LoadPlan(
        model_id=model_id,
        options=options,
        verdict=verdict,
        text=words,
        uses=tuple(item for item in uses if item.n_bytes),
        budgets=places,
        is_exact=True,
    )


def made_record(
    model_id: ModelId, *, loaded_at: float = 1_780_000_000.0, excess_bytes: int = 0
) -> LoadRecord:
    """Return a load as it is remembered, which took ``excess_bytes`` more on the card than predicted."""
    plan = made_plan(model_id)
    measured = tuple(
        msgspec.structs.replace(item, n_bytes=item.n_bytes + excess_bytes)
        if item.device == CARD.name and item.kind is MemoryKind.COMPUTE
        else item
        for item in plan.uses
        if item.kind is not MemoryKind.PROGRAM
    )
    return LoadRecord(
        model_id=model_id,
        loaded_at=loaded_at,
        options=plan.options,
        predicted=plan.uses,
        measured=measured,
        rss_bytes=700 * MIB,
        load_s=2.4,
    )
