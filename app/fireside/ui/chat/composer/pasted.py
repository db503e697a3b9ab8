"""Decide which pasted text the composer's editor can hold and which is folded. Pure: no Qt."""

from __future__ import annotations

import msgspec

from fireside.core.i18n import number, tr

FOLD_CHARS = 50_000
"""A longer paste is folded: laying it out in the editor would block the GUI thread."""
FOLD_LINE = 5_000
"""A paste with a longer line is folded too: Qt takes seconds for a line of 100,000 characters."""
MAX_MESSAGE = 2_000_000
"""Characters of one message, typed and pasted together."""


class Pasted(msgspec.Struct, frozen=True, kw_only=True):
    """A long text that is sent with the message."""

    text: str

    @property
    def label(self) -> str:
        n = len(self.text)
        if n < 1_000_000:
            size = tr("%n character|%n characters", "", n)
        else:
            size = tr("{millions} million characters").format(millions=number(n / 1_000_000, decimals=1))
        n_lines = self.text.count("\n") + 1
        if n_lines == 1:
            return tr("Pasted text, {size}").format(size=size)
        template = tr("Pasted text, {size}, %n line|Pasted text, {size}, %n lines", "", n_lines)
        return template.format(size=size)


def is_long(text: str) -> bool:
    """Return whether ``text`` must be folded."""
    if len(text) > FOLD_CHARS:
        return True
    return len(text) > FOLD_LINE and max(map(len, text.split("\n"))) > FOLD_LINE


def split_message(text: str) -> tuple[str, tuple[Pasted, ...]]:
    """Split a message into the editor's text and folded texts, which ``join_message`` joins again.

    The paragraph before a long text is what the user continues to edit.
    """
    if not is_long(text):
        return text, ()
    head, _gap, rest = text.partition("\n\n")
    if (
        rest.strip()
        and head.strip()
        and not is_long(head)
        and join_message(head, (Pasted(text=rest),)) == text
    ):
        return head, (Pasted(text=rest),)
    return "", (Pasted(text=text),)


def length_problem(*, n_added: int, n_present: int) -> str:
    """Return why ``n_added`` characters do not fit into the message; empty where they do."""
    if n_added + n_present <= MAX_MESSAGE:
        return ""
    return tr(
        "Text too long: %n character, the limit is {most}. It is still on your clipboard.|Text "
        "too long: %n characters, the limit is {most}. It is still on your clipboard.",
        "",
        n_added,
    ).format(most=number(MAX_MESSAGE))


def join_message(typed: str, pasted: tuple[Pasted, ...]) -> str:
    """Return the whole message: what was typed, then each folded text."""
    parts = [typed.strip("\n"), *(piece.text for piece in pasted)]
    return "\n\n".join(part for part in parts if part.strip())
