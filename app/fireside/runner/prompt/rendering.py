"""Compile and render one template within a time limit.

A rendering runs in a thread of its own. On timeout an exception is raised in that thread, which works on
every system and costs nothing otherwise. It does not reach a single call of C that holds the interpreter; the
sandbox bounds those it knows, and ``SandboxedTemplate.exit_after_s`` ends the process in one that it
does not.
"""

from __future__ import annotations

import ctypes
import faulthandler
import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import ClassVar, Final, TypeVar

import jinja2.meta

from fireside.core.i18n import Phrase, tr_noop
from fireside.runner.prompt.placeholders import ContentInspected
from fireside.runner.prompt.sandbox import TemplateRefused, TemplateSandbox, tojson_filter

TIME_LIMIT_S: Final = 2.0
MAX_SOURCE_CHARS: Final = 1_000_000
_STUCK_GRACE_S: Final = 1.0
_THROW_EVERY_S: Final = 0.1
"""An exception raised within a callback of the garbage collector is lost, so it is raised again."""

_Result = TypeVar("_Result")


class TemplateBroken(Exception):
    """The template cannot be used: a syntax error, something forbidden or endless, any error of its own."""


class TemplateTimeout(TemplateBroken):
    """The template did not finish within the time limit."""


class _TimeUp(SystemExit):
    """Raised in a rendering that takes too long. Not an ``Exception``, so that no handler catches it."""


class SandboxedTemplate:
    """A compiled template. Used by one thread at a time.

    Raises:
        TemplateBroken: the source cannot be compiled, within the time limit.
    """

    exit_after_s: ClassVar[float | None] = None
    """After so long in one template, the process ends: no thread of Python can say anything any more.

    For a process that serves one model and nothing else.
    """

    def __init__(self, source: str, *, time_limit_s: float = TIME_LIMIT_S) -> None:
        if len(source) > MAX_SOURCE_CHARS:
            raise TemplateBroken(tr_noop("it is too long"))
        self._time_limit_s = time_limit_s
        self._environment = TemplateSandbox()
        # Constants are folded while compiling, so that is bounded like the rendering.
        self._template = self._bounded(lambda: self._environment.from_string(source))
        self.variables: frozenset[str] = self._bounded(lambda: self._find_variables(source))
        """Names of the template's undeclared variables."""

    def _find_variables(self, source: str) -> frozenset[str]:
        return frozenset(jinja2.meta.find_undeclared_variables(self._environment.parse(source)))

    def render(
        self,
        variables: Mapping[str, object],
        *,
        n_content_chars: int,
        now: Callable[[], datetime],
        escape_json: Callable[[str], str] = str,
    ) -> str:
        """Return the rendered text.

        Args:
            variables: the template's variables; plain values only.
            n_content_chars: length of the message contents in ``variables``; the budget grows with it.
            now: returns the time for ``strftime_now`` and ``date_string``.
            escape_json: called with every result of ``tojson``; returns what to use instead.

        Raises:
            TemplateRefused: the template called ``raise_exception``.
            TemplateBroken: any other error, or a timeout.
            ContentInspected: the template inspected a placeholder.
        """
        environment = self._environment
        environment.begin(n_content_chars=n_content_chars, given=variables)
        environment.filters["tojson"] = tojson_filter(escape_json, environment.charge)

        def strftime_now(pattern: str) -> str:
            return now().strftime(pattern[:200])

        # Llama 3's variable for the date; without it some of its templates print July 2024.
        dates = {"date_string": strftime_now("%d %b %Y")} if "date_string" in self.variables else {}
        all_variables = {**dates, **variables, "strftime_now": strftime_now}
        return self._bounded(lambda: self._template.render(all_variables))

    def _bounded(self, action: Callable[[], _Result]) -> _Result:
        """Run ``action`` in a thread of its own and return its result, within the time limit."""
        results: list[_Result] = []
        failures: list[Exception] = []

        def work() -> None:
            try:
                try:
                    results.append(action())
                except Exception as exc:  # noqa: BLE001  # a template can raise anything
                    failures.append(exc)
            except _TimeUp:
                pass

        # A daemon, so that a thread stuck in an endless C call does not keep the process alive.
        thread = threading.Thread(target=work, name="chat template", daemon=True)
        if self.exit_after_s is not None:
            faulthandler.dump_traceback_later(self.exit_after_s, exit=True)
        thread.start()
        thread.join(self._time_limit_s)
        given_up_at = time.monotonic() + _STUCK_GRACE_S
        while thread.is_alive() and time.monotonic() < given_up_at:
            _throw_into(thread)
            thread.join(_THROW_EVERY_S)
        if self.exit_after_s is not None:
            faulthandler.cancel_dump_traceback_later()
        if failures:
            raise _typed(failures[0]) from failures[0]
        if not results:
            raise TemplateTimeout(
                Phrase(tr_noop("it did not end within {n} seconds"), {"n": self._time_limit_s})
            )
        return results[0]


def _throw_into(thread: threading.Thread) -> None:
    """Raise ``_TimeUp`` in ``thread`` at its next bytecode."""
    if thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_TimeUp))


def _typed(failure: Exception) -> Exception:
    if isinstance(failure, (TemplateRefused, TemplateBroken, ContentInspected)):
        return failure
    reason = str(failure) or type(failure).__name__
    return TemplateBroken(reason.splitlines()[0][:300].rstrip("."))
