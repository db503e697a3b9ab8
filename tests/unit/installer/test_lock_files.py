"""Reading lock files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from provision.binding import FACTS
from provision.lock_files import BUILD, DEVELOP, RUN, pin_of, read_pins, without
from provision.steps import LLAMA

ROOT = Path(__file__).parents[3]
TWO = """\
# written by a tool
apsw==3.54.1.0 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
    # via fireside
colorama==0.4.6 ; sys_platform == 'win32' \\
    --hash=sha256:cc
"""


def test_each_package_has_its_name_version_and_hashes() -> None:
    apsw, colorama = read_pins(TWO)
    assert (apsw.name, apsw.version) == ("apsw", "3.54.1.0")
    assert apsw.text.count("--hash=sha256:") == 2
    assert (colorama.name, colorama.version) == ("colorama", "0.4.6")


def test_a_package_that_is_left_out_takes_its_hashes_with_it() -> None:
    rest = without(read_pins(TWO), name="apsw")
    assert read_pins(rest) == read_pins(TWO)[1:]


@pytest.mark.parametrize(
    "text",
    [
        "apsw>=3.54\n",
        "apsw==3.54.1.0\n",
        "--index-url somewhere\n",
        "apsw==3.54.1.0 \\\n",
    ],
)
def test_a_line_that_pins_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a package|in the middle"):
        read_pins(text)


def test_a_package_that_is_not_locked_is_not_found() -> None:
    with pytest.raises(ValueError, match="unpack"):
        pin_of(read_pins(TWO), name="numpy")


def versions(name: str) -> set[tuple[str, str]]:
    return {(pin.name, pin.version) for pin in read_pins((ROOT / name).read_text("utf-8"))}


def test_the_tests_run_with_the_very_packages_of_the_program() -> None:
    assert versions(RUN) <= versions(DEVELOP)


def test_llama_cpp_is_the_version_whose_structs_were_checked() -> None:
    recorded = json.loads((ROOT / FACTS).read_text("utf-8"))["binding"]["version"]
    assert (LLAMA, recorded) in versions(RUN)
    assert f'"{LLAMA}=={recorded}"' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_the_tools_of_the_build_are_locked_apart() -> None:
    assert {"cmake", "ninja", "scikit-build-core"} <= {name for name, _ in versions(BUILD)}
