"""The context of a conversation on the real pane: meter, boundary line, summary, warning, policies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.context_plans import counts, plan_of
from fakes.engine import finished
from fakes.local_app import done
from fakes.model_entries import STARTER_ID
from fireside.chat.context.context_service import OVERFLOW_KEY
from fireside.core.context import FullContext
from fireside.core.errors import ContextLengthExceeded
from fireside.core.events import AnswerProgressed, SettingsChanged
from fireside.core.generation import GenerationEvent, Summarising, TextDelta
from fireside.core.ids import ConversationId
from fireside.core.preset import SYSTEM_PROMPT_KEY
from fireside.core.prompt_query import MessageTokens, PromptMeasure, PromptMeasureRequest
from fireside.settings.definitions_tools import CALCULATOR
from fireside.settings.values import ConversationLayer
from fireside.ui.chat.answer.inline_notices import ProgressRow
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.chat.transcript.context_boundary import ContextBoundaryLine, SummaryCard, _Overlay
from fireside.ui.context.context_text import parts_of
from fireside.ui.context.popup import ContextBar, PartMark
from fireside.ui.theme import Theme

Measured = Callable[[PromptMeasureRequest], PromptMeasure]
SUMMARY = "They spoke of boats."


def opened(
    qtbot: QtBot,
    pane: ChatPane,
    client: AppClient,
    *,
    measured: Measured | None = None,
    summary: str = "",
    n_covered: int = 0,
    policy: FullContext = FullContext.DROP_OLDEST,
) -> ConversationId:
    """Show a conversation of six messages, some covered by a ``summary``; wait for its plan."""
    conversation_id = client.add_conversation(
        "Boats", turns=[f"{'Question' if n % 2 == 0 else 'Answer'} number {n}. " * 6 for n in range(6)]
    )
    client.layers[ConversationLayer(conversation_id=conversation_id)] = {OVERFLOW_KEY: policy.value}
    if summary:
        through = client.messages[conversation_id][n_covered - 1].id
        store = client.store.summaries
        done(store.put(through, text=summary, n_messages=n_covered, model_name="SmolLM2"))
    pane.open(client.opened(conversation_id))
    # As in the window: otherwise the first message has the focus and is not dimmed.
    pane.composer.editor.setFocus()
    plan_again(qtbot, pane, client, measured or counts())
    return conversation_id


def plan_again(qtbot: QtBot, pane: ChatPane, client: AppClient, measured: Measured) -> None:
    """Let the model count these tokens, and wait until the pane shows the plan."""
    client.engine.measured = measured
    client.publish(SettingsChanged(keys=("load.n_ctx",)))
    draft = pane.composer.text()
    plan = done(client.app.contexts.plan(pane.conversation_id, draft=draft, model_id=STARTER_ID))
    qtbot.waitUntil(lambda: pane.context_controller.plan == plan)


def write(client: AppClient, *events: GenerationEvent) -> None:
    """Let the model generate the requested summary."""
    client.wait_until(lambda: bool(client.engine.requests))
    request_id = client.engine.requests[-1].request_id
    client.wait_until(lambda: client.engine.is_asked(request_id))
    for event in events:
        client.engine.play(request_id, event)


def shown_line(pane: ChatPane) -> ContextBoundaryLine:
    line = pane.transcript.column.boundary.line
    assert line is not None
    assert line.isVisible()
    return line


def shown_card(pane: ChatPane) -> SummaryCard:
    card = shown_line(pane).card
    assert card is not None
    return card


def veils(pane: ChatPane) -> list[bool]:
    """Return whether each visible message is dimmed."""
    views = [pane.transcript.live[index] for index in sorted(pane.transcript.live)]
    overlays = [view.findChild(_Overlay) for view in views]
    return [veil is not None and not veil.isHidden() for veil in overlays]


# The boundary line


def test_without_unseen_messages_there_is_no_boundary_line(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    opened(qtbot, pane, client)
    assert pane.transcript.column.boundary.line is None
    assert not any(veils(pane))


def test_the_boundary_line_separates_unseen_messages_from_the_others(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    opened(qtbot, pane, client, measured=counts(n_dropped=2))
    line = shown_line(pane)
    assert line.displayed_text == "Not in context: the 2 messages above"
    above, below = pane.transcript.live[1], pane.transcript.live[2]
    assert above.geometry().bottom() <= line.geometry().top() + 1
    assert line.geometry().bottom() <= below.geometry().top()
    assert veils(pane)[:3] == [True, True, False]


def test_the_boundary_line_follows_the_plan(qtbot: QtBot, pane: ChatPane, client: AppClient) -> None:
    opened(qtbot, pane, client, measured=counts(n_dropped=2))
    plan_again(qtbot, pane, client, counts(n_dropped=4))
    assert "4 messages" in shown_line(pane).displayed_text
    assert pane.transcript.column.boundary.index == 4
    plan_again(qtbot, pane, client, counts())
    assert pane.transcript.column.boundary.line is None
    assert not any(veils(pane))


def test_the_boundary_line_is_a_tab_stop_with_a_name(qtbot: QtBot, pane: ChatPane, client: AppClient) -> None:
    opened(qtbot, pane, client, summary=SUMMARY, n_covered=2, policy=FullContext.COMPACT)
    line = shown_line(pane)
    assert line.focusPolicy() & Qt.FocusPolicy.TabFocus
    interface = QAccessible.queryAccessibleInterface(line)
    assert "the 2 messages above" in interface.text(QAccessible.Text.Name)
    assert "Nothing is deleted" in interface.text(QAccessible.Text.Description)
    stops = pane.transcript.column.boundary.tab_stops_above(2)
    assert stops[0] is line
    nameless = [stop for stop in stops if not stop.accessibleName()]
    assert nameless == []
    order: list[QWidget] = []
    widget: QWidget = line
    for _ in range(len(stops)):
        order.append(widget)
        after = widget.nextInFocusChain()
        assert after is not None
        widget = after
    assert stops[1] in order or widget is stops[1]


def test_the_boundary_line_is_removed_with_its_conversation(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    opened(qtbot, pane, client, measured=counts(n_dropped=2))
    pane.open_new(draft="")
    assert pane.transcript.column.boundary.line is None


# The summary


def test_a_summary_is_shown_at_the_boundary_and_edited_there(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    opened(qtbot, pane, client, summary=SUMMARY, n_covered=4, policy=FullContext.COMPACT)
    card = shown_card(pane)
    assert card.title.text() == "Summary of 4 earlier messages"
    assert card.text.text() == "They spoke of boats."
    card.edit.click()
    assert card.editor is not None
    field = card.editor.tab_stops[0]
    QTest.keyClicks(field, " And of the sea.")
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "And of the sea." in shown_card(pane).text.text())
    qtbot.waitUntil(lambda: shown_card(pane).title.text().endswith("edited by you"))


def test_a_summary_can_be_regenerated_and_discarded(qtbot: QtBot, pane: ChatPane, client: AppClient) -> None:
    opened(qtbot, pane, client, summary=SUMMARY, n_covered=4, policy=FullContext.COMPACT)
    shown_card(pane).again.click()
    write(client, TextDelta(text="Written again.", n_completion=2), finished())
    qtbot.waitUntil(lambda: shown_card(pane).text.text() == "Written again.")
    qtbot.waitUntil(lambda: not shown_card(pane).again.isHidden())
    shown_card(pane).remove.click()
    qtbot.waitUntil(lambda: pane.transcript.column.boundary.line is None)


def test_a_failed_summary_shows_the_error_and_keeps_the_old_one(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    opened(qtbot, pane, client, summary=SUMMARY, n_covered=4, policy=FullContext.COMPACT)
    shown_card(pane).again.click()
    write(client, finished())
    qtbot.waitUntil(lambda: "wrote nothing" in pane.notices.displayed_text)
    assert shown_card(pane).text.text() == SUMMARY
    assert not shown_card(pane).again.isHidden()


def test_a_long_summary_is_folded_until_unfolded(qtbot: QtBot, pane: ChatPane, client: AppClient) -> None:
    text = "They spoke of boats and of the sea. " * 30
    opened(qtbot, pane, client, summary=text, n_covered=4, policy=FullContext.COMPACT)
    card = shown_card(pane)
    assert card.text.text().endswith("…")
    before = shown_line(pane).height()
    card.unfold.click()
    assert card.text.text() == text
    qtbot.waitUntil(lambda: shown_line(pane).height() > before)


def test_the_answer_shows_the_progress_of_a_summary(qtbot: QtBot, pane: ChatPane, client: AppClient) -> None:
    chat = opened(qtbot, pane, client)
    QTest.keyClicks(pane.composer.editor, "And?")
    QTest.keyClick(pane.composer.editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(pane.transcript.entries) == 8)
    answer = client.streaming_message(chat)
    event = AnswerProgressed(
        conversation_id=chat, message_id=answer.id, progress=Summarising(n_messages=24, fraction=0.5)
    )
    client.publish(event)
    row = pane.transcript.live[7].findChild(ProgressRow)
    assert row is not None
    assert row.accessibleName() == "Summarising 24 earlier messages… 50%"


# The meter and its popup


def test_the_meter_opens_the_context_popup(qtbot: QtBot, pane: ChatPane, client: AppClient) -> None:
    opened(qtbot, pane, client, measured=counts(4900, costs=[200 * n for n in range(1, 7)]))
    meter = pane.composer.meter
    meter.setFocus()
    QTest.keyClick(meter, Qt.Key.Key_Space)
    popup = pane.context_controller.popup
    assert popup.isVisible()
    assert [button.text().split()[0] for button in popup.jumps] == ["1,200", "1,000", "800"]
    assert popup.choices[FullContext.DROP_OLDEST].isChecked()
    popup.jumps[0].click()
    assert not popup.isVisible()


def test_a_policy_is_stored_for_the_conversation(qtbot: QtBot, pane: ChatPane, client: AppClient) -> None:
    chat = opened(qtbot, pane, client)
    pane.composer.meter.click()
    pane.context_controller.popup.choices[FullContext.COMPACT].click()
    qtbot.waitUntil(lambda: client.called("context.set_policy") == [(chat, FullContext.COMPACT)])
    qtbot.waitUntil(lambda: pane.context_controller.popup.choices[FullContext.COMPACT].isChecked())
    pane.context_controller.popup.hide()


def test_each_part_has_a_colour_and_a_mark_that_looks_like_it(pane: ChatPane) -> None:
    plan = plan_of(n_summary=10, n_attached=20)
    parts = parts_of(plan)
    assert len({part.colour for part in parts}) == len(parts)
    bar = ContextBar(pane)
    bar.resize(700, 14)
    bar.show_parts(parts)
    in_bar = bar.grab().toImage()
    seen = {in_bar.pixelColor(x, 7).name() for x in range(700)}
    for part in parts:
        mark = PartMark(part)
        image = mark.grab().toImage()
        assert image.pixelColor(image.width() // 2, image.height() // 2).name() in seen
    assert sum(part.n_tokens for part in parts) == plan.n_ctx + 30


# Warning before


def test_the_warning_of_a_nearly_full_context_is_shown_once(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    opened(qtbot, pane, client, measured=counts(7300))
    assert "89% full" in pane.context_controller.notice.displayed_text
    assert "oldest messages will be dropped" in pane.context_controller.notice.displayed_text
    pane.context_controller.notice._close.click()
    plan_again(qtbot, pane, client, counts(7400))
    assert pane.context_controller.notice.displayed_text == ""


def test_the_policy_ask_me_blocks_sending_and_keeps_the_text(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    chat = opened(qtbot, pane, client, measured=counts(9000, fits=False), policy=FullContext.STOP)
    QTest.keyClicks(pane.composer.editor, "And?")
    assert not pane.composer.send_button.isEnabled()
    QTest.keyClick(pane.composer.editor, Qt.Key.Key_Return)
    assert client.called("generations.send") == []
    qtbot.waitUntil(lambda: "tokens needed" in pane.context_controller.notice.displayed_text)
    pane.context_controller.notice.buttons[FullContext.DROP_OLDEST].click()
    qtbot.waitUntil(lambda: client.called("context.set_policy") == [(chat, FullContext.DROP_OLDEST)])
    plan_again(qtbot, pane, client, counts())
    assert pane.composer.send_button.isEnabled()
    assert pane.composer.text() == "And?"
    assert pane.context_controller.notice.displayed_text == ""


def test_an_empty_draft_is_not_said_to_exceed_the_context(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    opened(qtbot, pane, client, measured=counts(9000, fits=False), policy=FullContext.STOP)
    QTest.keyClick(pane.composer.editor, Qt.Key.Key_Return)
    assert pane.composer.note == ""
    assert pane.composer.reason_not_to_send() == "Write a message first"
    assert "This chat needs 9,000 tokens" in pane.context_controller.notice.displayed_text
    pane.composer.editor.setPlainText("And?")
    plan_again(qtbot, pane, client, counts(9004, fits=False))
    assert "Exceeds the context" in pane.context_controller.notice.displayed_text
    assert "Exceeds the context" in pane.composer.reason_not_to_send()


@pytest.mark.parametrize(
    ("draft", "cost", "expected"),
    [
        ("And?", MessageTokens(7000, 0), "Shorten your message"),
        ("", None, "Shorten the last message"),
        ("And?", MessageTokens(7003, 7000), "Remove a file"),
    ],
)
def test_the_notice_names_what_can_be_shortened(
    qtbot: QtBot, pane: ChatPane, client: AppClient, draft: str, cost: MessageTokens | None, expected: str
) -> None:
    opened(qtbot, pane, client)
    pane.composer.editor.setPlainText(draft)
    plan_again(qtbot, pane, client, counts(9000, last=cost, fits=False))
    assert expected in pane.context_controller.notice.displayed_text


def test_a_larger_context_is_offered_where_the_message_does_not_fit(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    requested: list[str] = []
    pane.context_controller.notice.offer_larger(lambda: requested.append("larger"))
    opened(qtbot, pane, client, measured=counts(7300))
    assert not pane.context_controller.notice.larger.isVisible()
    assert pane.model is not None
    spec = pane.model.spec
    assert spec is not None
    pane.set_model(replace(pane.model, spec=replace(spec, n_ctx_train=32_768)), pane._status)
    plan_again(qtbot, pane, client, counts(9000, fits=False))
    QTest.mouseClick(pane.context_controller.notice.larger, Qt.MouseButton.LeftButton)
    assert requested == ["larger"]
    assert not pane.context_controller.notice.buttons[FullContext.COMPACT].isVisible()
    plan_again(qtbot, pane, client, counts(90_000, fits=False))
    assert not pane.context_controller.notice.larger.isVisible(), "the model has no context that would do"


def test_files_that_do_not_fit_are_searched_instead(
    qtbot: QtBot, pane: ChatPane, client: AppClient, tmp_path: Path
) -> None:
    searched: list[tuple[str, ...]] = []
    notice, files = pane.context_controller.notice, pane.attachments
    notice.offer_search(lambda: searched.append(files.searchable_paths))
    opened(qtbot, pane, client, policy=FullContext.STOP)
    plan_again(qtbot, pane, client, counts(9000, fits=False))
    assert not notice.search.isVisible(), "there is nothing to search"
    path = tmp_path / "novel.txt"
    path.write_text("The pump needs oil. " * 400)
    files.add_files([str(path)])
    qtbot.waitUntil(lambda: bool(files.attachments))
    client.engine.measured = counts(450_000, last=MessageTokens(449_000, 448_000), fits=False)
    client.publish(SettingsChanged(keys=("load.n_ctx",)))
    qtbot.waitUntil(notice.search.isVisible)
    assert "Search the files instead" in notice.displayed_text
    assert not notice.buttons[FullContext.DROP_OLDEST].isVisible(), "older messages would not help"
    notice.search.click()
    assert searched == [(str(path),)]
    client.engine.measured = counts(450_000, last=MessageTokens(449_000, 448_000))
    pane.context_controller._show(replace(plan_of(n_prompt=450_000, n_attached=448_120), is_exact=False))
    assert notice.search.isVisible(), "an estimate says it too"


def test_a_small_window_shows_the_whole_notice_with_its_buttons(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    pane.resize(380, 560)
    opened(qtbot, pane, client, measured=counts(9000, fits=False), policy=FullContext.STOP)
    notice = pane.context_controller.notice
    qtbot.waitUntil(lambda: notice._label.height() >= notice._label.heightForWidth(notice._label.width()))
    for button in notice.buttons.values():
        assert button.width() >= button.sizeHint().width()
        assert notice.rect().contains(button.rect().translated(button.mapTo(notice, button.rect().topLeft())))


@pytest.mark.parametrize("policy", [FullContext.DROP_OLDEST, FullContext.COMPACT])
def test_an_estimate_never_blocks_sending(
    qtbot: QtBot, pane: ChatPane, client: AppClient, policy: FullContext
) -> None:
    def refuse(_: PromptMeasureRequest) -> PromptMeasure:
        raise ContextLengthExceeded(n_prompt=9000, n_ctx=8192)

    opened(qtbot, pane, client, measured=refuse, policy=policy)
    assert pane.context_controller.plan is not None
    assert not pane.context_controller.plan.fits
    QTest.keyClicks(pane.composer.editor, "And?")
    assert pane.composer.send_button.isEnabled()


def test_a_new_chat_counts_its_initial_system_prompt_and_tools(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    measured: list[PromptMeasureRequest] = []

    def measure(question: PromptMeasureRequest) -> PromptMeasure:
        measured.append(question)
        return counts(60)(question)

    client.engine.measured = measure
    pane.context_controller.opening = lambda: {CALCULATOR: True, SYSTEM_PROMPT_KEY: "Be brief."}
    pane.context_controller.refresh_soon()
    qtbot.waitUntil(lambda: bool(measured and measured[-1].prompt.messages))
    prompt = measured[-1].prompt
    assert [tool.name for tool in prompt.tools] == ["calculator"]
    assert prompt.messages[0].text == "Be brief."


def test_the_estimate_for_an_unloaded_model_counts_tools_too(client: AppClient) -> None:
    def n_prompt(*switched: str) -> int:
        opening = dict.fromkeys(switched, True)
        plan = done(client.app.contexts.plan(None, draft="Why?", model_id=STARTER_ID, opening=opening))
        assert not plan.is_exact
        return plan.n_prompt

    assert n_prompt(CALCULATOR) > n_prompt() + 20


def test_with_large_text_the_whole_context_popup_is_reachable(
    qtbot: QtBot, pane: ChatPane, client: AppClient, theme: Theme
) -> None:
    pane.window().resize(640, 600)
    opened(qtbot, pane, client)
    theme.set_text_size(28)
    pane.context_controller.open_popup()
    popup = pane.context_controller.popup
    assert popup._scroll.geometry().right() < popup.width() <= pane.window().width()
    assert popup._scroll.geometry().bottom() < popup.height()
    body = popup._scroll.widget()
    assert body is not None
    assert body.minimumSizeHint().width() <= popup._scroll.viewport().width()
