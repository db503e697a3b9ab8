"""Collect Qt's attributions of third-party code: `python3 collect_qt.py SOURCES...`, after a change of Qt.

Each of SOURCES is an unpacked source of Qt (qtbase, qtsvg, qtimageformats). The texts and the list for the
SBOM are written beside this file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TEXTS = HERE / "Qt-third-party.txt"
PARTS = HERE / "pyside6-essentials.cdx.json"
_MODULES = frozenset(
    {"qtcore", "qtgui", "qtwidgets", "qtnetwork", "qtdbus", "qtsvg", "qtwaylandcompositor", "qtimageformats"}
)
_NOT_SHIPPED = ("android-", "dejayvu", "tiff")
"""Prefixes of parts for Android, for browsers, or in plugins that are not in the tree."""
_LINE = "-" * 80


def attributions(source: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield each third-party part of the libraries, with the folder of its attribution."""
    for path in sorted(source.rglob("qt_attribution.json")):
        content = json.loads(path.read_text(encoding="utf-8"), strict=False)
        for part in content if isinstance(content, list) else [content]:
            is_tool = part.get("QtParts") == ["tools"]
            if (
                part["QDocModule"] in _MODULES
                and not is_tool
                and not str(part["Id"]).startswith(_NOT_SHIPPED)
            ):
                yield path.parent, part


def text_of(part: dict[str, Any], *, folder: Path, source: Path) -> str:
    """Return a part's copyright and licence text. Raises OSError if the source lacks it."""
    names = part.get("LicenseFiles") or filter(None, [part.get("LicenseFile")])
    files = [folder / name for name in names]
    if not files:
        files = [
            source / "LICENSES" / f"{licence}.txt"
            for licence in part["LicenseId"].split()
            if licence not in ("AND", "OR")
        ]
    notice = part.get("Copyright") or (folder / part["CopyrightFile"]).read_text(encoding="utf-8")
    copyright_text = "\n".join(notice) if isinstance(notice, list) else notice
    texts = [file.read_text(encoding="utf-8", errors="replace").strip() for file in files]
    return "\n\n".join([copyright_text.strip(), *texts])


def main(sources: Sequence[str]) -> int:
    """Write both files; return the exit status."""
    sections: list[str] = []
    components: list[dict[str, object]] = []
    for source in map(Path, sources):
        for folder, part in attributions(source):
            version = str(part.get("Version", ""))
            title = f"{part['Name']} {version}".strip()
            body = text_of(part, folder=folder, source=source)
            sections.append(f"{_LINE}\n{title} ({part['LicenseId']})\n{_LINE}\n{body}\n")
            components.append(
                {
                    "type": "library",
                    "name": part["Id"],
                    **({"version": version} if version else {}),
                    "licenses": [{"expression": part["LicenseId"]}],
                }
            )
    TEXTS.write_text("Qt contains code of others:\n\n" + "\n".join(sections), encoding="utf-8")
    PARTS.write_text(json.dumps({"components": components}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
