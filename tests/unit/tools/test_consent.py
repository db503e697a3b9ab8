"""Which calls may run: the same facts, the same decision, and never all taints without the user."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from fireside.core.message import ChatMessage, DocumentPart, Role, ToolResultPart
from fireside.core.tools import AllowedBy, CallState, Permission, Taint
from fireside.tools.consent import (
    ALL,
    ConsentVerdict,
    Decision,
    Granted,
    decide,
    permission_of,
    read_grants,
    sources_of,
    taints_of,
    write_grants,
)

taints = st.frozensets(st.sampled_from(Taint))
permissions = st.sampled_from(Permission)
fingerprints = st.sampled_from(("a", "b"))
grants = st.none() | st.builds(Granted, permission=permissions, fingerprint=fingerprints)


def decided(
    *,
    default: Permission = Permission.ASK,
    granted: Granted | None = None,
    in_chat: bool = False,
    chat: frozenset[Taint] = frozenset(),
    call: frozenset[Taint] = frozenset(),
) -> Decision:
    return decide(fingerprint="a", default=default, granted=granted, in_chat=in_chat, chat=chat, call=call)


@given(default=permissions, granted=grants, in_chat=st.booleans(), chat=taints, call=taints)
def test_nothing_completes_the_three_taints_without_the_user(
    default: Permission,
    granted: Granted | None,
    in_chat: bool,
    chat: frozenset[Taint],
    call: frozenset[Taint],
) -> None:
    decision = decided(default=default, granted=granted, in_chat=in_chat, chat=chat, call=call)
    if call and chat | call == ALL:
        assert decision.verdict is not ConsentVerdict.RUN
        assert decision.is_risky == (decision.verdict is ConsentVerdict.ASK)


@given(
    default=permissions,
    granted=grants,
    in_chat=st.booleans(),
    calls=st.lists(taints, max_size=8),
)
def test_no_series_of_calls_gets_there_either(
    default: Permission, granted: Granted | None, in_chat: bool, calls: list[frozenset[Taint]]
) -> None:
    chat: frozenset[Taint] = frozenset()
    for call in calls:
        decision = decided(default=default, granted=granted, in_chat=in_chat, chat=chat, call=call)
        if decision.verdict is ConsentVerdict.RUN:
            chat |= call
    assert chat != ALL


@given(default=permissions, granted=grants, in_chat=st.booleans(), chat=taints, call=taints)
def test_more_taints_never_make_a_call_freer(
    default: Permission,
    granted: Granted | None,
    in_chat: bool,
    chat: frozenset[Taint],
    call: frozenset[Taint],
) -> None:
    order = (ConsentVerdict.RUN, ConsentVerdict.ASK, ConsentVerdict.REFUSE)
    less = decided(default=default, granted=granted, in_chat=in_chat, call=call)
    more = decided(default=default, granted=granted, in_chat=in_chat, chat=chat, call=call)
    assert order.index(more.verdict) >= order.index(less.verdict)


@given(granted=grants, in_chat=st.booleans(), chat=taints, call=taints)
def test_never_is_never(
    granted: Granted | None, in_chat: bool, chat: frozenset[Taint], call: frozenset[Taint]
) -> None:
    never = Granted(permission=Permission.NEVER, fingerprint="of another version")
    decision = decided(granted=never, in_chat=in_chat, chat=chat, call=call)
    assert decision.verdict is ConsentVerdict.REFUSE


def test_a_tool_that_is_another_asks_again() -> None:
    old = Granted(permission=Permission.ALWAYS, fingerprint="b")
    assert permission_of(old, fingerprint="a", default=Permission.ALWAYS) is Permission.ASK
    assert decided(granted=old, default=Permission.ALWAYS).verdict is ConsentVerdict.ASK


def test_a_decision_names_who_allowed_the_call() -> None:
    always = Granted(permission=Permission.ALWAYS, fingerprint="a")
    assert decided(granted=always).allowed_by is AllowedBy.POLICY
    assert decided(in_chat=True).allowed_by is AllowedBy.CHAT
    assert decided().verdict is ConsentVerdict.ASK


def test_a_call_without_taints_may_run_in_a_chat_with_all() -> None:
    assert decided(default=Permission.ALWAYS, chat=ALL).verdict is ConsentVerdict.RUN


@given(
    known=st.dictionaries(
        st.from_regex(r"[a-z_]{1,20}", fullmatch=True),
        st.builds(
            Granted, permission=permissions, fingerprint=st.from_regex(r"[0-9a-f]{1,64}", fullmatch=True)
        ),
    )
)
def test_permissions_are_read_as_they_were_written(known: dict[str, Granted]) -> None:
    assert read_grants(write_grants(known)) == known


@given(st.lists(st.text()))
def test_any_line_is_read(lines: list[str]) -> None:
    for granted in read_grants(lines).values():
        assert granted.permission in Permission


def test_a_branch_has_the_taints_of_what_ran_and_of_files() -> None:
    def result(state: CallState, taint: Taint) -> ToolResultPart:
        return ToolResultPart(call_id="1", name="x", text="", state=state, taints=(taint,))

    answer = ChatMessage(
        role=Role.ASSISTANT,
        parts=(result(CallState.DONE, Taint.OUTBOUND), result(CallState.DENIED, Taint.PRIVATE)),
    )
    assert sources_of([answer]) == ((Taint.OUTBOUND, "x"),)
    file = DocumentPart(name="a", media_type="text/plain", text="b")
    resource = msgspec.structs.replace(file, server="notes")
    question = ChatMessage(role=Role.USER, parts=(file, file, resource))
    assert sources_of([question, answer]) == (
        (Taint.PRIVATE, ""),
        (Taint.UNTRUSTED, ""),
        (Taint.PRIVATE, "notes"),
        (Taint.UNTRUSTED, "notes"),
        (Taint.OUTBOUND, "x"),
    )
    assert taints_of(sources_of([question, answer])) == ALL


@given(default=permissions, granted=grants, in_chat=st.booleans(), chat=taints, call=taints)
def test_a_call_with_a_preview_is_asked_about_each_time(
    default: Permission,
    granted: Granted | None,
    in_chat: bool,
    chat: frozenset[Taint],
    call: frozenset[Taint],
) -> None:
    decision = decide(
        fingerprint="a",
        default=default,
        granted=granted,
        in_chat=in_chat,
        chat=chat,
        call=call,
        prompts_each_time=True,
    )
    is_refused = permission_of(granted, fingerprint="a", default=default) is Permission.NEVER
    assert decision.verdict is (ConsentVerdict.REFUSE if is_refused else ConsentVerdict.ASK)
