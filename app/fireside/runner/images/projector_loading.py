"""Load a model's projector."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import LoadError
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.options import LoadOptions
from fireside.core.status import MemoryReport
from fireside.gguf.facts import FileKind, file_kind
from fireside.gguf.header import GgufHeader
from fireside.gguf.projector_facts import takes_windows
from fireside.gguf.reader import read_header
from fireside.runner.images.image_context import ImageContext, MropeBatch, MropeContext
from fireside.runner.images.image_embedding_cache import Encoder
from fireside.runner.images.image_queue import ImageQueue
from fireside.runner.images.image_tokenizer import ImageTokenizer
from fireside.runner.images.mtmd_binding import mtmd
from fireside.runner.images.projector import Projector
from fireside.runner.llama import AbortFlag, Context, Model
from fireside.runner.llama_log import LogLine, NativeLog, first_error, memory_reports
from fireside.runner.parameter_checks import ContextParams, default_threads
from fireside.runner.token_batch import TokenBatch

_UNSUPPORTED: Final = ("deepseek4v", "hunyuanvl")
"""Projector types whose images take other tokens or positions depending on the text before them."""
_PREFIX: Final = "projector "
"""Prefix for the names of the projector's buffers."""
_KEYS: Final = ("clip.projector_type", "clip.vision.projector_type")
_BACKEND = re.compile(r"CLIP using (\S+) backend")


class VisionModule(msgspec.Struct, frozen=True, kw_only=True):
    """The projector of a loaded model, and its memory."""

    projector: Projector
    memory: tuple[MemoryReport, ...]

    def fit_images(self, params: ContextParams) -> ContextParams:
        """Return ``params`` with batches large enough for an image that must be decoded as a whole."""
        if self.projector.is_causal:
            return params
        n_ubatch = max(params.n_ubatch, self.projector.largest_span())
        return msgspec.structs.replace(params, n_ubatch=n_ubatch, n_batch=max(params.n_batch, n_ubatch))

    def make_context(self, model: Model, params: ContextParams, *, abort: AbortFlag) -> ImageContext:
        """Return a context for text and images. ``params`` are those of ``fit_images``."""
        kind = MropeContext if self.projector.uses_mrope else ImageContext
        return kind(model, params, abort=abort)

    def make_batch(self, context: Context) -> Callable[[int], TokenBatch]:
        """Return the factory of batches for a context of ``make_context``."""
        if isinstance(context, MropeContext):
            return partial(MropeBatch, context=context)
        return TokenBatch

    def make_queue(self, context: Context, tokenizer: ImageTokenizer) -> ImageQueue:
        """Return the image queue for a context of ``make_context``."""
        if not isinstance(context, ImageContext):
            raise TypeError(type(context))
        return ImageQueue(encoder=Encoder(projector=self.projector, finder=tokenizer), decoder=context)


def open_projector(
    path: str, *, name: str, model: Model, options: LoadOptions, log: NativeLog
) -> VisionModule:
    """Load the projector in the file at ``path``.

    Args:
        name: the model's, for messages to the user.

    Raises:
        ModelFileMissing, ModelFileInvalid: the file.
        load_failed: it is not a projector, or does not match this model.
    """
    file_name = Path(path).name
    header = read_header(path)
    if file_kind(header) is not FileKind.PROJECTOR:
        raise LoadError.of(
            "load_failed",
            model=name,
            reason=Phrase(tr_noop("“{file}” is not a projector."), {"file": file_name}),
        )
    kind = _kind(header)
    if kind in _UNSUPPORTED:
        raise LoadError.of(
            "load_failed",
            model=name,
            reason=Phrase(tr_noop("projectors of the kind “{kind}” are not supported yet."), {"kind": kind}),
        )
    mtmd.mtmd_helper_log_set(log.callback, None)
    with log.captured() as lines:
        try:
            projector = Projector(
                path,
                model=model.handle,
                n_threads=options.n_threads or default_threads(),
                use_gpu=options.n_gpu_layers != 0,
                n_tokens=(options.image_min_tokens, options.image_max_tokens),
                takes_windows=takes_windows(header),
            )
        except ValueError as exc:
            cause = (first_error(lines) or str(exc)).splitlines()[0].rstrip(".")
            raise LoadError.of(
                "load_failed",
                model=name,
                reason=Phrase(
                    tr_noop("its projector “{file}” does not go with it ({why})."),
                    {"file": file_name, "why": Phrase(cause)},
                ),
            ) from exc
    return VisionModule(projector=projector, memory=_memory(lines, header))


def _kind(header: GgufHeader) -> str:
    return next((kind for key in _KEYS if (kind := header.text(key))), "")


def _memory(lines: Sequence[LogLine], header: GgufHeader) -> tuple[MemoryReport, ...]:
    """Return the projector's buffers: the weights by its header, the rest by the log."""
    backends = [match[1] for line in lines if (match := _BACKEND.search(line.text))]
    device = backends[0] if backends else "CPU"
    compute = {report.buffer.strip(): report.compute_bytes for report in memory_reports(lines)}
    weights = sum(tensor.n_bytes for tensor in header.tensors)
    return tuple(
        MemoryReport(
            buffer=_PREFIX + buffer,
            weights_bytes=weights if buffer == device else 0,
            kv_bytes=0,
            compute_bytes=compute.get(buffer, 0),
        )
        for buffer in dict.fromkeys((device, *compute))
    )
