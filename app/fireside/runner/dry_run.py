"""Tell what loads would allocate without making them: a process of its own, for as long as it is asked.

llama.cpp computes all sizes from the header alone. The model's tokenizer, which takes most of the time, is
replaced by as many nameless tokens. A projector and adapters are really loaded: their sizes are known only
then.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.attention import effective_flash_attention
from fireside.core.draft_options import draft_load_options
from fireside.core.errors import FiresideError, ModelFileInvalid, ModelKindUnknown
from fireside.core.i18n import tr_noop
from fireside.core.options import LoadOptions, Purpose, Speculation
from fireside.core.status import MemoryReport
from fireside.gguf.reader import read_header
from fireside.runner.adapters import Adapters
from fireside.runner.buffer_types import memory_breakdown
from fireside.runner.devices import RPC_SERVERS_VARIABLE, add_rpc_servers, list_devices, load_backends
from fireside.runner.embedding.embedding_context import EmbeddingContext
from fireside.runner.images.projector_loading import VisionModule, open_projector
from fireside.runner.llama import AbortFlag, Context, Model
from fireside.runner.llama_log import NativeLog
from fireside.runner.load import failure_words
from fireside.runner.log_lines import LogLine, adapter_reports, memory_reports, unknown_kind
from fireside.runner.native import lib
from fireside.runner.parameter_checks import (
    DummyVocab,
    ModelParams,
    context_params,
    draft_context_params,
    model_params,
)
from fireside.runner.speculation.drafter_setup import can_roll_back, draft_report
from fireside.wire.runner_modes import MeasureReply, MeasureRequest

_TOKENS: Final = "tokenizer.ggml.tokens"
_NAME: Final = tr_noop("the model")


def main() -> int:
    """Answer each line of standard input with a line on standard output."""
    # What llama.cpp prints must not get between the replies.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    log = NativeLog()
    lib.llama_backend_init()
    load_backends()
    add_rpc_servers(os.environ.get(RPC_SERVERS_VARIABLE, ""))
    measurer = Measurer(log=log)
    for line in sys.stdin.buffer:
        request = msgspec.json.decode(line, type=MeasureRequest)
        replies.write(msgspec.json.encode(measurer.reply_to(request)) + b"\n")
        replies.flush()
    return 0


class Measurer:
    """Keeps the last model, so that many contexts for one placement cost milliseconds each."""

    def __init__(self, *, log: NativeLog) -> None:
        self._log = log
        self._model: tuple[tuple[ModelParams, int, int], Model] | None = None
        self._vision: tuple[tuple[str, str, bool, int, int], VisionModule, Model] | None = None

    def reply_to(self, request: MeasureRequest) -> MeasureReply:
        """Return what a load takes. Never raises for what is wrong with the request or its files."""
        try:
            return MeasureReply(memory=self.measure(request.path, request.options), devices=list_devices())
        except (ModelFileInvalid, ModelKindUnknown) as exc:
            # A file beside the model may be at fault as well.
            is_beside = isinstance(exc, ModelFileInvalid) and exc.path != request.path
            unloadable = None if is_beside else exc.info()
            return MeasureReply(problem=exc.sentence(), unloadable=unloadable, devices=list_devices())
        except FiresideError as exc:
            return MeasureReply(problem=exc.sentence(), devices=list_devices())
        except (ValueError, OSError, MemoryError) as exc:
            return MeasureReply(problem=str(exc) or type(exc).__name__, devices=list_devices())

    def measure(self, path: str, options: LoadOptions) -> tuple[MemoryReport, ...]:
        """Return what ``Loader.load`` would report as memory.

        Raises:
            ModelKindUnknown, ModelFileInvalid: no load of this model can succeed.
            FiresideError: an option is out of range, or another file is not what it should be.
            ValueError: llama.cpp makes no such model or context.
        """
        with self._log.captured() as lines, contextlib.ExitStack() as stack:
            model = self._placed(path, options, lines)
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
            own = memory_breakdown(context.handle) or memory_reports(lines)
            draft = self._draft_memory(options, context=context)
            return (*own, *draft, *(vision.memory if vision else ()), *adapters)

    def close(self) -> None:
        """Free what is kept."""
        if self._vision is not None:
            self._vision[1].projector.close()
            self._vision[2].close()
        if self._model is not None:
            self._model[1].close()
        self._vision = self._model = None

    def _placed(self, path: str, options: LoadOptions, lines: list[LogLine]) -> Model:
        params = _dry(model_params(path, options))
        file = Path(path).stat()
        # Another file may be put in its place.
        wanted = (params, file.st_size, file.st_mtime_ns)
        if self._model is not None and self._model[0] == wanted:
            return self._model[1]
        if self._model is not None:
            self._model[1].close()
            self._model = None
        try:
            model = _nameless(params)
        except ValueError as exc:
            if kind := unknown_kind(lines):
                raise ModelKindUnknown(kind=kind) from exc
            if memory_reports(lines):
                raise
            # Not even the sizes can be computed: the file itself is at fault.
            raise ModelFileInvalid(path=path, reason=failure_words(lines, exc)) from exc
        self._model = (wanted, model)
        return model

    def _vision_for(self, path: str, options: LoadOptions) -> VisionModule | None:
        """Return the projector, loaded once: it lays images out with the words of a model."""
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
        model = Model(_dry(model_params(path, options)))
        try:
            vision = open_projector(
                options.projector_path, name=_NAME, model=model, options=options, log=self._log
            )
        except BaseException:
            model.close()
            raise
        self._vision = (key, vision, model)
        return vision

    def _draft_memory(self, options: LoadOptions, *, context: Context) -> tuple[MemoryReport, ...]:
        if options.speculation is not Speculation.DRAFT_MODEL or options.draft_path is None:
            return ()
        if not can_roll_back(context, n_tokens=options.n_draft):
            return ()
        with _nameless(_dry(model_params(options.draft_path, draft_load_options(options)))) as small:
            params = draft_context_params(options, n_head=small.n_head, n_ctx_train=small.n_ctx_train)
            with Context(small, params, abort=AbortFlag()) as guessing:
                return draft_report(guessing)


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


def _dry(params: ModelParams) -> ModelParams:
    return msgspec.structs.replace(params, no_alloc=True, use_mmap=False)


def _nameless(params: ModelParams) -> Model:
    """Return the model without its tokenizer; with it where llama.cpp wants one."""
    header = read_header(params.path)
    n_tokens = header.length(_TOKENS) or 0
    architecture = header.text("general.architecture")
    if n_tokens and architecture:
        dummy = DummyVocab(architecture=architecture, n_tokens=n_tokens)
        with contextlib.suppress(ValueError):
            return Model(msgspec.structs.replace(params, dummy_vocab=dummy))
    return Model(params)
