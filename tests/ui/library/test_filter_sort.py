"""Filters, order and columns of the list."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.library_models import (
    BROKEN_PATH,
    EMBED_PATH,
    GEMMA_PATH,
    QWEN_PATH,
    library_entry,
    newer_qwen,
    one_of_each,
)
from fakes.model_entries import loaded_state, starter_spec
from fireside.core.library import UserMetadata
from fireside.ui.library.columns import SPECS, WIDEST_NAME, Column, fit_columns
from fireside.ui.library.filter_sort import LibraryQuery, Order, QuickFilter, arrange, filter_choices
from fireside.ui.library.rows import ModelRow, kind_text

ROWS = tuple(ModelRow(entry=entry) for entry in one_of_each())


ALL = LibraryQuery()
BY_NAME = Order()


def paths(query: LibraryQuery = ALL, order: Order = BY_NAME) -> list[str]:
    return [row.entry.path for row in arrange(ROWS, query=query, order=order)]


def test_names_are_in_order_and_what_cannot_be_used_comes_last() -> None:
    assert paths() == [GEMMA_PATH, EMBED_PATH, QWEN_PATH, BROKEN_PATH]


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("column", Column)
def test_an_unreadable_file_is_last_however_it_is_sorted(column: Column, descending: bool) -> None:
    assert paths(order=Order(column=column, descending=descending))[-1] == BROKEN_PATH


@pytest.mark.parametrize(
    ("column", "first"),
    [
        (Column.SIZE, QWEN_PATH),
        (Column.PARAMS, QWEN_PATH),
        (Column.CONTEXT, GEMMA_PATH),
        (Column.QUANT, EMBED_PATH),
        (Column.USED, QWEN_PATH),
        (Column.WHERE, GEMMA_PATH),
    ],
)
def test_each_column_sorts_by_its_value(column: Column, first: str) -> None:
    assert paths(order=Order(column=column, descending=True))[0] == first


def test_what_came_last_stands_first() -> None:
    rows = [
        msgspec.structs.replace(row, entry=msgspec.structs.replace(row.entry, added_s=float(at_s)))
        for at_s, row in enumerate(ROWS)
    ]
    order = Order(column=Column.ADDED, descending=True)
    arranged = [row.entry.added_s for row in arrange(rows, query=ALL, order=order) if row.entry.spec]
    assert arranged == sorted((at_s for at_s in arranged if at_s is not None), reverse=True)


@pytest.mark.parametrize("descending", [False, True])
def test_a_model_that_was_never_used_stands_after_those_that_were(descending: bool) -> None:
    assert paths(order=Order(column=Column.USED, descending=descending))[0] == QWEN_PATH


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("qwen", [QWEN_PATH]),
        ("QWEN q4_k", [QWEN_PATH]),
        ("qwen q8", []),
        ("work", [QWEN_PATH]),
        ("gemma3", [GEMMA_PATH]),
        ("f16", [EMBED_PATH]),
        ("half.gguf", [BROKEN_PATH]),
        ("   ", [GEMMA_PATH, EMBED_PATH, QWEN_PATH, BROKEN_PATH]),
    ],
)
def test_words_are_looked_for_in_name_tags_family_and_precision(words: str, found: list[str]) -> None:
    assert paths(LibraryQuery(text=words)) == found


@pytest.mark.parametrize(
    ("quick", "found"),
    [
        (QuickFilter.FAVOURITES, [QWEN_PATH]),
        (QuickFilter.PROBLEMS, [BROKEN_PATH]),
        (QuickFilter.PICTURES, [GEMMA_PATH]),
        (QuickFilter.EMBEDDINGS, [EMBED_PATH]),
        (QuickFilter.LOADED, []),
        (QuickFilter.UPDATES, []),
    ],
)
def test_a_quick_filter_leaves_what_it_says(quick: QuickFilter, found: list[str]) -> None:
    assert paths(LibraryQuery(quick=frozenset({quick}))) == found


def test_several_quick_filters_narrow_further() -> None:
    assert paths(LibraryQuery(quick=frozenset({QuickFilter.FAVOURITES, QuickFilter.PICTURES}))) == []


def test_models_are_filtered_by_the_media_that_they_take() -> None:
    rows = [
        ModelRow(entry=library_entry("Both", path="/b", projector_path="/mmproj", projector_hears=True)),
        ModelRow(
            entry=library_entry(
                "Ears", path="/e", projector_path="/mmproj", projector_sees=False, projector_hears=True
            )
        ),
        ModelRow(entry=library_entry("Eyes", path="/i", projector_path="/mmproj")),
        ModelRow(entry=library_entry("None", path="/n")),
    ]

    def found(quick: QuickFilter) -> list[str]:
        query = LibraryQuery(quick=frozenset({quick}))
        return [row.entry.path for row in arrange(rows, query=query, order=BY_NAME)]

    assert found(QuickFilter.PICTURES) == ["/b", "/i"]
    assert found(QuickFilter.AUDIO) == ["/b", "/e"]
    assert found(QuickFilter.VIDEO) == ["/b"]
    assert [kind_text(row).partition(" · ")[2] for row in rows] == [
        "Vision · Audio · Video",
        "Audio",
        "Vision",
        "",
    ]


def test_a_loaded_model_and_a_newer_version_are_found() -> None:
    row = ModelRow(entry=ROWS[1].entry, state=loaded_state(starter_spec()), update=newer_qwen())
    query = LibraryQuery(quick=frozenset({QuickFilter.LOADED, QuickFilter.UPDATES}))
    assert arrange([*ROWS, row], query=query, order=Order()) == [row]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (LibraryQuery(source="Ollama"), [GEMMA_PATH]),
        (LibraryQuery(tag="fast"), [QWEN_PATH]),
        (LibraryQuery(tag="fas"), []),
    ],
)
def test_a_place_and_a_tag_are_matched_whole(query: LibraryQuery, found: list[str]) -> None:
    assert paths(query) == found


def test_only_filters_that_would_leave_something_are_offered() -> None:
    offered = filter_choices(ROWS)
    assert offered.quick == {
        QuickFilter.FAVOURITES: 1,
        QuickFilter.PROBLEMS: 1,
        QuickFilter.PICTURES: 1,
        QuickFilter.EMBEDDINGS: 1,
    }
    assert offered.sources[0] == "Library"
    assert offered.tags == ("fast", "work")


@given(st.lists(st.tuples(st.text(max_size=8), st.integers(0, 9)), max_size=12), st.booleans())
def test_sorting_loses_and_invents_nothing(models: list[tuple[str, int]], descending: bool) -> None:
    rows = [
        ModelRow(
            entry=msgspec.structs.replace(
                library_entry(name, path=f"/{index}", n_params=size),
                user_metadata=UserMetadata(last_used_s=float(size) if size % 2 else None),
            )
        )
        for index, (name, size) in enumerate(models)
    ]
    for column in Column:
        rows_in_order = arrange(rows, query=LibraryQuery(), order=Order(column=column, descending=descending))
        assert sorted(row.entry.path for row in rows_in_order) == sorted(row.entry.path for row in rows)


def test_the_name_is_there_however_narrow_it_is() -> None:
    assert list(fit_columns(50, scaled=round)) == [Column.NAME]


@pytest.mark.parametrize("width", range(100, 1800, 37))
def test_columns_fill_the_room_and_the_important_ones_stay(width: int) -> None:
    taken = fit_columns(width, scaled=round)
    ranks = sorted(SPECS[column].rank for column in taken)
    assert ranks == list(range(len(taken)))
    if width >= SPECS[Column.NAME].width:
        assert sum(taken.values()) == width


@pytest.mark.parametrize(("width", "name_px"), [(1140, 330), (2260, 330), (2260, 900)])
def test_the_name_has_the_room_it_needs_and_no_more(width: int, name_px: int) -> None:
    taken = fit_columns(width, scaled=round, name_px=name_px)
    assert min(name_px, WIDEST_NAME) <= taken[Column.NAME] < 0.36 * width


def test_larger_text_leaves_room_for_fewer_columns() -> None:
    usual = fit_columns(900, scaled=round)
    assert len(fit_columns(900, scaled=lambda px: round(px * 1.4))) < len(usual)
