"""Style of printed pages: the window's light colours and sizes. Lengths are pixels of 1/96 inch."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QFont

from fireside.bridge.list_markers import LIST_CSS, MarkerColours

TEXT_PX: Final = 13
CODE_PX: Final = 11
LABEL_PX: Final = 10
LABEL_HEIGHT: Final = 24

INK: Final = "#1f1b16"
MUTE: Final = "#645b52"
LINE: Final = "#e9e3dd"
EDGE: Final = "#d5cac3"
USER: Final = "#f8ebe1"
CODE: Final = "#f9f5f2"
CHIP: Final = "#f5f0eb"
MARK: Final = "#fff0a8"
WARN: Final = "#fcf3dd"
ACCENT: Final = "#af3e09"
MARKERS: Final = MarkerColours(bullet=INK, edge=MUTE, fill=ACCENT, tick="#ffffff")

LIST_INDENT: Final = 22
QUOTE_INDENT: Final = 16
QUOTE_STEP: Final = 14
QUOTE_BAR: Final = 3

# Qt's line height multiplies the font's own.
CSS: Final = f"""
p {{ margin: 0 0 8px 0; line-height: 120%; }}
p.plain {{ margin: 0; line-height: 120%; }}
p.footnote {{ margin: 0 0 4px 0; color: {MUTE}; font-size: 11.5px; }}
p.title {{ font-size: 24px; font-weight: 700; margin: 0; line-height: 100%; }}
p.facts {{ color: {MUTE}; font-size: 11px; margin: 3px 0 0 0; }}
p.mute {{ color: {MUTE}; font-size: 11px; margin: 0; }}
sup.note {{ font-size: 14px; color: {ACCENT}; }}
mark {{ background: {MARK}; }}
p.language {{ margin: 0; color: {MUTE}; font-size: {LABEL_PX}px; }}
p.rule {{ color: {MUTE}; }}
li {{ margin: 0 0 3px 0; line-height: 120%; }}
ul, ol {{ margin: 0 0 5px 0; }}
{LIST_CSS}
h1, h2, h3, h4, h5, h6 {{ font-weight: 700; margin: 6px 0 6px 0; }}
h1 {{ font-size: 20px; }}
h2 {{ font-size: 18px; }}
h3 {{ font-size: 16px; }}
h4, h5, h6 {{ font-size: 13.5px; }}
code, kbd, pre {{ font-family: 'JetBrains Mono'; font-size: {CODE_PX}px; }}
code, kbd {{ background: {CHIP}; }}
h1 code, h2 code, h3 code {{ font-size: 14px; }}
pre {{ white-space: pre-wrap; margin: 0; line-height: 120%; }}
blockquote {{ margin: 0 0 4px {QUOTE_STEP}px; color: {MUTE}; }}
p.alert-note, p.alert-important, p.alert-tip, p.alert-warning, p.alert-caution {{
  margin: 0 0 4px 0; font-weight: 700; color: {ACCENT};
}}
a {{ color: {ACCENT}; text-decoration: none; }}
th {{ color: {MUTE}; font-weight: 600; }}
td, th {{ border-bottom: 1px solid {LINE}; padding: 5px 14px 5px 0; }}
"""


def text_font(px: float = TEXT_PX) -> QFont:
    """Return the text font."""
    font = QFont("Inter")
    font.setPixelSize(round(px))
    return font
