"""A decode loop over a fake llama.cpp, and everything that it reports."""

from __future__ import annotations

from fakes.fake_llama import N_CTX, FakeBatch, FakeDecoder, FakeSampler, FakeTemplate, FakeVocab
from fireside.core.generation import Priority
from fireside.core.ids import RequestId
from fireside.core.message import Role, text_message
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.prompt.output.formats import detect_format
from fireside.runner.decoder import DecodeResult, SamplerRequest
from fireside.runner.inbox import Inbox
from fireside.runner.loop import Loop
from fireside.runner.prompts import PromptFitter
from fireside.runner.speculation.speculator import Speculator
from fireside.wire.messages import (
    Cancel,
    Failed,
    Finished,
    Generate,
    PromptRead,
    Report,
    TokensDecoded,
)

ANSWER = SamplingParams(max_tokens=8, seed=1)


class Runner:
    """A loop and everything that it reported."""

    def __init__(
        self,
        decoder: FakeDecoder | None = None,
        *,
        stop: tuple[str, ...] = (),
        speculator: Speculator | None = None,
    ) -> None:
        self.decoder = decoder or FakeDecoder()
        self.n_stops = 0
        self.inbox = Inbox(stop_decode=self._stop_decode)
        self.decoder.inbox = self.inbox
        self.reports: list[Report] = []
        self.samplers: list[FakeSampler] = []
        vocab = FakeVocab()
        self.loop = Loop(
            name="Fake",
            decoder=self.decoder,
            make_batch=FakeBatch,
            make_sampler=self._make_sampler,
            vocab=vocab,
            fitter=PromptFitter(template=FakeTemplate(), tokenizer=vocab, n_ctx=N_CTX),
            stop=stop,
            output=detect_format(template_source=None, architecture="", control_tokens={}),
            inbox=self.inbox,
            lower_abort=lambda: None,
            send=lambda *reports: self.reports.extend(reports),
            speculator=speculator,
        )

    def _stop_decode(self) -> None:
        self.n_stops += 1
        self.decoder.results.insert(0, DecodeResult.ABORTED)

    def _make_sampler(self, _request: SamplerRequest) -> FakeSampler:
        self.samplers.append(FakeSampler(self.decoder))
        return self.samplers[-1]

    def ask(
        self,
        number: int,
        prompt: str,
        sampling: SamplingParams = ANSWER,
        *,
        priority: Priority = Priority.INTERACTIVE,
    ) -> None:
        self.inbox.put(
            Generate(
                request_id=RequestId(number),
                task=GenerationTask(
                    prompt=ChatInput(messages=(text_message(Role.USER, prompt),)),
                    sampling=sampling,
                    priority=priority,
                ),
            )
        )

    def cancel(self, number: int) -> None:
        self.inbox.put(Cancel(request_id=RequestId(number)))

    def run(self) -> None:
        for _ in range(2000):
            self.loop.turn()
            if self.loop.is_idle and self.inbox.is_empty:
                return
        raise AssertionError("the loop does not come to an end")

    def text(self, number: int) -> str:
        pieces = [
            piece for report in self.reports if isinstance(report, TokensDecoded) for piece in report.pieces
        ]
        return "".join(piece.text for piece in pieces if piece.request_id == number)

    def ends(self, number: int) -> list[Finished | Failed]:
        return [
            report
            for report in self.reports
            if isinstance(report, (Finished, Failed)) and report.request_id == number
        ]

    def finished(self, number: int) -> Finished:
        (end,) = self.ends(number)
        assert isinstance(end, Finished), end
        return end

    def progress(self, number: int) -> list[int]:
        return [
            report.n_done
            for report in self.reports
            if isinstance(report, PromptRead) and report.request_id == number
        ]
