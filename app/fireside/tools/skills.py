"""The tool by which a model reads the instructions and files of a skill that it chose."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from typing import Final

import msgspec

from fireside.core.decoding import decode_json
from fireside.core.prompt_input import ToolDefinition
from fireside.core.skills import Skill
from fireside.core.tools import USE_SKILL_NAME, Permission, Taint
from fireside.tools.tool import CHARS_PER_TOKEN, RunnableTool

_ABOUT: Final = (
    "Reads the instructions of a skill; do so before you answer where one of them fits the request, and "
    "follow them. With file, reads one of its files. Skills:"
)
_LEAST_CHARS: Final = 2_000
"""Of all descriptions, however small the context."""


class SkillAccess(msgspec.Struct, frozen=True, kw_only=True):
    """The skills of one chat."""

    skills: Sequence[Skill]
    """By key; at least one."""
    read: Callable[[str, str], Awaitable[str]]
    """Returns the instructions of the skill with a key, or a file of it. Raises ``ToolFailed``."""


class _Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    file: str = ""


class UseSkillTool(RunnableTool[_Arguments]):
    """Names and descriptions are in its own description, so they are in each prompt.

    What it returns is text by others. To read it needs no consent, since the user turned the skill on, unless
    it would give a chat the last of the taints.
    """

    def __init__(self, access: SkillAccess, *, n_ctx: int) -> None:
        async def run(arguments: _Arguments) -> str:
            return await access.read(arguments.name, arguments.file)

        super().__init__(
            USE_SKILL_NAME,
            description="\n".join((_ABOUT, *_lines(access.skills, n_ctx=n_ctx))),
            arguments=_Arguments,
            run=run,
            taints=frozenset({Taint.UNTRUSTED}),
            permission=Permission.ALWAYS,
        )
        self._keys = [skill.key for skill in access.skills]

    @cached_property
    def definition(self) -> ToolDefinition:
        definition = super().definition
        schema = decode_json(definition.parameters, kind=dict[str, object])
        properties = msgspec.convert(schema["properties"], dict[str, object])
        properties["name"] = {"enum": self._keys}
        parameters = msgspec.json.encode({**schema, "properties": properties}).decode()
        return msgspec.structs.replace(definition, parameters=parameters)


def _lines(skills: Sequence[Skill], *, n_ctx: int) -> list[str]:
    """Return a line for each skill; together they take at most a tenth of the context, about."""
    most = max(_LEAST_CHARS, n_ctx * CHARS_PER_TOKEN // 10)
    if sum(len(skill.description) for skill in skills) <= most:
        return [f"- {skill.key}: {skill.description}" for skill in skills]
    each = most // len(skills)
    return [f"- {skill.key}: {skill.description[:each]}" for skill in skills]
