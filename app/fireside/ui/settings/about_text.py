"""Texts about the installed version and its updates. Pure."""

from __future__ import annotations

from typing import Final

from fireside.core.about import About, PackageKind, UpdateProgressed, UpdateStep
from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr, tr_noop

_KINDS: Final = {
    PackageKind.SOURCE: tr_noop("Source checkout"),
    PackageKind.SYSTEM: tr_noop("System package"),
    PackageKind.FOLDERS: tr_noop("Installed for you alone"),
    PackageKind.OTHER: tr_noop("Installed by other means"),
}
_UPDATE_HINTS: Final = {
    PackageKind.SOURCE: tr_noop("A source checkout is updated with “git pull” and “make run”."),
    PackageKind.SYSTEM: tr_noop("Your system’s package manager updates Fireside."),
    PackageKind.FOLDERS: tr_noop(
        "This build names no address for updates. Install an update over it; chats and settings stay."
    ),
    PackageKind.OTHER: tr_noop("Update Fireside the way you installed it."),
}
_STEPS: Final = {
    UpdateStep.DOWNLOADING: tr_noop("Downloading…"),
    UpdateStep.UNPACKING: tr_noop("Unpacking…"),
    UpdateStep.TESTING: tr_noop("Testing the new version…"),
}


def version_text(about: About) -> str:
    """Return the version and how it was installed."""
    version = tr("Version {version}").format(version=about.version)
    return f"{version} · {tr(_KINDS[about.kind])}"


def update_text(about: About) -> str:
    """Return the state of updates."""
    if about.pending_version:
        return tr("Version {version} starts the next time you open Fireside.").format(
            version=about.pending_version
        )
    if about.release is not None:
        return tr("Version {version} is available ({size}, {day}).").format(
            version=about.release.version,
            size=format_bytes(about.release.n_bytes),
            day=about.release.released,
        )
    if about.checked_at is not None:
        return tr("Fireside is up to date.")
    if about.failed_version:
        return tr("Version {failed} did not start twice, so version {version} is used again.").format(
            failed=about.failed_version, version=about.version
        )
    return tr("Nothing is asked until you click.") if about.is_published else tr(_UPDATE_HINTS[about.kind])


def step_text(progress: UpdateProgressed) -> str:
    """Return the current step of an update and its progress."""
    text = tr(_STEPS[progress.step])
    if progress.fraction is None:
        return text
    percent = tr("{percent}%").format(percent=number(progress.fraction * 100))
    return f"{text} {percent}"
