"""Names that users type are parsed, and the hub's file names stay inside the library."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fakes.hostile_names import HOSTILE
from fakes.raised import refuses
from fireside.core.errors import HubChoiceUnknown, HubError, HubNameInvalid
from fireside.core.hub import HubFile
from fireside.hub.repository_files import choose, list_models
from fireside.hub.repository_names import ModelName, parse_name
from fireside.hub.safe_filenames import MAX_NAME_BYTES, local_names, path_below

HUB = "https://huggingface.co"
REPO = "acme/tiny-GGUF"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("acme/tiny-GGUF", ModelName(repo=REPO)),
        ("  acme/tiny-GGUF \n", ModelName(repo=REPO)),
        ("acme/tiny-GGUF:Q4_K_M", ModelName(repo=REPO, quantization="Q4_K_M")),
        ("acme/tiny-GGUF/a/b.gguf", ModelName(repo=REPO, file="a/b.gguf")),
        ("acme/tiny-GGUF:b.gguf", ModelName(repo=REPO, file="b.gguf")),
        ("hf.co/acme/tiny-GGUF:Q8_0", ModelName(repo=REPO, quantization="Q8_0")),
        (f"{HUB}/acme/tiny-GGUF", ModelName(repo=REPO)),
        (f"{HUB}/acme/tiny-GGUF/", ModelName(repo=REPO)),
        (f"{HUB}/acme/tiny-GGUF/tree/main", ModelName(repo=REPO)),
        (f"{HUB}/acme/tiny-GGUF/tree/v2/sub", ModelName(repo=REPO, revision="v2")),
        (f"{HUB}/acme/tiny-GGUF/blob/main/a%20b.gguf", ModelName(repo=REPO, file="a b.gguf")),
        (f"{HUB}/acme/tiny-GGUF/resolve/v2/b.gguf?x=1", ModelName(repo=REPO, revision="v2", file="b.gguf")),
        (f"{HUB}/acme/tiny-GGUF?show_file_info=b.gguf", ModelName(repo=REPO, file="b.gguf")),
        ("http://127.0.0.1:8080/acme/tiny-GGUF", ModelName(repo=REPO)),
    ],
)  # fmt: skip
def test_every_form_of_a_name_is_parsed(typed: str, expected: ModelName) -> None:
    assert parse_name(typed, endpoint="http://127.0.0.1:8080") == expected


@pytest.mark.parametrize(
    "typed",
    [
        "", " ", "tiny", "acme/", "/tiny", "acme/tiny:", "../../etc/passwd", "acme/..", "acme/ti ny",
        "a/b\0c",
        "https://example.org/acme/tiny", "ftp://huggingface.co/a/b", "https://huggingface.co/datasets/a/b",
        "https://huggingface.co/acme", "https://[bad/a/b", "acme/tiny--x", "-acme/tiny", "x" * 3000,
        "acme/tiny\n/x",
    ],
)  # fmt: skip
def test_text_that_names_no_model_is_refused(typed: str) -> None:
    with pytest.raises(HubNameInvalid):
        parse_name(typed, endpoint=HUB)


@given(st.text(max_size=60))
def test_any_text_is_parsed_or_refused(typed: str) -> None:
    try:
        name = parse_name(typed, endpoint=HUB)
    except HubNameInvalid:
        return
    assert name.repo.count("/") == 1


def is_inside(folder: Path, found: Path) -> bool:
    return Path(os.path.normpath(found)).is_relative_to(folder) and found != folder


def check_name(name: str) -> None:
    """Assert that a name is valid on every system and below the folder."""
    assert is_inside(Path("/models"), path_below(Path("/models"), name))
    assert all(name.split("/"))
    windows = PureWindowsPath(name)
    assert not windows.is_absolute()
    assert not windows.drive
    for part in PurePosixPath(name).parts:
        assert part == part.rstrip(" .")
        assert not part.startswith(".")
        assert not os.path.isreserved(part) if hasattr(os.path, "isreserved") else True
        assert not set(part) & set('<>:"|?*\\\0')
        assert part.isprintable()
        assert len(part.encode()) <= MAX_NAME_BYTES


def test_there_are_enough_hostile_names() -> None:
    assert len(set(HOSTILE)) >= 60


@pytest.mark.parametrize("path", HOSTILE)
def test_a_hostile_name_is_cleaned_or_refused(path: str) -> None:
    try:
        (name,) = local_names(REPO, [path]).values()
    except HubError:
        return
    check_name(name)


@given(st.text(min_size=1, max_size=300))
@example("a" * 250 + "/../b")
def test_any_name_is_cleaned_or_refused(path: str) -> None:
    try:
        (name,) = local_names(REPO, [path]).values()
    except HubError:
        return
    assert is_inside(Path("/models"), path_below(Path("/models"), name))
    assert all(name.split("/"))
    assert all(len(part.encode()) <= MAX_NAME_BYTES for part in name.split("/"))


@pytest.mark.parametrize("name", ["../x.gguf", "/etc/passwd", "a/../../x", "con/x.gguf", "a/b\0", ""])
def test_a_stored_name_is_no_more_trusted_than_the_hubs(name: str) -> None:
    with refuses("hub_file_unsafe"):
        path_below(Path("/models"), name)


def test_files_of_a_model_are_in_one_folder() -> None:
    names = local_names(REPO, ["Q4_K_M/tiny-Q4_K_M.gguf", "mmproj-F16.gguf"])
    assert list(names.values()) == [f"{REPO}/tiny-Q4_K_M.gguf", f"{REPO}/mmproj-F16.gguf"]


def test_equal_names_of_different_folders_keep_them_apart() -> None:
    names = local_names(REPO, ["a/x.gguf", "b/X.gguf"])
    assert list(names.values()) == [f"{REPO}/a/x.gguf", f"{REPO}/b/X.gguf"]


def test_names_that_collide_on_some_file_system_are_refused() -> None:
    with refuses("hub_file_unsafe"):
        local_names(REPO, ["a/x.gguf", "A/X.gguf"])


def test_the_parts_of_a_model_with_a_long_name_stay_the_parts_of_one_model() -> None:
    paths = [f"{'long' * 80}-Q4_K_M-0000{number}-of-00002.gguf" for number in (1, 2)]
    first, second = local_names(REPO, paths).values()
    assert first.replace("00001-of", "00002-of") == second


def files(*paths: str) -> list[HubFile]:
    return [HubFile(path=path, size_bytes=100 + number, digest="0" * 64) for number, path in enumerate(paths)]


def test_a_repository_is_grouped_into_models_and_projectors() -> None:
    listing = list_models(
        files(
            "README.md", "tiny-Q4_K_M.gguf", "tiny-Q8_0.gguf", "BF16/tiny-BF16-00002-of-00002.gguf",
            "BF16/tiny-BF16-00001-of-00002.gguf", "mmproj-BF16.gguf", "mmproj-F16.gguf", "imatrix.gguf",
            "tiny-Q2_K-00001-of-00003.gguf", "F32/tiny.gguf",
        )
    )  # fmt: skip
    assert {choice.label for choice in listing.choices} == {"Q4_K_M", "Q8_0", "BF16", "F32"}
    (bf16,) = [choice for choice in listing.choices if choice.label == "BF16"]
    assert [file.path[-19:] for file in bf16.files] == [
        "-00001-of-00002.gguf"[-19:],
        "-00002-of-00002.gguf"[-19:],
    ]
    assert [file.path for file in listing.projectors] == ["mmproj-F16.gguf", "mmproj-BF16.gguf"]


def pick(*paths: str, quantization: str | None = None, file: str | None = None) -> tuple[str, str]:
    choice, why = choose(list_models(files(*paths)), repo=REPO, quantization=quantization, file=file)
    return choice.label, why


def test_the_default_quant_is_chosen_with_a_reason() -> None:
    label, why = pick("t-Q2_K.gguf", "t-Q4_K_M.gguf", "t-Q8_0.gguf")
    assert label == "Q4_K_M"
    assert "of 3 sizes" in why


def test_a_single_quant_needs_no_reason() -> None:
    assert pick("t-Q8_0.gguf") == ("Q8_0", "")


def test_without_a_default_the_smallest_is_chosen() -> None:
    label, why = pick("t-Q2_K.gguf", "t-F16.gguf")
    assert (label, "smallest" in why) == ("Q2_K", True)


def test_a_quant_is_found_ignoring_case_and_prefix() -> None:
    assert pick("t-UD-Q4_K_XL.gguf", "t-Q8_0.gguf", quantization="q4_k_xl")[0] == "UD-Q4_K_XL"


def test_a_projector_can_be_chosen_by_its_file() -> None:
    assert pick("t-Q8_0.gguf", "mmproj-F16.gguf", file="mmproj-F16.gguf")[0] == "F16"


@pytest.mark.parametrize(("quantization", "file"), [("Q3_K", None), (None, "other.gguf")])
def test_a_missing_quant_names_the_available_ones(quantization: str | None, file: str | None) -> None:
    with pytest.raises(HubChoiceUnknown, match="Q8_0"):
        pick("t-Q8_0.gguf", quantization=quantization, file=file)


def test_a_repository_without_models_is_reported() -> None:
    with pytest.raises(HubError, match="no GGUF files"):
        pick("model.safetensors")


def test_quants_with_equal_labels_are_chosen_by_file() -> None:
    with pytest.raises(HubChoiceUnknown, match=r"a-Q4_K_M\.gguf.*b-Q4_K_M\.gguf"):
        pick("a-Q4_K_M.gguf", "b-Q4_K_M.gguf")
