"""End requests: finish, cancel or fail them, each exactly once, and free their slots."""

from __future__ import annotations

import sys
import time
import traceback

from fireside.core.errors import FiresideError, RunnerCrashed
from fireside.core.generation import Failed, FinishReason, OutputKind
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.ids import RequestId
from fireside.runner.connection import ReportBuffer
from fireside.runner.decoder import DecodeResult, Vocabulary
from fireside.runner.kv_memory import KVMemory
from fireside.runner.output.output_stream import OutputStream
from fireside.runner.prompt_cache.kv_trim import keep_prefix
from fireside.runner.slots import Sequence, Slot
from fireside.runner.tokens import Tokens


class RequestFinisher:
    """Ends requests, reports it and frees their slots.

    Args:
        name: the model's, for messages to the user.
        keeps_shifted: keep shifted tokens in the slot's cache, although their KV values are approximate.
    """

    def __init__(
        self, *, name: str, memory: KVMemory, vocab: Vocabulary, reports: ReportBuffer, keeps_shifted: bool
    ) -> None:
        self._name = name
        self._memory = memory
        self._vocab = vocab
        self._reports = reports
        self._keeps_shifted = keeps_shifted

    def finish(self, slot: Slot, reason: FinishReason) -> None:
        """Finish the answer in ``slot``; its KV cache is kept for the next request."""
        sequence = slot.sequence
        if sequence is None:
            return
        answer = sequence.output
        try:
            answer.end(at_limit=reason in (FinishReason.LENGTH, FinishReason.REPETITION))
            if not sequence.n_shifted:
                remember_answer_tokens(answer, slot.answer_tokens, self._vocab)
        except Exception as exc:  # noqa: BLE001  # a bug in one answer must not end the others
            self.fail(slot, exc)
            return
        if answer.stopped and reason in (FinishReason.LENGTH, FinishReason.REPETITION):
            reason = FinishReason.STOP  # the stop string was in the text held back until now
        if reason is FinishReason.STOP and answer.tool_calls and not answer.stopped:
            reason = FinishReason.TOOL_CALL
        full = reason is FinishReason.LENGTH and slot.is_full
        now = time.perf_counter()
        tokens = b"" if sequence.n_shifted else slot.answer_tokens.astype("<i4").tobytes()
        end = sequence.finished(reason, now=now, context_full=full, tokens=tokens)
        self._reports.add_end(sequence.request_id, end)
        self._release(slot, now=now)

    def cancel(self, sequence: Sequence) -> None:
        """Report a request as cancelled that has no slot yet."""
        sequence.close()
        end = sequence.finished(FinishReason.CANCELLED, now=time.perf_counter(), context_full=False)
        self._reports.add_end(sequence.request_id, end)

    def fail(self, slot: Slot, exc: Exception) -> None:
        """Fail the request in ``slot`` with ``exc``; its KV cache is kept."""
        if slot.sequence is not None:
            self.report_failure(slot.sequence.request_id, exc)
        self._release(slot, now=time.perf_counter())

    def _release(self, slot: Slot, *, now: float) -> None:
        if slot.n_unshifted < slot.n_past and not self._keeps_shifted:
            slot.n_past = keep_prefix(self._memory, slot.index, n_keep=slot.n_unshifted, n_cached=slot.n_past)
        slot.release(now=now)

    def reject(self, sequence: Sequence, exc: Exception) -> None:
        """Fail a request without a slot with ``exc``."""
        sequence.close()
        self.report_failure(sequence.request_id, exc)

    def report_failure(self, request_id: RequestId, exc: Exception) -> None:
        """Report a request as failed with ``exc``.

        An unexpected exception is a bug; its traceback goes to the log.
        """
        if not isinstance(exc, FiresideError):
            traceback.print_exception(exc, file=sys.stderr)
            exc = self.internal_error(inside_fireside(exc))
        self._reports.add_end(request_id, Failed(error=exc.info()))

    def internal_error(self, cause: Translatable) -> RunnerCrashed:
        """Return the error for a failure inside the runner."""
        return RunnerCrashed(model=self._name, cause=cause)


def remember_answer_tokens(answer: OutputStream, tokens: Tokens, vocab: Vocabulary) -> None:
    """Remember the tokens of reasoning and answer separately, as they will reappear in the history."""
    n_bytes = 0
    token_counts = {0: 0}
    for index, token in enumerate(tokens.tolist(), 1):
        n_bytes += len(vocab.piece(token))
        token_counts[n_bytes] = index
    start = 0
    for kind, text in answer.segments_by_kind:
        end = start + len(text.encode())
        if kind is not OutputKind.MARKUP and start in token_counts and end in token_counts:
            vocab.remember_answer(text, tokens[token_counts[start] : token_counts[end]])
        start = end


def not_computed(result: DecodeResult) -> Phrase:
    """Return the cause for a failed decode."""
    return Phrase(tr_noop("llama.cpp could not compute the next step ({result})."), {"result": result.name})


def inside_fireside(error: Exception) -> Phrase:
    """Return the cause for an unexpected exception, whose traceback is in the log."""
    return Phrase(tr_noop("an internal error ({kind})."), {"kind": type(error).__name__})
