"""The two files about third-party components of the tree: texts for users, and an SBOM (CycloneDX)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from release.components import Component

NOTICES = "share/fireside/THIRD-PARTY.txt"
SBOM = "share/fireside/sbom.cdx.json"
_LINE = "=" * 80
_INTRODUCTION = """\
Fireside {version} is under the Apache License 2.0, see the file LICENSE. It contains works of others,
listed here with their licences; the texts follow.

Qt and PySide
-------------
This program uses Qt {qt} and PySide {qt}, Copyright (C) The Qt Company Ltd. and other contributors, under
the GNU Lesser General Public License, version 3; its text and that of the GNU General Public License follow.
They are unchanged. You may change them and run Fireside with yours: their libraries are the files in
{folder}, and Fireside's own source is in {program}.

Their source is offered beside the packages of Fireside {version}, for as long as these are, and by its
makers:
    https://download.qt.io/official_releases/qt/{minor}/{qt}/
    https://download.qt.io/official_releases/QtForPython/pyside6/PySide6-{qt}-src/
"""


def write_notices(tree: Path, components: Sequence[Component], *, version: str, packages: Path) -> None:
    """Write both files into ``tree``. ``packages`` is its folder of packages, which the text about Qt
    names."""
    (tree / NOTICES).parent.mkdir(parents=True, exist_ok=True)
    (tree / NOTICES).write_text(notices(components, version=version, packages=packages), encoding="utf-8")
    (tree / SBOM).write_text(sbom(components, version=version), encoding="utf-8")


def notices(components: Iterable[Component], *, version: str, packages: Path) -> str:
    """Return the list of components, and every text once, under the names of its components."""
    ordered = sorted(components, key=_order)
    qt = next((component.version for component in ordered if component.name == "pyside6-essentials"), "")
    introduction = _INTRODUCTION.format(
        version=version,
        qt=qt,
        minor=qt.rpartition(".")[0],
        folder=(packages / "PySide6").as_posix(),
        program=(packages / "fireside").as_posix(),
    )
    lines = "".join(f"{_titled(component)}: {component.licence}\n" for component in ordered)
    owners: dict[str, list[str]] = {}
    for component in ordered:
        for text in dict.fromkeys(text.strip() for text in component.texts):
            owners.setdefault(text, []).append(_titled(component))
    texts = "".join(f"\n{_LINE}\n{', '.join(names)}\n{_LINE}\n\n{text}\n" for text, names in owners.items())
    return f"{introduction}\nAll works\n---------\n{lines}{texts}"


def sbom(components: Iterable[Component], *, version: str) -> str:
    """Return the SBOM in CycloneDX 1.6, without times and paths, so that two builds are the same."""
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "fireside",
                "name": "Fireside",
                "version": version,
                "licenses": [{"expression": "Apache-2.0"}],
            }
        },
        "components": [_entry(component) for component in sorted(components, key=_order)],
    }
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))
    return json.dumps({**document, "serialNumber": number.urn}, indent=1, ensure_ascii=False) + "\n"


def _entry(component: Component) -> dict[str, Any]:
    licence = (
        {"expression": component.licence}
        if component.is_expression
        else {"license": {"name": component.licence}}
    )
    return {
        "type": "machine-learning-model" if component.name.endswith(".gguf") else "library",
        "bom-ref": component.purl,
        "name": component.name,
        **({"version": component.version} if component.version else {}),
        "licenses": [licence],
        "purl": component.purl,
        **({"components": list(component.parts)} if component.parts else {}),
    }


def _titled(component: Component) -> str:
    return f"{component.name} {component.version}".strip()


def _order(component: Component) -> tuple[str, str]:
    return component.name.lower(), component.version
