"""Schedule images between batches of text: encoded in one step, decoded in the following ones."""

from __future__ import annotations

from collections import abc
from typing import Final, NamedTuple, Protocol

from fireside.core.generation import Priority
from fireside.core.message import PerceivedPart
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.runner.decoder import DecodeResult
from fireside.runner.image_token_ids import n_before_image, span_end, span_start
from fireside.runner.images.image_embedding_cache import DecodedCells, EncodedSpan, Encoder
from fireside.runner.slots import Slot


class SpanDecoder(Protocol):
    """Decodes encoded images into the KV cache; see ``ImageContext``."""

    def decode_span(
        self, span: EncodedSpan, *, sequence: int, start: int, offset: int, wants_logits: bool
    ) -> DecodedCells: ...


NOT_YET: Final = DecodedCells(DecodeResult.DONE, 0)


class _Current(NamedTuple):
    cells: bytes
    span: EncodedSpan


class ImageQueue:
    """Alternates images with batches of text, so that a stream waits for one encoding at most.

    Encoding cannot be aborted, and takes seconds on a slow machine: a Cancel is handled after it.
    """

    def __init__(self, *, encoder: Encoder, decoder: SpanDecoder) -> None:
        self._encoder = encoder
        self._decoder = decoder
        self._current: dict[int, _Current] = {}
        self._image_was_last = False

    def n_text(self, slot: Slot) -> int:
        """Return how many text tokens a slot has to decode before its next image."""
        return n_before_image(slot.pending(slot.n_pending))

    def next(self, slots: abc.Sequence[Slot]) -> Slot | None:
        """Return the slot whose image is next; ``None`` if text is next."""
        busy = [slot for slot in slots if slot.sequence is not None]
        waiting = [slot for slot in busy if slot.n_pending and not self.n_text(slot)]
        self._image_was_last = bool(waiting) and not (self._image_was_last and len(waiting) < len(busy))
        return min(waiting, key=_schedule_order) if self._image_was_last else None

    def read(self, slot: Slot) -> DecodedCells:
        """Encode the next span in ``slot``, and decode nothing yet, or decode some of it.

        Raises:
            invalid_image, invalid_audio: it cannot be encoded.
        """
        sequence = slot.sequence
        if sequence is None:
            return NOT_YET
        start = span_start(slot.tokens, slot.n_past)
        end = span_end(slot.tokens, start)
        cells = slot.tokens[start:end]
        key = cells.tobytes()
        current = self._current.get(slot.index)
        span = current.span if current is not None and current.cells == key else self._encoder.cached(cells)
        if span is None:
            span = self._encoder.encode(cells, _images(sequence.task))
            # Kept in case it is evicted from the cache before it is decoded.
            self._current[slot.index] = _Current(key, span)
            return NOT_YET
        decoded = self._decoder.decode_span(
            span,
            sequence=slot.index,
            start=start,
            offset=slot.n_past - start,
            wants_logits=end == slot.n_tokens,
        )
        if slot.n_past + decoded.n_cells == end:
            self._current.pop(slot.index, None)
        return decoded


def _schedule_order(slot: Slot) -> tuple[bool, float]:
    """Interactive before background, then in order of arrival."""
    sequence = slot.sequence
    if sequence is None:
        return True, 0.0
    return sequence.task.priority is not Priority.INTERACTIVE, sequence.accepted_at


def _images(task: GenerationTask) -> tuple[PerceivedPart, ...]:
    if not isinstance(task.prompt, ChatInput):
        return ()
    return tuple(
        part for message in task.prompt.messages for part in message.parts if isinstance(part, PerceivedPart)
    )
