"""The package as its users' tools see it: examples in the documentation run, types hold, the stub describes the module."""

from __future__ import annotations

import doctest
import inspect
import json
import os
import pkgutil
import subprocess
import sys
import tempfile
import unittest
from importlib import import_module
from pathlib import Path
from types import ModuleType

import seedbank
from seedbank import _native

PACKAGE = Path(seedbank.__file__).parent
HERE = Path(__file__).parent


def modules() -> list[ModuleType]:
    names = [module.name for module in pkgutil.iter_modules([str(PACKAGE)]) if module.name not in ("__main__", "_native")]
    return [seedbank, *(import_module(f"seedbank.{name}") for name in names)]


def native_tests() -> list[doctest.DocTest]:
    """Returns the examples in what the native module exports, which doctest leaves out."""
    finder = doctest.DocTestFinder(recurse=False)
    found = []
    for name in _native.__all__:
        thing = getattr(_native, name)
        members = [(f"{name}.{member}", getattr(thing, member)) for member in vars(thing)] if inspect.isclass(thing) else []
        for whole_name, documented in [(name, thing), *members]:
            found += finder.find(documented, f"_native.{whole_name}", module=False, globs={}) if documented.__doc__ else []
    return [test for test in found if test.examples]


class Documentation(unittest.TestCase):
    def test_examples_run(self) -> None:
        finder = doctest.DocTestFinder()
        tests = [test for module in modules() for test in finder.find(module, module.__name__)] + native_tests()
        runner = doctest.DocTestRunner(verbose=False)
        for test in tests:
            runner.run(test)
        self.assertEqual(runner.failures, 0)
        with_examples = {test.name for test in tests if test.examples}
        for name in ["seedbank", "seedbank._games.evaluate", "seedbank._games.game", "seedbank._commands.eval", "_native.Value"]:
            self.assertIn(name, with_examples)

    def test_all_that_is_exported_is_documented(self) -> None:
        for name in seedbank.__all__:
            thing = getattr(seedbank, name)
            members = [member for member in vars(thing) if not member.startswith("_")] if inspect.isclass(thing) else []
            for documented, place in [(thing, name), *((getattr(thing, member), f"{name}.{member}") for member in members)]:
                if callable(documented) or isinstance(documented, property):
                    self.assertTrue(documented.__doc__, place)


class Types(unittest.TestCase):
    folder: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())

    def ended(self, *arguments: str | Path) -> str:
        """Runs a module of Python, which reads the package where it lies. Returns what it printed if it fails."""
        environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent), "MYPY_CACHE_DIR": f"{self.folder}/cache"}
        ended = subprocess.run([sys.executable, "-m", *arguments], cwd=self.folder, env=environment, capture_output=True, text=True)
        return ended.stdout + ended.stderr if ended.returncode else ""

    def test_mypy_finds_no_error(self) -> None:
        self.assertEqual(self.ended("mypy", "--strict", PACKAGE, *sorted(HERE.glob("*.py"))), "")

    def test_pyright_finds_no_error(self) -> None:
        settings = {
            # Pyright takes no absolute paths here.
            "include": [os.path.relpath(path, self.folder) for path in (PACKAGE, HERE / "example.py")],
            "extraPaths": [str(PACKAGE.parent)],
            "typeCheckingMode": "strict",
            # Modules of the package use each other's private names.
            "reportPrivateUsage": False,
            # pyarrow has no types; mypy finds other unknown ones.
            "reportMissingTypeStubs": False,
            **{f"reportUnknown{kind}Type": False for kind in ("Argument", "Member", "Parameter", "Variable")},
        }
        file = Path(self.folder, "pyrightconfig.json")
        file.write_text(json.dumps(settings))
        self.assertEqual(self.ended("pyright", "--project", file, "--pythonpath", sys.executable), "")

    def test_the_stub_describes_the_native_module(self) -> None:
        self.assertEqual(self.ended("mypy.stubtest", "seedbank._native"), "")

    def test_a_wrong_use_is_an_error(self) -> None:
        wrong = Path(self.folder, "wrong.py")
        wrong.write_text("from seedbank import Value\n\nValue(1) + 0.5\n")
        self.assertIn("Unsupported operand types for +", self.ended("mypy", "--strict", wrong))

    def test_the_example_runs(self) -> None:
        subprocess.run([sys.executable, HERE / "example.py"], check=True, cwd=self.folder)


if __name__ == "__main__":
    unittest.main()
