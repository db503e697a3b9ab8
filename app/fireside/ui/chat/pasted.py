"""Which text the composer's editor can hold, and which it keeps folded. Pure: no Qt."""

from __future__ import annotations

import msgspec

from fireside.core.i18n import number, tr

FOLD_CHARS = 50_000
"""A longer paste is kept beside the editor: laying it out would hold the window up."""
FOLD_LINE = 5_000
"""So is one with a longer line; Qt takes seconds over 100,000 characters without an end."""
MAX_MESSAGE = 2_000_000
"""Characters of one message, typed and pasted together."""


class Pasted(msgspec.Struct, frozen=True, kw_only=True):
    """A long text that goes along with the message."""

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
        words = tr("Pasted text, {size}, %n line|Pasted text, {size}, %n lines", "", n_lines)
        return words.format(size=size)


def is_long(text: str) -> bool:
    """Say whether ``text`` is to be kept folded."""
    if len(text) > FOLD_CHARS:
        return True
    return len(text) > FOLD_LINE and max(map(len, text.split("\n"))) > FOLD_LINE


def split_message(text: str) -> tuple[str, tuple[Pasted, ...]]:
    """Return a message as what the editor holds and what is kept folded; together they are all of it.

    The words before a long text are what the user goes on with.
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
    """Why ``n_added`` more characters cannot be taken; empty where they can."""
    if n_added + n_present <= MAX_MESSAGE:
        return ""
    return tr(
        "Text too long: %n character, the limit is {most}. It is still on your clipboard.|Text "
        "too long: %n characters, the limit is {most}. It is still on your clipboard.",
        "",
        n_added,
    ).format(most=number(MAX_MESSAGE))


def join_message(typed: str, pasted: tuple[Pasted, ...]) -> str:
    """Return the message: what was typed, then each long text."""
    parts = [typed.strip("\n"), *(piece.text for piece in pasted)]
    return "\n\n".join(part for part in parts if part.strip())
