"""Every word of the list of well-known models is known to translators."""

from __future__ import annotations

from fireside.hub.catalogue import CATALOGUE_NAME, load_catalogue
from fireside.settings.paths import resources_folder
from fireside.ui.discover.catalogue_words import CATALOGUE_PURPOSES, CATALOGUE_SENTENCES

MODELS = load_catalogue(resources_folder() / CATALOGUE_NAME)


def test_what_is_said_of_each_model_can_be_translated() -> None:
    assert {model.about for model in MODELS} == set(CATALOGUE_SENTENCES)


def test_each_heading_can_be_translated() -> None:
    assert {model.purpose for model in MODELS} == set(CATALOGUE_PURPOSES)
