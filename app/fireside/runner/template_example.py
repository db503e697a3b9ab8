"""Render an example with a chat template in a separate process: templates are untrusted code."""

from __future__ import annotations

import sys

import msgspec

from fireside.core.decoding import decode_json
from fireside.core.errors import FiresideError
from fireside.core.prompt_input import ChatInput
from fireside.runner.process_limits import limit_resources
from fireside.runner.prompt.template import ChatTemplate
from fireside.wire.runner_modes import MAX_EXAMPLE_CHARS, ExampleReply, ExampleRequest


def main() -> int:
    """Render the conversation on standard input; write the reply to standard output."""
    limit_resources()
    request = decode_json(sys.stdin.buffer.read(), kind=ExampleRequest)
    sys.stdout.buffer.write(msgspec.json.encode(_reply_to(request)))
    sys.stdout.buffer.flush()
    return 0


def _reply_to(request: ExampleRequest) -> ExampleReply:
    try:
        template = ChatTemplate(
            request.source,
            architecture=request.architecture,
            bos_token=request.bos_token,
            eos_token=request.eos_token,
            control_tokens=request.control_tokens,
        )
        chat = ChatInput(messages=request.messages, template_arguments=request.arguments)
        text = template.render(chat).text
    except FiresideError as exc:
        return ExampleReply(error=exc.info())
    return ExampleReply(text=_truncated(_without_surrogates(text)), fallback=template.fallback)


def _without_surrogates(text: str) -> str:
    """Return ``text`` without lone surrogates, which a template can produce and UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _truncated(text: str) -> str:
    return text if len(text) <= MAX_EXAMPLE_CHARS else f"{text[:MAX_EXAMPLE_CHARS]}…"
