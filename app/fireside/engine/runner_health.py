"""Periodic health checks of idle runners: whether they respond, and how much memory they use."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Final

from fireside.core.errors import format_bytes
from fireside.engine.clock import BootClock, Clock, Timer
from fireside.engine.decisions import Phase
from fireside.engine.model_instance import ModelInstance

logger = logging.getLogger(__name__)

MIN_LOGGED_SLEEP_S: Final = 5.0


class RunnerHealth:
    """Checks all runners every ``interval_s`` seconds from ``start`` to ``stop``. On the loop's thread only.

    A runner that does not answer a ping is killed by its session's watchdog before a request waits for it; so
    are runners that lost their GPU context while the computer slept. A check costs one message and one system
    call for each runner.

    Args:
        boot_clock: see ``BootClock``.
        growth_limit_bytes: how much more memory than expected a runner may use.
        on_grown: called with an idle instance that uses more, and how much more than expected.
        on_check: called with each ready instance, for further checks.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        boot_clock: BootClock,
        interval_s: float,
        growth_limit_bytes: int,
        instances: Callable[[], Iterable[ModelInstance]],
        on_grown: Callable[[ModelInstance, int], None],
        on_check: Callable[[ModelInstance], None],
    ) -> None:
        self._clock = clock
        self._boot_clock = boot_clock
        self._interval_s = interval_s
        self._growth_limit_bytes = growth_limit_bytes
        self._instances = instances
        self._on_grown = on_grown
        self._on_check = on_check
        self._timer: Timer | None = None
        self._checked_at = 0.0
        self._checked_boot_at = 0.0

    def start(self) -> None:
        """Start the checks. Does nothing if they run already."""
        if self._timer is None:
            self._arm()

    def stop(self) -> None:
        """Stop the checks."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self) -> None:
        self._checked_at = self._clock.now()
        self._checked_boot_at = self._boot_clock()
        self._timer = self._clock.call_at(self._checked_at + self._interval_s, self._check_all)

    def _check_all(self) -> None:
        awake_s = self._clock.now() - self._checked_at
        # On some systems the loop's clock includes the sleep; then this call is late.
        slept_s = max(self._boot_clock() - self._checked_boot_at - awake_s, awake_s - self._interval_s)
        if slept_s > MIN_LOGGED_SLEEP_S:
            logger.info("the computer slept for %.0f s, or was held up", slept_s)
        for instance in tuple(self._instances()):
            if instance.phase is Phase.READY:
                self._on_check(instance)
            if instance.phase is Phase.READY and not instance.active and instance.session is not None:
                self._check(instance)
        self._arm()

    def _check(self, instance: ModelInstance) -> None:
        assert instance.session is not None
        private_bytes = instance.session.private_bytes()
        grown_bytes = 0 if private_bytes is None else private_bytes - instance.expected_bytes
        if instance.expected_bytes and grown_bytes > self._growth_limit_bytes:
            logger.warning("%s uses %s more memory than expected", instance.name, format_bytes(grown_bytes))
            self._on_grown(instance, grown_bytes)
        else:
            instance.session.ping()
