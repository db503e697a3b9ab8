"""A model's projector (mmproj): lays images out as tokens and encodes their pixels to embeddings."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final, NamedTuple

import numpy as np

from fireside.core.closeable import Closeable
from fireside.core.i18n import tr_noop
from fireside.runner.images.image_decoding import DecodedImage
from fireside.runner.images.image_embedding_cache import EncodedSpan, Positions
from fireside.runner.images.image_layout import ImageLayout, SpanShape, TextRun
from fireside.runner.images.mtmd_binding import lib, mtmd
from fireside.runner.native import encoded_path
from fireside.runner.tokens import NO_TOKENS, Tokens

_LARGEST_EDGE: Final = 2048
_N_SECTIONS: Final = 4
_MODEL_DEFAULT: Final = -1


class _Current(NamedTuple):
    """The picture that is being encoded, span by span."""

    picture: DecodedImage
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
    """

    def __init__(
        self, path: str, *, model: Any, n_threads: int, use_gpu: bool, n_tokens: tuple[int, int] = (0, 0)
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
        if not mtmd.mtmd_support_vision(self._projector):
            self.close()
            raise ValueError(tr_noop("it is not made for images"))
        self.n_embd = int(lib.llama_model_n_embd_inp(model))
        self.uses_mrope = bool(mtmd.mtmd_decode_use_mrope(self._projector))
        """Whether images use M-RoPE, and so take fewer positions than cells."""
        self.is_causal = not mtmd.mtmd_decode_use_non_causal(self._projector, None)
        """Whether an image cell attends only to those before it. Else a span must be decoded as a whole."""
        self._marker = mtmd.mtmd_default_marker()

    @property
    def handle(self) -> Any:
        return self._projector

    def layout_of(self, width: int, height: int) -> ImageLayout:
        """Return the layout of an image of this size, without its pixels.

        Raises:
            ValueError: the projector does not support this size.
        """
        with self._chunks(width, height, None) as chunks:
            return tuple(_shape(chunk) for chunk in chunks)

    def largest_span(self) -> int:
        """Return the most tokens of one span of an image of any size."""
        edge = _LARGEST_EDGE
        sizes = ((edge, edge), (edge, edge // 2), (edge // 2, edge))
        return max(
            part.n_tokens for size in sizes for part in self.layout_of(*size) if isinstance(part, SpanShape)
        )

    def encode(self, picture: DecodedImage, *, span: int) -> EncodedSpan:
        """Encode the picture's span with index ``span``. Slow.

        The preprocessed picture is kept until another one is encoded.

        Raises:
            ValueError: the projector could not.
            IndexError: there is no such span.
        """
        chunk = self._spans(picture)[span]
        n_tokens = int(mtmd.mtmd_input_chunk_get_n_tokens(chunk))
        if mtmd.mtmd_encode_chunk(self._projector, chunk) != 0:
            raise ValueError("the image could not be encoded")
        output = mtmd.mtmd_get_output_embd(self._projector)
        embeddings = np.ctypeslib.as_array(output, (n_tokens, self.n_embd)).copy()
        return EncodedSpan(
            embeddings=embeddings,
            positions=self._positions(chunk, n_tokens),
            n_pos=int(mtmd.mtmd_input_chunk_get_n_pos(chunk)),
        )

    def _spans(self, picture: DecodedImage) -> Sequence[Any]:
        if self._current is None or self._current.picture is not picture:
            self._release()
            with ExitStack() as stack:
                chunks = stack.enter_context(self._chunks(picture.width, picture.height, picture.rgb))
                spans = [chunk for chunk in chunks if _is_image(chunk)]
                self._current = _Current(picture, spans, stack.pop_all())
        return self._current.spans

    def _release(self) -> None:
        current, self._current = self._current, None
        if current is not None:
            current.resources.close()

    def _positions(self, chunk: Any, n_tokens: int) -> Positions:
        if not self.uses_mrope:
            return np.arange(n_tokens, dtype=np.int32)[None, :]
        positions = (mtmd.mtmd_decoder_pos * n_tokens)()
        mtmd.mtmd_helper_image_get_decoder_pos(mtmd.mtmd_input_chunk_get_tokens_image(chunk), 0, positions)
        t, x, y, z = (
            np.frombuffer(memoryview(positions).cast("B"), np.uint32).reshape(n_tokens, _N_SECTIONS).T
        )
        return np.stack([t, y, x, z]).astype(np.int32)

    @contextmanager
    def _chunks(self, width: int, height: int, rgb: bytes | None) -> Iterator[list[Any]]:
        """Provide mtmd's chunks of one image, without pixels if ``rgb`` is ``None``."""
        pixels = None
        if rgb is not None:
            # mtmd copies them, so the view need not live longer than the call.
            view = np.frombuffer(rgb, np.uint8)
            pixels = view.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))
        bitmap = mtmd.mtmd_bitmap_init(width, height, pixels)
        chunk_list = mtmd.mtmd_input_chunks_init()
        try:
            text = mtmd.mtmd_input_text(
                text=self._marker, text_len=len(self._marker), add_special=False, parse_special=True
            )
            bitmaps = (mtmd.mtmd_bitmap_p_ctypes * 1)(bitmap)
            if mtmd.mtmd_tokenize(self._projector, chunk_list, ctypes.byref(text), bitmaps, 1) != 0:
                raise ValueError(tr_noop("the projector does not support this image size"))
            n_chunks = mtmd.mtmd_input_chunks_size(chunk_list)
            chunks = [mtmd.mtmd_input_chunks_get(chunk_list, index) for index in range(n_chunks)]
            if not any(_is_image(chunk) for chunk in chunks):
                raise ValueError(tr_noop("the projector does not support this image size"))
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


def _is_image(chunk: Any) -> bool:
    return bool(mtmd.mtmd_input_chunk_get_type(chunk) == mtmd.MTMD_INPUT_CHUNK_TYPE_IMAGE)


def _shape(chunk: Any) -> SpanShape | TextRun:
    if _is_image(chunk):
        return SpanShape(n_tokens=int(mtmd.mtmd_input_chunk_get_n_tokens(chunk)))
    return TextRun(tokens=_text_tokens(chunk))


def _text_tokens(chunk: Any) -> Tokens:
    n_tokens = ctypes.c_size_t()
    pointer = mtmd.mtmd_input_chunk_get_tokens_text(chunk, ctypes.byref(n_tokens))
    if not n_tokens.value:
        return NO_TOKENS
    tokens: Tokens = np.ctypeslib.as_array(pointer, (n_tokens.value,)).astype(np.int32)
    if int(tokens.min()) < 0:
        raise ValueError(tr_noop("the model lacks a token that its projector puts around images"))
    return tokens
