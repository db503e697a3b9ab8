"""The page of a model: facts, files, model card, and what a gate leaves of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.fake_hub import COMMIT, FakeHub, Fault, Repo, Where, gguf_bytes
from fireside.core.discovery import Access
from fireside.core.errors import (
    HubAnswerInvalid,
    HubError,
    HubFailed,
    HubNameInvalid,
    HubNotFound,
    HubUnreachable,
)
from fireside.hub.discovery import MAX_CARD_BYTES, card_text, licence_address, read_model_page
from fireside.hub.download_plan import plan_for_quant
from fireside.hub.hub_session import HubSession

CHATTY = "acme/Chatty-8B-GGUF"
SEEING = "acme/Seeing-4B-GGUF"
GUARDED = "meta/Guarded-70B-GGUF"


def test_a_page_has_the_facts_of_the_model(shelf: FakeHub, session: HubSession) -> None:
    model = read_model_page(session, CHATTY)
    assert model.found.repo == CHATTY
    assert model.found.n_params == 8_190_000_000
    assert model.found.n_ctx_train == 40960
    assert model.found.licence == "apache-2.0"
    assert model.base_model == "acme/Chatty-8B"
    assert model.address == f"{shelf.endpoint}/{CHATTY}"
    assert "gguf" in model.tags


def test_files_are_grouped_into_quants(shelf: FakeHub, session: HubSession) -> None:
    model = read_model_page(session, CHATTY)
    # Of the largest one a part is missing, so that it cannot be had.
    assert [(quant.label, quant.size_bytes, len(quant.files)) for quant in model.quants] == [
        ("Q4_K_M", 4000, 1),
        ("Q8_0", 8000, 2),
    ]
    assert model.quants[0].description == "4-bit, good balance"
    assert model.projectors == ()


def test_a_page_is_of_one_commit(shelf: FakeHub, session: HubSession) -> None:
    shelf.repos[CHATTY].commit = "c" * 40
    assert read_model_page(session, CHATTY).commit == "c" * 40
    later = [seen.path for seen in shelf.seen[1:] if "/tree/" in seen.path or "/resolve/" in seen.path]
    assert len(later) == 2
    assert all("c" * 40 in path for path in later)


def test_the_card_has_no_front_matter(shelf: FakeHub, session: HubSession) -> None:
    assert read_model_page(session, CHATTY).card == "# Chatty\n\nIt talks."


def test_a_model_with_a_projector_has_vision(shelf: FakeHub, session: HubSession) -> None:
    shelf.repos[SEEING].pipeline_tag = None
    model = read_model_page(session, SEEING)
    assert [file.path for file in model.projectors] == ["mmproj-Seeing-4B-F16.gguf"]
    assert model.found.sees_images


def test_the_projector_of_a_model_for_audio_is_not_taken_for_one_of_images(
    shelf: FakeHub, session: HubSession
) -> None:
    shelf.repos[SEEING].pipeline_tag = "audio-text-to-text"
    model = read_model_page(session, SEEING)
    assert model.projectors
    assert model.found.hears_audio
    assert not model.found.sees_images


def test_a_licence_of_its_own_has_a_name_and_an_address(shelf: FakeHub, session: HubSession) -> None:
    model = read_model_page(session, SEEING)
    assert model.found.licence == "acme-community"
    assert model.licence_address == f"{shelf.endpoint}/{SEEING}/blob/{COMMIT}/LICENSE.md"


def test_a_repository_without_model_files_has_a_page(shelf: FakeHub, session: HubSession) -> None:
    model = read_model_page(session, "acme/Chatty-8B")
    assert model.quants == ()
    assert model.card.startswith("# Chatty")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (CHATTY, ""),
        (f"{CHATTY}:q4_k_m", "Chatty-8B-Q4_K_M.gguf"),
        (f"{CHATTY}:Q8_0", "Chatty-8B-Q8_0-00001-of-00002.gguf"),
        (f"{CHATTY}/Chatty-8B-Q8_0-00002-of-00002.gguf", "Chatty-8B-Q8_0-00001-of-00002.gguf"),
        (f"https://huggingface.co/{CHATTY}/blob/main/Chatty-8B-Q4_K_M.gguf", "Chatty-8B-Q4_K_M.gguf"),
        (f"{CHATTY}:Q9_X", ""),
        (f"{SEEING}/mmproj-Seeing-4B-F16.gguf", ""),
    ],
)
def test_the_requested_quant_is_returned(
    shelf: FakeHub, session: HubSession, name: str, expected: str
) -> None:
    assert read_model_page(session, name).requested_path == expected


def test_a_page_at_another_revision_is_that_of_its_commit(shelf: FakeHub, session: HubSession) -> None:
    address = f"https://huggingface.co/{CHATTY}/tree/{COMMIT}"
    assert read_model_page(session, address).commit == COMMIT
    with pytest.raises(HubNotFound):
        read_model_page(session, f"https://huggingface.co/{CHATTY}/tree/no-such-branch")


def test_a_gated_model_has_what_is_public(shelf: FakeHub, session: HubSession) -> None:
    model = read_model_page(session, GUARDED)
    assert model.found.access is Access.GATED
    assert not model.has_access
    assert model.found.n_params == 70_600_000_000
    assert [quant.label for quant in model.quants] == ["Q4_K_M"]
    assert model.card == ""
    assert model.address == f"{shelf.endpoint}/{GUARDED}"


def test_a_gated_model_with_accepted_terms_has_access(shelf: FakeHub, with_token: HubSession) -> None:
    model = read_model_page(with_token, GUARDED)
    assert model.has_access
    assert model.card.startswith("# Chatty")


def test_access_is_not_checked_for_an_open_model(shelf: FakeHub, session: HubSession) -> None:
    assert read_model_page(session, CHATTY).has_access
    assert not any("auth-check" in seen.path for seen in shelf.seen)


def test_a_private_model_is_shown_to_its_owner_alone(
    shelf: FakeHub, session: HubSession, with_token: HubSession
) -> None:
    assert read_model_page(with_token, "ada/secret-GGUF").found.access is Access.PRIVATE
    with pytest.raises(HubNotFound):
        read_model_page(session, "ada/secret-GGUF")


def test_a_gated_file_list_gives_a_page_without_files(shelf: FakeHub, session: HubSession) -> None:
    gate = {"X-Error-Code": "GatedRepo"}
    shelf.repos[GUARDED].is_gated = False
    right = b'{"id": "%s", "sha": "%s"}' % (GUARDED.encode(), COMMIT.encode())
    shelf.plan(Fault.ANOTHER_ANSWER, where=Where.API, body=right)
    shelf.plan(Fault.STATUS, where=Where.API, status=403, headers=gate)
    assert read_model_page(session, GUARDED).quants == ()


def test_a_long_card_is_truncated(shelf: FakeHub, session: HubSession) -> None:
    shelf.repos[CHATTY].files["README.md"] = b"word " * 1_000_000
    card = read_model_page(session, CHATTY).card
    assert 100_000 < len(card) <= 512 * 1024


def test_a_card_that_cannot_be_read_is_left_out(shelf: FakeHub, session: HubSession) -> None:
    shelf.plan(Fault.LOGIN_PAGE)
    model = read_model_page(session, CHATTY)
    assert model.card == ""
    assert model.quants


def test_a_broken_connection_is_reported(shelf: FakeHub, session: HubSession) -> None:
    shelf.plan(Fault.RESET, after=5)
    with pytest.raises(HubUnreachable):
        read_model_page(session, CHATTY)


def test_an_invalid_name_sends_no_request(hub: FakeHub, session: HubSession) -> None:
    with pytest.raises(HubNameInvalid):
        read_model_page(session, "https://elsewhere.example/acme/x")
    assert hub.seen == []


def test_a_missing_model_is_reported(shelf: FakeHub, session: HubSession) -> None:
    with pytest.raises(HubNotFound, match="acme/nothing"):
        read_model_page(session, "acme/nothing")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"fault": Fault.LOGIN_PAGE}, HubAnswerInvalid),
        ({"fault": Fault.NONSENSE}, HubAnswerInvalid),
        ({"fault": Fault.ENDLESS}, HubAnswerInvalid),
        ({"fault": Fault.STATUS, "status": 502}, HubFailed),
        ({"fault": Fault.ANOTHER_ANSWER, "body": b"[]"}, HubAnswerInvalid),
        ({"fault": Fault.ANOTHER_ANSWER, "body": b"{}"}, HubAnswerInvalid),
        ({"fault": Fault.ANOTHER_ANSWER, "body": b'{"id": "acme/x"}'}, HubAnswerInvalid),
        ({"fault": Fault.ANOTHER_ANSWER, "body": b'{"id": "acme/x", "sha": "main"}'}, HubAnswerInvalid),
    ],
)
def test_an_invalid_answer_is_a_hub_error(
    shelf: FakeHub, session: HubSession, fault: dict[str, object], said: type[HubError]
) -> None:
    shelf.plan(**fault, where=Where.API)  # type: ignore[arg-type]
    with pytest.raises(said):
        read_model_page(session, CHATTY)


def test_the_card_of_another_kind_of_readme_is_found(hub: FakeHub, session: HubSession) -> None:
    hub.repos["acme/x"] = Repo(files={"readme.MD": b"hello", "x-Q4_0.gguf": gguf_bytes(50)})
    assert read_model_page(session, "acme/x").card == "hello"


PAGE = "https://hub.example/acme/x"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", ""),
        (b"# Hello\n", "# Hello"),
        (b"---\nlicense: mit\n---\n\n# Hello", "# Hello"),
        (b"\xef\xbb\xbf---\r\nlicense: mit\r\n---\r\n# Hello\r\nyou", "# Hello\nyou"),
        (b"---\nlicense: mit\n---", ""),
        (b"---\nnever ends\n# Hello", "---\nnever ends\n# Hello"),
        (b"# Hello\n---\nx: y\n---\n", "# Hello\n---\nx: y\n---"),
        (b"--- x\nlicense: mit\n---\nHello", "--- x\nlicense: mit\n---\nHello"),
        (b"a\x00b\x07c\td", "abc\td"),
        (b"a\xffb", "a\ufffdb"),
        ("a\u202efgg.exe\u2067b\u200f".encode(), "a\ufffdfgg.exe\ufffdb\u200f"),
    ],
)
def test_a_readme_is_read_without_its_front_matter(content: bytes, text: str) -> None:
    assert card_text(content) == text


@given(content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_readme_becomes_text_without_control_characters(content: bytes) -> None:
    assert not {character for character in card_text(content) if character < " "} - {"\n", "\t"}


def test_a_readme_of_horizontal_rules_is_read_in_linear_time() -> None:
    assert card_text(b"---\n" + b"a: b\n" * MAX_CARD_BYTES).startswith("---")


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("https://acme.example/licence", "https://acme.example/licence"),
        ("LICENSE", f"{PAGE}/blob/{COMMIT}/LICENSE"),
        ("docs/My Licence.md", f"{PAGE}/blob/{COMMIT}/docs/My%20Licence.md"),
        ("", ""),
        ("javascript:alert(1)", ""),
        ("file:///etc/passwd", ""),
        ("//elsewhere.example/x", ""),
        ("../../elsewhere", ""),
        ("https://hub.example@elsewhere.example/", ""),
        ("https://", ""),
        ("http://[", ""),
        ("https://acme.example/a b", ""),
    ],
)
def test_a_licence_address_is_a_web_page_or_empty(link: str, address: str) -> None:
    assert licence_address(link, page=PAGE, commit=COMMIT) == address


def test_draft_heads_beside_a_model_come_with_each_quant(shelf: FakeHub, session: HubSession) -> None:
    files = shelf.repos[SEEING].files
    quant = next(name for name in files if name.endswith(".gguf") and "mmproj" not in name)
    files["mtp-Seeing-4B-Q8_0.gguf"] = files[quant]
    files["Seeing-4B-MTP-Q6_K.gguf"] = files[quant]  # a whole model that has heads
    model = read_model_page(session, SEEING)
    assert [file.path for file in model.heads] == ["mtp-Seeing-4B-Q8_0.gguf"]
    assert "Seeing-4B-MTP-Q6_K.gguf" in [each.path for each in model.quants]
    plan = plan_for_quant(model, path=quant)
    assert [part.file.path for part in plan.files][-2:] == [
        "mmproj-Seeing-4B-F16.gguf",
        "mtp-Seeing-4B-Q8_0.gguf",
    ]
