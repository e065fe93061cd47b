"""Fixtures of the tests of the documentation."""

import sys
from importlib import import_module

import pytest
from paths import ROOT


@pytest.fixture(scope="session")
def made():
    """What fills the reference pages: the module ``reference`` of docs/make."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(ROOT / "docs" / "make"), *sys.path])
        return import_module("reference")
