"""Prepare the active branch for printing."""

from __future__ import annotations

from fireside.core.transfer import PrintedMessage, PrintedPage
from fireside.services.transfer.export_text import (
    date_text,
    is_unreadable,
    model_names,
    problem_text,
    reasoning_title,
    speaker_name,
    title_text,
)
from fireside.storage.transcripts import Transcript


def printable_conversation(transcript: Transcript) -> PrintedPage:
    branch = transcript.branch()
    return PrintedPage(
        title=title_text(transcript),
        facts=" · ".join(filter(None, (date_text(transcript.created_at), *model_names(branch)))),
        messages=tuple(
            PrintedMessage(
                role=message.message.role,
                name=speaker_name(message),
                parts=message.message.parts,
                thought=reasoning_title(message),
                note=problem_text(message),
            )
            for message in branch
        ),
        n_unreadable=sum(map(is_unreadable, branch)),
    )
