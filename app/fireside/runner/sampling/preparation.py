"""Compile constraints beside the decoding."""

from __future__ import annotations

import sys
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Final

from fireside.core.constraint import Constraint
from fireside.core.errors import ConstraintInvalid, FiresideError
from fireside.runner.decoder import NotReady
from fireside.runner.sampling.gates import check_constraint, kind_of
from fireside.runner.sampling.grammars import Grammars
from fireside.runner.sampling.rule import Rule

_N_REMEMBERED: Final = 256
_N_TRIALS: Final = 2
"""Constraints that are tried out at the same time."""


class _Job:
    """One constraint on its way."""

    def __init__(self, constraint: Constraint) -> None:
        self.constraint = constraint
        self.done = threading.Event()
        self.error: FiresideError | None = None


class Preparation:
    """The vocabulary's table and compiled constraints, made in a thread of their own when first asked for.

    ``prepare`` and ``rule`` are called by one thread.

    Args:
        build: makes the grammars' home, in that other thread.
        try_out: raises ``ConstraintInvalid`` for what must not be compiled in this process.
    """

    def __init__(self, build: Callable[[], Grammars], *, try_out: Callable[[Constraint], None]) -> None:
        self._build = build
        self._try_out = try_out
        self._grammars: Grammars | None = None
        self._lock = threading.Lock()
        self._trials = threading.BoundedSemaphore(_N_TRIALS)
        self._jobs: OrderedDict[Constraint, _Job] = OrderedDict()

    def prepare(self, constraints: Iterable[Constraint]) -> None:
        """Return if all are compiled.

        Raises:
            NotReady: one is being compiled.
            ConstraintInvalid: one cannot be.
        """
        jobs = [self._job(constraint) for constraint in constraints]
        for job in jobs:
            if not job.done.is_set():
                raise NotReady(job.done)
            self._check(job)

    def begin(self, constraints: Iterable[Constraint]) -> None:
        """Begin to compile; nobody waits for it yet.

        Raises:
            ConstraintInvalid: one is too large or too deep to be looked at.
        """
        for constraint in constraints:
            self._job(constraint)

    def rule(self, constraint: Constraint, ends_answer: bool) -> Rule:
        """Return ``constraint`` at its beginning, waiting for it if it was not prepared.

        Raises:
            ConstraintInvalid: it cannot be compiled.
        """
        job = self._job(constraint)
        job.done.wait()
        self._check(job)
        with self._lock:
            return self._home().rule(constraint, ends_answer=ends_answer)

    def _check(self, job: _Job) -> None:
        """Raise the job's error, and forget it: asked again, it may be that only time was short."""
        if job.error is not None:
            self._jobs.pop(job.constraint, None)
            raise job.error

    def _job(self, constraint: Constraint) -> _Job:
        job = self._jobs.get(constraint)
        if job is None:
            check_constraint(constraint)
            job = self._jobs[constraint] = _Job(constraint)
            threading.Thread(target=self._run, args=(job,), name="compile-rules", daemon=True).start()
            if len(self._jobs) > _N_REMEMBERED:
                self._jobs.popitem(last=False)
        self._jobs.move_to_end(constraint)
        return job

    def _run(self, job: _Job) -> None:
        try:
            with self._trials:
                self._try_out(job.constraint)
            with self._lock:
                self._home().compile(job.constraint)
        except FiresideError as exc:
            job.error = exc
        except Exception:  # noqa: BLE001  # whatever it is, the request must hear of it
            traceback.print_exc(file=sys.stderr)
            job.error = ConstraintInvalid(
                kind=kind_of(job.constraint),
                reason="there is an error inside Fireside.",
            )
        finally:
            job.done.set()

    def _home(self) -> Grammars:
        if self._grammars is None:
            self._grammars = self._build()
        return self._grammars
