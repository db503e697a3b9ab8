"""Fill in the recipes of other stores for built packages: `python3 installer/release/recipes.py --help`.

Each has the address and the SHA-256 of a package, so it is made last, from the published files.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parents[1] / "recipes"
ARCHIVE, SETUP, IMAGE = "fireside-*-linux-x86_64.tar.xz", "FiresideSetup-*.exe", "Fireside-*.dmg"
RECIPES: Mapping[str, str] = {
    "PKGBUILD": ARCHIVE,
    "flatpak.yml": ARCHIVE,
    "winget.yaml": SETUP,
    "homebrew.rb": IMAGE,
}
"""Each recipe, with the pattern of its package."""


def fill(template: str, *, package: Path, version: str, address: str, homepage: str) -> str:
    """Return the recipe of ``package``, which is published in the folder ``address``."""
    values = {
        "VERSION": version,
        "ADDRESS": address,
        "HOMEPAGE": homepage,
        "PACKAGE": package.name,
        "FOLDER": package.name.removesuffix(".tar.xz"),
        "SHA256": hashlib.sha256(package.read_bytes()).hexdigest(),
    }
    for name, value in values.items():
        template = template.replace(f"@{name}@", value)
    return template


def write_recipes(folder: Path, *, version: str, address: str, homepage: str) -> Iterator[Path]:
    """Write the recipes of the packages in ``folder`` to its folder ``recipes``; yield the path of each."""
    for name, pattern in RECIPES.items():
        for package in folder.glob(pattern):
            template = (TEMPLATES / f"{name}.in").read_text(encoding="utf-8")
            target = folder / "recipes" / name
            target.parent.mkdir(exist_ok=True)
            recipe = fill(template, package=package, version=version, address=address, homepage=homepage)
            target.write_text(recipe, encoding="utf-8")
            yield target


def main(arguments: Sequence[str]) -> int:
    """Write the recipes; return the exit status."""
    parser = argparse.ArgumentParser(prog="recipes.py", description="Fill in the recipes of other stores.")
    parser.add_argument("folder", type=Path, help="where the packages lie")
    parser.add_argument("--version", required=True)
    parser.add_argument("--address", required=True, help="where they are published, with a slash at its end")
    parser.add_argument("--homepage", required=True)
    parsed = parser.parse_args(arguments)
    for recipe in write_recipes(
        parsed.folder, version=parsed.version, address=parsed.address, homepage=parsed.homepage
    ):
        sys.stdout.write(f"{recipe}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
