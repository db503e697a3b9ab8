"""Look after idle runners: whether they still answer, and what memory they hold."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Final

from fireside.core.errors import format_bytes
from fireside.engine.clock import BootClock, Clock, Timer
from fireside.engine.decisions import Phase
from fireside.engine.model_instance import ModelInstance

logger = logging.getLogger(__name__)

SLEEP_WORTH_TELLING_S: Final = 5.0


class RunnerHealth:
    """Looks at all runners every ``every_s`` seconds from ``start`` to ``stop``. On the loop's thread only.

    A runner that is asked and does not answer is ended by its session's watchdog, before a request waits for
    it; so are those on a GPU whose driver forgot them while the computer slept. Looking costs a message and
    one question to the system for each runner.

    Args:
        boot_clock: seconds that go on while the computer sleeps.
        growth_limit_bytes: how much more than it should a runner may hold.
        on_grown: called with an idle one that holds more, and how much that is.
        on_look: called with each that is ready, to look at what is around it.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        boot_clock: BootClock,
        every_s: float,
        growth_limit_bytes: int,
        instances: Callable[[], Iterable[ModelInstance]],
        on_grown: Callable[[ModelInstance, int], None],
        on_check: Callable[[ModelInstance], None],
    ) -> None:
        self._clock = clock
        self._boot_clock = boot_clock
        self._every_s = every_s
        self._growth_limit_bytes = growth_limit_bytes
        self._instances = instances
        self._on_grown = on_grown
        self._on_check = on_check
        self._timer: Timer | None = None
        self._looked_at = 0.0
        self._booted_at = 0.0

    def start(self) -> None:
        """There are runners. Does nothing where it runs already."""
        if self._timer is None:
            self._arm()

    def stop(self) -> None:
        """There are none any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self) -> None:
        self._looked_at = self._clock.now()
        self._booted_at = self._boot_clock()
        self._timer = self._clock.call_at(self._looked_at + self._every_s, self._check_all)

    def _check_all(self) -> None:
        awake_s = self._clock.now() - self._looked_at
        # On some systems the loop's own clock goes on during a sleep; then this call is late.
        slept_s = max(self._boot_clock() - self._booted_at - awake_s, awake_s - self._every_s)
        if slept_s > SLEEP_WORTH_TELLING_S:
            logger.info("the computer slept for %.0f s, or was held up", slept_s)
        for instance in tuple(self._instances()):
            if instance.phase is Phase.READY:
                self._on_check(instance)
            if instance.phase is Phase.READY and not instance.active and instance.session is not None:
                self._check(instance)
        self._arm()

    def _check(self, instance: ModelInstance) -> None:
        assert instance.session is not None
        held_bytes = instance.session.private_bytes()
        grown_bytes = 0 if held_bytes is None else held_bytes - instance.expected_bytes
        if instance.expected_bytes and grown_bytes > self._growth_limit_bytes:
            logger.warning("%s holds %s more than it should", instance.name, format_bytes(grown_bytes))
            self._on_grown(instance, grown_bytes)
        else:
            instance.session.ping()
