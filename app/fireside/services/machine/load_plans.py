"""Plan how models fit this computer, load them by a plan, and record what loads took."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

import msgspec

from fireside.core.errors import SettingInvalid, StorageError, error_from_info
from fireside.core.for_window import for_window
from fireside.core.i18n import tr_noop
from fireside.core.ids import ConversationId, ModelId
from fireside.core.options import LoadOptions, Pooling, Purpose, SettingValue
from fireside.core.plan import LoadPlan, LoadRecord
from fireside.engine.planning.auto_fit import smaller_options
from fireside.engine.planning.planner import Planner
from fireside.engine.request import LoadRequest
from fireside.engine.sharing.shared_engine import SharedEngine
from fireside.services.library.model_service import ModelService
from fireside.services.machine.host_measurement import HostMeasurement
from fireside.services.preferences import Preferences
from fireside.services.request_builder import Resolved, load_options_for, vector_options
from fireside.settings.conversions import keep_alive_s
from fireside.settings.definitions import BY_KEY
from fireside.settings.value_check import normalise
from fireside.settings.values import Origin, ResolvedSetting
from fireside.storage.load_records import LoadRecords

log = logging.getLogger(__name__)


class LoadPlans:
    """Where a model would go, and what that takes. Lives on the engine's loop."""

    def __init__(
        self,
        *,
        planner: Planner,
        computer: HostMeasurement,
        engine: SharedEngine,
        models: ModelService,
        preferences: Preferences,
        records: LoadRecords,
    ) -> None:
        self._planner = planner
        self._computer = computer
        self._engine = engine
        self._models = models
        self._preferences = preferences
        self._records = records
        self._tasks: set[asyncio.Task[None]] = set()
        planner.on_record = self._note

    @for_window
    async def plan(
        self,
        model_id: ModelId,
        *,
        conversation_id: ConversationId | None,
        changes: Mapping[str, SettingValue],
    ) -> LoadPlan:
        """Return how the model would be loaded with the settings in force and ``changes`` on top of them.

        A change to ``None`` resets a setting, so that Fireside decides. Takes under 20 ms if the plan is
        cached, else as long as the dry runs; may be cancelled. Raises ``ModelNotFound`` or
        ``SettingInvalid``, and ``ModelKindUnknown`` or ``ModelFileInvalid`` for a model that llama.cpp cannot
        load at all. If the model does not fit, the plan says so.
        """
        spec = self._models.spec(model_id)
        resolved = await self._preferences.resolved(model_id=model_id, conversation_id=conversation_id)
        options = load_options_for(spec, with_changes(resolved, changes))
        if spec.purpose is not Purpose.GENERATE:
            options = vector_options(options, purpose=spec.purpose, pooling=Pooling.MODEL)
        return await self._planned(model_id, options)

    @for_window
    async def load_records(self, model_id: ModelId) -> tuple[LoadRecord, ...]:
        """Return the stored loads of a model, the latest first. Raises ``StorageError``."""
        return await self._records.of_model(model_id)

    @for_window
    async def smaller_plan(self, model_id: ModelId) -> LoadPlan | None:
        """Return a smaller plan to offer after a crash or when memory is short; ``None`` if there is none."""
        last_plan = self._planner.last_plan(model_id)
        if last_plan is None:
            last_plan = await self.plan(model_id, conversation_id=None, changes={})
        options = smaller_options(last_plan.options)
        return None if options is None else await self._planned(model_id, options)

    @for_window
    async def load_once(
        self,
        model_id: ModelId,
        *,
        conversation_id: ConversationId | None,
        changes: Mapping[str, SettingValue],
    ) -> None:
        """Load the model once with ``changes`` on top of its settings, which are not changed.

        They apply until it is unloaded or loaded again. Returns when it is ready. Raises ``SettingInvalid``,
        and the errors of a load.
        """
        spec = self._models.spec(model_id)
        resolved = await self._preferences.resolved(model_id=model_id, conversation_id=conversation_id)
        options = load_options_for(spec, resolved)
        override_options = load_options_for(spec, with_changes(resolved, changes))
        await self._engine.load(
            LoadRequest(
                spec=spec,
                options=options,
                keep_alive_s=keep_alive_s(resolved),
                override_options=override_options if override_options != options else None,
            )
        )

    @for_window
    async def load_smaller(self, model_id: ModelId, *, conversation_id: ConversationId | None) -> None:
        """Load the model with ``smaller_plan``, also later, until its settings change.

        Uses the settings where there is no smaller plan. Raises the errors of a load.
        """
        smaller = await self.smaller_plan(model_id)
        spec = self._models.spec(model_id)
        resolved = await self._preferences.resolved(model_id=model_id, conversation_id=conversation_id)
        await self._engine.unload(model_id)
        await self._engine.load(
            LoadRequest(
                spec=spec,
                options=load_options_for(spec, resolved),
                keep_alive_s=keep_alive_s(resolved),
                override_options=None if smaller is None else smaller.options,
                persist=True,
            )
        )

    async def close(self) -> None:
        """Finish writing records, and stop planning."""
        await asyncio.gather(*self._tasks)
        await asyncio.to_thread(self._planner.close)

    async def _planned(self, model_id: ModelId, options: LoadOptions) -> LoadPlan:
        computer = await self._computer.measure()
        plan = await self._planner.plan(
            self._models.spec(model_id), options, devices=computer.devices, host=computer.host
        )
        if plan.load_error is not None:
            raise error_from_info(plan.load_error)
        return plan

    def _note(self, record: LoadRecord) -> None:
        task = asyncio.get_running_loop().create_task(self._write(record), name="note load")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _write(self, record: LoadRecord) -> None:
        try:
            await self._records.add(record)
        except StorageError as exc:
            log.info("the record of a load was not stored: %s", exc)


def with_changes(resolved: Resolved, changes: Mapping[str, SettingValue]) -> Resolved:
    """Return the settings with ``changes``; a changed one counts as set by the user, and is not
    auto-adjusted.

    ``None`` resets a setting to its default, which may be auto-adjusted.
    """
    for key in changes:
        if key not in BY_KEY:
            raise SettingInvalid(key=key, reason=tr_noop("Unknown setting."))
    return tuple(
        _with_value(setting, changes[setting.definition.key])
        if setting.definition.key in changes
        else setting
        for setting in resolved
    )


def _with_value(setting: ResolvedSetting, value: SettingValue) -> ResolvedSetting:
    if value is None:
        return msgspec.structs.replace(setting, value=setting.definition.default, origin=Origin.DEFAULT)
    chosen = normalise(setting.definition, value)
    return msgspec.structs.replace(setting, value=chosen, origin=Origin.CONVERSATION)
