"""Apply presets, rules and seeds to the chat in front, and show which of them it uses."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QDateTime, QLocale, QObject, QTimer, Signal, Slot

from fireside.core.chat import Folder
from fireside.core.collection import COLLECTIONS_KEY
from fireside.core.events import AppEvent, PresetsChanged, SettingsChanged
from fireside.core.i18n import tr
from fireside.core.ids import DraftId, ModelId, is_temporary
from fireside.core.model import display_name
from fireside.core.options import SEED_RANDOM
from fireside.core.preset import (
    NAME_CHARACTERS,
    SYSTEM_PROMPT_KEY,
    Preset,
    PresetKind,
    apply_preset,
    fill_variables,
    preset_keys,
    prompted_variables,
)
from fireside.core.transfer import ConversationsRestored
from fireside.settings.definitions_answer import FORMAT_TEXT
from fireside.settings.definitions_tools import SWITCHES
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.chat.pane.chips import PRESET, RULE, SEED, SYSTEM, ChipContent
from fireside.ui.collection_offer import CollectionOffer
from fireside.ui.commands import Command
from fireside.ui.palette.targets import Target, TargetKind
from fireside.ui.preset_names import localized_about, localized_name
from fireside.ui.presets.chat_settings import ChatSettings
from fireside.ui.presets.rules import FORMAT_KEY, NEEDS_RULE, RULE_KEY, format_label
from fireside.ui.tasks import Result
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.presets.library_sheet import LibrarySheet
    from fireside.ui.presets.rule_sheet import RuleSheet
    from fireside.ui.presets.values_sheet import ValuesSheet


SEED_KEY = "sampling.seed"
_PRESET_PREFIXES = ("sampling.", "answer.")


class PresetController(QObject):
    """Connects the chat in front, its settings and the library of presets. GUI thread only."""

    presets_changed = Signal()

    def __init__(
        self,
        context: WindowContext,
        *,
        chat: ChatPane,
        model_id: Callable[[], ModelId | None],
        draft_id: Callable[[], DraftId],
        folder: Callable[[], Folder | None],
    ) -> None:
        """``model_id`` returns the model in front, ``draft_id`` the id of the new chat's draft, ``folder``
        the folder of the chat in front."""
        super().__init__(context.window)
        self._context = context
        self._client = context.client.presets
        self._chat = chat
        self._model_id = model_id
        self.presets: tuple[Preset, ...] = ()
        self.collections = CollectionOffer()
        """The collections of documents that a preset can have attached."""
        self.sheet: LibrarySheet | None = None
        self.rule_sheet: RuleSheet | None = None
        self.values_sheet: ValuesSheet | None = None
        self.settings = ChatSettings(
            context,
            conversation_id=lambda: chat.conversation_id,
            model_id=model_id,
            draft_id=draft_id,
            folder=folder,
            parent=self,
        )
        self.settings.changed.connect(self._show)
        chat.send_controller.initial_settings = lambda: self.settings.new_chat_values
        chat.context_controller.opening = lambda: self.settings.opening
        chat.conversation_created.connect(self._on_conversation_created)
        chat.branch_controller.seed_requested.connect(self.set_seed)
        chat.chips.chip_clicked.connect(self._on_chip)
        chat.chips.chip_removed.connect(self._on_chip_removed)
        starters = chat.start.starters
        starters.preset_selected.connect(self.use)
        starters.preset_cleared.connect(self.settings.remove_preset)
        starters.all.clicked.connect(self.show_library)

    def start(self) -> None:
        """Request the library."""
        self._run(self._client.presets(), on_done=self.set_presets)

    def handle(self, event: AppEvent) -> None:
        """Apply an event of the engine thread."""
        match event:
            case PresetsChanged(presets=presets):
                self.set_presets(presets)
            case SettingsChanged():
                self.settings.refresh()
            case ConversationsRestored():
                self.start()
            case _:
                pass

    def targets(self) -> tuple[Target, ...]:
        """Return presets and texts to insert as targets of palette and slash menu, in their order."""
        return preset_targets(self.presets, use=self.use)

    # Presets

    def use(self, preset: Preset) -> None:
        """Ask for the values of a preset's variables, then apply it to the chat or insert it into the
        message."""
        names = prompted_variables(preset.text)
        if not names:
            self._apply(preset, {})
            return
        from fireside.ui.presets.values_sheet import ValuesSheet

        sheet = ValuesSheet(
            names,
            title=localized_name(preset),
            values={**preset.defaults, **preset.remembered},
            parent=self._context.window,
        )

        def on_submitted(values: Mapping[str, str]) -> None:
            if preset.id and not is_temporary(self._chat.conversation_id):
                self._run(self._client.remember(preset.id, values=values))
            self._apply(preset, values)

        sheet.submitted.connect(on_submitted)
        sheet.finished.connect(self._show)
        self.values_sheet = sheet
        sheet.open()

    def show_library(self) -> None:
        """Open the library of presets."""
        from fireside.ui.presets.library_sheet import LibrarySheet

        self.sheet = LibrarySheet(
            self.presets,
            client=self._context.client,
            tasks=self._context.tasks,
            models=lambda: self._context.models.usable,
            collections=self.collections,
            parent=self._context.window,
        )
        self.sheet.use_requested.connect(self.use)
        self.sheet.finished.connect(self._on_sheet_closed)
        self.sheet.open()

    def save_chat(self) -> None:
        """Create a preset from the own settings of the chat in front, and show it in the library."""
        own = self.settings.own
        text = str(self.settings.value(SYSTEM_PROMPT_KEY) or "")
        settings = {
            key: value
            for key, value in own.items()
            if key.startswith(_PRESET_PREFIXES) or key in SWITCHES or key == COLLECTIONS_KEY
        }
        name = (
            tr("{preset} (modified)").format(preset=self.settings.preset)
            if self.settings.preset
            else tr("From this chat")
        )
        preset = Preset(name=name[:NAME_CHARACTERS], text=text, settings=settings)

        def on_saved(saved: Preset) -> None:
            self.show_library()
            if self.sheet is not None:
                self.sheet.select(saved.id)
                self.sheet.editor.name.setFocus()
                self.sheet.editor.name.selectAll()

        self._run(self._client.save(preset), on_done=on_saved)

    def _apply(self, preset: Preset, values: Mapping[str, str]) -> None:
        all_values = {**values, **self._known_values()}
        if preset.kind is PresetKind.SNIPPET:
            self._chat.composer.insert_text(fill_variables(preset.text, all_values))
            self._chat.focus_composer()
            return
        self.settings.apply(apply_preset(preset, all_values))
        self._choose_model(preset)
        self._chat.focus_composer()

    def _choose_model(self, preset: Preset) -> None:
        if preset.model_id is None or preset.model_id == self._model_id():
            return
        if self._context.models.entry(preset.model_id) is None:
            self._context.toast.show_message(
                tr("The preset’s model is not installed: {model_id}").format(model_id=preset.model_id)
            )
            return
        self._context.router.use_model(preset.model_id)

    def _known_values(self) -> dict[str, str]:
        """Return the values of the variables that are filled in without asking the user."""
        locale, now = QLocale.system(), QDateTime.currentDateTime()
        entry = self._context.models.entry(self._model_id())
        return {
            "date": locale.toString(now.date(), QLocale.FormatType.LongFormat),
            "time": locale.toString(now.time(), QLocale.FormatType.ShortFormat),
            "language": QLocale.languageToString(locale.language()),
            "model": display_name(entry) if entry is not None else "",
        }

    # Rules and seeds

    def show_rule(self) -> None:
        """Open the sheet for the answer format of the chat in front."""
        from fireside.ui.presets.rule_sheet import RuleSheet

        sheet = RuleSheet(
            form=str(self.settings.value(FORMAT_KEY) or FORMAT_TEXT),
            rule=str(self.settings.value(RULE_KEY) or ""),
            check=self._client.check_rule,
            tasks=self._context.tasks,
            parent=self._context.window,
        )
        sheet.rule_chosen.connect(self._on_rule)
        self.rule_sheet = sheet
        sheet.open()

    def set_seed(self, seed: int) -> None:
        """Use one seed for every answer in the chat in front."""
        self.settings.change({SEED_KEY: seed}, then=lambda: self._show_seed_message(seed))

    def use_random_seed(self) -> None:
        """Use a new random seed for each answer again."""
        self.settings.change({SEED_KEY: SEED_RANDOM})

    def reuse_last_seed(self) -> None:
        """Use the seed of the newest answer for all further ones."""
        for entry in reversed(self._chat.transcript.entries):
            record = entry.message.generation
            if record is not None and record.seed is not None:
                self.set_seed(record.seed)
                return
        self._context.toast.show_message(tr("No answer with a seed yet"))

    def _on_rule(self, form: str, rule: str) -> None:
        values = {RULE_KEY: rule, FORMAT_KEY: form} if form in NEEDS_RULE else {FORMAT_KEY: form}
        self.settings.change(values)

    def _show_seed_message(self, seed: int) -> None:
        self._context.toast.show_message(
            tr("Seed {seed} locked for this chat").format(seed=seed),
            action=tr("Use random seed"),
            icon="dices",
            on_action=self.use_random_seed,
        )

    # Display

    def set_presets(self, presets: Sequence[Preset]) -> None:
        self.presets = tuple(presets)
        if self.sheet is not None:
            self.sheet.set_presets(self.presets)
        self._show()
        self.presets_changed.emit()

    @Slot()
    def _show(self) -> None:
        settings = self.settings
        has_own_prompt = settings.is_own(SYSTEM_PROMPT_KEY) and bool(settings.value(SYSTEM_PROMPT_KEY))
        self._chat.chips.set_chips(
            preset_chips(
                preset=settings.preset,
                form=str(settings.value(FORMAT_KEY) or ""),
                seed=settings.value(SEED_KEY),
                own_system_prompt=has_own_prompt and SYSTEM_PROMPT_KEY not in preset_keys(settings.own),
            )
        )
        # After the chips are laid out, since a notification must not cover them.
        QTimer.singleShot(0, self._context.toast, self._context.toast.reposition)
        starters = [preset for preset in self.presets if preset.kind is PresetKind.CHAT]
        self._chat.start.starters.set_presets(starters, selected=settings.preset)

    def _on_conversation_created(self) -> None:
        self.settings.new_chat_values = {}

    def _on_sheet_closed(self) -> None:
        self.sheet = None

    def _on_chip(self, kind: str) -> None:
        actions = {
            PRESET: self.show_library,
            RULE: self.show_rule,
            SEED: self.use_random_seed,
            SYSTEM: self._context.commands.actions[Command.SYSTEM_PROMPT].trigger,
        }
        if (action := actions.get(kind)) is not None:
            action()

    def _on_chip_removed(self, kind: str) -> None:
        match kind:
            case _ if kind == PRESET:
                self.settings.remove_preset()
            case _ if kind == RULE:
                self.settings.change({FORMAT_KEY: FORMAT_TEXT})
            case _ if kind == SEED:
                self.use_random_seed()
            case _ if kind == SYSTEM:
                self.settings.change({SYSTEM_PROMPT_KEY: None})
            case _:
                pass
        self._chat.focus_composer()

    def _run(
        self, work: Coroutine[Any, Any, Result], *, on_done: Callable[[Result], None] | None = None
    ) -> None:
        self._context.tasks.run(work, on_done=on_done, on_error=self._context.show_error)


# The texts of the window for a chat's preset, rule and seed. Pure functions


def preset_chips(*, preset: str, form: str, seed: object, own_system_prompt: bool) -> tuple[ChipContent, ...]:
    """Return the chips of a chat; ``own_system_prompt``: it has a system prompt that is from no preset."""
    chips: list[ChipContent] = []
    if preset:
        chips.append(
            ChipContent(
                kind=PRESET,
                label=preset,
                icon="bookmark",
                tooltip=tr("Preset of this chat; click to change"),
                remove_label=tr("Remove preset"),
            )
        )
    if own_system_prompt:
        chips.append(
            ChipContent(
                kind=SYSTEM,
                label=tr("System prompt"),
                icon="text-cursor",
                tooltip=tr("System prompt of this chat; click to change"),
                remove_label=tr("Use default system prompt"),
            )
        )
    if form not in ("", FORMAT_TEXT):
        chips.append(
            ChipContent(
                kind=RULE,
                label=tr("Format: {form}").format(form=format_label(form)),
                icon="braces",
                tooltip=tr("Response format of this chat; click to change"),
                remove_label=tr("Remove response format"),
            )
        )
    if isinstance(seed, int) and seed != SEED_RANDOM:
        chips.append(
            ChipContent(
                kind=SEED,
                label=tr("Seed {seed}").format(seed=seed),
                icon="dices",
                tooltip=tr("Same prompt, same settings, same answer"),
                remove_label=tr("Use random seed"),
            )
        )
    return tuple(chips)


def preset_targets(presets: Sequence[Preset], *, use: Callable[[Preset], None]) -> tuple[Target, ...]:
    """Return presets and texts to insert as targets of palette and slash menu, in their order."""
    return tuple(
        Target(
            kind=TargetKind.PRESET,
            key=str(preset.id),
            label=localized_name(preset),
            location=tr("Text") if preset.kind is PresetKind.SNIPPET else tr("Preset"),
            icon="file-text" if preset.kind is PresetKind.SNIPPET else "bookmark",
            keywords=localized_about(preset),
            action=partial(use, preset),
        )
        for preset in presets
    )
