"""The list of search results, and the delegate that draws a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from PySide6.QtCore import QModelIndex, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontMetrics, QHelpEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QToolTip, QWidget

from fireside.core.discovery import FitEstimate, HubSearchHit
from fireside.core.i18n import tr, tr_noop
from fireside.ui.discover.discover_text import (
    GATED_BADGE,
    PRIVATE_BADGE,
    badges,
    isolated,
    name_of,
    outlook_text,
    result_accessible_text,
    result_facts,
    verdict_text,
)
from fireside.ui.discover.fit_line import RATING_STYLES
from fireside.ui.kit.list_model import ITEM_ROLE, Index, ListModel
from fireside.ui.kit.result_list import ResultList
from fireside.ui.kit.row_painter import RowDelegate, RowPainter
from fireside.ui.model_text import MEDIA_ICONS, SEPARATOR
from fireside.ui.theme import RADIUS_M, SPACE_L, SPACE_M, SPACE_S, SPACE_XS, theme
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX
from fireside.ui.widgets.text import plain_tooltip

_AHEAD_PX: Final = 900
"""Pixels from the end at which the next page is requested."""
_ROW_HEIGHT: Final = 62
_BADGE_HEIGHT: Final = 20
_BADGE_ICON_PX: Final = 13
_MIN_NAME_WIDTH: Final = 140
"""Minimum pixels of a name; badges that leave less are hidden."""
_VERDICT_SHARE: Final = 0.55
"""Of a row's second line."""
_VERDICT_ICON_PX: Final = 14
_IN_LIBRARY: Final = tr_noop("Downloaded")
_ICONS: Final = {GATED_BADGE: "lock", PRIVATE_BADGE: "lock", **MEDIA_ICONS, _IN_LIBRARY: "check"}


class ResultsModel(ListModel[HubSearchHit]):
    """Item model of the results; pages are appended, without duplicates."""

    def __init__(self, *, now: datetime, parent: QWidget | None = None) -> None:
        super().__init__(lambda hit: name_of(hit.repo), accessible_text=self._sentence, parent=parent)
        self.now = now
        """When the search was answered: relative times count from it."""
        self._library_repositories: frozenset[str] = frozenset()
        self._outlooks: dict[str, FitEstimate | None] = {}

    def show_results(self, hit: Sequence[HubSearchHit], *, now: datetime) -> None:
        self.now = now
        self.replace(())
        self.extend(hit)

    def extend(self, items: Sequence[HubSearchHit]) -> None:
        known = {model.repo for model in self.items}
        fresh = {model.repo: model for model in items if model.repo not in known}
        super().extend(tuple(fresh.values()))

    def set_library_repositories(self, repos: frozenset[str]) -> None:
        """Set the repositories (casefolded) that the library has models of."""
        self._library_repositories = repos
        self.refresh()

    def add_outlooks(self, outlooks: Mapping[str, FitEstimate | None]) -> None:
        """Set how models would run here, by repository; an estimate never replaces one read from headers."""
        known = {repo for repo, outlook in self._outlooks.items() if outlook is not None and outlook.label}
        for repo, outlook in outlooks.items():
            if repo not in known or (outlook is not None and outlook.label):
                self._outlooks[repo] = outlook
        self.refresh()

    def facts(self, hit: HubSearchHit) -> tuple[str, ...]:
        """Return the second line of a row."""
        return result_facts(hit, now=self.now)

    def outlook(self, hit: HubSearchHit) -> FitEstimate | None:
        """Return how it would run here, once that is known."""
        return self._outlooks.get(hit.repo)

    def is_in_library(self, hit: HubSearchHit) -> bool:
        return hit.repo.casefold() in self._library_repositories

    def _sentence(self, hit: HubSearchHit) -> str:
        return result_accessible_text(
            hit, in_library=self.is_in_library(hit), now=self.now, outlook=self._outlooks.get(hit.repo)
        )


class ResultDelegate(RowDelegate):
    """Draws a name with badges, and a line of facts."""

    def __init__(self, *, model: ResultsModel, view: QWidget) -> None:
        super().__init__(view=view)
        self._model = model

    def row_height(self, index: Index) -> float:  # noqa: ARG002 - all are as tall
        return _ROW_HEIGHT

    def draw(self, row: RowPainter, box: QRect, option: QStyleOptionViewItem, index: Index) -> None:
        hit = self._model.item(index)
        if hit is None:
            return
        # The same width with and without a scroll bar.
        box.setRight(min(box.right(), self.view.width() - SCROLL_BAR_PX - 1))
        self._draw_background(row, box, option.state)
        area = box.adjusted(SPACE_L, 9, -SPACE_M, -9)
        half = area.height() // 2
        self._draw_head(row, QRect(area.left(), area.top(), area.width(), half), hit)
        metrics = QFontMetrics(theme().ui_font(12.5))
        line = QRect(area.left(), area.top() + half, area.width(), half)
        # The verdict has its place before it arrives, so that nothing moves then.
        verdict_rect = line.adjusted(line.width() - round(_VERDICT_SHARE * line.width()), 0, 0, 0)
        facts_rect = line.adjusted(0, 0, -verdict_rect.width() - SPACE_S, 0)
        facts = _fitting(self._model.facts(hit), metrics=metrics, width=facts_rect.width())
        row.draw_text(facts, within=facts_rect, px=12.5, tint="mute")
        if (outlook := self._model.outlook(hit)) is not None:
            icon, tint = RATING_STYLES[outlook.rating]
            words_rect = verdict_rect.adjusted(theme().scaled_up(_VERDICT_ICON_PX) + SPACE_XS, 0, 0, 0)
            parts = verdict_text(outlook).split(SEPARATOR)
            left = row.draw_text(
                _fitting(parts, metrics=metrics, width=words_rect.width()),
                within=words_rect,
                px=12.5,
                tint=tint,
                at_right=True,
            )
            icon_rect = verdict_rect.adjusted(0, 0, left - SPACE_XS - verdict_rect.right(), 0)
            row.draw_icon(icon, at=icon_rect, tint=tint, px=_VERDICT_ICON_PX, at_right=True)

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """Show the full name and all facts, which may be cut off."""
        hit = self._model.item(index)
        if hit is None:
            return super().helpEvent(event, view, option, index)
        facts = SEPARATOR.join(map(isolated, self._model.facts(hit)))
        text = f"{hit.repo}\n{facts}\n{outlook_text(self._model.outlook(hit))}".strip()
        QToolTip.showText(event.globalPos(), plain_tooltip(text), view)
        return True

    def _draw_background(self, row: RowPainter, box: QRect, state: QStyle.StateFlag) -> None:
        is_hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        has_focus = bool(state & QStyle.StateFlag.State_HasFocus)
        row.painter.setBrush(theme().colour("hover" if is_hovered else "card"))
        row.painter.setPen(QPen(theme().colour("accent" if has_focus else "line"), 1.5 if has_focus else 1))
        row.painter.drawRoundedRect(QRectF(box).adjusted(0.5, 2.5, -0.5, -2.5), RADIUS_M, RADIUS_M)

    def _draw_head(self, row: RowPainter, area: QRect, hit: HubSearchHit) -> None:
        labels = (*badges(hit), *((_IN_LIBRARY,) if self._model.is_in_library(hit) else ()))
        metrics = QFontMetrics(theme().ui_font(11, QFont.Weight.Medium))
        available_width = area.width() - min(_MIN_NAME_WIDTH, area.width())
        visible: list[tuple[str, int]] = []
        for label in labels:
            width = (
                metrics.horizontalAdvance(tr(label)) + 2 * 6 + (self._icon_width if label in _ICONS else 0)
            )
            if width + SPACE_S <= available_width:
                visible.append((label, width))
                available_width -= width + SPACE_S
        name = area.adjusted(0, 0, -sum(width + SPACE_S for _, width in visible), 0)
        x = row.draw_text(name_of(hit.repo), within=name, weight=QFont.Weight.DemiBold) + SPACE_S
        for label, width in visible:
            self._draw_badge(row, QRect(x, area.top(), width, area.height()), label)
            x += width + SPACE_S

    @property
    def _icon_width(self) -> int:
        return theme().scaled_up(_BADGE_ICON_PX) + SPACE_XS

    def _draw_badge(self, row: RowPainter, area: QRect, label: str) -> None:
        height = theme().scaled(_BADGE_HEIGHT)
        box = QRect(area.left(), area.center().y() - height // 2 + 1, area.width(), height)
        row.fill(QRectF(box), "card2", radius=6)
        inner = box.adjusted(6, 0, 0, 0)
        if icon := _ICONS.get(label):
            tint = "ok" if label == _IN_LIBRARY else "mute"
            row.draw_icon(icon, at=inner, tint=tint, px=_BADGE_ICON_PX)
            inner.setLeft(inner.left() + self._icon_width)
        row.draw_text(tr(label), within=inner, px=11, tint="mute", weight=QFont.Weight.Medium)


class ResultsList(ResultList):
    """One row per model. Requests more before its end is reached."""

    more_requested = Signal()
    scrolled = Signal()
    """Other rows may be visible now."""

    def __init__(self, *, model: ResultsModel, parent: QWidget | None = None) -> None:
        super().__init__(name=tr("Results"), model=model, parent=parent)
        self.setItemDelegate(ResultDelegate(model=model, view=self))
        self.setUniformItemSizes(True)
        self.setSelectionMode(ResultList.SelectionMode.NoSelection)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.verticalScrollBar().valueChanged.connect(self.request_more_near_end)
        self.verticalScrollBar().valueChanged.connect(lambda _value: self.scrolled.emit())

    def in_view(self) -> tuple[HubSearchHit, ...]:
        """Return the visible results from top to bottom."""
        if not self.isVisible() or not self.model().rowCount():
            return ()
        area = self.viewport().rect()
        first, last = self.indexAt(area.topLeft()), self.indexAt(area.bottomLeft())
        end = last.row() if last.isValid() else self.model().rowCount() - 1
        rows = range(max(0, first.row()), end + 1)
        return tuple(self.model().index(row, 0).data(ITEM_ROLE) for row in rows)

    def scroll_to_top(self) -> None:
        self.scrollToTop()
        self.setCurrentIndex(QModelIndex())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.scrolled.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scrolled.emit()
        # After the layout: a taller list may show its end without being scrolled.
        QTimer.singleShot(0, self, self.request_more_near_end)

    def request_more_near_end(self) -> None:
        """Request more if the end of the list is near."""
        self.executeDelayedItemsLayout()
        bar = self.verticalScrollBar()
        if bar.maximum() - bar.value() < _AHEAD_PX:
            self.more_requested.emit()


def _fitting(facts: Sequence[str], *, metrics: QFontMetrics, width: int) -> str:
    """Return as many whole facts as fit ``width``, at least the first."""
    text = isolated(facts[0])
    for fact in facts[1:]:
        extended = f"{text}{SEPARATOR}{isolated(fact)}"
        if metrics.horizontalAdvance(extended) > width:
            break
        text = extended
    return text
