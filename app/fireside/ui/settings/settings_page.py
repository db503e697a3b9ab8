"""The settings page: scope, search, groups, and which settings need a reload."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from fireside.core.about import UpdateProgressed
from fireside.core.errors import FiresideError, SettingInvalid
from fireside.core.events import AppEvent, SettingsChanged
from fireside.core.i18n import render, tr, tr_noop
from fireside.core.ids import ModelId
from fireside.core.model import display_name
from fireside.core.options import SettingValue
from fireside.core.plan import LoadPlan
from fireside.core.remote import is_remote
from fireside.settings.definitions_tools import SEARCH_PROVIDER
from fireside.settings.synonyms import SettingMatch, match
from fireside.settings.values import Group, ResolvedSetting, SettingDefinition
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.loading.load_text import VERDICT_TINTS, short_verdict
from fireside.ui.loading.pending_options import settings_pending_reload
from fireside.ui.settings.about_rows import AboutController
from fireside.ui.settings.command_rows import (
    BackupsRow,
    MemoryRowController,
    ToolsLinkRow,
    hardware_row,
    transfer_row,
)
from fireside.ui.settings.component_row import data_packages, media_formats, previews, speech_component
from fireside.ui.settings.devices_row import DevicesController
from fireside.ui.settings.engines_row import EnginesController
from fireside.ui.settings.extra_row import ExtraRow
from fireside.ui.settings.hub_rows import HubController, KeyController, SearchKeyRow
from fireside.ui.settings.local_api_row import LocalApiController
from fireside.ui.settings.passphrase_row import PassphraseController
from fireside.ui.settings.scope import Scope, Subject, belongs, layer_of
from fireside.ui.settings.setting_list import SettingList
from fireside.ui.settings.setting_row import RELOAD_NOTE, SettingRow
from fireside.ui.settings.speech_row import SPEECH_ROW_KEYS, SpeechRowController
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, theme
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.centred import ASIDE_WIDTH, COLUMN_WIDTH, PAGE_SIDE, centred
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.picture import Dot
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.segmented_control import SegmentedControl
from fireside.ui.widgets.tab_stops import is_tab_stop
from fireside.ui.widgets.text import Label, WrappedLabel, one_line
from fireside.ui.window_context import HUB_ACCESS_ROW, MEDIA_ROW, UPDATE_ROW, WindowContext

# The list of sections beside the settings: shows the current one and scrolls to others.

_READING_OFFSET_PX: Final = 48
"""The current section is the one at this distance below the upper edge."""


class SectionList(QListWidget):
    """Follows the scrolling of ``scroll``; a click or an arrow key scrolls to a section."""

    def __init__(self, scroll: PageScroll) -> None:
        super().__init__()
        self._scroll = scroll
        self._boxes: tuple[QWidget, ...] = ()
        self._is_jumping = False
        self.setObjectName("sections")
        self.setAccessibleName(tr("Sections"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.currentRowChanged.connect(self._jump)
        self.itemClicked.connect(lambda _item: self._jump(self.currentRow()))
        scroll.verticalScrollBar().valueChanged.connect(self._update_current)
        theme().changed.connect(self._fit)
        self._fit()

    def set_sections(self, sections: Sequence[tuple[str, QWidget]]) -> None:
        """Set the sections, by their names."""
        self._boxes = tuple(box for _, box in sections)
        with QSignalBlocker(self):
            self.clear()
            for name, _ in sections:
                self.addItem(QListWidgetItem(name))
        self.update_visible()

    def update_visible(self) -> None:
        """Hide the entries of hidden sections."""
        for n, box in enumerate(self._boxes):
            self.setRowHidden(n, box.isHidden())
        self._update_current()

    def mark(self, box: QWidget) -> None:
        """Mark a section as current until the page is scrolled."""
        with QSignalBlocker(self):
            self.setCurrentRow(self._boxes.index(box))

    def go_to(self, box: QWidget) -> None:
        """Scroll to a section once the page has its new height, and focus the list."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        QTimer.singleShot(0, self, lambda: self._on_selected(box))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the focus into the current section with Enter or the arrow key towards the page."""
        inward_key = Qt.Key.Key_Left if self.isRightToLeft() else Qt.Key.Key_Right
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, inward_key) and self.currentRow() >= 0:
            box = self._boxes[self.currentRow()]
            stops = [part for part in box.findChildren(QWidget) if is_tab_stop(part)]
            if stops:
                first = min(stops, key=self._scroll.top_of)
                first.setFocus(Qt.FocusReason.TabFocusReason)
                self._scroll.ensureWidgetVisible(first)
                self.mark(box)
        else:
            super().keyPressEvent(event)

    def _on_selected(self, box: QWidget) -> None:
        self.mark(box)
        self._jump(self.currentRow())

    @Slot(int)
    def _jump(self, row: int) -> None:
        if 0 <= row < len(self._boxes):
            self._is_jumping = True  # a section that cannot be scrolled to the top stays marked
            for _ in range(2):  # new rows change the height
                self._scroll.verticalScrollBar().setValue(self._scroll.top_of(self._boxes[row]))
            self._is_jumping = False

    @Slot()
    def _update_current(self) -> None:
        if self._is_jumping:
            return
        read_y = self._reading_y()
        visible = [row for row, box in enumerate(self._boxes) if not box.isHidden()]
        above = [row for row in visible if self._scroll.top_of(self._boxes[row]) <= read_y]
        with QSignalBlocker(self):
            self.setCurrentRow(above[-1] if above else visible[0] if visible else -1)

    def _reading_y(self) -> int:
        """Return the y position that the user reads: near the upper edge; further down on the last page,
        whose sections never reach the top."""
        bar = self._scroll.verticalScrollBar()
        last_page_px = min(self._scroll.viewport().height(), bar.maximum())
        remaining_px = bar.maximum() - bar.value()
        offset_px = (
            self._scroll.viewport().height() * (last_page_px - remaining_px) // last_page_px
            if remaining_px < last_page_px
            else 0
        )
        return bar.value() + max(_READING_OFFSET_PX, offset_px)

    @Slot()
    def _fit(self) -> None:
        self.setFixedWidth(theme().scaled(ASIDE_WIDTH))


_FILTER_WIDTH: Final = 240
_SECTIONS_FROM: Final = 760
"""A narrower page has no space for its list of sections."""
RESTART_NOTE: Final = tr_noop("Requires restart")


class SettingsPage(QWidget):
    """Shows every setting in force in a scope, and writes the user's changes. GUI thread only."""

    settings_shown = Signal()
    """The page shows the latest settings; tests wait for it."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self.setObjectName("page")
        self._context = context
        self._client, self._tasks = context.client, context.tasks
        self._models = context.models
        self._subject = Subject()
        self._active: tuple[ResolvedSetting, ...] = ()
        self._n_requests = self._n_answered = 0
        self._settings: dict[str, ResolvedSetting] = {}
        self._pending_reload: frozenset[str] = frozenset()
        self._target_key = ""
        self._target_group: Group | None = None
        self._hub = HubController(context, parent=self)
        self.token, self.connection_test = self._hub.token, self._hub.connection_test
        client = context.client.search_key
        self._search_key = KeyController(context, client=client, row=SearchKeyRow, parent=self)
        self._provider: object = None
        self.backups = BackupsRow()
        self.speech = SpeechRowController(context, parent=self).row
        self.local_api = LocalApiController(context, parent=self).row
        self.engines = EnginesController(context, parent=self)
        self.about = AboutController(context, on_first_known=self._show_matching, parent=self)
        self.media = media_formats(context, parent=self).row
        self._extra_rows: tuple[tuple[ExtraRow, Group], ...] = (
            *((each, Group.CHAT) for each in (self.media, *previews(context, parent=self))),
            (ToolsLinkRow(context), Group.TOOLS),
            (self._search_key.row, Group.TOOLS),
            (MemoryRowController(context, parent=self).row, Group.TOOLS),
            (data_packages(context, parent=self).row, Group.TOOLS),
            (self.speech, Group.SPEECH),
            (speech_component(context, parent=self).row, Group.SPEECH),
            (self.token, Group.HUB),
            (self.connection_test, Group.HUB),
            *((row, Group.API) for row in (self.local_api, DevicesController(context, parent=self).row)),
            (self.engines.row, Group.ENGINES),
            (PassphraseController(context, parent=self).row, Group.PRIVACY),
            (self.engines.connections, Group.PRIVACY),
            (self.backups, Group.BACKUPS),
            (transfer_row(context), Group.BACKUPS),
            (hardware_row(context), Group.ENGINE),
            (self.about.version, Group.ABOUT),
            (self.about.update, Group.ABOUT),
        )
        self.plan_line, self.notices = PlanLine(context), BannerArea()
        tools = self._make_tools()
        self._make_list()
        self.sections = SectionList(self.list)
        self._arrange(tools)
        # Placed once the settings arrive; until then children of the page, to be destroyed with it.
        parking = QWidget(self)
        parking.hide()
        boxes = tuple(other for other, _ in self._extra_rows)
        for widget in (*boxes, self.plan_line, self._nothing, self.elsewhere):
            widget.setParent(parking)
        self._models.state_changed.connect(self._on_state_changed)
        theme().changed.connect(self._fit_sections)
        if context.settings.latest:  # or the page would be blank until they are read again
            self._active = context.settings.latest
            self._show(self._active)

    def _arrange(self, tools: QWidget) -> None:
        self._aside = boxed(column(self.sections, margins=(0, SPACE_XL, 0, SPACE_M)))
        self._before = QWidget()  # not a margin, which would not be mirrored
        content = boxed(column(tools, stretch(self.list), spacing=0))
        beside = row(self._before, self._aside, stretch(content), spacing=0)
        column(self.notices, stretch(beside), spacing=0, on=self)

    @property
    def scope(self) -> Scope:
        return Scope(self.segments.selected_key)

    def subject_of(self, model_id: str) -> Subject | None:
        """Return the subject of a model without a conversation; ``None`` where there is no such model."""
        entry = self._models.entry(ModelId(model_id))
        return Subject(model_id=ModelId(model_id), model_name=display_name(entry)) if entry else None

    def set_subject(self, subject: Subject) -> None:
        """Set the model and conversation that “This model” and “This chat” stand for."""
        if subject == self._subject:
            return
        self._subject = subject
        self.segments.button(Scope.MODEL).setEnabled(subject.model_id is not None)
        self.show_scope(self.scope if subject.model_id is not None else Scope.EVERYWHERE)

    def show_scope(self, scope: Scope) -> None:
        """Show the settings of ``scope``."""
        self.segments.select(scope)
        self._about.setText(self._about_text())
        self.refresh()

    def show_setting(self, key: str) -> None:
        """Scroll to and focus one setting or named row, once it is on the page."""
        named: dict[str, tuple[Group, QWidget, QWidget]] = {
            HUB_ACCESS_ROW: (Group.HUB, self.token, self.token.field),
            MEDIA_ROW: (Group.CHAT, self.media, self.media.button),
            UPDATE_ROW: (Group.ABOUT, self.about.update, self.about.version.licences),
            **{each: (Group.SPEECH, self.speech, self.speech.fields[each]) for each in SPEECH_ROW_KEYS},
        }
        self._target_key = key
        if key in named and self.list.groups:
            self.filter.clear()
            group, row, field = named[key]
            self.list.fill(group)
            self._go_to(group, row, field)
            return
        definition = self.list.definitions.get(key)
        if definition is not None:
            self.filter.clear()
            if definition.advanced:
                self.list.groups[definition.group].unfold()
                self._show_matching()
            row = self.list.row(key)
            self._go_to(definition.group, row, row.editor.fields()[0])

    def show_section(self, group: Group) -> None:
        """Scroll to a section, once it is on the page."""
        self._target_group = group
        if group in self.list.groups:
            self.filter.clear()
            if self._is_latest:
                self._target_group = None
            self.sections.go_to(self.list.groups[group])

    @property
    def _is_latest(self) -> bool:
        """Whether what was requested last is shown; otherwise rows may move once it is."""
        return self._n_answered == self._n_requests

    def _go_to(self, group: Group, row: QWidget, field: QWidget) -> None:
        if self._is_latest:
            self._target_key = ""

        def show() -> None:
            self.list.scroll_to(row)
            self.sections.mark(self.list.groups[group])

        QTimer.singleShot(0, row, show)  # after the layout has computed the new height
        field.setFocus(Qt.FocusReason.OtherFocusReason)

    def handle(self, event: AppEvent) -> None:
        """Handle one event of the engine thread while the page is in front."""
        match event:
            case SettingsChanged():
                self.refresh()
            case UpdateProgressed():
                self.about.handle(event)
            case _:
                pass

    @Slot()
    def refresh(self) -> None:
        """Request the settings."""
        self._n_requests += 1
        self._tasks.run(self._fetch(self._n_requests), on_error=self._on_error)

    def _make_tools(self) -> QWidget:
        self.segments = SegmentedControl(
            (
                (Scope.EVERYWHERE, tr("All chats")),
                (Scope.MODEL, tr("This model")),
            ),
            name=tr("Settings for"),
            wraps=True,
        )
        self.segments.key_selected.connect(lambda key: self.show_scope(Scope(key)))
        self.segments.button(Scope.MODEL).setEnabled(False)
        self.filter = SearchField(tr("Search settings"))
        self.filter.setFixedWidth(theme().scaled(_FILTER_WIDTH))
        self.filter.textChanged.connect(self._show_matching)
        self._about = WrappedLabel(self._about_text(), role="small")
        left = boxed(row(self.segments, stretch()))
        body = column(ResponsiveRow(left, self.filter, spacing=SPACE_M), self._about)
        return centred(body, top=SPACE_XL, bottom=SPACE_M, at_start=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Escape clear the search first."""
        if event.key() == Qt.Key.Key_Escape and self.filter.text():
            self.filter.clear()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_sections()

    @Slot()
    def _fit_sections(self) -> None:
        """Show the sections where there is space for them; they and the content are centred together."""
        has_sections = self.width() >= theme().scaled(_SECTIONS_FROM)
        self._aside.setVisible(has_sections)
        content_px = COLUMN_WIDTH + PAGE_SIDE + theme().scaled(ASIDE_WIDTH)
        self._before.setFixedWidth(max(PAGE_SIDE, (self.width() - content_px) // 2) if has_sections else 0)
        if (layout := self.layout()) is not None:
            layout.activate()  # the content beside them takes their space at once

    def _make_list(self) -> None:
        self.list = SettingList(make=self._make_row)
        self._nothing = Label(tr("No matching settings"), role="mute")
        self._nothing.hide()
        self.elsewhere = Button("", kind="link", on_click=self._on_elsewhere)
        self.elsewhere.hide()

    def _about_text(self) -> str:
        if self.scope is Scope.MODEL:
            return tr("Only for {name}.").format(name=one_line(self._subject.model_name))
        return tr("Defaults; models and chats can override them.")

    async def _fetch(self, request_number: int) -> None:
        model_id = self._subject.model_id if self.scope is Scope.MODEL else None
        settings = await self._client.settings.resolved(model_id=model_id, conversation_id=None)
        active = await self._client.settings.resolved(
            model_id=self._subject.model_id, conversation_id=self._subject.conversation_id
        )
        if request_number == self._n_requests:
            self._active = active
            self._n_answered = request_number
            self._show(settings)
            self.settings_shown.emit()

    def _show(self, settings: Sequence[ResolvedSetting]) -> None:
        is_new = not self.list.groups
        self._settings = {setting.definition.key: setting for setting in settings}
        if is_new:
            self._build(settings)
        for key, setting_row in self.list.rows.items():
            setting_row.show_setting(self._settings[key], scope=self.scope)
        self._show_reload()
        self._show_matching()
        self.plan_line.show_subject(self._subject)
        self._show_hub()
        if self._target_key:
            self.show_setting(self._target_key)
        if self._target_group is not None:
            self.show_section(self._target_group)

    def _show_hub(self) -> None:
        hub = {
            setting.definition.key: setting.value
            for setting in self._active
            if setting.definition.key.startswith("hub.")
        }
        self._hub.show_settings(endpoint=str(hub.get("hub.endpoint", "")), in_force=hub)
        provider = next((s.value for s in self._active if s.definition.key == SEARCH_PROVIDER), None)
        if provider != self._provider:  # each has a key of its own
            self._provider = provider
            self._search_key.row.refresh()

    def _build(self, settings: Sequence[ResolvedSetting]) -> None:
        for group in Group:
            definitions = [
                s.definition for s in settings if s.definition.group is group and not s.definition.hidden
            ]
            others: list[QWidget] = [self.plan_line] if group is Group.MODEL else []
            others += [other for other, row_group in self._extra_rows if row_group is group]
            if definitions or others:
                box = self.list.add_group(group, definitions, others=others)
                box.fold.clicked.connect(self._show_matching)
        self.sections.set_sections([(tr(group), box) for group, box in self.list.groups.items()])
        self.list.body.addWidget(self._nothing)
        self.list.body.addWidget(self.elsewhere, 0, Qt.AlignmentFlag.AlignLeft)
        self.list.body.addStretch()

    def _make_row(self, definition: SettingDefinition) -> SettingRow:
        row = SettingRow(
            definition,
            on_changed=partial(self._change, definition.key),
            on_reset=partial(self._reset, definition.key),
        )
        row.show_setting(self._settings[definition.key], scope=self.scope)
        self._show_note(row)
        return row

    @Slot()
    def _show_matching(self) -> None:
        text = self.filter.text()
        matches = {
            key: match(definition, text) if self._is_offered(definition) else SettingMatch.NONE
            for key, definition in self.list.definitions.items()
        }
        # Where a label contains the search text, settings that only mention it elsewhere are left out.
        threshold = max((*matches.values(), SettingMatch.DESCRIPTION))
        matching = {key for key, quality in matches.items() if quality >= threshold}
        with_others: set[Group] = set()
        for other, group in self._extra_rows:
            fits = self.scope is Scope.EVERYWHERE and other.matches(text)
            other.setVisible(fits)
            if fits:
                with_others.add(group)
        is_any = self.list.show_matching(matching, with_others=with_others, is_searching=bool(text))
        self._nothing.setVisible(bool(self.list.groups) and not is_any)
        self._show_elsewhere(text)
        self.sections.update_visible()

    def _is_offered(self, definition: SettingDefinition) -> bool:
        return belongs(definition, self.scope) and not self.about.hides(definition.key)

    def _show_elsewhere(self, text: str) -> None:
        """Offer the matches among the settings for all chats that a model's settings lack."""
        n_found = sum(box.matches(text) for box, _ in self._extra_rows) + sum(
            not belongs(definition, self.scope) and match(definition, text) is not SettingMatch.NONE
            for definition in self.list.definitions.values()
        )
        self.elsewhere.set_label(tr("%n more in “All chats”|%n more in “All chats”", "", n_found))
        self.elsewhere.setVisible(bool(text) and n_found > 0 and self.scope is not Scope.EVERYWHERE)

    def _on_elsewhere(self) -> None:
        self.show_scope(Scope.EVERYWHERE)
        self.filter.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_reload(self) -> None:
        self._pending_reload = self._find_pending_reload()
        for setting_row in self.list.rows.values():
            self._show_note(setting_row)
        model_id = self._subject.model_id
        if not self._pending_reload or model_id is None:
            self.notices.remove("reload")
            return
        name = one_line(self._subject.model_name)
        self.notices.show_banner(
            "reload",
            tr("{name} is still loaded with its previous settings.").format(name=name),
            tone=Tone.INFO,
            actions=((tr("Reload now"), lambda: self._context.router.load_model(model_id)),),
        )

    def _show_note(self, row: SettingRow) -> None:
        restart = RESTART_NOTE if row.definition.needs_restart else ""
        note = RELOAD_NOTE if row.definition.key in self._pending_reload else restart
        row.show_note(tr(note) if note else "")

    def _find_pending_reload(self) -> frozenset[str]:
        """Return the settings that the loaded model does not use yet."""
        model_id = self._subject.model_id
        entry = self._models.entry(model_id)
        if model_id is None or entry is None or entry.spec is None:
            return frozenset()
        state = self._models.state(model_id)
        keys = settings_pending_reload(self._active, state=state, spec=entry.spec)
        return keys & self.list.definitions.keys()

    def _change(self, key: str, value: SettingValue) -> None:
        layer = layer_of(self.scope, self._subject)
        self._write(key, self._client.settings.change(layer, key=key, value=value))

    def _reset(self, key: str) -> None:
        self._write(key, self._client.settings.clear(layer_of(self.scope, self._subject), key=key))

    def _write(self, key: str, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.run(
            work,
            on_done=lambda _none: self.refresh(),
            on_error=lambda error: self._on_refused(key, error),
        )

    def _on_refused(self, key: str, error: FiresideError) -> None:
        row = self.list.rows.get(key)
        if isinstance(error, SettingInvalid) and row is not None:
            row.show_error(render(error.reason))
        else:
            self._on_error(error)

    def _on_error(self, error: FiresideError) -> None:
        self.notices.show_banner("problem", error.sentence(), tone=Tone.DANGER)

    @Slot(str)
    def _on_state_changed(self, model_id: str) -> None:
        if model_id == self._subject.model_id:
            self._show_reload()


# One line that says whether a model fits with the current settings


_PAUSE_MS: Final = 120


class PlanLine(QWidget):
    """Requests the load plan of the latest subject; hidden without a model of this computer."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self._subject = Subject()
        self._request: asyncio.Task[Any] | None = None
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._request_plan)
        self._dot = Dot(tint="dim")
        self.text = WrappedLabel(role="body")
        self.details = Button(tr("Load settings…"), kind="link")
        self.details.clicked.connect(self._show_details)
        row(self._dot, stretch(self.text), self.details, margins=(SPACE_L, SPACE_S), on=self)
        self.hide()

    def show_subject(self, subject: Subject) -> None:
        """Request the plan again after a pause: settings or subject have changed."""
        if subject.model_id is not None and is_remote(subject.model_id):
            subject = Subject()
        if self._request is not None:
            self._request.cancel()
            self._request = None
        if subject.model_id != self._subject.model_id:
            self._show("", tint="dim")
        self._subject = subject
        self.details.setAccessibleName(
            tr("Load settings of {name}").format(name=one_line(subject.model_name))
        )
        self.setVisible(subject.model_id is not None)
        self._pause.start()

    def _request_plan(self) -> None:
        subject = self._subject
        if subject.model_id is None:
            return

        def on_plan(plan: LoadPlan) -> None:
            if subject == self._subject:
                verdict = short_verdict(plan)
                text = f"{one_line(subject.model_name)} {verdict[0].lower()}{verdict[1:]}"
                text = "; ".join((text, *plan.notes))
                self._show(text, tint=VERDICT_TINTS[plan.verdict])

        def on_error(error: FiresideError) -> None:
            if subject == self._subject:
                self._show(error.sentence(), tint="dim")

        work = self._context.client.load_plans.plan(
            subject.model_id, conversation_id=subject.conversation_id, changes={}
        )
        self._request = self._context.tasks.run(work, on_done=on_plan, on_error=on_error)

    def _show(self, text: str, *, tint: str) -> None:
        self._dot.set_tint(tint)
        self.text.setText(text)

    def _show_details(self) -> None:
        if self._subject.model_id is not None:
            self._context.router.show_load_details(self._subject.model_id)
