"""Protocol of the service for tuning a model and benchmarking models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.ids import ModelId
from fireside.core.tuning import BusyModels, ModelComparison, TuningOptions, TuningReport


class TuningClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    Progress arrives as ``TuningProgressed`` and ``ComparingProgressed``. One measurement runs at a time, and
    no model is loaded meanwhile: requests for other models wait.
    """

    async def busy(self, measured: Sequence[ModelId]) -> BusyModels:
        """Return what would disturb a measurement now; ``measured`` models do so only while they answer."""

    async def report(self, model_id: ModelId) -> TuningReport | None:
        """Return the latest tuning of a model and whether it still applies; ``None`` if there is none.

        Takes less than a second. Raises ``ModelNotFound``.
        """

    async def tune(self, model_id: ModelId, wishes: TuningOptions) -> TuningReport:
        """Find the fastest settings and store the measurements.

        Takes about as long as ``wishes`` allow; may be cancelled. Raises ``TuningRefused`` if another
        measurement runs, or the error of a load.
        """

    async def apply(self, model_id: ModelId) -> TuningReport:
        """Store the fastest settings as the model's own.

        Raises ``TuningRefused`` if none were found, or a ``SettingsError``.
        """

    async def revert(self, model_id: ModelId) -> TuningReport:
        """Restore the settings that the model had before ``apply``.

        Settings that the user changed since stay. Raises ``TuningRefused`` if none were applied, or a
        ``SettingsError``.
        """

    async def compare(self, model_ids: Sequence[ModelId], *, unload: bool, is_quick: bool) -> ModelComparison:
        """Measure models one after the other, each with its own settings. May be cancelled.

        A model that cannot be measured is in the result with the reason.
        Raises ``TuningRefused`` for none or too many, or if something is being measured already.
        """
