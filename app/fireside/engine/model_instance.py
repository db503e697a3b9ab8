"""A loaded model: what it was loaded for, its runner, and the requests it answers."""

from __future__ import annotations

import asyncio

from fireside.core.ids import ModelId, RequestId
from fireside.core.options import LoadOptions
from fireside.core.plan import DeviceBudget, MemoryUse
from fireside.core.shortfall import Pace
from fireside.core.status import (
    LoadedModel,
    LoadingModel,
    LoadStage,
    ModelState,
    Ready,
    RunningModel,
    Unloading,
)
from fireside.engine.decisions import NEVER, Phase, RunnerView
from fireside.engine.fairness import InstanceId, LoadTarget
from fireside.engine.request_state import RequestState
from fireside.engine.runner_session import RunnerSession


class ModelInstance:
    """The state of one runner from the decision to load it until its process is gone. Holds, decides nothing.

    Args:
        keep_alive_s: how long it stays without use; ``None`` is until its place is needed.
    """

    def __init__(self, target: LoadTarget, *, keep_alive_s: float | None, now: float) -> None:
        self.target = target
        self.keep_alive_s = keep_alive_s
        self.last_used_at = now
        self.ready_at = now
        self.n_served = 0
        """Requests since it was loaded."""
        self.phase = Phase.LOADING
        self.fraction = 0.0
        """Of the file, while it loads."""
        self.stage = LoadStage.STARTING
        self.is_silent = False
        """Its load does nothing for a while."""
        self.placed: LoadOptions | None = None
        """How it is loaded, or about to be, all numbers settled."""
        self.rooms: tuple[DeviceBudget, ...] = ()
        """The memory that was free when its load was planned."""
        self.uses: tuple[MemoryUse, ...] = ()
        """What its load was planned to take."""
        self.override_options: LoadOptions | None = None
        """What it is loaded by this time in place of what is wanted."""
        self.paces: tuple[Pace, ...] = ()
        """Of its latest answers that had the computer for themselves."""
        self.is_short = False
        """``note`` says that memory ran short."""
        self.cache_bytes = 0
        """Memory in which its runner may keep conversations."""
        self.expected_bytes = 0
        """Memory that its runner may hold for itself; 0 where that is not known."""
        self.is_without_gpu = False
        """Its graphics card was lost: it is loaded on the processor, whatever was wanted."""
        self.note = ""
        """What the user should know of how it is loaded."""
        self.unload_reason = ""
        """Why it goes, where the user should know."""
        self.is_dismissed = False
        """It is unloaded on purpose; its end is no failure."""
        self.session: RunnerSession | None = None
        self.loaded: LoadedModel | None = None
        self.active: dict[RequestId, RequestState] = {}
        self.counting = asyncio.Lock()
        """One count of tokens at a time: each carries a whole conversation."""
        self.life: asyncio.Task[None] | None = None
        """Runs as long as the instance is taken."""

    @property
    def model_id(self) -> ModelId:
        """Of the model that it is loaded for."""
        return self.target.model_id

    @property
    def id(self) -> InstanceId:
        """Its own, among all instances."""
        return self.target.instance_id

    @property
    def wanted_options(self) -> LoadOptions:
        """How it is to be loaded this time."""
        return self.target.options if self.override_options is None else self.override_options

    @property
    def name(self) -> str:
        """The model's, for messages."""
        return self.target.spec.name

    def view(self, *, in_min_residency: bool = False, is_fallback_load: bool = False) -> RunnerView:
        """Return what the decisions look at."""
        return RunnerView(
            target=self.target,
            phase=self.phase,
            n_active=len(self.active),
            n_slots=self.loaded.n_seq_max if self.loaded is not None else 0,
            expires_at=NEVER if self.keep_alive_s is None else self.last_used_at + self.keep_alive_s,
            last_used_at=self.last_used_at,
            in_min_residency=in_min_residency,
            placed=self.placed,
            override_options=self.override_options,
            is_fallback_load=is_fallback_load,
            is_silent=self.is_silent,
        )

    def state(self) -> ModelState:
        """Return what the user is shown."""
        if self.phase is Phase.STOPPING:
            return Unloading()
        if self.loaded is None:
            return LoadingModel(fraction=self.fraction, stage=self.stage, is_silent=self.is_silent)
        return Ready(
            loaded=self.loaded,
            options=self.wanted_options,
            n_active=len(self.active),
            note=self.note,
            placed=self.placed,
            is_short=self.is_short,
        )

    def running(self, *, now: float) -> RunningModel:
        """Return what a list of the models in memory says of it."""
        is_idle = self.phase is Phase.READY and not self.active
        left_s = self.view().expires_at - now
        return RunningModel(
            model_id=self.model_id,
            name=self.name,
            state=self.state(),
            purpose=self.id.purpose,
            pid=self.session.pid if self.session is not None else None,
            expires_in_s=max(0.0, left_s) if is_idle and left_s < NEVER else None,
            clients=tuple(each.request.client for each in self.active.values()),
        )

    def start_serving(self, *, now: float) -> None:
        """The model is loaded."""
        self.phase = Phase.READY
        self.ready_at = self.last_used_at = now
        held_bytes = self.session.private_bytes() if self.session is not None else None
        if held_bytes is not None and self.loaded is not None:
            # Caches and buffers are asked for at once, and held from their first use on.
            to_come = sum(report.kv_bytes + report.compute_bytes for report in self.loaded.memory)
            self.expected_bytes = held_bytes + to_come + self.cache_bytes

    def use(self, *, keep_alive_s: float | None, now: float) -> None:
        """Note a use; its keep-alive replaces the one before."""
        self.n_served += 1
        self.keep_alive_s = keep_alive_s
        self.last_used_at = now

    def dismiss(self) -> None:
        """Begin the end; requests that are being answered end as cancelled."""
        self.is_dismissed = True
        self.phase = Phase.STOPPING
        if self.session is not None:
            self.session.detach()
