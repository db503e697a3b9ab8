"""Compile constraints in background threads while the loop decodes."""

from __future__ import annotations

import sys
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from fireside.core.errors import ConstraintInvalid, FiresideError
from fireside.core.i18n import tr_noop
from fireside.core.task import Constraint
from fireside.runner.decoder import NotReady
from fireside.runner.sampling.constraint import ConstraintMatcher
from fireside.runner.sampling.grammar_limits import check_constraint, kind_of
from fireside.runner.sampling.llguidance_grammar import grammar_text, matching_error, readable_error

if TYPE_CHECKING:
    from llguidance import LLMatcher, LLTokenizer


MAX_CACHED: Final = 64
_N_DRY_RUNS: Final = 2
"""Dry runs at the same time for constraints that a request waits for; for the others it is one."""


class _Job:
    """The compilation of one constraint: claimed by one thread, done when it has a grammar or an error."""

    def __init__(self, constraint: Constraint) -> None:
        self.constraint = constraint
        self.done = threading.Event()
        self.grammar: Grammar | None = None
        self.error: FiresideError | None = None
        self._claim = threading.Lock()

    @property
    def is_claimed(self) -> bool:
        return self._claim.locked()

    def claim(self) -> bool:
        """Claim the job; false if another thread has claimed it."""
        return self._claim.acquire(blocking=False)


class GrammarPreparation:
    """Cache of compiled constraints, which are compiled in background threads on first use.

    ``prepare``, ``start_compiling`` and ``matcher`` are called by one thread, and never block it.

    Args:
        make_compiler: makes the compiler, in a background thread.
        dry_run: raises ``ConstraintInvalid`` for what must not be compiled in this process.
    """

    def __init__(
        self, make_compiler: Callable[[], GrammarCompiler], *, dry_run: Callable[[Constraint], None]
    ) -> None:
        self._make_compiler = make_compiler
        self._dry_run = dry_run
        self._compiler: GrammarCompiler | None = None
        self._compiling = threading.Lock()
        self._dry_run_slots = threading.BoundedSemaphore(_N_DRY_RUNS)
        self._low_priority = threading.Lock()
        self._jobs: OrderedDict[Constraint, _Job] = OrderedDict()

    def prepare(self, constraints: Iterable[Constraint]) -> None:
        """Return if all are compiled; start compiling those that are not.

        Raises:
            NotReady: one is being compiled.
            ConstraintInvalid: one cannot be compiled. The next call tries again: it may have timed out.
        """
        jobs = [self._job(constraint) for constraint in constraints]
        for job in jobs:
            self._start(job)
        for job in jobs:
            if not job.done.is_set():
                raise NotReady(job.done)
            if job.error is not None:
                self._jobs.pop(job.constraint, None)
                raise job.error

    def start_compiling(self, constraints: Iterable[Constraint]) -> None:
        """Start compiling, one after the other in this order, what no request waits for yet.

        Earlier failures are tried again. An error is raised to the request that needs the constraint.
        """
        jobs = []
        for constraint in constraints:
            previous = self._jobs.get(constraint)
            if previous is not None and previous.error is not None:
                del self._jobs[constraint]
            try:
                jobs.append(self._job(constraint))
            except ConstraintInvalid:
                continue
        if not all(job.is_claimed for job in jobs):
            _start_thread(lambda: self._run_all(jobs))

    def matcher(self, constraint: Constraint, ends_answer: bool) -> ConstraintMatcher:
        """Return a matcher for ``constraint`` in its initial state.

        Raises:
            NotReady: it is being compiled.
            ConstraintInvalid: it cannot be.
        """
        job = self._job(constraint)
        self._start(job)
        if not job.done.is_set():
            raise NotReady(job.done)
        if job.grammar is None:
            raise job.error or _internal_error(constraint)
        return job.grammar.matcher(ends_answer=ends_answer)

    # In the decoding thread

    def _job(self, constraint: Constraint) -> _Job:
        job = self._jobs.get(constraint)
        if job is None:
            check_constraint(constraint)
            job = self._jobs[constraint] = _Job(constraint)
            self._evict()
        self._jobs.move_to_end(constraint)
        return job

    def _evict(self) -> None:
        """Drop the least recently used finished job beyond the limit; unfinished ones will be needed."""
        if len(self._jobs) > MAX_CACHED:
            done = (constraint for constraint, job in self._jobs.items() if job.done.is_set())
            oldest = next(done, None)
            if oldest is not None:
                del self._jobs[oldest]

    def _start(self, job: _Job) -> None:
        """Run ``job`` at once: a request waits for it."""
        if job.claim():
            _start_thread(lambda: self._run_now(job))

    # In background threads

    def _run_now(self, job: _Job) -> None:
        with self._dry_run_slots:
            self._run(job)

    def _run_all(self, jobs: Sequence[_Job]) -> None:
        for job in jobs:
            with self._low_priority:
                if job.claim():
                    self._run(job)

    def _run(self, job: _Job) -> None:
        try:
            self._dry_run(job.constraint)
            with self._compiling:
                if self._compiler is None:
                    self._compiler = self._make_compiler()
                job.grammar = self._compiler.compile(job.constraint)
        except FiresideError as exc:
            job.error = exc
        except Exception:  # noqa: BLE001  # the request must get an error, whatever went wrong
            traceback.print_exc(file=sys.stderr)
            job.error = _internal_error(job.constraint)
        finally:
            job.done.set()


def _start_thread(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="constraint compiler", daemon=True).start()


def _internal_error(constraint: Constraint) -> ConstraintInvalid:
    return ConstraintInvalid(kind=kind_of(constraint), reason=tr_noop("an internal error occurred."))


# Compile constraints with llguidance for one vocabulary


_DEAD_END: Final = "NoExtension"
"""Prefix of the matcher's error if no token can follow and the text is not complete."""
_MAX_ITEMS_IN_STEP: Final = 20_000
_MAX_ITEMS_IN_ROW: Final = 1000
"""Most ways of reading the text that are followed when the allowed tokens are looked up, and behind one byte:
all other answers wait for that.

Looking up so many takes 0.06 s with a vocabulary of 49k; as many as llguidance allows take 0.9 s, each time.
Published grammars (llama.cpp, Lark, Outlines, SynCode) stay below 2,500, and those in a row below 300.
A list of lines whose rule contains itself at its end has one more in a row with each line.
"""


class Grammar:
    """A compiled constraint.

    Args:
        matcher: in its initial state; only ever copied.
        kind: name of the kind of constraint, for messages to the user.
    """

    def __init__(self, matcher: LLMatcher, tokenizer: LLTokenizer, *, kind: str) -> None:
        self._matcher = matcher
        self._tokenizer = tokenizer
        self._kind = kind

    def matcher(self, *, ends_answer: bool) -> ConstraintMatcher:
        """Return a matcher in its initial state. Takes no time."""
        copy = self._matcher.deep_copy()
        return ConstraintMatcher(copy, self._tokenizer, kind=self._kind, ends_answer=ends_answer)


class GrammarCompiler:
    """Compiler of constraints for one vocabulary. Used by one thread at a time."""

    def __init__(self, tokenizer: LLTokenizer) -> None:
        self._tokenizer = tokenizer

    def compile(self, constraint: Constraint) -> Grammar:
        """Compile ``constraint``, which has passed the limits and a dry run before.

        Raises:
            ConstraintInvalid: it is malformed, uses unsupported features, or exceeds the limits.
        """
        from llguidance import LLMatcher, LLParserLimits

        limits = LLParserLimits(step_max_items=_MAX_ITEMS_IN_STEP, max_items_in_row=_MAX_ITEMS_IN_ROW)
        matcher = LLMatcher(self._tokenizer, grammar_text(constraint), log_level=0, limits=limits)
        kind = kind_of(constraint)
        if matcher.is_error():
            raise ConstraintInvalid(kind=kind, reason=readable_error(matcher.get_error()))
        first = matcher.deep_copy()
        first.compute_bitmask()  # reveals whether any token can come first
        if first.get_error().startswith(_DEAD_END):
            raise ConstraintInvalid(kind=kind, reason=tr_noop("nothing can fulfil it."))
        if first.is_error():
            raise ConstraintInvalid(kind=kind, reason=matching_error(first.get_error()))
        return Grammar(matcher, self._tokenizer, kind=kind)
