"""What people write elsewhere, as reports about other programs have it, in both themes. See ``stage``."""

from __future__ import annotations

from typing import Final

from fakes.client import AppClient
from fakes.stored_messages import Messages
from fireside.core.events import ConversationChanged
from fireside.ui.shell.main_window import MainWindow
from tools.screenshots.stage import Camera, play, rest

CHATS: Final[dict[str, tuple[str, str]]] = {
    "definitions": (
        "Write a dialogue, and the log of the start.",
        "[Alice]: Hi!\n[Bob]: Hello.\n\n[INFO]: started\n\nSources:\n\n[1]: https://a.example/x\n",
    ),
    "chinese": (
        "说明二次函数。",
        "设$x$为实数，则$x^2\\ge 0$成立。\n\n- **重点：**内容\n- 価格は**「無料」**です\n"
        "- A：**“甲”**和**“乙”**都对\n\n速度是 $\\text{速度}=\\frac{距离}{时间}$。\n\n"
        "$$\\text{скорость} = \\frac{\\text{путь}}{\\text{время}}$$\n",
    ),
    "formulas": (
        "Which terms grow?",
        "The $n$th term; all $x$s. Let $ \\alpha $ and $ 0 < a < 1 $. It costs $5 or $6.\n\n"
        "| Norm | Value |\n|---|--:|\n| $|a|$ | 3 |\n| `a | b` | 4 |\n",
    ),
    "numbers": (
        "List them.",
        "98. a\n99. b\n100. c\n101. d\n\nThen the years:\n\n1986. A great year\n1987. Another one\n\n"
        "A number:\n\n"
        "123456789. A large number, and so long a text that it needs a second line in a window of this size, "
        "which begins below the first one\n\n- Nested:\n\n  99. in a list\n  100. that goes on\n"
        "       - and deeper\n\n> 1998. In a quote\n> 1999. too\n",
    ),
    "own-words": (
        "Why is 0x10 not 10, p->x no arrow, a --> b and a => b, at 1920x1080?",
        "At 0x10 and 1920x1080: `p->x`, p->x, --> and => stay what they are, in **0x10** and *p->x* too.\n\n"
        "```c\nreturn p->x != 0x10 && a >= b;\n```\n",
    ),
    "nested-tables": (
        "Compare them.",
        "1. Options:\n\n   | Option | Price |\n   |---|--:|\n   | small | 3 |\n   | large | 12 |\n\n"
        "2. The end\n\n> | a | b |\n> |---|---|\n> | left | right |\n",
    ),
    "arabic": (
        "كيف أستدعي code() هنا؟",
        "### استدعاء `code()`\n\nمع `code()` وكذلك `a[0] = b(1)`، انظر "
        "https://a.example/x?y=1 أو $f(x)=2x$.\n\n"
        "| الاسم | القطر | الرمز |\n|---|--:|---|\n| الأرض | 12,742 km | `earth()` |\n"
        "| المريخ (الأحمر) | 6,779 km | `mars[1]` |\n\n98. مع `code()`\n99. ثم\n100. وأخيرا\n\n"
        "> اقتباس مع `f(x)`.\n",
    ),
}
"""Name of a picture, and the question and the answer that it shows."""


async def take(window: MainWindow, client: AppClient, camera: Camera) -> None:
    """Open a chat for each, and take its picture."""
    messages = Messages()
    for name, (question, answer) in CHATS.items():
        conversation = client.add_conversation(question)
        client.keep_messages(conversation, [messages.user(question), messages.answer(answer)])
        client.publish(ConversationChanged(summary=client.summaries[conversation]))
        window.conversations.open(conversation)
        await rest()
        await camera.take(f"material-{name}")


if __name__ == "__main__":
    play(take)
