"""Declares the settings of tools that a model may call in a chat."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import tr_noop
from fireside.core.tools import SearchProvider
from fireside.settings.values import Group, SettingSection

CALCULATOR: Final = "tools.calculator"
DATE_TIME: Final = "tools.date_time"
CHAT_SEARCH: Final = "tools.chat_search"
FILES: Final = "tools.files"
CHANGES: Final = "tools.file_changes"
DOCUMENTS: Final = "tools.documents"
WEB_SEARCH: Final = "tools.web_search"
WEB_PAGES: Final = "tools.web_pages"
MEMORY: Final = "tools.memory"
MEMORY_ELSEWHERE: Final = "tools.memory_elsewhere"
PYTHON: Final = "tools.python"
PYTHON_PROGRAM: Final = "tools.python_program"
PYTHON_SECONDS: Final = "tools.python_seconds"
PYTHON_MEMORY: Final = "tools.python_memory_gb"
SWITCHES: Final = (
    CALCULATOR,
    DATE_TIME,
    CHAT_SEARCH,
    FILES,
    CHANGES,
    DOCUMENTS,
    WEB_SEARCH,
    WEB_PAGES,
    MEMORY,
    PYTHON,
)
"""Keys of the settings that turn tools on, in the order in which tools are advertised to a model."""
TOOL_KEYS: Final = "tools."
"""The prefix of all keys."""
FOLDERS: Final = "tools.folders"
SERVERS: Final = "tools.servers"
SKILLS: Final = "tools.skills"
SKILL_FOLDERS: Final = "tools.skill_folders"
SEARCH_PROVIDER: Final = "tools.search_provider"
SEARXNG: Final = "tools.searxng"
MAX_STEPS: Final = "tools.max_steps"
PERMISSIONS: Final = "tools.permissions"
CHAT_PERMISSIONS: Final = "tools.chat_permissions"

_setting: Final = SettingSection(Group.TOOLS)
_tools: Final = SettingSection(Group.TOOLS, per_model=True, per_conversation=True, hidden=True)

TOOLS: Final = (
    _tools.switch(
        CALCULATOR, tr_noop("Calculator"), tr_noop("Computes arithmetic, statistics and math functions.")
    ),
    _tools.switch(DATE_TIME, tr_noop("Date and time"), tr_noop("Tells the model the current date and time.")),
    _tools.switch(CHAT_SEARCH, tr_noop("Search chats"), tr_noop("Lets the model search your other chats.")),
    _tools.switch(
        FILES,
        tr_noop("Read files"),
        tr_noop("Lets the model list, read and search the folders that you choose."),
    ),
    _tools.switch(
        CHANGES,
        tr_noop("Change files"),
        tr_noop(
            "Lets the model write text files in the folders that you choose. You see each change first and "
            "allow it."
        ),
    ),
    _tools.switch(
        DOCUMENTS,
        tr_noop("Search documents"),
        tr_noop(
            "Lets the model search and read the chat's collections itself, in place of passages that are "
            "sent with each question. For models that call tools well."
        ),
    ),
    _tools.switch(
        WEB_SEARCH,
        tr_noop("Web search"),
        tr_noop(
            "Lets the model search the web with the provider that you choose. You see each query before it "
            "is sent."
        ),
        synonyms=tr_noop("internet search; browse; online; search engine; google"),
    ),
    _tools.switch(
        WEB_PAGES,
        tr_noop("Read web pages"),
        tr_noop("Lets the model read pages on the public internet, with your permission."),
        synonyms=tr_noop("fetch; browse; url; web browser; internet; online"),
    ),
    _tools.switch(
        MEMORY,
        tr_noop("Remember facts"),
        tr_noop(
            "Tells the model what you had it remember, and lets it suggest more. You confirm each suggestion."
        ),
        synonyms=tr_noop("remember; personalization; personalisation; long-term memory; about me"),
    ),
    _tools.switch(
        PYTHON,
        tr_noop("Python"),
        tr_noop(
            "Lets the model run code to compute, draw charts and make files. On Linux it reaches no network "
            "and no other files; elsewhere you are asked each time."
        ),
        synonyms=tr_noop("code interpreter; run code; sandbox; charts; plot; data analysis; pandas; excel"),
    ),
    _setting.file(
        PYTHON_PROGRAM,
        tr_noop("Python for code"),
        tr_noop(
            "The interpreter that runs code in chats, such as one with your own packages. Empty: "
            "Fireside's own, with the data packages if they are downloaded."
        ),
    ),
    _setting.integer(
        PYTHON_SECONDS,
        tr_noop("Max time of code"),
        tr_noop("Seconds after which code in a chat is stopped."),
        default=60,
        within=(1, 3600),
    ),
    _setting.decimal(
        PYTHON_MEMORY,
        tr_noop("Max memory of code"),
        tr_noop("GB that code in a chat may use."),
        default=2.0,
        within=(0.25, 256.0),
        step=0.25,
    ),
    _setting.switch(
        MEMORY_ELSEWHERE,
        tr_noop("Remembered facts to servers"),
        tr_noop(
            "Sends what you had models remember to models of servers too. Off, they can suggest "
            "facts, but are told none."
        ),
    ),
    _setting.paths(
        FOLDERS,
        tr_noop("Folders for tools"),
        tr_noop("Folders in which the tools may read and change files."),
        most=20,
        of_folders=True,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
    _setting.lines(
        SERVERS,
        tr_noop("MCP servers"),
        tr_noop("Servers whose tools the model may call, or single tools as server__tool, one per line."),
        most=100,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
    _setting.lines(
        SKILLS,
        tr_noop("Skills"),
        tr_noop("Skills that the model may use, by name, one per line. Only those that you reviewed count."),
        most=200,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
    _setting.paths(
        SKILL_FOLDERS,
        tr_noop("Folders of skills"),
        tr_noop("Folders in which skills are looked for, besides those of other programs."),
        most=50,
        of_folders=True,
        hidden=True,
    ),
    _setting.integer(
        MAX_STEPS,
        tr_noop("Max tool steps"),
        tr_noop("How many times the model may call tools in one response."),
        default=25,
        within=(1, 200),
        per_model=True,
        per_conversation=True,
    ),
    _setting.choice(
        SEARCH_PROVIDER,
        tr_noop("Search provider"),
        tr_noop("Receives the queries of web search. All but SearXNG need an API key."),
        default=SearchProvider.SEARXNG.value,
        choices=(
            (SearchProvider.SEARXNG.value, "SearXNG"),
            (SearchProvider.BRAVE.value, "Brave"),
            (SearchProvider.TAVILY.value, "Tavily"),
            (SearchProvider.KAGI.value, "Kagi"),
        ),
    ),
    _setting.line(
        SEARXNG,
        tr_noop("SearXNG address"),
        tr_noop("A SearXNG server that answers in JSON, such as http://localhost:8888."),
    ),
    _setting.lines(
        PERMISSIONS,
        tr_noop("Tool permissions"),
        tr_noop("What you decided about each tool."),
        most=500,
        hidden=True,
    ),
    _setting.lines(
        CHAT_PERMISSIONS,
        tr_noop("Tools allowed in this chat"),
        tr_noop("Tools that this chat may use without asking."),
        most=500,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
)
