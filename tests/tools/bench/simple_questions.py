"""What a model answers to simple questions in English and German, to judge by hand what may be a first model.

Usage: PYTHONPATH=tests python -P tests/tools/bench/simple_questions.py [--model FILE] [--seeds 1]
    [--set KEY=VALUE …] [--ask "QUESTION" …]

Without a model the starter model answers. Settings that are not set are those of a new user. ``--ask`` asks
these questions instead, such as suggestions of the start page; with ten ``--seeds`` one sees how often they
go well.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fireside.main.build import Persistence, build_app
from fireside.main.startup_context import load_context
from fireside.settings.parse import parse_assignments
from fireside.settings.values import AppLayer

QUESTIONS: Final = (
    "What is the capital of France?",
    "How many days are there in a week?",
    "Who wrote Romeo and Juliet?",
    "What is 17 + 25?",
    "I buy 3 apples for 2 euros each. How much do I pay?",
    "Write a short, friendly note to thank a neighbour for watering my plants.",
    "Make this sentence polite: “Send me the report now.”",
    "Correct the spelling: “I recieved teh letter yestreday.”",
    "Translate into German: “Good morning, how are you?”",
    "List three fruits that are red.",
    "Is this review positive or negative? “The food was cold, the waiter was rude.” Answer with one word.",
    "Summarise in one sentence: “The museum is closed on Monday because of repairs. On Tuesday it opens at "
    "ten, and children pay nothing all week.”",
    "Give me three ideas for a rainy Sunday at home.",
    "Explain in simple words why the sky is blue.",
    "Which is larger, an elephant or a mouse?",
    "Was ist die Hauptstadt von Deutschland?",
    "Wie viele Monate hat ein Jahr?",
    "Wer hat „Faust“ geschrieben?",
    "Was ist 12 + 30?",
    "Ein Brot kostet 4 Euro. Was kosten zwei Brote?",
    "Schreibe einen kurzen, freundlichen Dank an eine Nachbarin, die meine Pflanzen gegossen hat.",
    "Formuliere höflich: „Schick mir sofort den Bericht.“",
    "Verbessere die Rechtschreibung: „Ich habe den Brif gestern bekomen.“",
    "Übersetze ins Englische: „Ich habe Hunger und möchte etwas essen.“",
    "Nenne drei Tiere, die fliegen können.",
    "Ist diese Bewertung positiv oder negativ? „Das Hotel war sauber und ruhig.“ Antworte mit einem Wort.",
    "Fasse in einem Satz zusammen: „Der Bus fährt heute nicht, weil die Straße gesperrt ist. Morgen fährt er "
    "wieder wie gewohnt.“",
    "Nenne drei Ideen für einen verregneten Sonntag zu Hause.",
    "Erkläre mit einfachen Worten, warum der Himmel blau ist.",
    "Welche Farbe hat Gras?",
)


async def run(arguments: argparse.Namespace, folder: Path) -> None:
    """Ask each question in a chat of its own, once with each seed, and print the answers."""
    added = [str(arguments.model.resolve())] if arguments.model else []
    environ = {**os.environ, "FIRESIDE_HOME": str(folder)}
    app = await build_app(
        load_context(environ, command_line=parse_assignments(arguments.set)),
        emit=lambda _: None,
        persistence=Persistence.NOTHING,
        added=tuple(added),
    )
    questions: Sequence[str] = arguments.ask or QUESTIONS
    try:
        entries = [entry for entry in app.models.entries if entry.spec and (not added or entry.path in added)]
        spec = entries[0].spec
        assert spec is not None
        await app.preferences.change(AppLayer(), key="sampling.max_tokens", value=300)
        for number, question in enumerate(questions, start=1):
            for seed in range(1, arguments.seeds + 1):
                await app.preferences.change(AppLayer(), key="sampling.seed", value=seed)
                id_ = await app.generations.send(None, text=question, model_id=spec.id)
                await app.generations.settled(id_)
                answer = (await app.conversations.open(id_)).messages[-1].message
                print(f"\n[{number}, seed {seed}] {question}\n{answer.text.strip()}", flush=True)
    finally:
        await app.close()


def main() -> None:
    """Ask what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--ask", action="append", default=[], metavar="QUESTION")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(parser.parse_args(), Path(folder)))


if __name__ == "__main__":
    main()
