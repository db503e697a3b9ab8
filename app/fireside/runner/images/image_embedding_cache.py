"""Cache of image embeddings."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from fireside.core.errors import RequestError
from fireside.core.i18n import Translatable, tr_noop
from fireside.core.message import PerceivedPart
from fireside.runner.decoder import DecodeResult
from fireside.runner.images.image_decoding import DecodedImage
from fireside.runner.images.sound_decoding import DecodedSound
from fireside.runner.tokens import Tokens

Embeddings = npt.NDArray[np.float32]
Positions = npt.NDArray[np.int32]

BUDGET_BYTES: Final = 64 * 1024 * 1024

_SECTIONS: Final = 4
"""Positions of one embedding in a model with M-RoPE: time, row, column, and one that is not used."""


class EncodedSpan(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The embeddings of one span of an image.

    ``embeddings`` has one row for each cell; ``positions`` one column for each, with one row, or four with
    M-RoPE, as if the span began at position 0.
    """

    embeddings: Embeddings
    positions: Positions
    n_pos: int
    """Positions that the span takes: distance from its first token to the next one after it."""
    is_causal: bool = True
    """Whether a cell attends only to those before it. Else the span is decoded as a whole."""

    @property
    def n_tokens(self) -> int:
        """Number of cells in a prompt."""
        return len(self.embeddings)

    @property
    def n_bytes(self) -> int:
        """Size in memory."""
        return int(self.embeddings.nbytes) + int(self.positions.nbytes)

    def positions_from(self, first: int) -> Positions:
        """Return the positions of a span that begins at ``first``."""
        shifted = self.positions + np.int32(first)
        if len(shifted) == _SECTIONS:
            shifted[_SECTIONS - 1] = self.positions[_SECTIONS - 1]
        return shifted


class DecodedCells(NamedTuple):
    """Result of decoding cells of a span, and how many were added to the KV cache."""

    result: DecodeResult
    n_cells: int


class ImageMatch(msgspec.Struct, frozen=True, kw_only=True):
    """An image or sound of a request: its number from 1, its content, and the index of the span from 0."""

    number: int
    medium: DecodedImage | DecodedSound
    span: int

    def error(self, reason: Translatable) -> RequestError:
        """Return the error that it cannot be used."""
        code = "invalid_image" if isinstance(self.medium, DecodedImage) else "invalid_audio"
        return RequestError.of(code, number=self.number, reason=reason)


class SpanEncoder(Protocol):
    """Encodes pixels or samples to embeddings; see ``Projector``."""

    def encode(self, medium: DecodedImage | DecodedSound, *, span: int) -> EncodedSpan: ...


class ImageFinder(Protocol):
    """Finds the image of given cells; see ``ImageTokenizer``."""

    def find(self, cells: Tokens, images: Sequence[PerceivedPart]) -> ImageMatch: ...


class Encoder:
    """Encodes spans, with a least-recently-used cache of ``budget_bytes``."""

    def __init__(
        self, *, projector: SpanEncoder, finder: ImageFinder, budget_bytes: int = BUDGET_BYTES
    ) -> None:
        self._projector = projector
        self._finder = finder
        self._budget_bytes = budget_bytes
        self._n_bytes = 0
        self._encoded: OrderedDict[bytes, EncodedSpan] = OrderedDict()

    def cached(self, cells: Tokens) -> EncodedSpan | None:
        """Return the cached span of these cells."""
        key = cells.tobytes()
        span = self._encoded.get(key)
        if span is not None:
            self._encoded.move_to_end(key)
        return span

    def encode(self, cells: Tokens, images: Sequence[PerceivedPart]) -> EncodedSpan:
        """Encode the span of ``cells``, which belongs to one of ``images``. Slow; cannot be aborted.

        Raises:
            invalid_image, invalid_audio: it cannot be encoded.
        """
        match = self._finder.find(cells, images)
        try:
            span = self._projector.encode(match.medium, span=match.span)
        except (ValueError, IndexError) as exc:
            raise match.error(tr_noop("the model's projector cannot read it.")) from exc
        if span.n_tokens != len(cells):
            raise match.error(tr_noop("the model's projector gave an unexpected result."))
        self._store(cells.tobytes(), span)
        return span

    def _store(self, key: bytes, span: EncodedSpan) -> None:
        if span.n_bytes > self._budget_bytes:
            return
        replaced = self._encoded.pop(key, None)
        self._n_bytes += span.n_bytes - (replaced.n_bytes if replaced is not None else 0)
        self._encoded[key] = span
        while self._n_bytes > self._budget_bytes:
            _, oldest = self._encoded.popitem(last=False)
            self._n_bytes -= oldest.n_bytes
