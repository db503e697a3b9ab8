"""Models with equal names are made distinct."""

from __future__ import annotations

from fakes.gguf_files import Value
from fakes.library_place import Place

FINE_TUNED: dict[str, Value | None] = {"general.file_type": 15, "general.license": "bsd"}


def names(place: Place) -> list[str]:
    return sorted(entry.spec.name for entry in place.library().scan() if entry.spec is not None)


def test_equal_names_are_extended_by_the_file_name(place: Place) -> None:
    # Both are Q4_K_M to the header.
    place.write("models/o/r/tiny-UD-Q4_K_XL.gguf", **{"general.file_type": 15})
    place.write("models/o/r/tiny-Q4_K_M.gguf", **FINE_TUNED)
    assert names(place) == ["tiny · tiny-Q4_K_M", "tiny · tiny-UD-Q4_K_XL"]


def test_equal_file_names_are_extended_by_the_origin(place: Place) -> None:
    place.write("models/ada/r/tiny.gguf")
    place.write("models/bob/s/tiny.gguf", **{"general.license": "bsd"})
    assert names(place) == ["tiny · r", "tiny · s"]


def test_quants_of_one_model_keep_its_name(place: Place) -> None:
    place.write("models/o/r/tiny-Q4_0.gguf", **{"general.file_type": 2})
    place.write("models/o/r/tiny-Q8_0.gguf", **{"general.file_type": 7})
    assert names(place) == ["tiny", "tiny"]


def test_a_name_that_the_user_gave_stays(place: Place) -> None:
    place.write("models/ada/r/tiny.gguf")
    place.write("models/bob/s/tiny.gguf", **{"general.license": "bsd"})
    library = place.library()
    first = library.scan()[0]
    assert first.spec is not None
    library.rename(first.spec.id, "Mine")
    assert names(place) == ["Mine", "tiny"]
