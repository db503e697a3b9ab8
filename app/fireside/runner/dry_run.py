"""Dry runs: measure what loads would allocate, in a separate process that serves requests from its input.

llama.cpp computes all sizes from the header alone. The tokenizer, which takes most of the time, is replaced
by as many nameless tokens. A projector and adapters are really loaded: their sizes are known only then.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.decoding import decode_json
from fireside.core.errors import FiresideError, ModelFileInvalid, ModelKindUnknown
from fireside.core.i18n import tr_noop
from fireside.core.load_sizes import draft_load_options, effective_flash_attention, max_drafted
from fireside.core.options import LoadOptions, Purpose, Speculation
from fireside.core.status import MemoryReport
from fireside.gguf.reader import read_header
from fireside.runner.adapters import Adapters
from fireside.runner.buffer_types import memory_breakdown
from fireside.runner.devices import RPC_SERVERS_VARIABLE, add_rpc_servers, list_devices, load_backends
from fireside.runner.embedding.embedding_context import EmbeddingContext
from fireside.runner.images.projector_loading import VisionModule, open_projector
from fireside.runner.llama import AbortFlag, Context, Model
from fireside.runner.llama_log import LogLine, NativeLog, adapter_reports, memory_reports, unknown_kind
from fireside.runner.load import failure_reason
from fireside.runner.native import lib
from fireside.runner.parameter_checks import (
    DummyVocab,
    ModelParams,
    context_params,
    draft_context_params,
    model_params,
)
from fireside.runner.speculation.drafter_setup import (
    can_roll_back,
    draft_report,
    heads_params,
    heads_report,
    open_heads,
)
from fireside.wire.frames import frame_of, read_frame
from fireside.wire.runner_modes import MeasureReply, MeasureRequest

_TOKENS: Final = "tokenizer.ggml.tokens"
_NAME: Final = tr_noop("the model")


def main() -> int:
    """Reply to each frame of standard input with one on standard output."""
    # Output of llama.cpp must not mix with the replies.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    log = NativeLog()
    lib.llama_backend_init()
    load_backends()
    add_rpc_servers(os.environ.get(RPC_SERVERS_VARIABLE, ""))
    measurer = LoadMeasurer(log=log)
    while (body := read_frame(sys.stdin.buffer)) is not None:
        request = decode_json(body, kind=MeasureRequest)
        replies.write(frame_of(msgspec.json.encode(measurer.reply_to(request))))
        replies.flush()
    return 0


class LoadMeasurer:
    """Measures loads. Keeps the last model, so that further contexts for one placement take milliseconds."""

    def __init__(self, *, log: NativeLog) -> None:
        self._log = log
        self._model: tuple[tuple[ModelParams, int, int], Model] | None = None
        self._vision: tuple[tuple[str, str, bool, int, int], VisionModule, Model] | None = None

    def reply_to(self, request: MeasureRequest) -> MeasureReply:
        """Return what a load takes. Never raises for an invalid request or file."""
        try:
            return MeasureReply(memory=self.measure(request.path, request.options), devices=list_devices())
        except (ModelFileInvalid, ModelKindUnknown) as exc:
            # Another file than the model may be at fault.
            is_other_file = isinstance(exc, ModelFileInvalid) and exc.path != request.path
            unloadable = None if is_other_file else exc.info()
            return MeasureReply(problem=exc.sentence(), unloadable=unloadable, devices=list_devices())
        except FiresideError as exc:
            return MeasureReply(problem=exc.sentence(), devices=list_devices())
        except (ValueError, OSError, MemoryError) as exc:
            return MeasureReply(problem=str(exc) or type(exc).__name__, devices=list_devices())

    def measure(self, path: str, options: LoadOptions) -> tuple[MemoryReport, ...]:
        """Return the memory that ``Loader.load`` would report.

        Raises:
            ModelKindUnknown, ModelFileInvalid: no load of this model can succeed.
            FiresideError: an option is out of range, or another file is invalid.
            ValueError: llama.cpp could not create the model or context.
        """
        with self._log.captured() as lines, contextlib.ExitStack() as stack:
            model = self._model_for(path, options, lines)
            del lines[:]
            n_ctx = context_params(options, n_ctx_train=model.n_ctx_train).n_ctx
            attention = effective_flash_attention(options, n_head=model.n_head, n_ctx=n_ctx)
            options = msgspec.structs.replace(options, flash_attn=attention)
            params = context_params(options, n_ctx_train=model.n_ctx_train)
            if options.purpose is not Purpose.GENERATE:
                pooled = EmbeddingContext(
                    model, params, purpose=options.purpose, pooling=options.pooling, abort=AbortFlag()
                )
                stack.callback(pooled.close)
                return memory_breakdown(pooled.handle) or memory_reports(lines)
            vision = self._vision_for(path, options)
            if vision is None:
                context = Context(model, params, abort=AbortFlag())
            else:
                context = vision.make_context(model, vision.fit_images(params), abort=AbortFlag())
            stack.callback(context.close)
            adapters = _adapter_memory(options, model=model, context=context, log=self._log, stack=stack)
            draft = self._draft_memory(options, model=model, context=context)
            # What the heads read, the model's context has to keep.
            own = memory_breakdown(context.handle) or memory_reports(lines)
            return (*own, *draft, *(vision.memory if vision else ()), *adapters)

    def close(self) -> None:
        """Free the cached model and projector."""
        if self._vision is not None:
            self._vision[1].projector.close()
            self._vision[2].close()
        if self._model is not None:
            self._model[1].close()
        self._vision = self._model = None

    def _model_for(self, path: str, options: LoadOptions, lines: list[LogLine]) -> Model:
        params = _without_alloc(model_params(path, options))
        file = Path(path).stat()
        # The file may have been replaced.
        requested = (params, file.st_size, file.st_mtime_ns)
        if self._model is not None and self._model[0] == requested:
            return self._model[1]
        if self._model is not None:
            self._model[1].close()
            self._model = None
        try:
            model = _without_tokenizer(params)
        except ValueError as exc:
            if kind := unknown_kind(lines):
                raise ModelKindUnknown(kind=kind) from exc
            if memory_reports(lines):
                raise
            # Not even the sizes can be computed, so the file itself is invalid.
            raise ModelFileInvalid(path=path, reason=failure_reason(lines, exc)) from exc
        self._model = (requested, model)
        return model

    def _vision_for(self, path: str, options: LoadOptions) -> VisionModule | None:
        """Return the projector, loaded once, with a full model: it needs the vocabulary to lay images out."""
        if options.projector_path is None:
            return None
        n_tokens = (options.image_min_tokens, options.image_max_tokens)
        key = (path, options.projector_path, options.n_gpu_layers != 0, *n_tokens)
        if self._vision is not None and self._vision[0] == key:
            return self._vision[1]
        if self._vision is not None:
            self._vision[1].projector.close()
            self._vision[2].close()
            self._vision = None
        model = Model(_without_alloc(model_params(path, options)))
        try:
            vision = open_projector(
                options.projector_path, name=_NAME, model=model, options=options, log=self._log
            )
        except BaseException:
            model.close()
            raise
        self._vision = (key, vision, model)
        return vision

    def _heads_memory(
        self, options: LoadOptions, *, model: Model, context: Context
    ) -> tuple[MemoryReport, ...]:
        if options.draft_path is None:
            with open_heads(options, model, main=context) as heads:
                return heads_report(heads, is_own_file=False)
        with (
            _without_tokenizer(_without_alloc(heads_params(options))) as heads_model,
            open_heads(options, heads_model, main=context) as heads,
        ):
            return heads_report(heads, is_own_file=True)

    def _draft_memory(
        self, options: LoadOptions, *, model: Model, context: Context
    ) -> tuple[MemoryReport, ...]:
        if not max_drafted(options) or not can_roll_back(context, n_tokens=max_drafted(options)):
            return ()
        if options.speculation is Speculation.MTP:
            with contextlib.suppress(ValueError):  # as in a load, which goes on without
                return self._heads_memory(options, model=model, context=context)
            return ()
        if options.speculation is not Speculation.DRAFT_MODEL or options.draft_path is None:
            return ()
        with _without_tokenizer(
            _without_alloc(model_params(options.draft_path, draft_load_options(options)))
        ) as draft_model:
            params = draft_context_params(
                options, n_head=draft_model.n_head, n_ctx_train=draft_model.n_ctx_train
            )
            with Context(draft_model, params, abort=AbortFlag()) as draft_context:
                return draft_report(draft_context)


def _adapter_memory(
    options: LoadOptions, *, model: Model, context: Context, log: NativeLog, stack: contextlib.ExitStack
) -> tuple[MemoryReport, ...]:
    if not options.lora:
        return ()
    with log.captured() as lines:
        adapters = Adapters(options.lora, model=model, context=context, name=_NAME)
        stack.callback(adapters.close)
        adapters.reserve()
    return adapter_reports(lines)


def _without_alloc(params: ModelParams) -> ModelParams:
    return msgspec.structs.replace(params, no_alloc=True, use_mmap=False)


def _without_tokenizer(params: ModelParams) -> Model:
    """Return the model without its tokenizer, or with it where llama.cpp requires one."""
    header = read_header(params.path)
    n_tokens = header.length(_TOKENS) or 0
    architecture = header.text("general.architecture")
    if n_tokens and architecture:
        dummy = DummyVocab(architecture=architecture, n_tokens=n_tokens)
        with contextlib.suppress(ValueError):
            return Model(msgspec.structs.replace(params, dummy_vocab=dummy))
    return Model(params)
