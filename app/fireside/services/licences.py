"""Collect the licence texts of third-party code that the program includes."""

from __future__ import annotations

from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Final

NOTICES_NAME: Final = "share/fireside/THIRD-PARTY.txt"
"""All notices in one file, as the builder of a package collected them."""
_LINE: Final = "\n\n" + "─" * 40 + "\n\n"
_FILES: Final = ("licen", "copying", "notice", "authors")


def licences(tree: Path) -> str:
    """Return all licence texts: the notices of a package, otherwise those of the installed Python packages.

    Blocks for a moment.
    """
    try:
        return (tree / NOTICES_NAME).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        pass
    by_name = {each.metadata["Name"]: each for each in distributions() if each.metadata["Name"]}
    return _LINE.join(_notices_of(by_name[name]) for name in sorted(by_name, key=str.casefold))


def _notices_of(distribution: Distribution) -> str:
    licence = (
        _first_line(distribution, "License-Expression")
        or _first_line(distribution, "License")
        or _licence_classifiers(distribution)
    )
    title = f"{distribution.metadata['Name']} {distribution.version}"
    texts = [text for text in map(_text, _licence_files(distribution)) if text]
    return "\n\n".join((f"{title} ({licence})" if licence else title, *texts))


def _licence_files(distribution: Distribution) -> list[Path]:
    return [
        Path(str(distribution.locate_file(file)))
        for file in distribution.files or ()
        if ".dist-info" in file.parts[0] and file.name.casefold().startswith(_FILES)
    ]


def _licence_classifiers(distribution: Distribution) -> str:
    classifiers = distribution.metadata.get_all("Classifier") or ()
    return ", ".join(line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License ::"))


def _first_line(distribution: Distribution, field: str) -> str:
    text = "\n".join(distribution.metadata.get_all(field) or ()).strip()
    return text.partition("\n")[0]


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", errors="replace").strip()
    except OSError:
        return ""
