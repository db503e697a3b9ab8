"""The controls for the load settings of one model."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.model import ModelSpec
from fireside.core.options import GPU_LAYERS_ALL, CacheType, RopeScaling
from fireside.core.plan import LoadPlan
from fireside.settings.values import AUTO_LABEL, SettingDefinition
from fireside.ui.kit.layout import column, destroy
from fireside.ui.loading.load_text import (
    CACHE_LABELS,
    COMPUTER,
    context_steps,
    context_text,
    device_text,
    experts_text,
    layers_text,
)
from fireside.ui.loading.pending_options import PendingOptions
from fireside.ui.loading.setting_controls import (
    Choice,
    ChoiceControl,
    DevicesControl,
    LoadControl,
    OnEdit,
    SliderControl,
)
from fireside.ui.theme import SPACE_L

N_CTX: Final = "load.n_ctx"
N_GPU_LAYERS: Final = "load.n_gpu_layers"
N_SEQ_MAX: Final = "load.n_seq_max"
CACHE_K: Final = "load.cache_type_k"
CACHE_V: Final = "load.cache_type_v"
N_CPU_MOE: Final = "load.n_cpu_moe"
EXCLUDED: Final = "load.excluded_devices"
KEEP_ALIVE: Final = "engine.keep_alive_minutes"
ROPE_SCALING: Final = "load.rope_scaling"
_MAX_CONTEXT_FACTOR: Final = 4
"""Contexts are rarely extended beyond this many times the trained length."""
_SLOT_COUNTS: Final = (1, 2, 3, 4, 6, 8, 12, 16)
_CACHE_CHOICES: Final = (
    (CacheType.F16, tr_noop("F16 (full precision)")),
    (CacheType.Q8_0, tr_noop("Q8_0 (half the memory)")),
    (CacheType.Q4_0, tr_noop("Q4_0 (quarter of the memory)")),
)


_KEEP_ALIVES: Final = (
    (5, tr_noop("5 minutes")),
    (15, tr_noop("15 minutes")),
    (60, tr_noop("1 hour")),
)


def _cache_choices() -> list[Choice]:
    choices: list[Choice] = [(tr(AUTO_LABEL), {CACHE_K: None, CACHE_V: None})]
    choices += [(tr(label), {CACHE_K: kind.value, CACHE_V: kind.value}) for kind, label in _CACHE_CHOICES]
    return choices


class LoadControls(QWidget):
    """The controls that apply to a model; rebuilt for another one."""

    def __init__(self, on_edit: OnEdit) -> None:
        super().__init__()
        self._on_edit = on_edit
        self._made_for: tuple[ModelSpec, bool] | None = None
        self._controls: dict[str, LoadControl] = {}
        self._devices: list[tuple[str, str]] = []
        """The GPUs of the latest plan; none before the first, since most computers without one would show
        controls that vanish."""
        self._column = column(spacing=SPACE_L, on=self)

    @property
    def controls(self) -> dict[str, LoadControl]:
        """The first control of each setting, by the setting's key."""
        return self._controls

    def show_model(self, spec: ModelSpec, options: PendingOptions) -> None:
        """Create the controls of a model, unless they exist already."""
        made_for = (spec, options.value(ROPE_SCALING) != RopeScaling.MODEL.value)
        if self._made_for == made_for:
            return
        self._made_for = made_for
        destroy(*self._controls.values())
        self._controls = {}
        self._make(spec, options)

    def show_options(self, options: PendingOptions, plan: LoadPlan | None) -> None:
        """Show the chosen values, and for “Auto” the values that ``plan`` decided."""
        for control in self._controls.values():
            control.show_options(options, plan)
        if plan is not None:
            gpus = [budget for budget in plan.budgets if budget.device != COMPUTER]
            self._devices = [(budget.device, device_text(budget)) for budget in gpus]
        self._show_devices()

    def _show_devices(self) -> None:
        for key in (N_GPU_LAYERS, N_CPU_MOE):
            if (control := self._controls.get(key)) is not None:
                control.setVisible(bool(self._devices))
        for control in self._controls.values():
            if isinstance(control, DevicesControl):
                control.show_devices(self._devices)
                control.setVisible(len(control.buttons) > 1)

    def _make(self, spec: ModelSpec, options: PendingOptions) -> None:
        makers = {
            N_CTX: self._context,
            N_GPU_LAYERS: self._layers,
            N_CPU_MOE: self._experts,
            CACHE_K: self._cache,
            N_SEQ_MAX: self._slots,
            EXCLUDED: self._gpu_choice,
            KEEP_ALIVE: self._keep_alive,
        }
        for key, make in makers.items():
            setting = options.setting(key)
            control = make(setting.definition, spec) if setting is not None else None
            if control is not None:
                self._controls[key] = control
                self._column.addWidget(control)

    def _context(self, definition: SettingDefinition, spec: ModelSpec) -> LoadControl:
        is_scaled = self._made_for is not None and self._made_for[1]
        max_n_ctx = _MAX_CONTEXT_FACTOR * spec.n_ctx_train if is_scaled else spec.n_ctx_train
        max_n_ctx = min(max_n_ctx, int(definition.maximum or max_n_ctx))
        return SliderControl(
            definition,
            label=tr("Context"),
            stops=context_steps(max_n_ctx),
            # The setting for all models may be larger; this model is limited to its own maximum.
            text=lambda n_ctx: context_text(min(n_ctx, max_n_ctx)),
            planned_value=lambda plan: plan.options.n_ctx,
            on_edit=self._on_edit,
        )

    def _layers(self, definition: SettingDefinition, spec: ModelSpec) -> LoadControl:
        n_layers = spec.n_layers
        return SliderControl(
            definition,
            label=tr("GPU offload (layers)"),
            stops=(*range(n_layers), GPU_LAYERS_ALL),
            text=lambda number: layers_text(number, n_layers=n_layers),
            planned_value=lambda plan: _slider_layers(plan.options.n_gpu_layers, n_layers),
            on_edit=self._on_edit,
        )

    def _experts(self, definition: SettingDefinition, spec: ModelSpec) -> LoadControl | None:
        if spec.layout is None or not any(layer.expert_bytes for layer in spec.layout.layers):
            return None
        n_layers = spec.n_layers
        return SliderControl(
            definition,
            label=tr("MoE experts on CPU (layers)"),
            stops=range(n_layers + 1),
            text=lambda number: experts_text(number, n_layers=n_layers),
            planned_value=lambda plan: plan.options.n_cpu_moe,
            on_edit=self._on_edit,
        )

    def _cache(self, definition: SettingDefinition, spec: ModelSpec) -> LoadControl:  # noqa: ARG002
        return ChoiceControl(
            _cache_choices(),
            label=tr("KV cache quantization"),
            explanation=tr(definition.help),
            planned_value=lambda plan: tr(CACHE_LABELS[plan.options.cache_type_k]),
            on_edit=self._on_edit,
        )

    def _slots(self, definition: SettingDefinition, spec: ModelSpec) -> LoadControl:  # noqa: ARG002
        return SliderControl(
            definition, label=tr("Parallel requests"), stops=_SLOT_COUNTS, text=str, on_edit=self._on_edit
        )

    def _keep_alive(self, definition: SettingDefinition, spec: ModelSpec) -> LoadControl:  # noqa: ARG002
        special: list[Choice] = [
            (tr(label), {KEEP_ALIVE: value}) for value, label in reversed(definition.choices)
        ]
        durations: list[Choice] = [(tr(label), {KEEP_ALIVE: minutes}) for minutes, label in _KEEP_ALIVES]
        return ChoiceControl(
            (special[0], *durations, *special[1:]),
            label=tr("Unload after idle"),
            explanation=tr(definition.help),
            on_edit=self._on_edit,
        )

    def _gpu_choice(self, definition: SettingDefinition, spec: ModelSpec) -> LoadControl:  # noqa: ARG002
        return DevicesControl(definition, label=tr("GPUs"), on_edit=self._on_edit)


def _slider_layers(n_gpu_layers: int, n_layers: int) -> int:
    return GPU_LAYERS_ALL if n_gpu_layers >= n_layers else n_gpu_layers
