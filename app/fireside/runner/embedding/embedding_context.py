"""A llama.cpp context for embeddings: each input is pooled into one vector."""

from __future__ import annotations

import ctypes
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from fireside.core.closeable import Closeable
from fireside.core.i18n import tr_noop
from fireside.core.options import Pooling, Purpose
from fireside.runner.decoder import DecodeResult
from fireside.runner.llama import AbortFlag, Computation, Model, apply_context_params
from fireside.runner.native import lib
from fireside.runner.parameter_checks import ContextParams
from fireside.runner.token_batch import TokenBatch

Vector = npt.NDArray[np.float32]

_POOLING_OF_FILE: Final = -1
_POOLING: Final = {Pooling.MODEL: _POOLING_OF_FILE, Pooling.MEAN: 1, Pooling.CLS: 2, Pooling.LAST: 3}
_POOLING_NONE: Final = 0
_POOLING_LAST: Final = 3
_POOLING_RANK: Final = 4


class EmbeddingContext(Closeable):
    """Pools up to ``n_seq_max`` inputs of together ``n_batch`` tokens at once.

    With bidirectional attention an input is decoded as a whole. With causal attention only the last token of
    each has an output: llama.cpp would compute the logits of every token in a pass for embeddings, 5 GB for
    8,192 tokens with a vocabulary of 152k, and hold them twice.

    Args:
        pooling: for an embedding model; a reranker has its own.

    Raises:
        ValueError: llama.cpp could not create the context; the log says why.
    """

    def __init__(
        self, model: Model, params: ContextParams, *, purpose: Purpose, pooling: Pooling, abort: AbortFlag
    ) -> None:
        native = lib.llama_context_default_params()
        native.n_ctx = native.n_batch = native.n_ubatch = params.n_ctx
        native.n_seq_max = params.n_seq_max
        # The inputs of a batch share its cells; none is kept.
        native.kv_unified = True
        native.embeddings = True
        pooling_type = _POOLING_RANK if purpose is Purpose.RERANK else _POOLING[pooling]
        native.pooling_type = _pooling_of(model) if pooling_type == _POOLING_OF_FILE else pooling_type
        apply_context_params(native, params, model, abort)
        self._abort = abort
        self._split_batches: tuple[TokenBatch, TokenBatch] | None = None
        if native.pooling_type in (_POOLING_LAST, _POOLING_RANK) and model.is_causal:
            native.n_ubatch = min(params.n_ubatch, params.n_ctx)
            native.n_outputs_max = params.n_seq_max
            self._split_batches = TokenBatch(params.n_ctx), TokenBatch(params.n_seq_max)
        self._context = self._make(model, native)
        if self._split_batches is not None and not lib.llama_get_memory(self._context):
            self.close()
            native.n_ubatch, native.n_outputs_max, self._split_batches = params.n_ctx, 0, None
            self._context = self._make(model, native)
        self._memory = lib.llama_get_memory(self._context)
        self.n_batch = int(lib.llama_n_batch(self._context))
        self.n_ctx = self.n_batch
        """Most tokens of one input; llama.cpp's own figure is rounded up."""
        self.n_seq_max = int(lib.llama_n_seq_max(self._context))
        self._computation = Computation(self._context)
        self.n_threads = self._computation.n_threads
        is_rank = purpose is Purpose.RERANK
        self.n_dimensions = 1 if is_rank else int(lib.llama_model_n_embd_out(model.handle))

    def _make(self, model: Model, native: Any) -> Any:
        context = lib.llama_init_from_model(model.handle, native)
        if not context:
            raise ValueError(tr_noop("llama.cpp could not create the context"))
        return context

    @property
    def handle(self) -> Any:
        return self._context

    def decode(self, batch: TokenBatch) -> DecodeResult:
        """Decode all inputs of ``batch`` with an empty memory. Releases the GIL."""
        if self._memory:
            lib.llama_memory_clear(self._memory, False)
        if self._split_batches is None:
            return self._computation.decode(batch)
        before, last = self._split_batches
        before.clear()
        last.clear()
        for sequence, position, tokens in batch.runs():
            n_before = len(tokens) - 1
            if n_before:
                before.add(tokens[:-1], sequence=sequence, position=position, wants_logits=False)
            last.add(tokens[-1:], sequence=sequence, position=position + n_before, wants_logits=True)
        if before.n_tokens:
            lib.llama_set_embeddings(self._context, False)
            result = self._computation.decode(before)
            if result is not DecodeResult.DONE:
                return result
        lib.llama_set_embeddings(self._context, True)
        return self._computation.decode(last)

    def vector(self, sequence: int) -> Vector:
        """Return a copy of the pooled vector of ``sequence`` in the last batch.

        Raises:
            ValueError: llama.cpp has none.
        """
        pointer = lib.llama_get_embeddings_seq(self._context, sequence)
        if not pointer:
            raise ValueError("there is no vector of this sequence")
        address = ctypes.cast(pointer, ctypes.POINTER(ctypes.c_float))
        return np.ctypeslib.as_array(address, (self.n_dimensions,)).copy()

    def close(self) -> None:
        """Free the context. Idempotent."""
        if self._context:
            lib.llama_free(self._context)
            self._context = None


def _pooling_of(model: Model) -> int:
    """Return the pooling type of the file, llama.cpp's ``enum llama_pooling_type``."""
    stored = model.metadata(f"{model.architecture}.pooling_type")
    kind = int(stored) if stored is not None and stored.isdecimal() else _POOLING_NONE
    # A model that was not made for embeddings has no pooling type; its last token has seen all others.
    return kind if kind != _POOLING_NONE else _POOLING_LAST
