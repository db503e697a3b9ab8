"""Keep what images were encoded to, so that asking again does not encode again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from fireside.core.errors import InvalidImage
from fireside.core.i18n import tr_noop
from fireside.core.message import ImagePart
from fireside.runner.decoder import DecodeResult
from fireside.runner.images.image_decoding import Picture
from fireside.runner.tokens import Tokens

Embeddings = npt.NDArray[np.float32]
Positions = npt.NDArray[np.int32]

BUDGET_BYTES: Final = 64 * 1024 * 1024

_SECTIONS: Final = 4
"""Positions of one embedding in a model with M-RoPE: time, row, column, and one that is not used."""


class EncodedSpan(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What the model reads in place of one span.

    ``embeddings`` is one row for each cell; ``positions`` is one column for each, of one row or of four with
    M-RoPE, as if the span began at position 0.
    """

    embeddings: Embeddings
    positions: Positions
    n_pos: int
    """Positions that the span takes: the next token comes so far behind its first."""

    @property
    def n_tokens(self) -> int:
        """Cells that it takes in a prompt."""
        return len(self.embeddings)

    @property
    def n_bytes(self) -> int:
        """Memory that its embeddings take."""
        return int(self.embeddings.nbytes) + int(self.positions.nbytes)

    def positions_from(self, first: int) -> Positions:
        """Return the positions of a span that begins at ``first``."""
        moved = self.positions + np.int32(first)
        if len(moved) == _SECTIONS:
            moved[_SECTIONS - 1] = self.positions[_SECTIONS - 1]
        return moved


class DecodedCells(NamedTuple):
    """What became of a step that was to read cells of a span, and how many are in the KV cache by it."""

    result: DecodeResult
    n_cells: int


class ImageMatch(msgspec.Struct, frozen=True, kw_only=True):
    """Which image of a request it is, from 1, its pixels, and which of its spans, from 0."""

    number: int
    picture: Picture
    span: int


class SpanEncoder(Protocol):
    """Turns pixels into embeddings; see ``Projector``."""

    def encode(self, picture: Picture, *, span: int) -> EncodedSpan: ...


class ImageFinder(Protocol):
    """Knows which image cells stand for; see ``ImageTokenizer``."""

    def find(self, cells: Tokens, images: Sequence[ImagePart]) -> ImageMatch: ...


class Encoder:
    """Encodes spans, and remembers the last ones used, ``budget_bytes`` of them.

    What is forgotten lives on with its users.
    """

    def __init__(
        self, *, projector: SpanEncoder, finder: ImageFinder, budget_bytes: int = BUDGET_BYTES
    ) -> None:
        self._projector = projector
        self._finder = finder
        self._budget_bytes = budget_bytes
        self._n_bytes = 0
        self._encoded: OrderedDict[bytes, EncodedSpan] = OrderedDict()

    def known(self, cells: Tokens) -> EncodedSpan | None:
        """Return the span of these cells if it need not be encoded."""
        key = cells.tobytes()
        span = self._encoded.get(key)
        if span is not None:
            self._encoded.move_to_end(key)
        return span

    def encode(self, cells: Tokens, images: Sequence[ImagePart]) -> EncodedSpan:
        """Return the span of ``cells``, which is of one of ``images``. Takes long, and cannot be stopped.

        Raises:
            InvalidImage: it cannot be encoded.
        """
        found = self._finder.find(cells, images)
        try:
            span = self._projector.encode(found.picture, span=found.span)
        except (ValueError, IndexError) as exc:
            raise InvalidImage(
                number=found.number, reason=tr_noop("the model's projector cannot read it.")
            ) from exc
        if span.n_tokens != len(cells):
            raise InvalidImage(
                number=found.number,
                reason=tr_noop("the model's projector gave an unexpected result."),
            )
        self._keep(cells.tobytes(), span)
        return span

    def _keep(self, key: bytes, span: EncodedSpan) -> None:
        if span.n_bytes > self._budget_bytes:
            return
        replaced = self._encoded.pop(key, None)
        self._n_bytes += span.n_bytes - (replaced.n_bytes if replaced is not None else 0)
        self._encoded[key] = span
        while self._n_bytes > self._budget_bytes:
            _, oldest = self._encoded.popitem(last=False)
            self._n_bytes -= oldest.n_bytes
