"""The state of one model instance: a model that is loaded, loading or unloading, with its runner."""

from __future__ import annotations

import asyncio

from fireside.core.ids import ModelId, RequestId
from fireside.core.load_sizes import effective_n_ctx, with_larger_context
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
    """The state of one instance, from the decision to load it until its process has exited. Decides nothing.

    Args:
        keep_alive_s: how long it stays loaded without use; ``None`` is until its memory is needed.
    """

    def __init__(self, target: LoadTarget, *, keep_alive_s: float | None, now: float) -> None:
        self.target = target
        self.keep_alive_s = keep_alive_s
        self.last_used_at = now
        self.ready_at = now
        self.n_served = 0
        """Requests and loads by hand served since it was loaded."""
        self.phase = Phase.LOADING
        self.fraction = 0.0
        """Part of the file that is loaded, 0 to 1."""
        self.stage = LoadStage.STARTING
        self.left_s: float | None = None
        """See ``LoadingModel``."""
        self.setup_wait: asyncio.Task[None] | None = None
        """Its wait for llama.cpp to be compiled."""
        self.is_silent = False
        """Its load has shown no activity for a while."""
        self.resolved_options: LoadOptions | None = None
        """The options of its load plan, with no automatic values left."""
        self.budgets: tuple[DeviceBudget, ...] = ()
        """The memory that was available when its load was planned."""
        self.uses: tuple[MemoryUse, ...] = ()
        """The memory that its load was planned to use."""
        self.override_options: LoadOptions | None = None
        """What it is loaded with in place of ``target``'s options; see ``Engine.load``."""
        self.n_ctx = 0
        """Context length that a request needs; 0 if the options' is enough."""
        self.paces: tuple[Pace, ...] = ()
        """Speed of its latest answers during which no other request ran."""
        self.is_short = False
        """Whether ``note`` is that memory ran short."""
        self.cache_bytes = 0
        """Limit of its prompt cache in memory."""
        self.expected_bytes = 0
        """Private memory that its runner should use at most; 0 if that is not known."""
        self.is_without_gpu = False
        """Its GPU was lost: it is loaded on the CPU, whatever the options say."""
        self.note = ""
        """For the user: what is unusual about its load."""
        self.unload_reason = ""
        """For the user: why it is unloaded; empty if that needs no reason."""
        self.is_unload_requested = False
        """Whether it is unloaded on purpose, so that its exit is no failure."""
        self.session: RunnerSession | None = None
        self.loaded: LoadedModel | None = None
        self.active: dict[RequestId, RequestState] = {}
        self.query_lock = asyncio.Lock()
        """One query at a time: each carries a whole conversation."""
        self.task: asyncio.Task[None] | None = None
        """Runs the instance, from its load until its process has exited."""

    @property
    def model_id(self) -> ModelId:
        """Id of its model."""
        return self.target.model_id

    @property
    def id(self) -> InstanceId:
        """Its id among all instances."""
        return self.target.instance_id

    @property
    def requested_options(self) -> LoadOptions:
        """The options that its load is planned from."""
        return self.target.options if self.override_options is None else self.override_options

    @property
    def name(self) -> str:
        """Name of its model, for messages."""
        return self.target.spec.name

    @property
    def is_on_gpu(self) -> bool:
        """Whether it is loaded with layers on a GPU."""
        return self.loaded is not None and self.loaded.n_gpu_layers > 0

    @property
    def has_larger_context(self) -> bool:
        """Whether its load is planned with a larger context than was requested, since a request needs it."""
        return self.n_ctx > self.requested_options.n_ctx

    def view(self, *, in_min_residency: bool = False, is_fallback_load: bool = False) -> RunnerView:
        """Return what the decisions need to know of it."""
        return RunnerView(
            target=self.target,
            phase=self.phase,
            n_active=len(self.active),
            n_slots=self.loaded.n_seq_max if self.loaded is not None else 0,
            expires_at=NEVER if self.keep_alive_s is None else self.last_used_at + self.keep_alive_s,
            last_used_at=self.last_used_at,
            in_min_residency=in_min_residency,
            resolved_options=self.resolved_options,
            n_ctx=self.loaded.n_ctx if self.loaded is not None else 0,
            is_context_cut=self._is_context_cut(),
            override_options=self.override_options,
            is_fallback_load=is_fallback_load,
            is_silent=self.is_silent,
        )

    def _is_context_cut(self) -> bool:
        options = with_larger_context(self.requested_options, self.n_ctx)
        n_ctx = effective_n_ctx(options, n_ctx_train=self.target.spec.n_ctx_train)
        return self.loaded is not None and self.loaded.n_ctx < n_ctx

    def state(self) -> ModelState:
        """Return the model's state, as it is published."""
        if self.phase is Phase.STOPPING:
            return Unloading()
        if self.loaded is None:
            return LoadingModel(
                fraction=self.fraction, stage=self.stage, left_s=self.left_s, is_silent=self.is_silent
            )
        return Ready(
            loaded=self.loaded,
            options=self.requested_options,
            n_active=len(self.active),
            note=self.note,
            placed=self.resolved_options,
            is_memory_short=self.is_short,
        )

    def as_running_model(self, *, now: float) -> RunningModel:
        """Return its entry in the list of running models."""
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
        """Enter the ready phase: the model is loaded."""
        self.phase = Phase.READY
        self.ready_at = self.last_used_at = now
        held_bytes = self.session.private_bytes() if self.session is not None else None
        if held_bytes is not None and self.loaded is not None:
            # Caches and buffers are allocated at the load, and become resident with their first use.
            not_resident = sum(report.kv_bytes + report.compute_bytes for report in self.loaded.memory)
            self.expected_bytes = held_bytes + not_resident + self.cache_bytes

    def use(self, *, keep_alive_s: float | None, now: float) -> None:
        """Record a use; its keep-alive replaces the previous one."""
        self.n_served += 1
        self.keep_alive_s = keep_alive_s
        self.last_used_at = now

    def start_unloading(self) -> None:
        """Enter the stopping phase; running requests end as cancelled."""
        self.is_unload_requested = True
        self.phase = Phase.STOPPING
        if self.session is not None:
            self.session.detach()
        if self.setup_wait is not None:
            self.setup_wait.cancel()
