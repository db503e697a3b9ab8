"""Load plans: dry runs, cached measurements, cancellation, and overrides."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.engine_harness import GIB, a_spec
from fireside.core.model import ModelSpec
from fireside.core.options import AutoAdjustable, CacheType, LoadOptions, RopeScaling
from fireside.core.plan import LoadPlan, LoadRecord, MemoryKind, Verdict
from fireside.core.status import Device, DeviceKind, LoadedModel, MemoryReport
from fireside.engine.host_info import Host
from fireside.engine.planning.dry_run import DryRunProcess
from fireside.engine.planning.load_case import HOST_MARGIN_BYTES
from fireside.engine.planning.measurement_cache import MAX_ENTRIES, MeasurementCache
from fireside.engine.planning.planner import Planner
from fireside.wire.messages import CacheOptions
from fireside.wire.runner_modes import MeasureReply

HOST = Host(n_cores=4, available_bytes=32 * GIB)
GPU = Device(
    name="GPU0",
    description="Card",
    kind=DeviceKind.GPU,
    free_bytes=8 * GIB,
    total_bytes=8 * GIB,
    backend="test",
)


class FakeDryRun(DryRunProcess):
    """Says that all loads take the same; waits where a test says so."""

    def __init__(self, *, n_bytes: int = GIB, problem: str = "") -> None:
        self.n_bytes = n_bytes
        self.problem = problem
        self.n_opened = 0
        self.n_closed = 0
        self.measured: list[LoadOptions] = []
        self.runtimes: list[str] = []
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.is_asked = threading.Event()
        self.is_closed = threading.Event()

    def __call__(self, runtime: str) -> DryRunProcess:
        self.n_opened += 1
        self.runtimes.append(runtime)
        return self

    def measure(self, path: str, options: LoadOptions) -> MeasureReply:
        self.measured.append(options)
        self.is_asked.set()
        self.may_answer.wait()
        where = "GPU0" if options.n_gpu_layers else "CPU"
        report = MemoryReport(buffer=where, weights_bytes=self.n_bytes, kv_bytes=2, compute_bytes=3)
        return MeasureReply(memory=(report,), problem=self.problem)

    def close(self) -> None:
        self.n_closed += 1
        self.may_answer.set()
        self.is_closed.set()


@pytest.fixture
def spec(tmp_path: Path) -> ModelSpec:
    path = tmp_path / "m.gguf"
    path.write_bytes(b"weights")
    return msgspec.structs.replace(a_spec(), path=str(path))


def plan(
    planner: Planner, spec: ModelSpec, options: LoadOptions | None = None, *, devices: tuple[Device, ...] = ()
) -> LoadPlan:
    return asyncio.run(planner.plan(spec, options or LoadOptions(), devices=devices, host=HOST))


def test_a_load_is_fitted_to_the_usable_memory(spec: ModelSpec) -> None:
    budget = plan(Planner(), spec, LoadOptions(memory_limit_mb=500)).budgets[0]
    assert budget.usable_bytes == 500_000_000
    assert (
        plan(Planner(), spec, LoadOptions(memory_limit_mb=999_999)).budgets[0].free_bytes
        == HOST.available_bytes
    )


def test_a_plan_is_the_dry_run_plus_the_runners_own_memory(spec: ModelSpec) -> None:
    dry_run = FakeDryRun()
    planner = Planner(open_dry_run=dry_run, cache=lambda: CacheOptions(memory_bytes=7))
    result = plan(planner, spec)
    assert result.is_exact
    assert result.verdict is Verdict.FITS
    by_kind = {use.kind: use.n_bytes for use in result.uses}
    assert by_kind[MemoryKind.WEIGHTS] == GIB
    assert by_kind[MemoryKind.STATES] == 7
    assert by_kind[MemoryKind.PROGRAM] > 0
    assert (dry_run.n_opened, dry_run.n_closed) == (1, 1)


def test_no_model_is_rejected_because_of_the_prompt_cache(spec: ModelSpec) -> None:
    planner = Planner(open_dry_run=FakeDryRun(), cache=lambda: CacheOptions(memory_bytes=GIB // 4))
    roomy = plan(planner, spec)
    assert roomy.prompt_cache_bytes == GIB // 4
    assert roomy.n_bytes == roomy.n_bytes_on("CPU") == sum(use.n_bytes for use in roomy.uses) - GIB // 4
    tight = Host(n_cores=4, available_bytes=roomy.n_bytes + HOST_MARGIN_BYTES + 1)
    result = asyncio.run(planner.plan(spec, LoadOptions(), devices=(), host=tight))
    assert (result.verdict, result.prompt_cache_bytes, result.n_bytes) == (
        Verdict.FITS,
        0,
        roomy.n_bytes,
    )


@pytest.mark.parametrize("is_chosen", [True, False])
def test_a_context_above_the_trained_length_is_limited_and_named(spec: ModelSpec, *, is_chosen: bool) -> None:
    short = msgspec.structs.replace(spec, n_ctx_train=4096)
    open_to = () if is_chosen else (AutoAdjustable.CONTEXT,)
    result = plan(Planner(), short, LoadOptions(n_ctx=200_000, auto_adjustable=open_to))
    assert result.options.n_ctx == 4096
    note = "the context length is at most 4,096, as the model was trained, not 200,000"
    assert result.notes == ((note,) if is_chosen else ())
    assert (note in result.text) is is_chosen
    stretched = plan(Planner(), short, LoadOptions(n_ctx=8192, rope_scaling=RopeScaling.YARN))
    assert stretched.options.n_ctx == 8192
    assert "2× the trained length" in stretched.text or "2.0× the trained length" in stretched.text


def test_a_measured_load_is_planned_from_the_cache(spec: ModelSpec) -> None:
    dry_run = FakeDryRun()
    planner = Planner(open_dry_run=dry_run)
    first = plan(planner, spec, devices=(GPU,))
    assert plan(planner, spec, devices=(GPU,)) == first
    assert dry_run.n_opened == 1


def test_another_file_under_the_same_name_is_measured_again(spec: ModelSpec) -> None:
    dry_run = FakeDryRun()
    planner = Planner(open_dry_run=dry_run)
    plan(planner, spec)
    Path(spec.path).write_bytes(b"other weights")
    plan(planner, spec)
    assert dry_run.n_opened == 2


@pytest.mark.parametrize("changes", [{"n_ctx": 512}, {"cache_type_k": CacheType.Q8_0}, {"runtime": "other"}])
def test_other_options_are_measured_again(spec: ModelSpec, changes: dict[str, Any]) -> None:
    dry_run = FakeDryRun()
    planner = Planner(open_dry_run=dry_run)
    plan(planner, spec)
    plan(planner, spec, msgspec.structs.replace(LoadOptions(), **changes))
    assert dry_run.n_opened == 2
    assert dry_run.runtimes[-1] == changes.get("runtime", dry_run.runtimes[0])


def test_measurements_are_valid_for_other_thread_counts(spec: ModelSpec) -> None:
    dry_run = FakeDryRun()
    planner = Planner(open_dry_run=dry_run)
    plan(planner, spec, LoadOptions(n_threads=1))
    plan(planner, spec, LoadOptions(n_threads=2))
    assert dry_run.n_opened == 1


def test_without_dry_runs_the_header_is_used(spec: ModelSpec) -> None:
    result = plan(Planner(open_dry_run=FakeDryRun(problem="It is broken.")), spec)
    assert not result.is_exact
    assert result.uses


async def test_a_cancelled_plan_ends_its_process_and_leaves_no_thread(spec: ModelSpec) -> None:
    dry_run = FakeDryRun()
    dry_run.may_answer.clear()
    planner = Planner(open_dry_run=dry_run)
    task = asyncio.create_task(planner.plan(spec, LoadOptions(), devices=(), host=HOST))
    await asyncio.to_thread(dry_run.is_asked.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert dry_run.n_closed == 1


def test_an_override_is_planned_for_the_same_request(spec: ModelSpec) -> None:
    planner = Planner()
    planner.set_override(spec, LoadOptions(), override_options=LoadOptions(n_gpu_layers=3))
    assert plan(planner, spec, devices=(GPU,)).options.n_gpu_layers == 3
    other = LoadOptions(n_ctx=4096)
    assert plan(planner, spec, other, devices=(GPU,)).options.n_gpu_layers == 31


def test_a_load_is_recorded_with_predicted_and_measured_memory(spec: ModelSpec) -> None:
    planner = Planner(open_dry_run=FakeDryRun(), now=lambda: 5.0)
    records: list[LoadRecord] = []
    planner.on_record = records.append
    result = plan(planner, spec)
    report = MemoryReport(buffer="CPU", weights_bytes=11, kv_bytes=0, compute_bytes=0)
    loaded = LoadedModel(
        n_ctx=1,
        n_seq_max=1,
        n_batch=1,
        n_layers=1,
        n_gpu_layers=0,
        n_threads=1,
        devices=("CPU",),
        memory=(report,),
        rss_bytes=12,
        load_s=0.5,
    )
    planner.record_load(spec, result, loaded)
    (record,) = records
    assert record.predicted == result.uses
    assert [use.n_bytes for use in record.measured] == [11]
    assert (record.loaded_at, record.rss_bytes, record.load_s) == (5.0, 12, 0.5)


# What is remembered


REPORTS = (MemoryReport(buffer="CPU", weights_bytes=1, kv_bytes=2, compute_bytes=3),)


def test_measurements_are_stored(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    MeasurementCache(path, build=lambda _: "b1").store([("a", REPORTS)])
    assert MeasurementCache(path, build=lambda _: "b1").get("a") == REPORTS


@pytest.mark.parametrize("content", [b"", b"{}", b'{"format": 99, "entries": []}', b"\xff\x00"])
def test_a_damaged_cache_file_is_ignored(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "measured.json"
    path.write_bytes(content)
    measured = MeasurementCache(path, build=lambda _: "b1")
    assert measured.get("a") is None
    measured.store([("a", REPORTS)])
    assert MeasurementCache(path, build=lambda _: "b1").get("a") == REPORTS


def test_a_cache_file_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    measured = MeasurementCache(tmp_path / "file" / "measured.json", build=lambda _: "b1")
    measured.store([("a", REPORTS)])
    assert measured.get("a") == REPORTS


def test_the_oldest_measurements_are_dropped(tmp_path: Path) -> None:
    measured = MeasurementCache(tmp_path / "measured.json", build=lambda _: "b1")
    measured.store([(str(number), REPORTS) for number in range(MAX_ENTRIES + 1)])
    assert measured.get("0") is None
    assert measured.get(str(MAX_ENTRIES)) == REPORTS


def test_another_build_of_llama_cpp_is_measured_again(spec: ModelSpec) -> None:
    one, other = MeasurementCache(None, build=lambda _: "b1"), MeasurementCache(None, build=lambda _: "b2")
    keys = [each.key(spec.path, LoadOptions(), devices=()) for each in (one, other)]
    assert keys[0] != keys[1]


def test_devices_are_measured_by_drivers_before_a_load() -> None:
    devices = (GPU,)
    measured = tuple(msgspec.structs.replace(each, free_bytes=7) for each in devices)
    calls: list[Sequence[Device]] = []

    def measure(listed: Sequence[Device]) -> tuple[Device, ...]:
        calls.append(listed)
        return measured

    planner = Planner(measure_devices=measure)
    assert asyncio.run(planner.with_current_memory(devices)) == measured
    assert calls == [devices]
    assert asyncio.run(Planner().with_current_memory(devices)) == devices


def other_contexts(n: int) -> list[LoadOptions]:
    """Return options that are measured one after the other."""
    return [LoadOptions(n_ctx=1024 * number) for number in range(1, n + 1)]


def keeping(dry_run: FakeDryRun) -> Planner:
    """Return a planner whose process is kept for longer than any test takes; to be closed."""
    return Planner(open_dry_run=dry_run, idle_s=1e6)


def test_a_dry_run_process_is_reused_and_ends_with_the_planner(spec: ModelSpec) -> None:
    dry_run = FakeDryRun()
    planner = keeping(dry_run)
    for options in other_contexts(3):
        assert plan(planner, spec, options).is_exact
    assert (dry_run.n_opened, dry_run.n_closed) == (1, 0)
    planner.close()
    assert dry_run.n_closed == 1


def test_an_idle_dry_run_process_ends_after_a_while(spec: ModelSpec) -> None:
    dry_run = FakeDryRun()
    planner = Planner(open_dry_run=dry_run, idle_s=0.01)
    plan(planner, spec)
    assert dry_run.is_closed.wait(60)
    planner.close()
    assert dry_run.n_closed == 1


@pytest.mark.parametrize(
    ("devices", "changes"),
    [((GPU,), {}), ((), {"runtime": "other"}), ((), {"projector_path": "mmproj.gguf"})],
)
def test_no_dry_run_process_is_kept_that_holds_gpu_memory(
    spec: ModelSpec, tmp_path: Path, devices: tuple[Device, ...], changes: dict[str, Any]
) -> None:
    if "projector_path" in changes:
        (tmp_path / "mmproj.gguf").write_bytes(b"eyes")
        changes = {"projector_path": str(tmp_path / "mmproj.gguf")}
    dry_run = FakeDryRun()
    planner = keeping(dry_run)
    plan(planner, spec, msgspec.structs.replace(LoadOptions(), **changes), devices=devices)
    assert dry_run.n_opened == dry_run.n_closed > 0
    planner.close()


def test_a_dead_idle_process_is_replaced_and_the_plan_is_exact(spec: ModelSpec) -> None:
    first, second = FakeDryRun(), FakeDryRun()
    runs = [first, second]
    planner = Planner(open_dry_run=lambda runtime: runs.pop(0)(runtime), idle_s=1e6)
    one, other = other_contexts(2)
    plan(planner, spec, one)
    first.problem = "llama.cpp aborted."
    assert plan(planner, spec, other).is_exact
    assert (first.n_closed, second.n_opened) == (1, 1)
    planner.close()
    assert second.n_closed == 1


async def test_a_cancelled_plan_ends_its_reusable_process(spec: ModelSpec) -> None:
    dry_run = FakeDryRun()
    dry_run.may_answer.clear()
    planner = keeping(dry_run)
    task = asyncio.create_task(planner.plan(spec, LoadOptions(), devices=(), host=HOST))
    await asyncio.to_thread(dry_run.is_asked.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert dry_run.n_closed == 1
    planner.close()
    assert dry_run.n_closed == 1


def test_a_process_released_after_close_is_not_kept(spec: ModelSpec) -> None:
    dry_run = FakeDryRun()
    planner = keeping(dry_run)
    planner.close()
    plan(planner, spec)
    assert dry_run.n_opened == dry_run.n_closed == 1
