"""What our scan of folders finds is what Python's own finds."""

from __future__ import annotations

import pkgutil
from pathlib import Path

import pytest

import idempact
from idempact.resources.modules import module_names

_PACKAGES = sorted(path.parent for path in Path(idempact.__file__).parent.rglob("__init__.py"))


@pytest.mark.parametrize("folder", _PACKAGES, ids=lambda path: path.name)
def test_the_modules_of_each_package_are_those_that_python_finds(folder: Path) -> None:
    assert list(module_names([str(folder)])) == sorted(info.name for info in pkgutil.iter_modules([str(folder)]))


def test_what_is_no_module_is_passed_over(tmp_path: Path) -> None:
    for name in ("one.py", "two.pyi", "not-one.py", ".hidden.py", "text.md", "__init__.py", "py.typed"):
        (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    assert module_names([str(tmp_path)]) == ("one", "package")
