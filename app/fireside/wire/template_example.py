"""What the program and the process that shows a chat template at work tell each other, as JSON."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.message import ChatMessage

SHOW_TEMPLATE: Final = "--show-template"
"""Makes the program of a runner word one conversation, and end."""

TELLING_TOKENS: Final = (
    "<|im_start|>",
    "<|start_header_id|>",
    "<start_of_turn>",
    "[INST]",
    "[gMASK]",
    "<|start_of_role|>",
    "<|START_OF_TURN_TOKEN|>",
    "<｜Assistant｜>",
    "<|end|>",
    "<|assistant|>",
)
"""Control tokens by which a model without a template is known; see ``runner/prompt/fallbacks.py``."""

MAX_EXAMPLE_CHARS: Final = 50_000
MAX_REPLY_BYTES: Final = 1 << 20
"""An example and its reason, whatever JSON makes of their characters."""


class ExampleRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation, and what a file says about how it is worded."""

    source: str | None
    """The template; ``None`` where one that suits stands in."""
    architecture: str
    bos_token: str = ""
    eos_token: str = ""
    control_tokens: tuple[str, ...] = ()
    messages: tuple[ChatMessage, ...]


class ExampleReply(msgspec.Struct, frozen=True, kw_only=True):
    """The conversation as the model sees it, cut to ``MAX_EXAMPLE_CHARS``, or why there is nothing to see."""

    text: str = ""
    fallback: str = ""
    """Name of the template that stood in for a missing one."""
    error: ErrorInfo | None = None
    """As the process found it; who asks it makes ``problem`` of that."""
    problem: str = ""
    """A sentence; empty if all went well."""
