"""Archives of skills are unpacked inside Fireside's folder, or not at all."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from fireside.core.i18n import render
from fireside.services.skills.skill_archive import unpack_skills
from fireside.services.skills.skill_folders import SkillRefused

SKILL = b"---\nname: Tables\ndescription: x\n---\nDo"


def packed(folder: Path, members: dict[str, bytes], *, mode: int = stat.S_IFREG) -> Path:
    path = folder / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = (mode if name != "SKILL.md" else stat.S_IFREG) << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return path


@pytest.mark.parametrize("prefix", ["", "tables/", "repo-main/skills/tables/"])
def test_a_skill_is_unpacked_under_its_name_wherever_it_is(tmp_path: Path, prefix: str) -> None:
    members = {f"{prefix}SKILL.md": SKILL, f"{prefix}scripts/a.py": b"1", "__MACOSX/._x": b"x"}
    below = tmp_path / "own"
    (folder,) = unpack_skills(packed(tmp_path, members), below=below)
    assert Path(folder) == below / "tables"
    assert sorted(path.relative_to(folder).as_posix() for path in Path(folder).rglob("*.*")) == [
        "SKILL.md",
        "scripts/a.py",
    ]
    assert [path.name for path in below.iterdir()] == ["tables"]


def test_another_version_replaces_the_skill_and_leaves_nothing_of_it(tmp_path: Path) -> None:
    below = tmp_path / "own"
    unpack_skills(packed(tmp_path, {"SKILL.md": SKILL, "old.md": b"x"}), below=below)
    (folder,) = unpack_skills(packed(tmp_path, {"SKILL.md": SKILL, "new.md": b"x"}), below=below)
    assert sorted(path.name for path in Path(folder).iterdir()) == ["SKILL.md", "new.md"]


def test_several_skills_of_one_archive(tmp_path: Path) -> None:
    members = {
        f"skills/{n}/SKILL.md": SKILL.replace(b"Tables", name) for n, name in enumerate((b"con", b"b"))
    }
    folders = unpack_skills(packed(tmp_path, members), below=tmp_path / "own")
    assert {Path(folder).name for folder in folders} == {"b", "con-skill"}


HOSTILE = {
    "../escaped": "It cannot be unpacked: it contains names that point outside its folder.",
    "a/../../escaped": "It cannot be unpacked: it contains names that point outside its folder.",
    "/etc/escaped": "It cannot be unpacked: it contains names that point outside its folder.",
    "..\\escaped": "It cannot be unpacked: it contains names that point outside its folder.",
    "C:\\escaped": "It cannot be unpacked: it contains names that point outside its folder.",
    "SKILL.md:stream": "It cannot be unpacked: it contains names that point outside its folder.",
    "scripts/AUX.py": "It cannot be unpacked: “AUX.py” in it is a link, or has a name that not every system "
    "can have.",
    "a.": "It cannot be unpacked: “a.” in it is a link, or has a name that not every system can have.",
    "a\u202egpj.exe ": "It cannot be unpacked: “a[U+202E]gpj.exe” in it is a link, or has a name that not "
    "every system can have.",
    "skill.MD": "It cannot be unpacked: “skill.MD” is in it twice.",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    before = sorted(tmp_path.rglob("*"))
    source = packed(tmp_path, {"SKILL.md": SKILL, name: b"x"})
    with pytest.raises(SkillRefused) as raised:
        unpack_skills(source, below=tmp_path / "own")
    assert render(raised.value.reason) == HOSTILE[name]
    assert sorted(tmp_path.rglob("*")) == [*before, source, tmp_path / "own"]


@pytest.mark.parametrize("mode", [stat.S_IFLNK, stat.S_IFIFO])
def test_links_and_pipes_are_refused(tmp_path: Path, mode: int) -> None:
    source = packed(tmp_path, {"SKILL.md": SKILL, "out": b"SKILL.md"}, mode=mode)
    with pytest.raises(SkillRefused):
        unpack_skills(source, below=tmp_path / "own")
    assert list((tmp_path / "own").iterdir()) == []


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"README.md": b"x"}, "There is no SKILL.md in it."),
        ({"SKILL.md": b"\0"}, "Its SKILL.md is not UTF-8 text."),
        ({"SKILL.md": SKILL, "a": bytes(100_000_001)}, "It cannot be unpacked: it holds too much."),
        ({f"{n}": b"" for n in range(2_001)}, "It cannot be unpacked: it holds too much."),
    ],
)
def test_what_is_no_skill_or_too_much_is_refused(
    tmp_path: Path, members: dict[str, bytes], reason: str
) -> None:
    with pytest.raises(SkillRefused) as raised:
        unpack_skills(packed(tmp_path, members), below=tmp_path / "own")
    assert render(raised.value.reason) == reason


def test_a_failed_update_leaves_the_skill_as_it_was(tmp_path: Path) -> None:
    below = tmp_path / "own"
    (folder,) = unpack_skills(packed(tmp_path, {"SKILL.md": SKILL}), below=below)
    with pytest.raises(SkillRefused):
        unpack_skills(packed(tmp_path, {"SKILL.md": SKILL, "nul": b"x"}), below=below)
    assert (Path(folder) / "SKILL.md").read_bytes() == SKILL
    damaged = tmp_path / "b.zip"
    damaged.write_bytes(b"no archive")
    with pytest.raises(SkillRefused):
        unpack_skills(damaged, below=below)
