"""What the tests of pages share: a contract read from its text, and the site that comes of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from idempact.build import Built, build
from idempact.contract.check import checked
from idempact.contract.read import Read
from idempact.text.nodes import compose
from idempact.text.span import Document


@pytest.fixture(scope="session")
def read() -> Callable[[str], Read]:
    """Reads a contract that has no errors."""

    def found(text: str) -> Read:
        tree = compose(Document("contract.yaml", text)).value
        assert tree is not None
        made = checked(tree)
        assert made.value is not None
        assert not made.broken, made.diagnostics
        return made.value

    return found


@pytest.fixture(scope="session")
def built(read: Callable[[str], Read]) -> Callable[[str], Built]:
    """Builds the site of such a contract."""

    def site(text: str) -> Built:
        made = build(read(text), contract_name="contract.yaml").value
        assert made is not None
        return made

    return site


@pytest.fixture(scope="session")
def pages_of(built: Callable[[str], Built]) -> Callable[[str], dict[str, str]]:
    """The texts of such a site by their paths."""
    return lambda text: {artifact.path: artifact.text for artifact in built(text).artifacts}
