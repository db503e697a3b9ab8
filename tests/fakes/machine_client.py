"""A ``HardwareClient`` in memory: a computer with one graphics card, and models that take what is given."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fakes.requests import Requests
from fireside.bridge.hardware_client import HardwareClient
from fireside.core.hardware import (
    DeviceReading,
    Hardware,
    MemoryBar,
    MemoryHolder,
    MemorySource,
    Processor,
    RuntimeInUse,
)
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, ModelId
from fireside.core.options import GPU_LAYERS_AUTO, LoadOptions, SettingValue
from fireside.core.plan import DeviceBudget, LoadPlan, LoadRecord, MemoryKind, MemoryUse, Verdict
from fireside.core.status import Device, DeviceKind, RunningModel

GIB = 1 << 30
MIB = 1 << 20
N_LAYERS = 32

CARD = Device(
    name="Vulkan0",
    description="Radeon RX 7600",
    kind=DeviceKind.GPU,
    free_bytes=7 * GIB,
    total_bytes=8 * GIB,
    backend="Vulkan",
)


def use(device: str, kind: MemoryKind, n_bytes: int) -> MemoryUse:
    return MemoryUse(device=device, kind=kind, n_bytes=n_bytes)


def rooms(*, gpu_free_bytes: int = 7 * GIB, ram_free_bytes: int = 12 * GIB) -> tuple[DeviceBudget, ...]:
    """Return the rooms of a computer with 16 GiB of memory and a card of 8 GiB."""
    return (
        DeviceBudget(
            device="CPU",
            description=tr("This computer’s memory"),
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
        words = f"{n_gpu} of {N_LAYERS + 1} layers run on the {card.description}, the rest on the processor."
    return LoadPlan(
        model_id=model_id,
        options=options,
        verdict=verdict,
        words=words,
        uses=tuple(item for item in uses if item.n_bytes),
        rooms=places,
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


class FakeHardwareClient(Requests):
    """``plans`` and ``records`` are given back by model; ``smaller`` is what is offered after a crash.

    A plan that nobody laid out is ``made_plan`` with the changes of ``load.*`` settings taken over.
    """

    def __init__(self) -> None:
        super().__init__()
        self.plans: dict[ModelId, LoadPlan] = {}
        self.records: dict[ModelId, tuple[LoadRecord, ...]] = {}
        self.smaller: LoadPlan | None = None
        self.places = rooms()
        self.in_memory: tuple[RunningModel, ...] = ()
        self.computer = Hardware(
            system="Linux 6.8",
            processor=Processor(name="AMD Ryzen 5 5600", n_cores=6, n_threads=12, features=("AVX2", "FMA")),
            memory_total_bytes=16 * GIB,
            memory_available_bytes=12 * GIB,
            devices=(
                DeviceReading(
                    device=CARD,
                    source=MemorySource.SYSFS,
                    temperature_c=46.0,
                    load=0.07,
                    drives_display=True,
                    driver="radv 24.2",
                ),
            ),
            runtime=RuntimeInUse(name="Vulkan", llama_cpp="b6700", backends=("Vulkan", "CPU")),
        )
        self.bars: tuple[MemoryBar, ...] = (
            MemoryBar(
                device="CPU",
                description=tr("This computer’s memory"),
                total_bytes=16 * GIB,
                free_bytes=12 * GIB,
                holders=(
                    MemoryHolder(name="Fireside", n_bytes=200 * MIB),
                    MemoryHolder(name=tr("Other programs"), n_bytes=4 * GIB - 200 * MIB),
                ),
            ),
            MemoryBar(
                device=CARD.name,
                description=CARD.description,
                total_bytes=8 * GIB,
                free_bytes=7 * GIB,
                holders=(MemoryHolder(name=tr("Other programs"), n_bytes=GIB),),
            ),
        )

    # MachineClient

    async def hardware(self) -> Hardware:
        await self.enter("hardware")
        return self.computer

    async def running(self) -> tuple[RunningModel, ...]:
        await self.enter("running")
        return self.in_memory

    async def memory_bars(self) -> tuple[MemoryBar, ...]:
        await self.enter("memory_bars")
        return self.bars

    async def plan(
        self,
        model_id: ModelId,
        *,
        conversation_id: ConversationId | None,
        changes: Mapping[str, SettingValue],
    ) -> LoadPlan:
        await self.enter("plan", model_id, conversation_id, dict(changes))
        if model_id in self.plans:
            return self.plans[model_id]
        names = LoadOptions.__struct_fields__
        known = {name: changes[f"load.{name}"] for name in names if f"load.{name}" in changes}
        options = msgspec.convert({**msgspec.to_builtins(LoadOptions()), **known}, LoadOptions)
        return made_plan(model_id, options=options, places=self.places)

    async def load_records(self, model_id: ModelId) -> tuple[LoadRecord, ...]:
        await self.enter("load_records", model_id)
        return self.records.get(model_id, ())

    async def smaller_plan(self, model_id: ModelId) -> LoadPlan | None:
        await self.enter("smaller_plan", model_id)
        return self.smaller

    async def load_once(
        self,
        model_id: ModelId,
        *,
        conversation_id: ConversationId | None,
        changes: Mapping[str, SettingValue],
    ) -> None:
        await self.enter("load_once", model_id, conversation_id, dict(changes))

    async def load_smaller(self, model_id: ModelId, *, conversation_id: ConversationId | None) -> None:
        await self.enter("load_smaller", model_id, conversation_id)


def as_machine_client(fake: FakeHardwareClient) -> HardwareClient:
    """Let the type checker confirm that the fake keeps the contract."""
    return fake
