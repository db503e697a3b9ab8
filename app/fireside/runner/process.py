"""Main program of a runner process: handshake, load, serve."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import msgspec

from fireside.core.errors import FiresideError, LoadError
from fireside.core.i18n import tr_noop
from fireside.core.load_sizes import max_drafted
from fireside.core.options import Purpose
from fireside.runner.connection import CommandQueue, EngineConnection
from fireside.runner.decode_loop import DecodeLoop
from fireside.runner.devices import RPC_SERVERS_VARIABLE, add_rpc_servers, list_devices, load_backends
from fireside.runner.embedding.embedding_context import EmbeddingContext
from fireside.runner.embedding.embedding_inputs import InputReader
from fireside.runner.embedding.embedding_loop import EmbeddingLoop, WholeTexts
from fireside.runner.images.image_tokenizer import ImageTokenizer
from fireside.runner.images.picture_input import PictureInput
from fireside.runner.llama import AbortFlag, Context, Model
from fireside.runner.llama_log import NativeLog
from fireside.runner.load import LoadedRunner, Loader
from fireside.runner.native import lib
from fireside.runner.output.call_learning import call_renderer
from fireside.runner.output.model_formats import ModelFormat
from fireside.runner.output.output_format_detection import detect_format
from fireside.runner.prompt.prompt_fitting import PromptFitter
from fireside.runner.prompt.rendering import SandboxedTemplate
from fireside.runner.prompt.template import ChatTemplate, TemplateCache
from fireside.runner.prompt_cache.state_cache import open_state_cache
from fireside.runner.sampling.sampler_factory import SamplerFactory
from fireside.runner.served_model import ServedModel
from fireside.runner.speculation.speculator import Speculator
from fireside.runner.token_batch import TokenBatch
from fireside.wire.messages import (
    PROTOCOL_VERSION,
    Hello,
    Load,
    Loaded,
    LoadProgressed,
    LoadRejected,
)

EXIT_REJECTED: Final = 1
EXIT_UNEXPECTED: Final = 2
TEMPLATE_LIMIT_S: Final = 30.0
_PR_SET_PDEATHSIG: Final = 1


def main() -> int:
    """Serve one model on standard input and output. Returns only if the model could not be loaded."""
    _exit_with_parent()
    SandboxedTemplate.exit_after_s = TEMPLATE_LIMIT_S
    connection = EngineConnection()
    _ignore_interrupts_and_debuggers()
    log = NativeLog()
    lib.llama_backend_init()
    load_backends()
    for line in add_rpc_servers(os.environ.get(RPC_SERVERS_VARIABLE, "")):
        sys.stderr.write(line + "\n")
    abort = AbortFlag()
    commands = CommandQueue(stop_decode=abort.set)
    connection.start_reading(PictureInput(commands.put).accept)
    connection.send(
        Hello(protocol=PROTOCOL_VERSION, pid=os.getpid(), llama_cpp=_build(), devices=list_devices())
    )
    command = commands.get().command
    if not isinstance(command, Load):
        sys.stderr.write(f"Expected a model to load, got {type(command).__name__}.\n")
        return EXIT_UNEXPECTED
    loader = Loader(
        log=log,
        abort=abort,
        on_progress=lambda fraction, stage: connection.send(LoadProgressed(fraction=fraction, stage=stage)),
    )
    try:
        loaded = loader.load(command)
        template = _template(loaded.model)
    except FiresideError as exc:
        connection.send(LoadRejected(error=exc.info()))
        return EXIT_REJECTED
    except MemoryError:
        error = LoadError.of("load_failed", model=command.name, reason=tr_noop("there is not enough memory."))
        connection.send(LoadRejected(error=error.info()))
        return EXIT_REJECTED
    command = msgspec.structs.replace(command, options=loaded.options)
    report = loaded.report
    loop: DecodeLoop[TokenBatch] | EmbeddingLoop[TokenBatch]
    if isinstance(loaded.context, EmbeddingContext):
        loop = EmbeddingLoop(
            name=command.name,
            pooler=loaded.context,
            make_batch=TokenBatch,
            reader=_input_reader(command, loaded.model, n_max=loaded.context.n_batch),
            commands=commands,
            clear_abort=abort.clear,
            send=connection.send,
        )
    else:
        served = _served_model(command, loaded, context=loaded.context, template=template)
        loop = DecodeLoop(served, commands=commands, clear_abort=abort.clear, send=connection.send)
        report = msgspec.structs.replace(report, chat_template=template.fallback)
    connection.send(Loaded(loaded=report))
    loop.run()
    return 0


def _input_reader(command: Load, model: Model, *, n_max: int) -> InputReader:
    purpose = command.options.purpose
    return InputReader(
        tokenizer=WholeTexts(model.vocab),
        purpose=purpose,
        n_max=n_max,
        rerank_template=model.chat_template("rerank") if purpose is Purpose.RERANK else None,
    )


def _served_model(
    command: Load, loaded: LoadedRunner, *, context: Context, template: ChatTemplate
) -> ServedModel[TokenBatch]:
    model, drafting, vision = loaded.model, loaded.drafting, loaded.vision
    speculator = None
    if drafting is not None:
        speculator = Speculator(
            drafter=drafting.drafter,
            n_draft=max_drafted(command.options),
            n_vocab=model.vocab.n_tokens,
            clock=time.perf_counter,
        )
    templates = TemplateCache(template, make=lambda source: _template(model, source))
    tokenizer = ImageTokenizer(vocab=model.vocab, projector=vision.projector if vision is not None else None)
    return ServedModel(
        name=command.name,
        decoder=context,
        make_batch=vision.make_batch(context) if vision is not None else TokenBatch,
        make_sampler=SamplerFactory(source=context, vocab=model.vocab, n_ctx=context.n_ctx),
        vocab=model.vocab,
        fitter=PromptFitter(
            template=templates, tokenizer=tokenizer, n_ctx=context.n_ctx, infill=model.vocab.infill
        ),
        output=_output_format(model, template),
        output_for_template=lambda source: _output_format(model, templates.compiled(source)),
        stop=template.stop,
        speculator=speculator,
        images=vision.make_queue(context, tokenizer) if vision is not None else None,
        adapters=loaded.adapters,
        state_cache=open_state_cache(
            command.cache,
            path=command.path,
            options=command.options,
            build=_build(),
            n_seq_max=context.n_seq_max,
            shape=context.shape,
        ),
        cache_reuse=command.options.cache_reuse,
        # On the processor a step is computed when llama_decode returns: text would only come later.
        report_late=command.options.report_late and loaded.report.n_gpu_layers > 0,
    )


def _output_format(model: Model, template: ChatTemplate) -> ModelFormat:
    fmt = detect_format(
        template_source=template.tool_template.source,
        architecture=model.architecture,
        control_tokens=model.vocab.control_tokens(),
        supports_tools=template.tool_template.capabilities.supports_tools,
        switches_reasoning=template.has_reasoning_switch,
        render_calls=call_renderer(template.tool_template),
    )
    model.vocab.set_visible(fmt.control_ids.values())
    return fmt


def _template(model: Model, source: str | None = None) -> ChatTemplate:
    """Return the model's own template, or the one of ``source``."""
    vocab = model.vocab
    return ChatTemplate(
        model.chat_template() if source is None else source,
        tool_source=model.chat_template("tool_use") if source is None else None,
        architecture=model.architecture,
        bos_token=vocab.bos_text,
        eos_token=vocab.eos_text,
        control_tokens=tuple(vocab.control_tokens()),
    )


def _build() -> str:
    try:
        binding = version("llama-cpp-python")
    except PackageNotFoundError:
        binding = "unknown"
    return f"llama-cpp-python {binding}, llama.cpp {lib.llama_version().decode()}"


def _exit_with_parent() -> None:
    """Have Linux kill this process when the thread that started it ends (``PR_SET_PDEATHSIG``).

    The end of input has the same effect everywhere, but needs the reading thread to run. It is the parent's
    *thread* that counts, so the engine starts runners from a thread that outlives them.
    """
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        # The parent exited before prctl was called.
        os._exit(0)


def _ignore_interrupts_and_debuggers() -> None:
    """Ignore Ctrl+C, which the parent handles, and have llama.cpp start no debugger."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["GGML_NO_BACKTRACE"] = "1"
