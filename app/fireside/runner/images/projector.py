"""A model's projector (mmproj): lays images and sound out as tokens and encodes them to embeddings."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final, NamedTuple

import numpy as np

from fireside.core.closeable import Closeable
from fireside.core.i18n import tr_noop
from fireside.core.message import SAMPLE_RATE
from fireside.gguf.projector_facts import MIN_SECONDS
from fireside.runner.images.image_decoding import DecodedImage
from fireside.runner.images.image_embedding_cache import EncodedSpan, Positions
from fireside.runner.images.image_layout import ImageLayout, SpanShape, TextRun
from fireside.runner.images.mtmd_binding import lib, mtmd
from fireside.runner.images.sound_decoding import DecodedSound, Samples
from fireside.runner.native import encoded_path
from fireside.runner.tokens import NO_TOKENS, Tokens

_LARGEST_EDGE: Final = 2048
_N_SECTIONS: Final = 4
_MODEL_DEFAULT: Final = -1
_PIECE_SECONDS: Final = 30
"""Sound that is encoded at once where llama.cpp does not divide it."""


class _Current(NamedTuple):
    """The image or sound that is being encoded, span by span."""

    medium: DecodedImage | DecodedSound
    spans: Sequence[Any]
    resources: ExitStack
    """Frees the spans."""


class Projector(Closeable):
    """One loaded projector. Used by one thread. Raises ``ValueError`` on failure; the log says why.

    Args:
        model: handle of the loaded model.
        n_threads: threads for encoding.
        use_gpu: whether it may run on a GPU.
        n_tokens: least and most tokens of an image, for projectors of dynamic size; 0 is the default.
        takes_windows: whether llama.cpp divides sound by itself; see ``projector_facts.takes_windows``.
    """

    def __init__(
        self,
        path: str,
        *,
        model: Any,
        n_threads: int,
        use_gpu: bool,
        n_tokens: tuple[int, int] = (0, 0),
        takes_windows: bool = True,
    ) -> None:
        params = mtmd.mtmd_context_params_default()
        params.use_gpu = use_gpu
        params.print_timings = False
        params.n_threads = n_threads
        min_tokens, max_tokens = n_tokens
        params.image_min_tokens = min_tokens or _MODEL_DEFAULT
        params.image_max_tokens = max_tokens or _MODEL_DEFAULT
        self._projector = mtmd.mtmd_init_from_file(encoded_path(path), model, params)
        if not self._projector:
            raise ValueError(tr_noop("llama.cpp could not load the projector"))
        self._current: _Current | None = None
        self.sees = bool(mtmd.mtmd_support_vision(self._projector))
        self.hears = bool(mtmd.mtmd_support_audio(self._projector))
        if not (self.sees or self.hears):
            self.close()
            raise ValueError(tr_noop("it is made for neither images nor audio"))
        self._takes_windows = takes_windows
        self._sample_rate = int(mtmd.mtmd_get_audio_sample_rate(self._projector)) if self.hears else 0
        self.n_embd = int(lib.llama_model_n_embd_inp(model))
        self.uses_mrope = bool(mtmd.mtmd_decode_use_mrope(self._projector))
        """Whether images use M-RoPE, and so take fewer positions than cells."""
        self.is_causal = not self.sees or not mtmd.mtmd_decode_use_non_causal(self._projector, None)
        """Whether an image cell attends only to those before it. Else a span must be decoded as a whole."""
        self._marker = mtmd.mtmd_default_marker()

    @property
    def handle(self) -> Any:
        return self._projector

    def layout_of(self, medium: DecodedImage | DecodedSound) -> ImageLayout:
        """Return the layout of an image of this size, or of a sound of this length.

        Raises:
            ValueError: the projector does not support it.
        """
        if isinstance(medium, DecodedImage):
            return self._layout_of_size(medium.width, medium.height)
        with self._sound_chunks(medium, has_samples=False) as chunks:
            return tuple(_shape(chunk) for chunk in chunks)

    def _layout_of_size(self, width: int, height: int) -> ImageLayout:
        with self._image_chunks(width, height, None) as chunks:
            return tuple(_shape(chunk) for chunk in chunks)

    def largest_span(self) -> int:
        """Return the most tokens of one span of an image of any size."""
        edge = _LARGEST_EDGE
        sizes = ((edge, edge), (edge, edge // 2), (edge // 2, edge))
        layouts = (self._layout_of_size(*size) for size in sizes)
        return max(part.n_tokens for layout in layouts for part in layout if isinstance(part, SpanShape))

    def encode(self, medium: DecodedImage | DecodedSound, *, span: int) -> EncodedSpan:
        """Encode the span of an image or sound with index ``span``. Slow.

        The preprocessed image or sound is kept until another one is encoded.

        Raises:
            ValueError: the projector could not.
            IndexError: there is no such span.
        """
        chunk = self._spans(medium)[span]
        n_tokens = int(mtmd.mtmd_input_chunk_get_n_tokens(chunk))
        if mtmd.mtmd_encode_chunk(self._projector, chunk) != 0:
            raise ValueError("it could not be encoded")
        output = mtmd.mtmd_get_output_embd(self._projector)
        embeddings = np.ctypeslib.as_array(output, (n_tokens, self.n_embd)).copy()
        return EncodedSpan(
            embeddings=embeddings,
            positions=self._positions(chunk, n_tokens),
            n_pos=int(mtmd.mtmd_input_chunk_get_n_pos(chunk)),
            is_causal=not mtmd.mtmd_decode_use_non_causal(self._projector, chunk),
        )

    def _spans(self, medium: DecodedImage | DecodedSound) -> Sequence[Any]:
        if self._current is None or self._current.medium is not medium:
            self._release()
            with ExitStack() as stack:
                if isinstance(medium, DecodedImage):
                    making = self._image_chunks(medium.width, medium.height, medium.rgb)
                else:
                    making = self._sound_chunks(medium, has_samples=True)
                spans = [chunk for chunk in stack.enter_context(making) if _is_span(chunk)]
                self._current = _Current(medium, spans, stack.pop_all())
        return self._current.spans

    def _release(self) -> None:
        current, self._current = self._current, None
        if current is not None:
            current.resources.close()

    def _positions(self, chunk: Any, n_tokens: int) -> Positions:
        if not self.uses_mrope:
            return np.arange(n_tokens, dtype=np.int32)[None, :]
        if mtmd.mtmd_input_chunk_get_type(chunk) == mtmd.MTMD_INPUT_CHUNK_TYPE_AUDIO:
            return np.tile(np.arange(n_tokens, dtype=np.int32), (_N_SECTIONS, 1))
        positions = (mtmd.mtmd_decoder_pos * n_tokens)()
        mtmd.mtmd_helper_image_get_decoder_pos(mtmd.mtmd_input_chunk_get_tokens_image(chunk), 0, positions)
        t, x, y, z = (
            np.frombuffer(memoryview(positions).cast("B"), np.uint32).reshape(n_tokens, _N_SECTIONS).T
        )
        return np.stack([t, y, x, z]).astype(np.int32)

    @contextmanager
    def _image_chunks(self, width: int, height: int, rgb: bytes | None) -> Iterator[list[Any]]:
        """Provide mtmd's chunks of one image, without pixels if ``rgb`` is ``None``."""
        pixels = None
        if rgb is not None:
            # mtmd copies them, so the view need not live longer than the call.
            view = np.frombuffer(rgb, np.uint8)
            pixels = view.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))
        bitmap = mtmd.mtmd_bitmap_init(width, height, pixels)
        with self._chunks(bitmap, tr_noop("the projector does not support this image size")) as chunks:
            yield chunks

    @contextmanager
    def _sound_chunks(self, sound: DecodedSound, *, has_samples: bool) -> Iterator[list[Any]]:
        """Provide mtmd's chunks of one sound: its begin, its spans in order, its end."""
        samples = _resampled(sound.samples, self._sample_rate)
        length = len(samples) if self._takes_windows else _PIECE_SECONDS * self._sample_rate
        with ExitStack() as stack:
            before: list[Any] = []
            for start in range(0, len(samples), length):
                piece = _filled_up(samples[start : start + length], self._sample_rate)
                pointer = piece.ctypes.data_as(ctypes.POINTER(ctypes.c_float)) if has_samples else None
                bitmap = mtmd.mtmd_bitmap_init_from_audio(len(piece), pointer)
                making = self._chunks(bitmap, tr_noop("the projector does not support this audio"))
                chunks = stack.enter_context(making)
                # The text around a piece is that around the whole sound.
                first = next(index for index, chunk in enumerate(chunks) if _is_span(chunk))
                while before and not _is_span(before[-1]):
                    before.pop()
                before += chunks[first:] if before else chunks
            yield before

    @contextmanager
    def _chunks(self, bitmap: Any, problem: str) -> Iterator[list[Any]]:
        """Provide mtmd's chunks of a bitmap, which is freed. Raises ``ValueError`` with ``problem``."""
        chunk_list = mtmd.mtmd_input_chunks_init()
        try:
            text = mtmd.mtmd_input_text(
                text=self._marker, text_len=len(self._marker), add_special=False, parse_special=True
            )
            bitmaps = (mtmd.mtmd_bitmap_p_ctypes * 1)(bitmap)
            if mtmd.mtmd_tokenize(self._projector, chunk_list, ctypes.byref(text), bitmaps, 1) != 0:
                raise ValueError(problem)
            n_chunks = mtmd.mtmd_input_chunks_size(chunk_list)
            chunks = [mtmd.mtmd_input_chunks_get(chunk_list, index) for index in range(n_chunks)]
            if not any(map(_is_span, chunks)):
                raise ValueError(problem)
            yield chunks
        finally:
            mtmd.mtmd_input_chunks_free(chunk_list)
            mtmd.mtmd_bitmap_free(bitmap)

    def close(self) -> None:
        """Free the projector. Idempotent."""
        self._release()
        if self._projector:
            mtmd.mtmd_free(self._projector)
            self._projector = None


def _resampled(samples: Samples, rate: int) -> Samples:
    """Return sound at another rate than ``SAMPLE_RATE``, which few projectors ask for."""
    if rate == SAMPLE_RATE:
        return samples
    times = np.arange(len(samples) * rate // SAMPLE_RATE) * (SAMPLE_RATE / rate)
    resampled: Samples = np.interp(times, np.arange(len(samples)), samples).astype(np.float32)
    return resampled


def _filled_up(piece: Samples, rate: int) -> Samples:
    return np.pad(piece, (0, max(0, round(MIN_SECONDS * rate) - len(piece))))


def _is_span(chunk: Any) -> bool:
    return bool(mtmd.mtmd_input_chunk_get_type(chunk) != mtmd.MTMD_INPUT_CHUNK_TYPE_TEXT)


def _shape(chunk: Any) -> SpanShape | TextRun:
    if _is_span(chunk):
        return SpanShape(n_tokens=int(mtmd.mtmd_input_chunk_get_n_tokens(chunk)))
    return TextRun(tokens=_text_tokens(chunk))


def _text_tokens(chunk: Any) -> Tokens:
    n_tokens = ctypes.c_size_t()
    pointer = mtmd.mtmd_input_chunk_get_tokens_text(chunk, ctypes.byref(n_tokens))
    if not n_tokens.value:
        return NO_TOKENS
    tokens: Tokens = np.ctypeslib.as_array(pointer, (n_tokens.value,)).astype(np.int32)
    if int(tokens.min()) < 0:
        raise ValueError(tr_noop("the model lacks a token that its projector puts around images or audio"))
    return tokens
