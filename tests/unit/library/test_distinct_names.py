"""Models with equal names are made distinct."""

from __future__ import annotations

from fakes.gguf_files import Value
from fakes.library_harness import LibraryHarness

FINE_TUNED: dict[str, Value | None] = {"general.file_type": 15, "general.license": "bsd"}


def names(harness: LibraryHarness) -> list[str]:
    return sorted(entry.spec.name for entry in harness.library().scan() if entry.spec is not None)


def test_equal_names_are_extended_by_the_file_name(harness: LibraryHarness) -> None:
    # Both are Q4_K_M to the header.
    harness.write("models/o/r/tiny-UD-Q4_K_XL.gguf", **{"general.file_type": 15})
    harness.write("models/o/r/tiny-Q4_K_M.gguf", **FINE_TUNED)
    assert names(harness) == ["tiny · tiny-Q4_K_M", "tiny · tiny-UD-Q4_K_XL"]


def test_equal_file_names_are_extended_by_the_origin(harness: LibraryHarness) -> None:
    harness.write("models/ada/r/tiny.gguf")
    harness.write("models/bob/s/tiny.gguf", **{"general.license": "bsd"})
    assert names(harness) == ["tiny · r", "tiny · s"]


def test_quants_of_one_model_keep_its_name(harness: LibraryHarness) -> None:
    harness.write("models/o/r/tiny-Q4_0.gguf", **{"general.file_type": 2})
    harness.write("models/o/r/tiny-Q8_0.gguf", **{"general.file_type": 7})
    assert names(harness) == ["tiny", "tiny"]


def test_a_name_that_the_user_gave_stays(harness: LibraryHarness) -> None:
    harness.write("models/ada/r/tiny.gguf")
    harness.write("models/bob/s/tiny.gguf", **{"general.license": "bsd"})
    library = harness.library()
    first = library.scan()[0]
    assert first.spec is not None
    library.rename(first.spec.id, "Mine")
    assert names(harness) == ["Mine", "tiny"]
