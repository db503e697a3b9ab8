"""Sheets to set, change and remove the passphrase, and to lock while an answer is written."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import QLineEdit, QWidget

from fireside.core.errors import FiresideError
from fireside.core.i18n import tr, tr_noop
from fireside.ui.kit.layout import column
from fireside.ui.kit.line_fields import secret_field
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.privacy.gate import MAX_CHARS
from fireside.ui.theme import SPACE_XS
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.text import Label, WrappedLabel

MIN_CHARS: Final = 8
_GOOD_BITS: Final = 60.0
_FAIR_BITS: Final = 40.0
_WORD_BITS: Final = 13.0
"""Of a word, as one of eight thousand."""
_SETS: Final = (26, 26, 10, 33, 100)
"""Characters to guess from: small, large, digits, signs, others."""

_WHAT: Final = tr_noop(
    "Chats with their attachments and drafts, documents that you index, saved prompts and backups are "
    "encrypted on this computer. Settings, model files, logs, skills, documents of imported projects, "
    "recordings of an unfinished dictation, temporary files that Python or other programs open, and files "
    "that you export are not. What was stored before may still be found in free space of the disk."
)
_FINAL: Final = tr_noop("I understand: without the passphrase my chats are lost for good.")


def strength_text(passphrase: str) -> tuple[str, str]:
    """Return a hint and its role for a passphrase that is typed."""
    if not passphrase:
        return "", "small"
    if len(passphrase) < MIN_CHARS:
        return tr("At least {count} characters.").format(count=MIN_CHARS), "warning"
    bits = _bits(passphrase)
    if bits < _FAIR_BITS:
        return tr("Weak: easy to guess for a computer. Several words in a row are better."), "warning"
    if bits < _GOOD_BITS:
        return tr("Fair. One more word makes it strong."), "small"
    return tr("Strong."), "small"


def _bits(passphrase: str) -> float:
    """Return a rough bound of the work to guess it: repeated characters count little, words as words."""
    kinds = {
        0
        if each.islower() and each.isascii()
        else 1
        if each.isupper() and each.isascii()
        else 2
        if each.isdigit() and each.isascii()
        else 3
        if each.isascii()
        else 4
        for each in passphrase
    }
    choices = sum(_SETS[kind] for kind in kinds)
    bits = math.log2(choices) * min(len(passphrase), 2 * len(set(passphrase)))
    words = passphrase.split()
    return min(bits, _WORD_BITS * len(words)) if all(word.isalpha() for word in words) else bits


class _PassphraseSheet(Sheet):
    """Fields for passphrases and one button, which waits until they can be right."""

    def __init__(self, title: str, *, parent: QWidget, label: str, on_done: Callable[[], object]) -> None:
        super().__init__(title, parent=parent)
        self.done_button = self.make_button(label, on_done, kind="primary", is_default=True)
        self.fields: list[QLineEdit] = []
        self.cancel = self.make_cancel()

    def make_field(self, label: str) -> QWidget:
        """Return a labelled field, which is also one of ``fields``."""
        field = secret_field(label, max_length=MAX_CHARS)
        field.textChanged.connect(self.check)
        self.fields.append(field)
        box = QWidget()
        name = Label(label, role="small")
        name.setBuddy(field)
        column(name, field, spacing=SPACE_XS, on=box)
        return box

    def check(self) -> None:
        """Enable the button once it can do something."""
        self.show_status("")
        self.done_button.setEnabled(self.can_be_done())

    def can_be_done(self) -> bool:
        """Return whether the fields can be right."""
        return all(field.text() for field in self.fields)

    def set_busy(self, *, is_busy: bool) -> None:
        """Show that the request runs, which takes about a second."""
        for widget in (*self.fields, self.cancel):
            widget.setEnabled(not is_busy)
        self.done_button.setEnabled(not is_busy and self.can_be_done())
        self.show_status(tr("One moment…") if is_busy else "", role="mute")

    def show_failure(self, error: FiresideError) -> None:
        """Say what failed; nothing that was typed is lost."""
        self.set_busy(is_busy=False)
        self.show_status(error.sentence())
        self.fields[0].setFocus()
        self.fields[0].selectAll()


class _NewPassphraseSheet(_PassphraseSheet):
    """One with a passphrase that is new: how strong it is, and that it must not be forgotten."""

    def __init__(self, title: str, *, parent: QWidget, label: str, on_done: Callable[[], object]) -> None:
        super().__init__(title, parent=parent, label=label, on_done=on_done)
        self.strength = WrappedLabel(role="small")
        self.is_final = CheckBox(tr(_FINAL))
        self.is_final.toggled.connect(self.check)

    def check_new(self, new: str, repeated: str) -> bool:
        """Show the strength of a new passphrase; return whether it was typed twice alike."""
        text, role = strength_text(new)
        if repeated and not new.startswith(repeated):
            text, role = tr("The two are different."), "warning"
        self.strength.set_role(role)
        self.strength.show_text(text)
        return len(new) >= MIN_CHARS and new == repeated


class SetPassphraseSheet(_NewPassphraseSheet):
    """Says what is encrypted and what not, and that a forgotten passphrase is final."""

    def __init__(self, *, parent: QWidget, n_damaged: int, on_done: Callable[[], object]) -> None:
        super().__init__(tr("Set a passphrase"), parent=parent, label=tr("Encrypt my data"), on_done=on_done)
        first, second = self.make_field(tr("Passphrase")), self.make_field(tr("Passphrase, once more"))
        self.in_keyring = CheckBox(tr("Unlock with the system’s keyring when Fireside starts"))
        warning = WrappedLabel(
            tr("Nobody can recover a forgotten passphrase, and Fireside has no way around it."),
            role="warning",
        )
        damaged = WrappedLabel(role="warning")
        damaged.show_text(
            tr(
                "Files set aside as damaged are not encrypted: {count}. Delete them in the data folder."
            ).format(count=n_damaged)
            if n_damaged
            else ""
        )
        self.set_content(
            first,
            second,
            self.strength,
            warning,
            self.is_final,
            self.in_keyring,
            damaged,
            about=tr(_WHAT),
            buttons=(self.cancel, self.done_button),
        )
        self.check()

    def can_be_done(self) -> bool:
        first, second = (field.text() for field in self.fields)
        return self.check_new(first, second) and self.is_final.isChecked()


class ChangePassphraseSheet(_NewPassphraseSheet):
    """Asks for the old passphrase and a new one, twice."""

    def __init__(self, *, parent: QWidget, on_done: Callable[[], object]) -> None:
        title = tr("Change the passphrase")
        super().__init__(title, parent=parent, label=title, on_done=on_done)
        old = self.make_field(tr("Passphrase until now"))
        new = self.make_field(tr("New passphrase"))
        repeated = self.make_field(tr("New passphrase, once more"))
        self.set_content(
            old,
            new,
            repeated,
            self.strength,
            self.is_final,
            about=tr(
                "Nothing is encrypted anew, so it takes a moment. Earlier backups keep the old passphrase."
            ),
            buttons=(self.cancel, self.done_button),
        )
        self.check()

    def can_be_done(self) -> bool:
        old, new, repeated = (field.text() for field in self.fields)
        return self.check_new(new, repeated) and bool(old) and self.is_final.isChecked()


class RemovePassphraseSheet(_PassphraseSheet):
    """Asks for the passphrase before everything is decrypted."""

    def __init__(self, *, parent: QWidget, on_done: Callable[[], object]) -> None:
        super().__init__(
            tr("Remove the passphrase"), parent=parent, label=tr("Decrypt my data"), on_done=on_done
        )
        self.set_content(
            self.make_field(tr("Passphrase")),
            about=tr("Afterwards, everybody who can read this computer’s disk can read your chats."),
            buttons=(self.cancel, self.done_button),
        )
        self.check()


class LockWhileAnsweringSheet(Sheet):
    """Asks whether to wait for answers that are being written."""

    def __init__(
        self, *, parent: QWidget, on_now: Callable[[], object], on_later: Callable[[], object]
    ) -> None:
        super().__init__(tr("An answer is being written"), parent=parent, size=SheetSize.SMALL)
        self.set_content(
            about=tr("Locking stops it; what is written so far is kept."),
            buttons=(
                self.make_cancel(),
                self.make_button(tr("Lock now"), on_now),
                self.make_button(tr("Lock when it is done"), on_later, kind="primary", is_default=True),
            ),
        )
