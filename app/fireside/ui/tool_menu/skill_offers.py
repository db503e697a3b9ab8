"""The skills that the user has reviewed, as slash commands of the chat in front."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec
from PySide6.QtCore import QObject

from fireside.core.attachment import Attachment
from fireside.core.i18n import tr
from fireside.core.skills import Skill, SkillState
from fireside.core.tool_servers import ResourceContent
from fireside.settings.definitions_tools import PYTHON, SKILLS
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.palette.targets import Target, TargetKind
from fireside.ui.presets.chat_settings import ChatSettings
from fireside.ui.window_context import WindowContext

_FILE: Final = "{name}.md"
"""The name of an attachment with instructions."""


class SkillOffers(QObject):
    """Looks for skills when the menu opens, never before. GUI thread only."""

    def __init__(self, context: WindowContext, *, chat: ChatPane, settings: ChatSettings) -> None:
        super().__init__(chat)
        self._context = context
        self._chat = chat
        self._settings = settings
        self._skills: tuple[Skill, ...] = ()

    def refresh(self, on_changed: Callable[[], None]) -> None:
        """Look for skills; ``on_changed`` is called if there are others than before."""

        def apply(skills: tuple[Skill, ...]) -> None:
            ready = tuple(skill for skill in skills if skill.state is SkillState.READY)
            if ready != self._skills:
                self._skills = ready
                on_changed()

        request = self._context.client.skills.skills()
        self._context.tasks.run(request, on_done=apply, on_error=self._context.show_error)

    def targets(self) -> tuple[Target, ...]:
        """Return the skills as last found."""
        return tuple(
            Target(
                kind=TargetKind.PROMPT,
                key=f"skill:{skill.key}",
                label=f"/{skill.key}",
                location=tr("Skill"),
                icon="scroll-text",
                keywords=skill.description,
                action=partial(self.use, skill),
            )
            for skill in self._skills
        )

    def use(self, skill: Skill) -> None:
        """Attach the instructions of a skill to the message, and turn it on in the chat, so that the model
        can read its files."""
        names = msgspec.convert(self._settings.value(SKILLS) or (), tuple[str, ...])
        if skill.key not in names:
            self._settings.change({SKILLS: (*names, skill.key)})
        name = _FILE.format(name=skill.key)
        client, has_python = self._context.client, self._settings.value(PYTHON) is True

        async def read() -> Attachment:
            text = await client.skills.instructions(skill.folder, has_python=has_python)
            content = ResourceContent(uri=skill.key, media_type="text/markdown", text=text)
            return await client.attachments.read_contents((content,), name=name, server="")

        self._chat.attachments.add(name, read())
        self._chat.focus_composer()
