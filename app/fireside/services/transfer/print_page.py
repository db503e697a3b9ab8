"""Read the branch that is shown for paper."""

from __future__ import annotations

from fireside.core.transfer import PrintedMessage, PrintedPage
from fireside.services.transfer.export_text import (
    date_words,
    is_unreadable,
    models_of,
    note_words,
    thought_words,
    title_words,
    who,
)
from fireside.storage.transcripts import Transcript


def as_printed(transcript: Transcript) -> PrintedPage:
    """Return the conversation ready for paper."""
    branch = transcript.branch()
    return PrintedPage(
        title=title_words(transcript),
        facts=" · ".join(filter(None, (date_words(transcript.created_at), *models_of(branch)))),
        messages=tuple(
            PrintedMessage(
                role=message.message.role,
                name=who(message),
                parts=message.message.parts,
                thought=thought_words(message),
                note=note_words(message),
            )
            for message in branch
        ),
        n_unreadable=sum(map(is_unreadable, branch)),
    )
