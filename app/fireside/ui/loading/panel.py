"""The panel and sheet of load settings: memory per device, controls, measurements of the last load."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from fireside.core.hardware import MemoryBreakdown
from fireside.core.i18n import tr, tr_noop
from fireside.core.model import ModelSpec
from fireside.core.options import GPU_LAYERS_ALL, CacheType, RopeScaling
from fireside.core.plan import LoadPlan, LoadRecord
from fireside.core.runtime import RuntimeChoice
from fireside.core.status import Broken, LoadingModel, ModelState, Ready, Unloaded, Unloading
from fireside.settings.values import AUTO_LABEL, SettingDefinition
from fireside.ui.kit.layout import at_top, card, column, destroy, row, stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.loading.load_text import (
    CACHE_LABELS,
    COMPUTER,
    VERDICT_LABELS,
    VERDICT_TINTS,
    context_steps,
    context_text,
    device_text,
    experts_text,
    layers_text,
    loading_text,
    missing_text,
    reload_text,
)
from fireside.ui.loading.memory_bars import MeasurementBox, PlanBars
from fireside.ui.loading.pending_options import PendingOptions, keeps_states, settings_pending_reload
from fireside.ui.loading.setting_controls import (
    Choice,
    ChoiceControl,
    DevicesControl,
    LoadControl,
    OnEdit,
    RuntimeControl,
    SliderControl,
)
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.picture import Dot
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel

if TYPE_CHECKING:
    from fireside.ui.loading.load_controller import LoadController

# The controls for the load settings of one model.

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


_PLANNING_DELAY_MS: Final = 250
"""Milliseconds; “Calculating…” is shown only if the reply takes longer."""
_MARGINS: Final = (SPACE_L, SPACE_M, SPACE_L, SPACE_L)


class LoadPanel(QWidget):
    """Shows the load plan and load settings of one model. GUI thread only."""

    def __init__(self, loading: LoadController) -> None:
        super().__init__()
        self.loading = loading
        self._spec: ModelSpec | None = None
        self._state: ModelState = Unloaded()
        self._options = PendingOptions()
        self._plan: LoadPlan | None = None
        self._problem = ""
        """Why there is no plan; empty while there is one."""
        self._planning_delay = QTimer(self, singleShot=True, interval=_PLANNING_DELAY_MS)
        self._make_verdict()
        self._planning_delay.timeout.connect(self.planning.show)
        self.problem = WrappedLabel(role="error")
        self.load_note = LoadNote()
        self.load_note.smaller.clicked.connect(loading.load_smaller)
        self.bars = PlanBars()
        self.controls = LoadControls(loading.edit)
        self.runtime = RuntimeControl(loading.use_runtime)
        self.reload_note = WrappedLabel(role="mute")
        self.progress = LoadProgressBox()
        self.progress.cancel.clicked.connect(loading.cancel)
        self.measured = MeasurementBox()
        self.measured.smaller.clicked.connect(loading.load_smaller)
        self._arrange()
        self._show_all()

    @property
    def spec(self) -> ModelSpec | None:
        """The displayed model."""
        return self._spec

    @property
    def plan(self) -> LoadPlan | None:
        """The plan that the bars show."""
        return self._plan

    # Called by the controller

    def show_model(self, spec: ModelSpec, state: ModelState) -> None:
        """Show a model; the rest is requested once the panel is visible."""
        if self._spec is not None and self._spec.id == spec.id:
            self._spec = spec
            self.show_state(state)
            return
        self._spec, self._state = spec, state
        self._options, self._plan, self._problem = PendingOptions(), None, ""
        self.show_records((), smaller=None)
        self._show_all()
        if self.isVisible():
            self.loading.open()

    def show_options(self, options: PendingOptions) -> None:
        """Show the settings in force, with unsaved changes."""
        self._options = options
        if self._spec is not None:
            self.controls.show_model(self._spec, options)
        self.controls.show_options(options, self._plan)
        self.runtime.show_options(options, self._plan)
        self._show_buttons()

    def show_runtimes(self, choice: RuntimeChoice) -> None:
        """Offer the usable builds of llama.cpp, where there are several."""
        self.runtime.show_choice(choice)
        self.runtime.show_options(self._options, self._plan)

    def show_planning(self) -> None:
        """Show that a new plan is being calculated, if that takes longer than ``_PLANNING_DELAY_MS``."""
        if not self._planning_delay.isActive():
            self._planning_delay.start()

    def show_plan(self, plan: LoadPlan, usage: Sequence[MemoryBreakdown]) -> None:
        """Show how the model would be loaded; ``usage`` is the current memory use."""
        self._end_planning()
        self._plan, self._problem = plan, ""
        name = self._spec.name if self._spec is not None else ""
        is_loaded = isinstance(self._state, Ready) and not self._pending_settings()
        self.bars.show_plan(plan, usage, model=name, is_loaded=is_loaded)
        self.controls.show_options(self._options, plan)
        self._show_all()

    def show_problem(self, sentence: str) -> None:
        """Show why there is no plan; the last plan stays visible."""
        self._end_planning()
        self._problem = sentence
        self._show_all()

    def show_state(self, state: ModelState) -> None:
        """Show the model's load state."""
        self._state = state
        if isinstance(state, LoadingModel):
            self._problem = ""
        self._show_all()

    def show_records(self, records: Sequence[LoadRecord], *, smaller: LoadPlan | None) -> None:
        """Show the measurements of the latest load; ``smaller`` is a smaller plan to offer, if any."""
        budgets = self._plan.budgets if self._plan is not None else ()
        self.measured.show_record(next(iter(records), None), budgets=budgets, smaller=smaller)
        self._last_card.setVisible(bool(records))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._spec is not None:
            self.loading.open()

    # Layout

    def _make_verdict(self) -> None:
        self._dot = Dot(tint="dim", size=10)
        self.verdict = Label(tr("Loading…"), role="heading")
        self.exactness = Label(tr("Estimated"), role="badge")
        self.exactness.setToolTip(tr("Estimated from the file’s header; llama.cpp gives exact figures"))
        self.planning = Label(tr("Calculating…"), role="small")
        self.planning.hide()
        self.sentence = WrappedLabel(role="body")
        self.missing = WrappedLabel(role="error")

    def _arrange(self) -> None:
        first = card(
            row(self._dot, self.verdict, self.exactness, stretch(factor=1), self.planning),
            self.sentence,
            self.missing,
            self.problem,
            self.load_note,
            self.bars,
            margins=_MARGINS,
        )
        first.setAccessibleName(tr("Load plan"))
        second = card(
            self.controls,
            self.runtime,
            self.reload_note,
            self.progress,
            self._make_buttons(),
            margins=_MARGINS,
        )
        second.setAccessibleName(tr("Settings"))
        self._last_card = card(self.measured, title=tr("Last load"))
        column(first, second, self._last_card, spacing=SPACE_M, on=self)

    def _make_buttons(self) -> QWidget:
        self.load = Button(tr("Load"), kind="primary", on_click=self.loading.load)
        self.save = Button(tr("Save for this model"), on_click=self.loading.save)
        self.save.setAccessibleDescription(tr("Saves these settings without loading"))
        self.revert = Button(tr("Revert"), kind="quiet")
        self.revert.setAccessibleDescription(tr("Reverts unsaved changes"))
        self.revert.clicked.connect(self.loading.revert)
        body, _ = flow_row(self.load, self.save, self.revert, spacing=SPACE_S)
        return body

    # Private

    def _pending_settings(self) -> frozenset[str]:
        """Return the keys of the chosen settings that the loaded model does not use yet."""
        if self._spec is None:
            return frozenset()
        return settings_pending_reload(self._options.resolved(), state=self._state, spec=self._spec)

    def _end_planning(self) -> None:
        self._planning_delay.stop()
        self.planning.hide()

    def _show_all(self) -> None:
        plan = self._plan
        self.bars.setVisible(plan is not None)
        is_known = plan is not None and not self._problem
        self.sentence.setVisible(is_known)
        self.missing.setVisible(is_known)
        self.exactness.setVisible(plan is not None and is_known and not plan.is_exact)
        if plan is None or self._problem:
            self._dot.set_tint("dim")
            self.verdict.setText(tr("Fit unknown") if self._problem else tr("Loading…"))
        else:
            self._dot.set_tint(VERDICT_TINTS[plan.verdict])
            self.verdict.setText(tr(VERDICT_LABELS[plan.verdict]))
            self.sentence.setText(plan.text)
            self.missing.show_text("" if plan.verdict.runs else missing_text(plan))
        broken = self._state.error.sentence if isinstance(self._state, Broken) else ""
        self.problem.show_text(self._problem or broken)
        self.load_note.show_state(self._state)
        self._show_buttons()

    def _show_buttons(self) -> None:
        state = self._state
        is_busy = isinstance(state, LoadingModel | Unloading)
        is_loaded = isinstance(state, Ready)
        has_changes = bool(self._options.changes)
        pending_keys = self._pending_settings()
        needs_reload = bool(pending_keys)
        self.load.set_label(self._load_label(is_loaded=is_loaded))
        self.load.setVisible(not is_busy and (not is_loaded or needs_reload))
        load_tooltip = tr("Just this once; saved settings stay unchanged") if has_changes else ""
        self.load.setToolTip(load_tooltip)
        self.load.setAccessibleDescription(load_tooltip)
        self.save.setVisible(has_changes and not is_busy)
        self.revert.setVisible(has_changes)
        self.progress.show_state(state)
        load_s = state.loaded.load_s if isinstance(state, Ready) else None
        self.reload_note.setText(
            reload_text(load_s, keeps_states=keeps_states(pending_keys)) if needs_reload else ""
        )
        self.reload_note.setVisible(needs_reload)

    def _load_label(self, *, is_loaded: bool) -> str:
        if self._plan is not None and not self._plan.verdict.runs:
            return tr("Reload anyway") if is_loaded else tr("Load anyway")
        return tr("Reload") if is_loaded else tr("Load")


class LoadProgressBox(QWidget):
    """Progress of a load; hidden while nothing loads."""

    def __init__(self) -> None:
        super().__init__()
        self.text = Label(role="body")
        self.bar = ProgressBar(name=tr("Progress"))
        self.cancel = Button(tr("Cancel"))
        self.cancel.setAccessibleDescription(tr("Cancels loading"))
        row(stretch(column(self.text, self.bar, spacing=SPACE_XS)), self.cancel, on=self)
        self.hide()

    def show_state(self, state: ModelState) -> None:
        """Show a load in progress, or nothing."""
        is_loading = isinstance(state, LoadingModel)
        had_focus = self.cancel.hasFocus()
        if isinstance(state, LoadingModel):
            self.text.setText(loading_text(state))
            self.bar.set_fraction(state.fraction)
        self.setVisible(is_loading)
        if had_focus and not is_loading and (parent := self.parentWidget()) is not None:
            parent.setFocus()


class LoadNote(QWidget):
    """Note of a model loaded with less than requested; hidden otherwise."""

    def __init__(self) -> None:
        super().__init__()
        self.text = WrappedLabel(role="mute")
        self.smaller = Button(tr("Reload with less memory"))
        row(stretch(self.text), at_top(self.smaller), on=self)
        self.hide()

    def show_state(self, state: ModelState) -> None:
        """Show the note of a loaded model, or nothing."""
        note = state.note if isinstance(state, Ready) else ""
        self.text.setText(note)
        self.smaller.setVisible(isinstance(state, Ready) and state.is_memory_short)
        self.setVisible(bool(note))


class LoadSheet(Sheet):
    """The panel as a sheet over the current page."""

    def __init__(self, panel: LoadPanel, spec: ModelSpec, *, state: ModelState, parent: QWidget) -> None:
        super().__init__(tr("Load settings"), parent=parent, size=SheetSize.LARGE)
        self.panel = panel
        panel.show_model(spec, state)
        self.set_content(
            panel,
            heading=ElidedLabel(tr("Load settings of {name}").format(name=spec.name), role="title"),
            buttons=(self.make_close(),),
        )
