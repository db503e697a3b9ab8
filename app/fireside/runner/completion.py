"""End requests: with an answer or by an error, each of them once, and nothing stays behind."""

from __future__ import annotations

import sys
import time
import traceback

from fireside.core.errors import FiresideError, RunnerCrashed
from fireside.core.generation import FinishReason, OutputKind
from fireside.core.i18n import Translatable
from fireside.core.ids import RequestId
from fireside.runner.connection import ReportBuffer
from fireside.runner.decoder import Vocabulary
from fireside.runner.failure_text import inside_fireside
from fireside.runner.kv_memory import KVMemory
from fireside.runner.output.output_stream import OutputStream
from fireside.runner.prompt_cache.kv_trim import keep_prefix
from fireside.runner.slots import Sequence, Slot
from fireside.runner.tokens import Tokens
from fireside.wire.messages import Failed


class RequestFinisher:
    """Ends requests and frees their slots.

    Args:
        name: the model's, for messages to the user.
        keeps_shifted: leave in a slot what was moved there, though it has the values of another text.
    """

    def __init__(
        self, *, name: str, memory: KVMemory, vocab: Vocabulary, reports: ReportBuffer, keeps_shifted: bool
    ) -> None:
        self._name = name
        self._memory = memory
        self._vocab = vocab
        self._reports = reports
        self._keeps_moved = keeps_shifted

    def finish(self, slot: Slot, reason: FinishReason) -> None:
        """End the answer that is written in ``slot``; what its cache holds stays for the next one."""
        sequence = slot.sequence
        if sequence is None:
            return
        answer = sequence.answer
        try:
            answer.end()
            if not sequence.n_shifted:
                remember_answer_tokens(answer, slot.answer, self._vocab)
        except Exception as exc:  # noqa: BLE001  # a bug in one answer must not end the others
            self.fail(slot, exc)
            return
        if answer.stopped and reason in (FinishReason.LENGTH, FinishReason.REPETITION):
            reason = FinishReason.STOP  # the stop string stood in what was held back until now
        if reason is FinishReason.STOP and answer.tool_calls and not answer.stopped:
            reason = FinishReason.TOOL_CALL
        full = reason is FinishReason.LENGTH and slot.is_full
        now = time.perf_counter()
        tokens = b"" if sequence.n_shifted else slot.answer.astype("<i4").tobytes()
        self._reports.add_end(sequence.finished(reason, now=now, context_full=full, tokens=tokens))
        self._release(slot, now=now)

    def withdraw(self, sequence: Sequence) -> None:
        """End a request that was cancelled before it had a slot."""
        sequence.close()
        self._reports.add_end(
            sequence.finished(FinishReason.CANCELLED, now=time.perf_counter(), context_full=False)
        )

    def fail(self, slot: Slot, exc: Exception) -> None:
        """End the answer that is written in ``slot`` because of ``exc``; its cache stays."""
        if slot.sequence is not None:
            self.refuse(slot.sequence.request_id, exc)
        self._release(slot, now=time.perf_counter())

    def _release(self, slot: Slot, *, now: float) -> None:
        if slot.n_unshifted < slot.n_past and not self._keeps_moved:
            slot.n_past = keep_prefix(self._memory, slot.index, n_keep=slot.n_unshifted, n_cached=slot.n_past)
        slot.release(now=now)

    def give_up(self, sequence: Sequence, exc: Exception) -> None:
        """End a request that could not be given a slot because of ``exc``."""
        sequence.close()
        self.refuse(sequence.request_id, exc)

    def refuse(self, request_id: RequestId, exc: Exception) -> None:
        """End a request of which there is nothing yet because of ``exc``.

        An unexpected exception is a bug, and its trace goes to the log.
        """
        if not isinstance(exc, FiresideError):
            traceback.print_exception(exc, file=sys.stderr)
            exc = self.broken(inside_fireside(exc))
        self._reports.add_end(Failed(request_id=request_id, error=exc.info()))

    def broken(self, cause: Translatable) -> RunnerCrashed:
        """Return the error that says so."""
        return RunnerCrashed(model=self._name, cause=cause)


def remember_answer_tokens(answer: OutputStream, tokens: Tokens, vocab: Vocabulary) -> None:
    """Have the tokens of reasoning and answer remembered, each for itself, as the history will hold them."""
    n_bytes = 0
    places = {0: 0}
    for place, token in enumerate(tokens.tolist(), 1):
        n_bytes += len(vocab.piece(token))
        places[n_bytes] = place
    start = 0
    for kind, text in answer.stretches:
        end = start + len(text.encode())
        if kind is not OutputKind.MARKUP and start in places and end in places:
            vocab.remember_answer(text, tokens[places[start] : places[end]])
        start = end
