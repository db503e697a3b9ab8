"""A model begins a call whose grammar is still being compiled, while another answer continues.

A process of its own. Takes the path of a model and prints, as JSON, how far both answers came meanwhile, what
the call became, and whether anything was compiled in the thread that decodes.
"""

from __future__ import annotations

import json
import sys
import threading

from fireside.core.ids import RequestId
from fireside.core.message import Role, text_message
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput, ToolDefinition
from fireside.core.task import Constraint, GenerationTask
from fireside.runner.connection import CommandQueue
from fireside.runner.decode_loop import DecodeLoop
from fireside.runner.decoder import SamplerRequest
from fireside.runner.devices import load_backends
from fireside.runner.llama import AbortFlag, Context, Model
from fireside.runner.native import lib
from fireside.runner.output.output_format_detection import detect_format
from fireside.runner.parameter_checks import context_params, model_params
from fireside.runner.prompt.prompt_fitting import PromptFitter
from fireside.runner.prompt.template import ChatTemplate
from fireside.runner.sampling.grammar_preparation import GrammarCompiler
from fireside.runner.sampling.sampler_factory import SamplerFactory, TokenSampler, dry_run_grammar
from fireside.runner.served_model import ServedModel
from fireside.runner.token_batch import TokenBatch
from fireside.wire.messages import Generate, Report, TokensDecoded
from llama.runner_process import exact_options

N_TURNS = 12
CALL = "<tool_call>"
TOOL = ToolDefinition(
    name="add",
    description="Add.",
    parameters='{"type": "object", "properties": {"a": {"enum": [1, 2]}}, "required": ["a"],'
    ' "additionalProperties": false}',
)


class RecordingPreparation:
    """The real preparation, with trials that wait to be let through, and a list of who did the work."""

    def __init__(self, factory: SamplerFactory) -> None:
        self.may_continue = threading.Event()
        self.threads: set[int] = set()
        self._factory = factory
        # Of the one that the factory's samplers have too: another in its place would be asked for nothing.
        preparation = factory._preparation
        preparation._make_compiler, preparation._dry_run = self._build, self._dry_run

    def _build(self) -> GrammarCompiler:
        self.threads.add(threading.get_ident())
        return self._factory._build_compiler()

    def _dry_run(self, constraint: Constraint) -> None:
        self.threads.add(threading.get_ident())
        self.may_continue.wait(60)
        dry_run_grammar(constraint)


def main() -> None:
    log = lib.llama_log_callback(lambda *_: None)
    lib.llama_log_set(log, None)
    lib.llama_backend_init()
    load_backends()
    options = exact_options()
    with (
        Model(model_params(sys.argv[1], options)) as model,
        Context(model, context_params(options, n_ctx_train=0), abort=AbortFlag()) as context,
    ):
        json.dump(_run(model, context), sys.stdout)


def _run(model: Model, context: Context) -> dict[str, object]:
    reports: list[Report] = []
    factory = SamplerFactory(source=context, vocab=model.vocab, n_ctx=context.n_ctx)
    workshop = RecordingPreparation(factory)

    def make_sampler(request: SamplerRequest) -> TokenSampler:
        sampler = factory(request)
        if request.likely:
            sampler.force(model.vocab.tokenize_special(CALL))
        return sampler

    commands = CommandQueue(stop_decode=lambda: None)
    served = ServedModel(
        name="Starter",
        decoder=context,
        make_batch=TokenBatch,
        make_sampler=make_sampler,
        vocab=model.vocab,
        fitter=PromptFitter(
            template=ChatTemplate(model.chat_template(), architecture="llama", bos_token="", eos_token=""),
            tokenizer=model.vocab,
            n_ctx=context.n_ctx,
        ),
        stop=(),
        output=detect_format(
            template_source="{{ tools }}<tool_call>", architecture="llama", control_tokens={}
        ),
    )
    loop = DecodeLoop(
        served,
        commands=commands,
        clear_abort=lambda: None,
        send=lambda *sent: reports.extend(sent),
    )

    def text(number: int) -> str:
        pieces = (piece for report in reports if isinstance(report, TokensDecoded) for piece in report.pieces)
        return "".join(piece.text for piece in pieces if piece.request_id == number)

    for number, tools in ((1, (TOOL,)), (2, ())):
        chat = ChatInput(messages=(text_message(Role.USER, "Tell me about the sea."),), tools=tools)
        sampling = SamplingParams(temperature=0.0, max_tokens=120, seed=1, ignore_eos=not tools)
        commands.put(
            Generate(request_id=RequestId(number), task=GenerationTask(prompt=chat, sampling=sampling))
        )
    while not any(slot.sequence is not None and slot.sequence.pending_constraint for slot in loop._slots):
        loop.iterate()
    n_before = [slot.n_tokens for slot in loop._slots]
    for _ in range(N_TURNS):
        loop.iterate()
    n_after = [slot.n_tokens for slot in loop._slots]
    workshop.may_continue.set()
    while not loop.is_idle:
        loop.iterate()
    return {
        "n_more": sorted(after - before for before, after in zip(n_before, n_after, strict=True)),
        "n_turns": N_TURNS,
        "call": text(1),
        "in_the_loop": threading.get_ident() in workshop.threads,
        "n_workers": len(workshop.threads),
    }


if __name__ == "__main__":
    main()
