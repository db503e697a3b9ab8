"""Tokenize prompts with images and sound, and find the one that a span of cells belongs to."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

import numpy as np

from fireside.core.errors import RequestError
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.message import AudioPart, PerceivedPart
from fireside.runner.image_token_ids import span_cells
from fireside.runner.images.image_decoding import DecodedImage, decode_picture
from fireside.runner.images.image_embedding_cache import ImageMatch
from fireside.runner.images.image_layout import ImageLayout, SpanShape
from fireside.runner.images.sound_decoding import DecodedSound, decode_sound
from fireside.runner.prompt.segments import Prompt
from fireside.runner.tokens import Tokens

_MAX_CACHED: Final = 512


class ImageLayouter(Protocol):
    """Returns the layout of an image or sound; see ``Projector``."""

    sees: bool
    hears: bool

    def layout_of(self, medium: DecodedImage | DecodedSound) -> ImageLayout: ...


class TextVocabulary(Protocol):
    """Tokenizes text, and gets the tokens of each image by its index."""

    def tokenize_segments(
        self, prompt: Prompt, *, image_tokens: Callable[[int], Tokens] | None = None
    ) -> list[Tokens]: ...


class _TokenizedImage(NamedTuple):
    """The tokens of one image, and the cells of each of its spans."""

    key: bytes
    tokens: Tokens
    spans: tuple[bytes, ...]


class ImageTokenizer:
    """Tokenizes prompts with images. Caches the layouts of images, and the pixels of the last one.

    Args:
        projector: ``None`` for a model without one.
    """

    def __init__(self, *, vocab: TextVocabulary, projector: ImageLayouter | None) -> None:
        self._vocab = vocab
        self._projector = projector
        self._tokenized_images: OrderedDict[bytes, _TokenizedImage] = OrderedDict()
        self._last: tuple[bytes, DecodedImage | DecodedSound] | None = None
        self._lock = threading.Lock()
        """Prompts are tokenized in one thread, and their images encoded in another."""

    def tokenize_segments(self, prompt: Prompt) -> list[Tokens]:
        """Return the BOS tokens, and the tokens of each segment; for an image its cells. Encodes nothing.

        Raises:
            images_unsupported, audio_unsupported: the model has no projector for what is there.
            invalid_image, invalid_audio: one of them cannot be decoded or laid out.
        """
        images = [self._tokenize_image(part, number=number) for number, part in _numbered(prompt.images)]
        return self._vocab.tokenize_segments(prompt, image_tokens=lambda index: images[index].tokens)

    def find(self, cells: Tokens, images: Sequence[PerceivedPart]) -> ImageMatch:
        """Return the image among ``images`` to which the span ``cells`` belongs.

        Raises:
            invalid_image: it belongs to none of them, which cannot happen for the images that were tokenized.
        """
        cells_key = cells.tobytes()
        for number, part in _numbered(images):
            image = self._tokenize_image(part, number=number)
            if cells_key in image.spans:
                medium = self._medium(image.key, part, number=number)
                return ImageMatch(number=number, medium=medium, span=image.spans.index(cells_key))
        raise RequestError.of("invalid_image", number=1, reason=tr_noop("it was lost on the way."))

    def _medium(self, key: bytes, part: PerceivedPart, *, number: int) -> DecodedImage | DecodedSound:
        """Decode an image or sound, once for all its spans, which are requested one after the other."""
        if self._last is None or self._last[0] != key:
            self._last = (key, _decoded(part, number=number))
        return self._last[1]

    def _tokenize_image(self, part: PerceivedPart, *, number: int) -> _TokenizedImage:
        is_sound = isinstance(part, AudioPart)
        projector = self._projector
        if projector is None or not (projector.hears if is_sound else projector.sees):
            raise RequestError.of("audio_unsupported") if is_sound else RequestError.of("images_unsupported")
        key = hashlib.sha256(part.data).digest()
        with self._lock:
            image = self._tokenized_images.get(key)
            if image is not None:
                self._tokenized_images.move_to_end(key)
                return image
        # Decoded in full, to reject a damaged image now and not in the middle of the prompt.
        medium = _decoded(part, number=number)
        try:
            layout = projector.layout_of(medium)
        except ValueError as exc:
            match = ImageMatch(number=number, medium=medium, span=0)
            raise match.error(Phrase(tr_noop("{why}."), {"why": Phrase(str(exc))})) from exc
        image = _tokenized(key, layout)
        with self._lock:
            self._tokenized_images[key] = image
            if len(self._tokenized_images) > _MAX_CACHED:
                self._tokenized_images.popitem(last=False)
        return image


def _numbered(images: Sequence[PerceivedPart]) -> Iterator[tuple[int, PerceivedPart]]:
    """Yield each image and sound with its number among those of its kind, from 1."""
    counts = Counter[type[PerceivedPart]]()
    for part in images:
        counts[type(part)] += 1
        yield counts[type(part)], part


def _decoded(part: PerceivedPart, *, number: int) -> DecodedImage | DecodedSound:
    decode = decode_sound if isinstance(part, AudioPart) else decode_picture
    return decode(part.data, number=number)


def _tokenized(key: bytes, layout: ImageLayout) -> _TokenizedImage:
    parts: list[Tokens] = []
    spans: list[bytes] = []
    for part in layout:
        if isinstance(part, SpanShape):
            cells = span_cells(key + len(spans).to_bytes(4, "little"), n_tokens=part.n_tokens)
            spans.append(cells.tobytes())
            parts.append(cells)
        else:
            parts.append(part.tokens)
    return _TokenizedImage(key=key, tokens=np.concatenate(parts), spans=tuple(spans))
