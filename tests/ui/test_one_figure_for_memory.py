"""The memory of one file at one context is the same figure everywhere in the real program."""

from __future__ import annotations

import io
import re
from pathlib import Path

from PySide6.QtWidgets import QApplication, QLabel

from fakes.fake_hub import FakeHub, Repo, fake_hub
from fakes.program import Program, running_program, until
from fireside.cli.commands.plan import print_plan
from fireside.core.errors import format_bytes
from fireside.core.ids import ModelId
from fireside.core.status import Ready
from fireside.ui.loading.panel import N_CTX, LoadSheet
from fireside.ui.page import Page

REPO = "acme/starter-GGUF"
NEAR = 0.1
"""How far the estimate for a file that is not here may be off."""


def test_four_places_say_the_same_of_one_file(
    qapp: QApplication, own_home: Path, starter_model_path: Path
) -> None:
    with fake_hub() as hub:
        hub.repos[REPO] = Repo(
            files={starter_model_path.name: starter_model_path.read_bytes()},
            header={"total": 134_515_008, "architecture": "llama", "context_length": 8192},
        )
        settings = (f"hub.endpoint={hub.endpoint}", "load.n_ctx=200000")
        with running_program(qapp, home=own_home / "fireside", settings=settings) as program:
            program.run(lambda: compare(program, hub))


async def compare(program: Program, hub: FakeHub) -> None:
    window, client = program.window, program.client
    await program.ready()
    model_id = window.conversations.model_id
    assert model_id is not None
    await until(lambda: isinstance(window.models.state(model_id), Ready))

    header = window.header.facts.text()
    in_window, last_load = await how_it_loads(program)
    plan = await client.load_plans.plan(model_id, conversation_id=None, changes={})
    output = io.StringIO()
    print_plan(plan, as_json=False, output=output)
    figure = format_bytes(plan.n_bytes)
    assert plan.prompt_cache_bytes > 0
    assert re.search(rf"^Total +{figure}$", output.getvalue(), re.MULTILINE)
    apart = format_bytes(plan.prompt_cache_bytes)
    assert re.search(rf"^Prompt cache, up to +{apart}$", output.getvalue(), re.MULTILINE)
    assert header.startswith(f"{figure} of memory")
    assert in_window.startswith(f"Needs {figure}, and up to {apart} for the prompt cache")
    assert last_load.startswith(f"Uses {figure}, as predicted")

    # No place gives a context that the model cannot have.
    assert "8k context" in header
    assert "at most 8,192, as the model was trained, not 200,000" in plan.text
    assert "context length 8,192" in output.getvalue()

    before = await on_its_page(program)
    assert abs(number(before) - number(figure)) <= NEAR * number(figure)
    # Once its content is known to be that file's, what is measured counts.
    entry = window.models.entry(ModelId(model_id))
    assert entry is not None
    await client.verification.start(entry.path, repair=False)
    await until(lambda: any(each.sha256 for each in window.models.entries))
    assert await on_its_page(program) == f"{figure} of memory"
    assert hub.repos


async def how_it_loads(program: Program) -> tuple[str, str]:
    window = program.window
    window.header.open_picker()
    window.header.popup.details.click()
    sheet = window.findChild(LoadSheet)
    assert sheet is not None
    await until(lambda: sheet.panel.plan is not None and sheet.panel.plan.is_exact)
    await until(sheet.panel.measured.isVisible)
    texts = sheet.panel.bars.amounts[0], sheet.panel.measured.sentence.text()
    assert sheet.panel.controls.controls[N_CTX].value_text.text().startswith("8,192 tokens")
    sheet.close()
    return texts


async def on_its_page(program: Program) -> str:
    window = program.window
    window.show_page(Page.DISCOVER)
    window.pages.discover_controller.open_model(REPO)
    page = window.pages.discover.model_page

    def said() -> list[str]:
        labels = page.table.rows[0].findChildren(QLabel) if page.table is not None else []
        return [label.text() for label in labels if label.text().endswith(" of memory")]

    await until(lambda: bool(said()))
    return said()[0]


def number(text: str) -> float:
    match = re.match(r"[0-9.]+", text)
    assert match is not None, text
    return float(match[0])
