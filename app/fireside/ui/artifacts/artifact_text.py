"""Texts about artifacts: kinds, versions, what is asked of a model. Pure: no Qt."""

from __future__ import annotations

import difflib
from datetime import datetime
from typing import Final

from fireside.core.artifacts import Artifact, ArtifactKind, ArtifactText, ArtifactVersion
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.transfer import ExportFormat
from fireside.ui.time_text import format_relative_time

KIND_NAMES: Final = {
    ArtifactKind.HTML: tr_noop("Web page"),
    ArtifactKind.SVG: tr_noop("Image"),
    ArtifactKind.MARKDOWN: tr_noop("Document"),
    ArtifactKind.MERMAID: tr_noop("Diagram"),
    ArtifactKind.VEGA_LITE: tr_noop("Chart"),
    ArtifactKind.CSV: tr_noop("Table"),
    ArtifactKind.CODE: tr_noop("Code"),
}
EXPORTS: Final = {
    ArtifactKind.MARKDOWN: (ExportFormat.DOCX, ExportFormat.PDF, ExportFormat.HTML),
    ArtifactKind.CSV: (ExportFormat.XLSX,),
    ArtifactKind.CODE: (ExportFormat.PDF, ExportFormat.HTML, ExportFormat.DOCX),
}
"""The files that an artifact of a kind can become, besides its own."""
_MAX_DIFF_LINES: Final = 20_000
_LANGUAGES: Final = {
    ArtifactKind.SVG: "xml",
    ArtifactKind.VEGA_LITE: "json",
    ArtifactKind.HTML: "html",
    ArtifactKind.MARKDOWN: "markdown",
}


def kind_text(artifact: Artifact) -> str:
    """Return what it is: “Web page”; of code, its language."""
    is_named = artifact.kind is ArtifactKind.CODE and artifact.language
    return artifact.language if is_named else tr(KIND_NAMES[artifact.kind])


def title_text(artifact: Artifact) -> str:
    """Return its title, or else what it is."""
    return artifact.title or kind_text(artifact)


def version_text(artifact: Artifact, index: int) -> str:
    """Return which version it is, and where it comes from."""
    version = artifact.versions[index]
    position = tr("Version {number} of {count}").format(
        number=number(index + 1), count=number(len(artifact.versions))
    )
    source = tr("by you") if version.by_user else ""
    return " · ".join(part for part in (position, source, when_text(version)) if part)


def when_text(version: ArtifactVersion) -> str:
    """Return when a version was made."""
    return format_relative_time(version.created_at, now=datetime.now().astimezone())


def shown_text(artifact: Artifact, text: str) -> ArtifactText:
    """Return a text of an artifact, to be shown or saved."""
    return ArtifactText(kind=artifact.kind, language=artifact.language, title=title_text(artifact), text=text)


def highlight_language(artifact: Artifact) -> str:
    """Return the language in whose colours its source is shown."""
    return _LANGUAGES.get(artifact.kind, artifact.language)


def diff_text(before: str, after: str) -> str:
    """Return the changes from one version to the next, as lines with ``-`` and ``+``; empty if there are
    none. Takes long for long texts."""
    old, new = before.splitlines(), after.splitlines()
    if max(len(old), len(new)) > _MAX_DIFF_LINES:
        return tr("The versions are too long to be compared.")
    lines = difflib.unified_diff(old, new, n=3, lineterm="")
    return "\n".join(line for line in lines if not line.startswith(("---", "+++")))


def change_request(artifact: Artifact, *, text: str, selected: str, is_known: bool) -> str:
    """Return the beginning of a message that asks for a change, with what the model must see for it.

    Args:
        text: the version that is to be changed.
        selected: the part of it that is meant; empty for the whole.
        is_known: whether the version stands in an answer, so that the model has it.
    """
    title = title_text(artifact)
    parts = []
    if not is_known:
        parts += [tr("This is my version of “{title}”:").format(title=title), _fenced(artifact, text)]
    if selected.strip():
        parts += [tr("Change this part of “{title}”:").format(title=title), _fenced(artifact, selected), ""]
    else:
        parts.append(tr("Change “{title}”:").format(title=title) + " ")
    return "\n\n".join(parts)


def fix_request(artifact: Artifact, errors: tuple[tuple[str, int], ...]) -> str:
    """Return a message that hands the errors of the preview to the model."""
    asked = tr("“{title}” reports these errors. Please correct them and give me the whole of it.").format(
        title=title_text(artifact)
    )
    lines = (
        tr("Line {line}: {message}").format(line=line, message=message) if line else message
        for message, line in errors
    )
    return f"{asked}\n\n```text\n" + "\n".join(lines) + "\n```"


def _fenced(artifact: Artifact, text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{highlight_language(artifact)}\n{text.strip(chr(10))}\n{fence}"
