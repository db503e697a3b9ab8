"""A decode loop over a fake llama.cpp, and all its reports."""

from __future__ import annotations

import threading

from fakes.fake_llama import FakeBatch, FakeDecoder, FakeSampler, FakeTemplate, FakeVocab
from fireside.core.generation import Failed, Finished, Priority, PromptProgress, WhenFull
from fireside.core.ids import RequestId
from fireside.core.message import Role, text_message
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.task import Constraint, GenerationTask
from fireside.runner.connection import CommandQueue
from fireside.runner.decode_loop import DecodeLoop
from fireside.runner.decoder import DecodeResult, NotReady, SamplerRequest
from fireside.runner.images.image_queue import ImageQueue
from fireside.runner.output.output_format_detection import detect_format
from fireside.runner.prompt.prompt_fitting import PromptFitter, Template, Tokenizer
from fireside.runner.prompt_cache.state_cache import StateCache
from fireside.runner.served_model import ServedModel
from fireside.runner.speculation.speculator import Speculator
from fireside.wire.messages import Cancel, Generate, Piece, Report, RequestEvent, TokensDecoded

ANSWER = SamplingParams(max_tokens=8, seed=1)


class Runner:
    """A decode loop and all its reports."""

    def __init__(
        self,
        decoder: FakeDecoder | None = None,
        *,
        stop: tuple[str, ...] = (),
        speculator: Speculator | None = None,
        template_source: str | None = None,
        switches_reasoning: bool = False,
        vocab: FakeVocab | None = None,
        state_cache: StateCache | None = None,
        template: Template | None = None,
        tokenizer: Tokenizer | None = None,
        images: ImageQueue | None = None,
        cache_reuse: int = 0,
        report_late: bool = False,
    ) -> None:
        self.decoder = decoder or FakeDecoder()
        self.n_stops = 0
        self.commands = CommandQueue(stop_decode=self._stop_decode)
        self.decoder.commands = self.commands
        self.reports: list[Report] = []
        self.samplers: list[FakeSampler] = []
        self.requests: list[SamplerRequest] = []
        self.preparing: list[threading.Event] = []
        """Each makes one requested sampler unready until it is set."""
        self.rejects_constraints = False
        self.compiling: threading.Event | None = None
        """Constraints are not ready before this is set."""
        self.fails_after: dict[int, int] = {}
        """After how many tokens the sampler with this seed raises."""
        vocab = vocab or FakeVocab()
        model = ServedModel(
            name="Fake",
            decoder=self.decoder,
            make_batch=FakeBatch,
            make_sampler=self._make_sampler,
            vocab=vocab,
            fitter=PromptFitter(
                template=template or FakeTemplate(),
                tokenizer=tokenizer or vocab,
                n_ctx=self.decoder.n_ctx,
            ),
            stop=stop,
            output=detect_format(
                template_source=template_source,
                architecture="",
                control_tokens={},
                switches_reasoning=switches_reasoning,
            ),
            speculator=speculator,
            state_cache=state_cache,
            images=images,
            cache_reuse=cache_reuse,
            report_late=report_late,
        )
        self.loop = DecodeLoop(
            model,
            commands=self.commands,
            clear_abort=lambda: None,
            send=lambda *reports: self.reports.extend(reports),
        )

    def _stop_decode(self) -> None:
        self.n_stops += 1
        self.decoder.results.insert(0, DecodeResult.ABORTED)

    def _make_sampler(self, request: SamplerRequest) -> FakeSampler:
        self.requests.append(request)
        if self.preparing:
            raise NotReady(self.preparing.pop(0))
        sampler = FakeSampler(
            self.decoder,
            with_logprobs=request.params.top_logprobs is not None,
            fails_after=self.fails_after.get(request.seed),
        )
        sampler.rejects_constraints = self.rejects_constraints
        sampler.compiling = self.compiling
        self.samplers.append(sampler)
        return sampler

    def ask(
        self,
        number: int,
        prompt: str,
        sampling: SamplingParams = ANSWER,
        *,
        priority: Priority = Priority.INTERACTIVE,
        when_full: WhenFull = WhenFull.STOP,
        constraint: Constraint | None = None,
    ) -> None:
        task = GenerationTask(
            prompt=ChatInput(messages=(text_message(Role.USER, prompt),)),
            sampling=sampling,
            priority=priority,
            when_full=when_full,
            constraint=constraint,
        )
        self.give(number, task)

    def give(self, number: int, task: GenerationTask) -> None:
        self.commands.put(Generate(request_id=RequestId(number), task=task))

    def cancel(self, number: int) -> None:
        self.commands.put(Cancel(request_id=RequestId(number)))

    def run(self) -> None:
        for _ in range(2000):
            self.loop.iterate()
            if self.loop.is_idle and self.commands.is_empty:
                return
        raise AssertionError("the loop does not come to an end")

    def pieces(self, number: int) -> list[Piece]:
        return [
            piece
            for report in self.reports
            if isinstance(report, TokensDecoded)
            for piece in report.pieces
            if piece.request_id == number
        ]

    def text(self, number: int) -> str:
        return "".join(piece.text for piece in self.pieces(number))

    def ends(self, number: int) -> list[Finished | Failed]:
        return [
            report.event
            for report in self.reports
            if isinstance(report, RequestEvent)
            and isinstance(report.event, Finished | Failed)
            and report.request_id == number
        ]

    def end_order(self) -> list[int]:
        """Return the requests that ended, the first one first."""
        return [
            report.request_id
            for report in self.reports
            if isinstance(report, RequestEvent) and isinstance(report.event, Finished | Failed)
        ]

    def finished(self, number: int) -> Finished:
        (end,) = self.ends(number)
        assert isinstance(end, Finished), end
        return end

    def progress(self, number: int) -> list[int]:
        return [
            report.event.n_done
            for report in self.reports
            if isinstance(report, RequestEvent)
            and isinstance(report.event, PromptProgress)
            and report.request_id == number
        ]
