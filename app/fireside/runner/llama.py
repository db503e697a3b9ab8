"""Typed wrappers of llama.cpp's C API: model, context, memory."""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import psutil

from fireside.core.closeable import Closeable
from fireside.core.i18n import tr_noop
from fireside.core.load_sizes import max_outputs
from fireside.core.options import CacheType, FlashAttention, RopeScaling
from fireside.runner.decoder import DecodeResult
from fireside.runner.device_placement import DevicePlacement
from fireside.runner.kv_memory import MemoryShape, State, StatePart
from fireside.runner.native import encoded_path, lib, strlen_as_abort_callback, symbol
from fireside.runner.parameter_checks import ContextParams, ModelParams
from fireside.runner.token_batch import TokenBatch
from fireside.runner.vocab import Vocab

CACHE_TYPES: Final = {
    CacheType.F32: 0,
    CacheType.F16: 1,
    CacheType.Q4_0: 2,
    CacheType.Q4_1: 3,
    CacheType.Q5_0: 6,
    CacheType.Q5_1: 7,
    CacheType.Q8_0: 8,
    CacheType.BF16: 30,
}
"""Numbers of ``enum ggml_type``. llama.cpp aborts on a number that it does not know."""

FLASH_ATTENTION: Final = {FlashAttention.AUTO: -1, FlashAttention.OFF: 0, FlashAttention.ON: 1}

_LOAD_MODE_READ: Final = 0
_LOAD_MODE_MMAP: Final = 1
_CELLS_MULTIPLE: Final = 256
"""llama.cpp rounds the number of cells up to a multiple of this."""
_MLOCK: Final = 2
"""Flag added to one of the two load modes: lock the weights in memory."""
_ROPE_SCALING: Final = {RopeScaling.LINEAR: 1, RopeScaling.YARN: 2}
_METADATA_BYTES: Final = 1 << 20
_BIDIRECTIONAL: Final = ("gemma-embedding",)
"""Architectures with bidirectional attention whose files do not say so."""
_logits_at: Final = symbol("llama_get_logits_ith", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_int32])
_RESERVE: Final = "_ZN13llama_context13sched_reserveEv"


class AbortFlag:
    """Aborts a running ``Context.decode``. ``set`` may be called from any thread."""

    def __init__(self) -> None:
        self._buffer = ctypes.create_string_buffer(2)

    @property
    def address(self) -> int:
        """Address of the flag, for llama.cpp's abort callback."""
        return ctypes.addressof(self._buffer)

    def set(self) -> None:
        """Abort the running decode, or the next one. Thread-safe."""
        self._buffer[0] = b"\x01"

    def clear(self) -> None:
        """Allow decodes again."""
        self._buffer[0] = b"\x00"


class Model(Closeable):
    """A loaded model. Raises ``ValueError`` if llama.cpp cannot load it; the log says why."""

    def __init__(self, params: ModelParams, *, on_progress: Callable[[float], None] | None = None) -> None:
        native = lib.llama_model_default_params()
        native.n_gpu_layers = params.n_gpu_layers
        native.load_mode = _LOAD_MODE_READ
        if not params.no_alloc:
            native.load_mode = (_LOAD_MODE_MMAP if params.use_mmap else _LOAD_MODE_READ) + (
                _MLOCK if params.use_mlock else 0
            )
        native.use_extra_bufts = params.use_repack
        native.no_alloc = params.no_alloc
        native.load_mtp = params.load_heads
        placement = DevicePlacement(params)
        placement.apply_to(native)

        def report(fraction: float, _user_data: Any) -> bool:
            if on_progress is not None:
                on_progress(fraction)
            return True

        callback = lib.llama_progress_callback(report)
        native.progress_callback = callback
        self._model = lib.llama_model_load_from_file(encoded_path(params.path), native)
        if not self._model:
            raise ValueError(tr_noop("llama.cpp could not load the model"))
        self.n_ctx_train = int(lib.llama_model_n_ctx_train(self._model))
        self.n_head = int(lib.llama_model_n_head(self._model))
        self.n_head_kv = int(lib.llama_model_n_head_kv(self._model))
        self.head_dim = self._read_head_dim()
        self.n_layers = int(lib.llama_model_n_layer(self._model))
        self.memory_shape = MemoryShape(
            n_swa=int(lib.llama_model_n_swa(self._model)),
            is_recurrent=bool(
                lib.llama_model_is_recurrent(self._model) or lib.llama_model_is_hybrid(self._model)
            ),
        )
        self.has_kv_cache = not lib.llama_model_is_recurrent(self._model)
        """Whether any layer has a KV cache; else each sequence only has its recurrent state."""
        self.n_vocab = int(lib.llama_vocab_n_tokens(lib.llama_model_get_vocab(self._model)))

    @cached_property
    def vocab(self) -> Vocab:
        """The vocabulary. Not for a model with a dummy vocabulary: llama.cpp aborts on using it."""
        return Vocab(self._model)

    def _read_head_dim(self) -> int:
        explicit = self.metadata(f"{self.architecture}.attention.key_length") or ""
        if explicit.isdecimal():
            return int(explicit)
        n_head = int(lib.llama_model_n_head(self._model))
        return int(lib.llama_model_n_embd(self._model)) // max(1, n_head)

    @property
    def handle(self) -> Any:
        return self._model

    @property
    def architecture(self) -> str:
        """``general.architecture`` of the file; empty if it is missing."""
        return self.metadata("general.architecture") or ""

    @property
    def rope_freq_scale(self) -> float:
        """The file's RoPE frequency scale; 1 for none."""
        for key in ("rope.scaling.factor", "rope.scale_linear"):
            with suppress(ValueError):
                factor = float(self.metadata(f"{self.architecture}.{key}") or 0)
                if factor > 0:
                    return 1 / factor
        return 1.0

    @property
    def can_generate(self) -> bool:
        """Whether it generates text token by token, which encoders and diffusion models do not."""
        model = self._model
        return bool(
            lib.llama_model_has_decoder(model)
            and not lib.llama_model_has_encoder(model)
            and not lib.llama_model_is_diffusion(model)
        )

    def metadata(self, key: str) -> str | None:
        """Return a value of the file's metadata as text; ``None`` if it is missing."""
        buffer = ctypes.create_string_buffer(_METADATA_BYTES)
        n = lib.llama_model_meta_val_str(self._model, key.encode(), buffer, len(buffer))
        return buffer.value.decode("utf-8", "replace") if n >= 0 else None

    @property
    def is_causal(self) -> bool:
        """Whether attention is causal, as far as the file says, so that a text may be decoded in parts."""
        causal = self.metadata(f"{self.architecture}.attention.causal")
        return self.can_generate and causal != "false" and self.architecture not in _BIDIRECTIONAL

    def chat_template(self, name: str | None = None) -> str | None:
        """Return the template ``name`` of the file, such as ``tool_use`` or ``rerank``, or the default."""
        template = lib.llama_model_chat_template(self._model, None if name is None else name.encode())
        return template.decode("utf-8", "replace") if template else None

    def close(self) -> None:
        """Free the model. Its contexts must be closed before."""
        if self._model:
            lib.llama_model_free(self._model)
            self._model = None


def apply_context_params(native: Any, params: ContextParams, model: Model, abort: AbortFlag) -> None:
    """Set the fields of ``native``, a ``llama_context_params``, that are the same for all purposes.

    ``abort`` must live as long as the context: llama.cpp reads its memory.
    """
    native.abort_callback = strlen_as_abort_callback()
    native.abort_callback_data = abort.address
    native.n_threads = params.n_threads
    native.n_threads_batch = params.n_threads_batch or params.n_threads
    native.flash_attn_type = FLASH_ATTENTION[params.flash_attn]
    native.type_k = CACHE_TYPES[params.cache_type_k]
    native.type_v = CACHE_TYPES[params.cache_type_v]
    native.offload_kqv = params.offload_kqv
    native.op_offload = params.op_offload
    native.swa_full = params.swa_full
    native.rope_freq_base = params.rope_freq_base
    native.rope_freq_scale = params.rope_freq_scale
    is_longer = 0 < model.n_ctx_train < params.n_ctx
    if params.rope_scaling is not RopeScaling.MODEL and (is_longer or params.rope_freq_scale):
        # Within the trained length scaling would only make answers worse.
        native.rope_scaling_type = _ROPE_SCALING[params.rope_scaling]
        if not params.rope_freq_scale:
            native.rope_freq_scale = model.rope_freq_scale * model.n_ctx_train / params.n_ctx


class Computation:
    """Decodes batches in a context, with as many threads as there are free cores.

    Attributes:
        n_threads: the most threads; prompts may have a number of their own.
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        self.n_threads = int(lib.llama_n_threads(context))
        self._n_threads_batch = int(lib.llama_n_threads_batch(context))
        self._threads = ThreadCount(self.n_threads)

    def decode(self, batch: TokenBatch) -> DecodeResult:
        """Decode ``batch``. Releases the GIL."""
        batch.native.n_tokens = batch.n_tokens
        started = time.perf_counter()
        result = DecodeResult(lib.llama_decode(self._context, batch.native))
        if self._threads.add_step(time.perf_counter() - started):
            n_fewer = self.n_threads - self._threads.n
            n_batch = max(1, self._n_threads_batch - n_fewer)
            lib.llama_set_n_threads(self._context, self._threads.n, n_batch)
        return result


class Context(Closeable):
    """A ``llama_context``: decoding and memory. Raises ``ValueError`` if llama.cpp cannot create it."""

    def __init__(
        self, model: Model, params: ContextParams, *, abort: AbortFlag, predicts_for: Context | None = None
    ) -> None:
        """``predicts_for`` makes it a context of the model's prediction heads, see ``HeadContext``."""
        native = lib.llama_context_default_params()
        if predicts_for is not None:
            native.ctx_type = lib.LLAMA_CONTEXT_TYPE_MTP
            native.ctx_other = predicts_for.handle
        native.n_ctx = params.n_shared_cells or params.n_ctx * params.n_seq_max
        native.n_seq_max = params.n_seq_max
        native.n_batch = params.n_batch
        native.n_ubatch = params.n_ubatch
        # 0 would mean n_batch, and a buffer of that many times the vocabulary.
        native.n_outputs_max = self.n_outputs_max = max_outputs(
            n_seq_max=params.n_seq_max, n_draft=params.n_draft, n_batch=params.n_batch
        )
        # Recurrent memory keeps so many older states to roll back to.
        native.n_rs_seq = params.n_draft
        apply_context_params(native, params, model, abort)
        # With a unified cache a step is one forward pass, however many sequences take part. With a cache for
        # each, only neighbours with equally many tokens are computed together.
        native.kv_unified = bool(params.n_shared_cells)
        self._abort = abort
        self._context = lib.llama_init_from_model(model.handle, native)
        if not self._context:
            raise ValueError(tr_noop("llama.cpp could not create the context"))
        self._memory = lib.llama_get_memory(self._context)
        if not self._memory:
            self.close()
            raise ValueError(tr_noop("the model has no KV cache"))
        self._row = ctypes.c_float * model.n_vocab
        self._rows: dict[int, npt.NDArray[np.float32]] = {}
        """Views of the rows of logits by address, which are the same in every step."""
        self.n_embd = int(lib.llama_model_n_embd_out(model.handle))
        """Width of the state behind a token."""
        self.shape = model.memory_shape
        # With a window as long as the context llama.cpp would, and aborts if no layer has full attention.
        self.can_shift = not self.shape.needs_checkpoints and bool(lib.llama_memory_can_shift(self._memory))
        if params.swa_full:
            self.shape = msgspec.structs.replace(self.shape, n_swa=0)
        n_ctx = -(-params.n_ctx // _CELLS_MULTIPLE) * _CELLS_MULTIPLE
        self.n_ctx = min(n_ctx, int(lib.llama_n_ctx_seq(self._context)))
        self.shares_cells = bool(params.n_shared_cells) and model.has_kv_cache
        self.n_cells = (
            int(lib.llama_n_ctx(self._context)) if self.shares_cells else self.n_ctx * params.n_seq_max
        )
        self.n_batch = int(lib.llama_n_batch(self._context))
        self.n_ubatch = int(lib.llama_n_ubatch(self._context))
        self.n_seq_max = int(lib.llama_n_seq_max(self._context))
        self.n_stages = 1
        """Pipeline stages. llama.cpp reports them only in its log; set by the loader, which reads that."""
        self._computation = Computation(self._context)
        self.n_threads = self._computation.n_threads
        self.n_rollback = int(lib.llama_n_rs_seq(self._context))
        """Tokens by which a recurrent memory can be rolled back; 0 for none."""

    @property
    def handle(self) -> Any:
        return self._context

    def reserve(self) -> None:
        """Allocate compute buffers now, which llama.cpp would do with the next batch after a change.

        Exported to C++ only; except on Linux and macOS the next batch does it.
        """
        with suppress(AttributeError):
            symbol(_RESERVE, None, [ctypes.c_void_p])(ctypes.cast(self._context, ctypes.c_void_p))

    def warm_up(self) -> None:
        """Decode one token and remove it, so that no request waits for the initialization of a device."""
        batch = TokenBatch(1)
        batch.add(np.zeros(1, np.int32), sequence=0, position=0, wants_logits=True)
        self.decode(batch)
        lib.llama_synchronize(self._context)
        self.clear(0)

    def decode(self, batch: TokenBatch) -> DecodeResult:
        """Decode ``batch``. Releases the GIL."""
        return self._computation.decode(batch)

    def n_passes(self, parts: Mapping[int, int]) -> int:
        """Return the number of forward passes of a batch with ``parts[sequence]`` tokens of each sequence.

        As llama.cpp splits batches: with recurrent states, or a cache for each sequence, a pass has equally
        many tokens of each sequence, and only of neighbours unless they share cells besides their states.
        """
        if self.shares_cells and not self.shape.is_recurrent:
            return -(-sum(parts.values()) // self.n_ubatch)
        remaining = dict(sorted(parts.items()))
        n_passes = 0
        while remaining:
            n_passes += 1
            group = list(remaining)
            if not self.shares_cells:
                group = [sequence for n, sequence in enumerate(remaining) if sequence == group[0] + n]
            n_each = min(*(remaining[sequence] for sequence in group), max(1, self.n_ubatch // len(group)))
            for sequence in group:
                remaining[sequence] -= n_each
            remaining = {sequence: n for sequence, n in remaining.items() if n}
        return n_passes

    def logits(self, index: int) -> npt.NDArray[np.float32]:
        """Return a view of the logits of the token at ``index`` of the last batch, valid until the next."""
        address = _logits_at(self._context, index)
        if address not in self._rows:
            self._rows[address] = np.frombuffer(memoryview(self._row.from_address(address)), np.float32)
        return self._rows[address]

    # Memory

    def remove_from(self, sequence: int, position: int) -> bool:
        """Remove the tokens from ``position`` on; false if the memory cannot be rolled back there."""
        return bool(lib.llama_memory_seq_rm(self._memory, sequence, position, -1))

    def remove(self, sequence: int, start: int, end: int) -> bool:
        """Remove the tokens from ``start`` to before ``end``; false if the memory cannot do that."""
        return bool(lib.llama_memory_seq_rm(self._memory, sequence, start, end))

    def shift(self, sequence: int, start: int, by: int) -> None:
        """Move the tokens at ``start`` and after by so many positions. Only where ``can_shift``."""
        lib.llama_memory_seq_add(self._memory, sequence, start, -1, by)

    def clear(self, sequence: int) -> None:
        """Remove all tokens of a sequence."""
        lib.llama_memory_seq_rm(self._memory, sequence, -1, -1)

    def first_position(self, sequence: int) -> int:
        """Return the position of a sequence's first token; -1 for none."""
        return int(lib.llama_memory_seq_pos_min(self._memory, sequence))

    def last_position(self, sequence: int) -> int:
        """Return the position of a sequence's last token; -1 for none."""
        return int(lib.llama_memory_seq_pos_max(self._memory, sequence))

    def state_bytes(self, sequence: int, part: StatePart) -> int:
        """Return the size of a saved state."""
        return int(lib.llama_state_seq_get_size_ext(self._context, sequence, part))

    def save_state(self, sequence: int, part: StatePart) -> State | None:
        """Return a copy of the state of ``sequence``; ``None`` where llama.cpp returns none."""
        state: State = np.empty(self.state_bytes(sequence, part), np.uint8)
        pointer = state.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))
        n_bytes = lib.llama_state_seq_get_data_ext(self._context, pointer, state.nbytes, sequence, part)
        return state if 0 < n_bytes == state.nbytes else None

    def load_state(self, sequence: int, state: State, part: StatePart) -> bool:
        """Replace the state of ``sequence``. False if it does not fit; the content is undefined then."""
        pointer = state.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))
        n_bytes = lib.llama_state_seq_set_data_ext(self._context, pointer, state.nbytes, sequence, part)
        return 0 < int(n_bytes) == state.nbytes

    def close(self) -> None:
        """Free the context. Idempotent."""
        if self._context:
            lib.llama_free(self._context)
            self._context = None


# Adapt the number of threads to cores that other programs keep busy.
#
# llama.cpp joins its threads after each operation, some hundred times a token, so a thread that has to wait
# for a core holds up all the others, and one thread fewer computes more. Measured on two cores beside one
# busy program: 8 to 25 tokens a second by two threads, depending on how long they spin, 37 to 43 by one.


_TASKS: Final = Path("/proc/self/task")
_NS: Final = 1e-9
_SAMPLE_S: Final = 0.1
"""Computing time between two samples of the system's counters, whose resolution is 10 ms."""
_SAMPLE_S_PER_THREAD: Final = 0.005
"""Each sample reads a file per thread."""
_WAITED_SHARE: Final = 0.9
"""Fraction of one thread's work that may be lost to waiting before a thread is removed."""
_IDLE_SHARE: Final = 0.6
"""Fraction of a core that must have been idle for a thread to be added."""


class CoreTimes(NamedTuple):
    """Counters of the system in seconds."""

    at_s: float
    waited_s: float
    """Total time that threads of this process were ready to run and had no core."""
    idle_s: float
    """Total idle time of the cores that this process may use."""


class ThreadCount:
    """The current number of threads.

    Args:
        n_max: the configured number; used throughout where the system has no such counters.

    Attributes:
        n: from 1 to ``n_max``.
    """

    def __init__(self, n_max: int, *, read: Callable[[], CoreTimes | None] | None = None) -> None:
        self.n = self._n_max = n_max
        self._read = read or core_times
        self._sample_s = max(_SAMPLE_S, n_max * _SAMPLE_S_PER_THREAD)
        self._computed_s = 0.0
        self._last_sample = self._read() if n_max > 1 else None

    def add_step(self, seconds: float) -> bool:
        """Record a step that took ``seconds``; return whether ``n`` has changed."""
        self._computed_s += seconds
        if self._last_sample is None or self._computed_s < self._sample_s:
            return False
        before, sample, n_before = self._last_sample, self._read(), self.n
        if sample is not None:
            # A thread that has ended is no longer counted.
            n_waiting = max(0.0, sample.waited_s - before.waited_s) / self._computed_s
            n_idle = (sample.idle_s - before.idle_s) / max(_SAMPLE_S, sample.at_s - before.at_s)
            if n_waiting * self.n > _WAITED_SHARE:
                self.n = max(1, self.n - max(1, round(n_waiting)))
            else:
                self.n = min(self._n_max, self.n + int(n_idle + 1 - _IDLE_SHARE))
        self._last_sample, self._computed_s = sample, 0.0
        return self.n != n_before


def core_times() -> CoreTimes | None:
    """Return the system's counters; ``None`` where there are none, as on any system but Linux.

    Source: the kernel's Documentation/scheduler/sched-stats.rst, /proc/<pid>/schedstat.
    """
    if sys.platform != "linux":
        return None
    waited_ns = 0
    try:
        for task in _TASKS.iterdir():
            try:
                waited_ns += int((task / "schedstat").read_bytes().split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue  # it has ended
    except (OSError, IndexError, ValueError):
        return None
    cores = psutil.cpu_times(percpu=True)
    allowed = [core for core in psutil.Process().cpu_affinity() if core < len(cores)]
    return CoreTimes(time.perf_counter(), waited_ns * _NS, sum(cores[core].idle for core in allowed))
