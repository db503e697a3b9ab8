"""llama.cpp contexts that can decode images as well as text."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np

from fireside.runner.decoder import DecodeResult
from fireside.runner.images.image_embedding_cache import DecodedCells, Embeddings, EncodedSpan, Positions
from fireside.runner.kv_memory import State, StatePart
from fireside.runner.llama import AbortFlag, Context, Model
from fireside.runner.native import lib
from fireside.runner.parameter_checks import ContextParams
from fireside.runner.token_batch import TokenBatch
from fireside.runner.tokens import Tokens


class ImageContext(Context):
    """A context of a model whose images take as many positions as tokens."""

    def __init__(self, model: Model, params: ContextParams, *, abort: AbortFlag) -> None:
        super().__init__(model, params, abort=abort)
        self.n_image_max = min(self.n_batch, self.n_ubatch)
        """Most cells of an image in one step; see ``decode_span``."""

    def decode_span(
        self, span: EncodedSpan, *, sequence: int, start: int, offset: int, wants_logits: bool
    ) -> DecodedCells:
        """Decode cells, from ``offset`` on, of a span whose first token has index ``start``.

        Where it is not causal, it is decoded as a whole. Releases the GIL.
        """
        n_cells = span.n_tokens - offset
        if span.is_causal:
            n_cells = min(n_cells, self.n_image_max)
        if n_cells > self.n_image_max:
            return DecodedCells(DecodeResult.FAILED, 0)
        positions = span.positions_from(self._first_position(sequence, span, start))
        result = self._decode_embeddings(
            span.embeddings[offset : offset + n_cells],
            positions[:, offset : offset + n_cells],
            sequence=sequence,
            wants_logits=wants_logits and offset + n_cells == span.n_tokens,
            is_causal=span.is_causal,
        )
        return DecodedCells(result, n_cells if result is DecodeResult.DONE else 0)

    def _first_position(self, _sequence: int, _span: EncodedSpan, start: int) -> int:
        """Return the first position of a span whose first token has index ``start``."""
        return start

    def _decode_embeddings(
        self,
        embeddings: Embeddings,
        positions: Positions,
        *,
        sequence: int,
        wants_logits: bool,
        is_causal: bool,
    ) -> DecodeResult:
        n_tokens = len(embeddings)
        embeddings = np.ascontiguousarray(embeddings, np.float32)
        positions = np.ascontiguousarray(positions, np.int32)
        outputs = np.zeros(n_tokens, np.int8)
        outputs[-1] = wants_logits
        counts = np.ones(n_tokens, np.int32)
        sequences = np.array([sequence], np.int32)
        pointers = np.full(n_tokens, sequences.ctypes.data, np.uint64)
        native: Any = lib.llama_batch()
        native.n_tokens = n_tokens
        native.embd = embeddings.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        native.pos = positions.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))
        native.n_seq_id = counts.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))
        native.seq_id = pointers.ctypes.data_as(ctypes.POINTER(ctypes.POINTER(ctypes.c_int32)))
        native.logits = outputs.ctypes.data_as(ctypes.POINTER(ctypes.c_int8))
        if is_causal:
            return self._decode_native(native)
        lib.llama_set_causal_attn(self.handle, False)
        try:
            return self._decode_native(native)
        finally:
            lib.llama_set_causal_attn(self.handle, True)

    def _decode_native(self, native: Any) -> DecodeResult:
        return DecodeResult(lib.llama_decode(self.handle, native))


class MropeContext(ImageContext):
    """A context of a model whose images take fewer positions than tokens (M-RoPE).

    All methods count in tokens, as everywhere; only llama.cpp gets positions. The saved state of a sequence
    includes the positions of its images.
    """

    def __init__(self, model: Model, params: ContextParams, *, abort: AbortFlag) -> None:
        super().__init__(model, params, abort=abort)
        self._rope_positions = [RopePositions() for _ in range(self.n_seq_max)]
        self.can_shift = False

    def position(self, sequence: int, index: int) -> int:
        """Return the position of the token at ``index`` of a sequence."""
        return self._rope_positions[sequence].position(index)

    def _first_position(self, sequence: int, span: EncodedSpan, start: int) -> int:
        positions = self._rope_positions[sequence]
        positions.add(start=start, n_tokens=span.n_tokens, n_pos=span.n_pos)
        return positions.position(start)

    def decode_span(
        self, span: EncodedSpan, *, sequence: int, start: int, offset: int, wants_logits: bool
    ) -> DecodedCells:
        decoded = super().decode_span(
            span, sequence=sequence, start=start, offset=offset, wants_logits=wants_logits
        )
        if decoded.result is not DecodeResult.DONE:
            # llama.cpp removes what it had started by position, and all cells of an image share one.
            self._rope_positions[sequence].cut(start)
        return decoded

    def remove_from(self, sequence: int, position: int) -> bool:
        first_removed = self.position(sequence, position)
        removed = super().remove_from(sequence, first_removed)
        if removed:
            self._rope_positions[sequence].cut(position)
        return removed

    def remove(self, sequence: int, start: int, end: int) -> bool:  # noqa: ARG002
        """Do nothing: what follows an image cannot move."""
        return False

    def clear(self, sequence: int) -> None:
        super().clear(sequence)
        self._rope_positions[sequence].cut(0)

    def first_position(self, sequence: int) -> int:
        return self._rope_positions[sequence].index(super().first_position(sequence))

    def last_position(self, sequence: int) -> int:
        return self._rope_positions[sequence].index(super().last_position(sequence))

    def save_state(self, sequence: int, part: StatePart) -> State | None:
        state = super().save_state(sequence, part)
        return None if state is None else np.concatenate([state, self._rope_positions[sequence].packed()])

    def load_state(self, sequence: int, state: State, part: StatePart) -> bool:
        rest = self._rope_positions[sequence].unpack(state)
        return rest is not None and super().load_state(sequence, rest, part)


class MropeBatch(TokenBatch):
    """A batch whose tokens get M-RoPE positions."""

    def __init__(self, n_max: int, *, context: MropeContext) -> None:
        super().__init__(n_max)
        self._context = context

    def add(self, tokens: Tokens, *, sequence: int, position: int, wants_logits: bool) -> int:
        rope_position = self._context.position(sequence, position)
        return super().add(tokens, sequence=sequence, position=rope_position, wants_logits=wants_logits)


_N_FIELDS = 3
_COUNT_BYTES = 4


class SpanPosition(NamedTuple):
    """A span of an image in the memory of a sequence: its token indices, and its positions."""

    start: int
    n_tokens: int
    position: int
    n_pos: int

    @property
    def end(self) -> int:
        """Index after its last cell."""
        return self.start + self.n_tokens


class RopePositions:
    """The image spans in the memory of one sequence, in order."""

    def __init__(self) -> None:
        self._spans: list[SpanPosition] = []

    def position(self, index: int) -> int:
        """Return the position of the token at ``index``, which may start an image but not be inside one."""
        before = [span for span in self._spans if span.end <= index]
        if not before:
            return index
        last = before[-1]
        return last.position + last.n_pos + index - last.end

    def index(self, position: int) -> int:
        """Return the index of the last token at ``position``; -1 for -1."""
        before = [span for span in self._spans if span.position <= position]
        if not before:
            return position
        last = before[-1]
        if position < last.position + last.n_pos:
            return last.end - 1
        return last.end + position - last.position - last.n_pos

    def add(self, *, start: int, n_tokens: int, n_pos: int) -> None:
        """Add a span at token index ``start``, replacing everything after it."""
        self.cut(start)
        self._spans.append(SpanPosition(start, n_tokens, self.position(start), n_pos))

    def cut(self, n_tokens: int) -> None:
        """Remove the spans that are not within the first ``n_tokens``."""
        self._spans = [span for span in self._spans if span.end <= n_tokens]

    def packed(self) -> State:
        """Return the table as bytes, to be appended to a saved state."""
        numbers = [field for span in self._spans for field in (span.start, span.n_tokens, span.n_pos)]
        return np.array([*numbers, len(self._spans)], np.int32).view(np.uint8)

    def unpack(self, state: State) -> State | None:
        """Restore the table from the end of a saved state and return the rest; ``None`` if there is none."""
        if state.nbytes < _COUNT_BYTES:
            return None
        n_spans = int(state[-_COUNT_BYTES:].copy().view(np.int32)[0])
        n_table = _COUNT_BYTES * (1 + _N_FIELDS * n_spans)
        if n_spans < 0 or n_table > state.nbytes:
            return None
        table = state[state.nbytes - n_table : state.nbytes - _COUNT_BYTES].copy().view(np.int32)
        self._spans = []
        for start, n_tokens, n_pos in table.reshape(n_spans, _N_FIELDS).tolist():
            self.add(start=start, n_tokens=n_tokens, n_pos=n_pos)
        return state[: state.nbytes - n_table]
