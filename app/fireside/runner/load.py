"""Load a model with its context, projector, drafter and adapters, and report what was allocated."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import psutil

from fireside.core.errors import LoadError, ModelFileInvalid, ModelFileMissing, ModelKindUnknown, OutOfMemory
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.load_sizes import effective_flash_attention
from fireside.core.options import CacheType, LoadOptions, Purpose, Speculation
from fireside.core.os_errors import os_error_text
from fireside.core.status import LoadedModel, LoadStage, MemoryReport
from fireside.runner.adapters import Adapters, apply_control_vectors
from fireside.runner.buffer_types import memory_breakdown
from fireside.runner.devices import list_devices
from fireside.runner.embedding.embedding_context import EmbeddingContext
from fireside.runner.llama import AbortFlag, Context, Model
from fireside.runner.llama_log import (
    LogLine,
    NativeLog,
    adapter_reports,
    first_error,
    memory_ran_out,
    memory_reports,
    mlock_failed,
    n_offloaded,
    offload_devices,
    unknown_kind,
    uses_pipeline,
)
from fireside.runner.parameter_checks import (
    ContextParams,
    ModelParams,
    context_params,
    draft_context_params,
    model_params,
)
from fireside.runner.process_limits import allow_locked_memory
from fireside.runner.speculation.drafter_setup import LoadedDrafter, load_drafter
from fireside.wire.messages import Load

if TYPE_CHECKING:
    from fireside.runner.images.projector_loading import VisionModule
from fireside.core.errors import InvalidParameter
from fireside.core.options import Numa
from fireside.runner.native import lib

_PROGRESS_EVERY_S: Final = 0.05
_CPU: Final = "CPU"


class LoadedRunner(msgspec.Struct, frozen=True, kw_only=True):
    """A loaded model, ready to decode, and the report about it."""

    options: LoadOptions
    """The load options with all automatic values decided."""
    model: Model
    context: Context | EmbeddingContext
    report: LoadedModel
    drafting: LoadedDrafter | None = None
    """The drafter for speculative decoding."""
    vision: VisionModule | None = None
    """The projector for images."""
    adapters: Adapters | None = None


class _Progress:
    """Reports stages as they start, and the fraction that was read, throttled except for the last one."""

    def __init__(self, on_progress: Callable[[float, LoadStage], None]) -> None:
        self._on_progress = on_progress
        self._next_at = 0.0

    def read(self, fraction: float) -> None:
        now = time.monotonic()
        if fraction >= 1 or now >= self._next_at:
            self._next_at = now + _PROGRESS_EVERY_S
            self._on_progress(fraction, LoadStage.READING)

    def begin(self, stage: LoadStage) -> None:
        self._on_progress(1.0, stage)


class Loader:
    """Loads one model.

    Args:
        on_progress: called with the fraction of the file that was read, from 0 to 1, a few times a second
            and with each stage as it starts.
    """

    def __init__(
        self, *, log: NativeLog, abort: AbortFlag, on_progress: Callable[[float, LoadStage], None]
    ) -> None:
        self._log = log
        self._abort = abort
        self._progress = _Progress(on_progress)

    def load(self, command: Load) -> LoadedRunner:
        """Load the model.

        Raises:
            InvalidParameter: an option is out of range.
            ModelFileMissing, ModelFileInvalid: the file cannot be used.
            ModelKindUnknown: this build of llama.cpp does not know the architecture.
            OutOfMemory: it needs more memory than is free.
            load_failed: anything else, with llama.cpp's message.
        """
        started = time.monotonic()
        bind_cpus(command.options)
        if command.options.use_mlock:
            allow_locked_memory()
        requested = model_params(command.path, command.options)
        context_params(command.options, n_ctx_train=0)  # check before the file is read, to fail fast
        _check_file(command.path)
        with self._log.captured() as lines:
            model = self._load_model(command, requested, lines)
            n_gpu_layers, devices = n_offloaded(lines), offload_devices(lines)  # a draft model has others
            command = _with_attention(command, model)
            self._progress.begin(LoadStage.ALLOCATING)
            vision = self._open_projector(command, model)
            context = self._make_context(command, model, lines, vision)
            self._progress.begin(LoadStage.WARMING_UP)
            if isinstance(context, Context):
                context.warm_up()
            drafting = self._load_drafter(command, model, context)
            n_before = len(lines)
            adapters = _load_adapters(command, model, context)
            if isinstance(context, Context):
                apply_control_vectors(command.options, model=model, context=context, name=command.name)
            extra_memory = (
                *(drafting.memory if drafting else ()),
                *(vision.memory if vision else ()),
                *adapter_reports(lines[n_before:]),
            )
            memory = memory_breakdown(context.handle) or memory_reports(lines)
        report = LoadedModel(
            n_ctx=context.n_ctx,
            n_seq_max=context.n_seq_max,
            n_batch=context.n_batch,
            n_layers=model.n_layers,
            n_gpu_layers=n_gpu_layers,
            n_threads=context.n_threads,
            devices=(_CPU, *(devices if n_gpu_layers else ())),
            memory=(*memory, *extra_memory),
            rss_bytes=psutil.Process().memory_info().rss,
            load_s=time.monotonic() - started,
            speculation=drafting.kind if drafting else Speculation.OFF,
        )
        return LoadedRunner(
            options=command.options,
            model=model,
            context=context,
            report=report,
            drafting=drafting,
            vision=vision,
            adapters=adapters,
        )

    def _load_model(self, command: Load, requested: ModelParams, lines: list[LogLine]) -> Model:
        try:
            model = Model(requested, on_progress=self._progress.read)
        except ValueError as exc:
            if kind := unknown_kind(lines):
                raise ModelKindUnknown(kind=kind) from exc
            reason = failure_reason(lines, exc)
            required = self._measure(command, requested)
            self._raise_if_too_large(command, required or ())
            if memory_ran_out(lines):
                raise OutOfMemory(model=command.name) from exc
            if required is None:
                # Not even the sizes can be computed, so the file itself is invalid.
                raise ModelFileInvalid(path=command.path, reason=reason) from exc
            raise LoadError.of("load_failed", model=command.name, reason=reason) from exc
        if command.options.use_mlock and mlock_failed(lines):
            raise LoadError.of(
                "load_failed",
                model=command.name,
                reason=tr_noop(
                    "the system does not allow locking it in memory. Raise the limit for locked "
                    "memory, or turn off “Lock model in memory (mlock)”."
                ),
            )
        if command.options.purpose is Purpose.GENERATE and not model.can_generate:
            raise LoadError.of(
                "load_failed", model=command.name, reason=tr_noop("this model cannot generate text.")
            )
        return model

    def _open_projector(self, command: Load, model: Model) -> VisionModule | None:
        options = command.options
        if options.projector_path is None or options.purpose is not Purpose.GENERATE:
            return None
        try:
            # Imported here, since its library is only needed with a projector.
            from fireside.runner.images.projector_loading import open_projector
        except (OSError, RuntimeError, AttributeError) as exc:
            raise LoadError.of(
                "load_failed",
                model=command.name,
                reason=tr_noop("this llama.cpp build does not support images."),
            ) from exc
        return open_projector(
            options.projector_path, name=command.name, model=model, options=options, log=self._log
        )

    def _make_context(
        self, command: Load, model: Model, lines: list[LogLine], vision: VisionModule | None
    ) -> Context | EmbeddingContext:
        params = context_params(command.options, n_ctx_train=model.n_ctx_train)
        if vision is not None:
            params = vision.fit_images(params)
        if _largest_cache_bytes(model, params) > psutil.virtual_memory().available // 2:
            # If it might not fit, measure exactly, before the system has to kill a process: Linux overcommits
            # memory, and llama.cpp touches all of it.
            required = self._measure(command, model_params(command.path, command.options))
            self._raise_if_too_large(command, required or ())
        try:
            if vision is not None:
                context: Context | EmbeddingContext = vision.make_context(model, params, abort=self._abort)
            else:
                context = self._context(command, model, params)
        except ValueError as exc:
            required = self._measure(command, model_params(command.path, command.options))
            self._raise_if_too_large(command, required or ())
            if memory_ran_out(lines):
                raise OutOfMemory(model=command.name) from exc
            raise LoadError.of("load_failed", model=command.name, reason=failure_reason(lines, exc)) from exc
        if isinstance(context, Context) and uses_pipeline(lines):
            context.n_stages = len(offload_devices(lines))
        return context

    def _context(self, command: Load, model: Model, params: ContextParams) -> Context | EmbeddingContext:
        options = command.options
        if options.purpose is Purpose.GENERATE:
            return Context(model, params, abort=self._abort)
        return EmbeddingContext(
            model, params, purpose=options.purpose, pooling=options.pooling, abort=self._abort
        )

    def _load_drafter(
        self, command: Load, model: Model, context: Context | EmbeddingContext
    ) -> LoadedDrafter | None:
        options = command.options
        if not isinstance(context, Context):
            return None
        if options.speculation is Speculation.DRAFT_MODEL and options.draft_path is not None:
            _check_file(options.draft_path)

        def check_fits(draft_model: Model) -> None:
            needed = _largest_cache_bytes(
                draft_model,
                draft_context_params(options, n_head=draft_model.n_head, n_ctx_train=draft_model.n_ctx_train),
            )
            available = psutil.virtual_memory().available
            if needed > available:
                raise OutOfMemory(model=command.name, needed_bytes=needed, available_bytes=available)

        return load_drafter(options, name=command.name, model=model, context=context, check_fits=check_fits)

    def _measure(self, command: Load, requested: ModelParams) -> tuple[MemoryReport, ...] | None:
        """Return the memory that the model would take, by a dry run; ``None`` if the file is not a model.

        Empty if it is unknown.
        """
        with self._log.captured() as lines:
            try:
                with Model(msgspec.structs.replace(requested, no_alloc=True)) as model:
                    params = context_params(command.options, n_ctx_train=model.n_ctx_train)
                    with self._context(command, model, params) as context:
                        return memory_breakdown(context.handle) or ()
            except ValueError:
                # The sizes of the weights are logged before a context can fail.
                return () if memory_reports(lines) else None

    def _raise_if_too_large(self, command: Load, required: tuple[MemoryReport, ...]) -> None:
        """Raise ``OutOfMemory`` if ``required`` do not fit the free memory of their devices."""
        devices = list_devices()
        free = {device.name: device.free_bytes for device in devices}
        needed = dict.fromkeys(free, 0)
        for report in required:
            # Buffers are named after their device; all others are in main memory.
            names = sorted(free, key=len, reverse=True)
            owner = next((name for name in names if report.buffer.startswith(name)), _CPU)
            n_bytes = report.kv_bytes + report.compute_bytes
            if report.buffer != _CPU or not command.options.use_mmap or command.options.use_mlock:
                # Memory-mapped weights need not all be resident.
                n_bytes += report.weights_bytes
            needed[owner] = needed.get(owner, 0) + n_bytes
        for name, n_bytes in needed.items():
            if n_bytes > free.get(name, 0):
                raise OutOfMemory(model=command.name, needed_bytes=n_bytes, available_bytes=free.get(name, 0))


def _with_attention(command: Load, model: Model) -> Load:
    """Return ``command`` with the attention kernel decided, which depends on the model."""
    options = command.options
    n_ctx = context_params(options, n_ctx_train=model.n_ctx_train).n_ctx
    attention = effective_flash_attention(options, n_head=model.n_head, n_ctx=n_ctx)
    decided = msgspec.structs.replace(options, flash_attn=attention)
    return msgspec.structs.replace(command, options=decided)


def _load_adapters(command: Load, model: Model, context: Context | EmbeddingContext) -> Adapters | None:
    lora = command.options.lora
    if not lora or isinstance(context, EmbeddingContext):
        return None
    adapters = Adapters(lora, model=model, context=context, name=command.name)
    adapters.reserve()
    return adapters


def _check_file(path: str) -> None:
    file = Path(path)
    try:
        if not file.exists():
            raise ModelFileMissing(path=path)
        if not file.is_file():
            raise ModelFileInvalid(path=path, reason=tr_noop("it is not a file."))
        with file.open("rb"):
            pass
    except ValueError as exc:  # a zero character or half a surrogate pair: no file has such a name
        raise ModelFileMissing(path=path) from exc
    except OSError as exc:
        reason = Phrase(tr_noop("it cannot be read ({reason})."), {"reason": os_error_text(exc)})
        raise ModelFileInvalid(path=path, reason=reason) from exc


def _largest_cache_bytes(model: Model, params: ContextParams) -> int:
    """Return an upper bound for the KV cache: as if every layer had full attention."""
    n_cells = params.n_shared_cells or params.n_ctx * params.n_seq_max
    n_bytes = sum(4 if kind is CacheType.F32 else 2 for kind in (params.cache_type_k, params.cache_type_v))
    return n_cells * model.n_layers * model.n_head_kv * model.head_dim * n_bytes


def failure_reason(lines: list[LogLine], exc: ValueError) -> Phrase:
    """Return llama.cpp's own message for a failure, or else that of ``exc``."""
    line = first_error(lines)
    if line:
        return Phrase(tr_noop("llama.cpp says: “{line}”."), {"line": line.rstrip(".")})
    return Phrase(tr_noop("{why}."), {"why": Phrase(str(exc))})


_NUMA: Final = {Numa.DISTRIBUTE: 1, Numa.ISOLATE: 2, Numa.NUMACTL: 3}


def bind_cpus(options: LoadOptions) -> None:
    """Bind this process to ``options.cpus``, and apply the strategy ``options.numa``.

    Called before a model is loaded, in the decoding thread, whose affinity llama.cpp's threads inherit.

    Raises:
        InvalidParameter: there is no such CPU, or the system does not support affinity.
    """
    if options.cpus:
        process = psutil.Process()
        if not hasattr(process, "cpu_affinity"):
            raise InvalidParameter(name="cpus", reason=tr_noop("this system does not let programs choose."))
        allowed = process.cpu_affinity()
        if missing := [number for number in options.cpus if number not in allowed]:
            raise InvalidParameter(
                name="cpus",
                reason=Phrase(tr_noop("CPU {number} is not available."), {"number": missing[0]}),
            )
        process.cpu_affinity(list(options.cpus))
    if options.numa is not Numa.OFF:
        lib.llama_numa_init(_NUMA[options.numa])
