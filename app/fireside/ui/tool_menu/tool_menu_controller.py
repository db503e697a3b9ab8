"""Open the tool menu of the composer, and turn tools on and off in the chat in front."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject

from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.model import ToolAbility, tool_ability
from fireside.core.tool_servers import SEPARATOR
from fireside.core.tools import USE_SKILL_NAME, CallsEnded, ToolInfo
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_answer import TEMPLATE
from fireside.settings.definitions_tools import DOCUMENTS, FOLDERS, SERVERS, SKILLS, SWITCHES
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.model_text import remote_host, tool_ability_text
from fireside.ui.page import Page
from fireside.ui.presets.chat_settings import ChatSettings
from fireside.ui.tool_menu.skill_switches import skill_info, skill_key, skill_of, switch_of
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.tool_menu.tool_popup import ToolPopup


class ToolMenuController(QObject):
    """Connects the composer's button and the settings of the chat.

    Nothing about tools is imported or requested before the button is pressed. GUI thread only.
    """

    def __init__(self, context: WindowContext, *, chat: ChatPane, settings: ChatSettings) -> None:
        super().__init__(chat)
        self._context = context
        self._chat = chat
        self._settings = settings
        self._button = chat.composer.tools_button
        self._tools: tuple[ToolInfo, ...] = ()
        self.has_documents: Callable[[], object] = tuple
        """Returns the collections of the chat in front."""
        self._button.clicked.connect(self.open)
        settings.changed.connect(self._show)
        chat.transcript.messages_changed.connect(self._show_button)
        self._show_button()

    @cached_property
    def popup(self) -> ToolPopup:
        """The popup that the button opens."""
        from fireside.ui.tool_menu.tool_popup import ToolPopup

        return ToolPopup(self, parent=self._chat)

    def open(self) -> None:
        """Show the tools beside the button."""

        client = self._context.client

        async def load() -> tuple[ToolInfo, ...]:
            skills = await client.skills.skills()
            return (*await client.tools.tools(), *(info for skill in skills if (info := skill_info(skill))))

        def on_tools(tools: tuple[ToolInfo, ...]) -> None:
            self._tools = tools
            self._show_popup()
            self.popup.open_at(self._button)

        self._context.tasks.run(load(), on_done=on_tools, on_error=self._context.show_error)

    def switch(self, key: str, is_on: bool) -> None:
        """Turn a tool on or off in the chat in front, by its switch's key, its server's name, or the
        ``switch_of`` of a skill."""
        if key in SWITCHES:
            self._settings.change({key: is_on})
            return
        if skill := skill_of(key):
            rest = tuple(name for name in self._skills if name != skill)
            self._settings.change({SKILLS: (*rest, skill) if is_on else rest})
            return
        others = tuple(name for name in self._servers if name.partition(SEPARATOR)[0] != key)
        self._settings.change({SERVERS: (*others, key) if is_on else others})

    def choose_folders(self) -> None:
        """Open the setting for the chat's folders."""
        self.popup.hide()
        self._context.router.show_chat_setting(FOLDERS)

    def show_all(self) -> None:
        """Open the page with every tool and the user's decision about it."""
        self.popup.hide()
        self._context.router.show_page(Page.TOOLS)

    def show_skills(self) -> None:
        """Open the page with every skill."""
        self.popup.hide()
        self._context.router.show_page(Page.SKILLS)

    @property
    def _switch_states(self) -> Mapping[str, bool]:
        used_servers = dict.fromkeys(name.partition(SEPARATOR)[0] for name in self._servers)
        servers = dict.fromkeys(tool.server for tool in self._tools if tool.server)
        skills = dict.fromkeys(switch_of(tool) for tool in self._tools if tool.name == USE_SKILL_NAME)
        used_skills = dict.fromkeys(map(skill_key, self._skills))
        return {
            **{key: self._settings.value(key) is True for key in SWITCHES if self._is_offered(key)},
            **{name: name in used_servers for name in (*servers, *used_servers)},
            **{key: key in used_skills for key in (*skills, *used_skills)},
        }

    def _is_offered(self, key: str) -> bool:
        """Whether a tool has something to work with: the documents tool is offered where collections are
        attached."""
        return key != DOCUMENTS or bool(self.has_documents())

    @property
    def _servers(self) -> tuple[str, ...]:
        """The names of the servers, or of single tools of one, that the chat uses."""
        return msgspec.convert(self._settings.value(SERVERS) or (), tuple[str, ...])

    @property
    def _skills(self) -> tuple[str, ...]:
        """The skills that are on in the chat."""
        return msgspec.convert(self._settings.value(SKILLS) or (), tuple[str, ...])

    def _show(self) -> None:
        self._show_button()
        if self._tools:
            self._show_popup()
        self._chat.context_controller.refresh_soon()

    def _show_button(self) -> None:
        names = [
            tr(BY_KEY[key].label) if key in SWITCHES else skill_of(key) or key
            for key, is_on in self._switch_states.items()
            if is_on
        ]
        name = tr("Tools: {names}").format(names=", ".join(names)) if names else tr("Tools in this chat")
        is_of_use = self._ability is not ToolAbility.NONE
        if names and not is_of_use:
            name = tool_ability_text(self._ability, host=remote_host(self._chat.model))
        self._button.set_name(name)
        self._button.set_icon("wrench", tint="accent" if names and is_of_use else "mute")

    @property
    def _ability(self) -> ToolAbility:
        """Whether the model in front gets tools."""
        model = self._chat.model
        if model is None or model.spec is None:
            return ToolAbility.CALLS
        if self._refused_by(model.spec.id):
            return ToolAbility.NONE
        known = self._context.models.entry(model.spec.id) or model
        return tool_ability(known.spec or model.spec, template=str(self._settings.value(TEMPLATE) or ""))

    def _refused_by(self, model_id: ModelId) -> bool:
        """Whether the server of a model took no tools for the last answer, which it may the next time."""
        records = [entry.message.generation for entry in self._chat.transcript.entries]
        last = next((record for record in reversed(records) if record is not None), None)
        return last is not None and last.model_id == model_id and last.calls_ended is CallsEnded.REFUSED

    def _show_popup(self) -> None:
        model, plan = self._chat.model, self._chat.context_controller.plan
        self.popup.show_tools(
            self._tools,
            switched=self._switch_states,
            n_ctx=None if plan is None else plan.n_ctx,
            host=remote_host(model),
            ability=self._ability,
        )
