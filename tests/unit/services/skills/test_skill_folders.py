"""Folders of skills, as they are and as someone hostile would make them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from fakes.skills import write_skill
from fireside.core.i18n import render
from fireside.core.skills import Skill, SkillState
from fireside.services.skills.skill_folders import (
    Place,
    SkillCache,
    SkillRefused,
    find_skills,
    key_of,
    named,
    read_bytes,
    usual_places,
)

links = pytest.mark.skipif(sys.platform == "win32", reason="links take a privilege there")


def found(*folders: Path, is_added: bool = False) -> tuple[Skill, ...]:
    places = tuple(Place(folder=folder, is_added=is_added) for folder in folders)
    return find_skills(places, SkillCache())


def one(folder: Path) -> Skill:
    (skill,) = found(folder)
    return skill


def problem(skill: Skill) -> str:
    assert skill.state is SkillState.UNUSABLE
    return render(skill.problem)


def test_a_skill_is_listed_with_its_files_and_what_it_costs(tmp_path: Path) -> None:
    files = {"scripts/sum.py": "print(1)", "references/a.md": "More", ".git/config": "x"}
    write_skill(tmp_path / "tables", files=files)
    skill = one(tmp_path)
    assert (skill.key, skill.name, skill.description) == ("tables", "tables", "Makes tables of sums.")
    assert [file.path for file in skill.files] == ["SKILL.md", "references/a.md", "scripts/sum.py"]
    assert (skill.n_bytes, skill.has_python) == (104, True)
    assert 0 < skill.n_tokens < 15
    assert skill.state is SkillState.NEW


def test_the_folders_of_other_programs_are_known(tmp_path: Path) -> None:
    moved = {"CLAUDE_CONFIG_DIR": str(tmp_path / "moved")}
    for folder in (".agents", ".codex", ".gemini", ".copilot", ".cursor", ".config/opencode", "moved"):
        write_skill(tmp_path / folder / "skills" / "one", name=f"of {folder.rpartition('.')[2]}")
    skills = find_skills(usual_places(moved, home=tmp_path), SkillCache())
    assert [(skill.key, skill.origin) for skill in skills] == [
        ("of-agents", "Agent Skills"),
        ("of-moved", "Claude Code"),
        ("of-codex", "Codex"),
        ("of-gemini", "Gemini CLI"),
        ("of-copilot", "GitHub Copilot"),
        ("of-cursor", "Cursor"),
        ("of-config-opencode", "OpenCode"),
    ]


def test_of_two_with_one_name_the_first_counts_and_the_other_says_so(tmp_path: Path) -> None:
    write_skill(tmp_path / "a" / "x", name="Tables")
    write_skill(tmp_path / "b" / "y", name="tables")
    first, second = found(tmp_path / "a", tmp_path / "b")
    assert first.state is SkillState.NEW
    assert problem(second) == f"Another skill has this name: {first.folder}"


@links
def test_one_that_several_places_link_to_is_found_once(tmp_path: Path) -> None:
    write_skill(tmp_path / "a" / "x")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "x").symlink_to(tmp_path / "a" / "x")
    assert len(found(tmp_path / "b", tmp_path / "a")) == 1
    assert len(found(tmp_path / "b")) == 1


def test_an_added_folder_is_searched_and_may_be_a_skill_itself(tmp_path: Path) -> None:
    write_skill(tmp_path / "project" / ".claude" / "skills" / "a", name="a")
    write_skill(tmp_path / "project" / "plugins" / "p" / "skills" / "b", name="b")
    write_skill(tmp_path / "project" / "node_modules" / "c", name="c")
    write_skill(tmp_path / "project" / ".hidden" / "d", name="d")
    assert {skill.key for skill in found(tmp_path / "project", is_added=True)} == {"a", "b"}
    assert found(tmp_path / "project") == ()
    write_skill(tmp_path / "project", name="whole")
    assert [skill.key for skill in found(tmp_path / "project", is_added=True)] == ["whole"]


def test_no_link_is_followed_out_of_a_skill(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("links take a privilege there, and there are no pipes in folders")
    folder = write_skill(tmp_path / "place" / "tables")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("hush")
    (folder / "one").symlink_to(tmp_path / "secret" / "key")
    (folder / "all").symlink_to(tmp_path / "secret")
    (folder / "self").symlink_to(folder)
    os.mkfifo(folder / "pipe")
    skill = one(tmp_path / "place")
    assert [file.path for file in skill.files] == ["SKILL.md"]
    assert skill.left_out == ("all", "one", "pipe", "self")


@links
def test_a_skill_file_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "place" / "tables"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").symlink_to("/etc/passwd")
    assert problem(one(tmp_path / "place")) == "Its SKILL.md is a link, or no file."


@links
def test_a_file_that_becomes_a_link_after_it_was_listed_is_not_read(tmp_path: Path) -> None:
    folder = write_skill(tmp_path / "place" / "tables", files={"a.md": "Text"})
    file = one(tmp_path / "place").files[1]
    (folder / "a.md").unlink()
    (folder / "a.md").symlink_to("/etc/hostname")
    with pytest.raises((OSError, SkillRefused)):
        read_bytes(folder, file)


def test_a_file_that_changes_after_it_was_listed_is_not_read(tmp_path: Path) -> None:
    folder = write_skill(tmp_path / "place" / "tables", files={"a.md": "Text"})
    file = one(tmp_path / "place").files[1]
    assert read_bytes(folder, file) == b"Text"
    (folder / "a.md").write_text("Evil")
    with pytest.raises(SkillRefused) as raised:
        read_bytes(folder, file)
    assert render(raised.value.reason) == "“a.md” has just changed."


def test_what_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    huge = write_skill(tmp_path / "place" / "huge", name="huge")
    with (huge / "SKILL.md").open("r+b") as file:
        file.truncate(1 << 30)  # a gigabyte that takes no space on the disk
    long = write_skill(tmp_path / "place" / "long", name="long", body="x" * 1_000_001)
    many = write_skill(tmp_path / "place" / "many", name="many")
    for number in range(2_001):
        (many / f"{number}").touch()
    deep = write_skill(tmp_path / "place" / "deep", name="deep")
    deep.joinpath(*"abcdefghijklmnop").mkdir(parents=True)
    cache = SkillCache()
    skills = find_skills((Place(folder=tmp_path / "place"),), cache)
    assert {Path(skill.folder).name: problem(skill) for skill in skills} == {
        "deep": "Its folders are nested too deeply.",
        "huge": "It has more than 2,000 files, or more than 100 MB.",
        "long": "“SKILL.md” is larger than 1 MB.",
        "many": "It has more than 2,000 files, or more than 100 MB.",
    }
    assert str(long / "SKILL.md") in cache._known
    assert str(huge / "SKILL.md") not in cache._known


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\0\0", "Müller".encode("latin-1"), b"a\0b"])
def test_what_is_no_text_is_refused(content: bytes, tmp_path: Path) -> None:
    folder = write_skill(tmp_path / "place" / "tables")
    (folder / "SKILL.md").write_bytes(content)
    assert problem(one(tmp_path / "place")) == "Its SKILL.md is not UTF-8 text."


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("PDF Tools!", "pdf-tools"),
        ("名字", "名字"),
        ("a" * 200, "a" * 64),
        ("../../etc", "etc"),
        ("con", "con"),
        ("x\u202egnp.exe", "x-gnp-exe"),
        ("---", ""),
    ],
)
def test_keys(name: str, key: str) -> None:
    assert key_of(name) == key


def test_a_name_that_deceives_is_shown_as_it_is(tmp_path: Path) -> None:
    write_skill(tmp_path / "x", name='"safe\\u202Etxt.exe\\x1b[31m"', description='"a\\u200bb"')
    skill = one(tmp_path)
    assert (skill.name, skill.description) == ("safe[U+202E]txt.exe[U+001B][31m", "a[U+200B]b")
    assert named("two\nlines\x00\u2028") == "two lines[U+0000]"


def test_without_a_frontmatter_folder_and_first_paragraph_say_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "Scholar").mkdir()
    (tmp_path / "Scholar" / "skill.md").write_text("# Evaluation\n\nApplies a framework\nto papers.\n\nMore.")
    skill = one(tmp_path)
    assert (skill.key, skill.description) == ("scholar", "Applies a framework to papers.")
    assert skill.files[0].path == "skill.md"


def test_a_digest_is_computed_again_only_for_a_changed_file(tmp_path: Path) -> None:
    folder = write_skill(tmp_path / "tables")
    cache = SkillCache()
    (before,) = find_skills((Place(folder=tmp_path),), cache)
    known = dict(cache._known)
    assert find_skills((Place(folder=tmp_path),), cache) == (before,)
    assert cache._known == known
    write_skill(folder, body="Other")
    (after,) = find_skills((Place(folder=tmp_path),), cache)
    assert after.fingerprint != before.fingerprint


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_names_that_are_no_text_are_left_out(tmp_path: Path) -> None:
    folder = write_skill(tmp_path / "tables")
    (Path(os.fsdecode(os.fsencode(folder) + b"/\xff.md"))).write_text("x")
    skill = one(tmp_path)
    assert (len(skill.files), skill.left_out) == (1, ("?.md",))
