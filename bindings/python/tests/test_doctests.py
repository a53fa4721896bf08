"""The examples in docstrings and in the documentation."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import nimatron

HERE = Path(__file__).resolve().parents[1]
MODULES = ["nimatron"] + [f"nimatron.{m.name}" for m in pkgutil.iter_modules(nimatron.__path__)]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", [m for m in MODULES if m != "nimatron._nimatron"])
def test_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0


@pytest.mark.parametrize("path", [HERE / "README.md", HERE.parents[1] / "docs" / "python.md"])
def test_documents(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(path), module_relative=False, optionflags=FLAGS)
    assert result.failed == 0 and result.attempted > 0


def test_everything_public_is_documented() -> None:
    for name in nimatron.__all__:
        thing = getattr(nimatron, name)
        if name == "__version__":
            continue
        assert thing.__doc__, name
        if isinstance(thing, type) and thing.__module__.startswith("nimatron"):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert getattr(value, "__doc__", None), f"{name}.{member}"
