"""Build the library of this computer's models."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import send2trash

from fireside.library.applications import ApplicationFolder, application_folders
from fireside.library.library import Library, MetadataFile
from fireside.library.starter import starter_folder
from fireside.main.startup_context import StartupContext
from fireside.settings.conversions import added_paths, looks_into_applications

NOTES_NAME = "library.json"


def build_library(context: StartupContext, *, added: tuple[str, ...] = ()) -> Library:
    """Return the library; ``added`` are model files for this run only, in addition to those in the
    settings."""
    paths, settings = context.paths, context.settings

    def applications() -> tuple[ApplicationFolder, ...]:
        if not looks_into_applications(settings.resolved()):
            return ()
        return application_folders(os.environ, home=Path.home(), platform=sys.platform)

    return Library(
        library_folder=paths.models_folder,
        starter_folder=starter_folder(),
        added=(*added_paths(settings.resolved()), *added),
        cache_path=paths.cache_folder / "models.json",
        trash=send2trash.send2trash,
        metadata=MetadataFile(path=paths.data_folder / NOTES_NAME, on_damaged=context.problems.add),
        applications=applications,
    )
