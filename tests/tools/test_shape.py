"""What must hold for the shape of the code base, whatever its figures are."""

from __future__ import annotations

from tools import shape

MIRRORED_PERCENT = 60


def test_no_public_class_name_stands_twice() -> None:
    assert shape.twice(shape.class_names(shape.modules())) == []


def test_tests_stand_where_one_looks_for_them() -> None:
    found = shape.mirrored(shape.modules())
    missing = [str(path) for path, is_there in found.items() if not is_there]
    assert 100 * (len(found) - len(missing)) >= MIRRORED_PERCENT * len(found), missing


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert shape.cycles(shape.python_imports()) == []
    assert shape.cycles(shape.typescript_imports()) == []


def test_nothing_that_is_imported_imports_back() -> None:
    assert shape.cycles(shape.python_imports()) == []
    assert shape.cycles(shape.typescript_imports()) == []


def test_a_cycle_is_found_however_long_it_is() -> None:
    assert shape.cycles({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"], "e": ["e"]}) == ["a <-> b <-> c"]


def test_every_figure_can_be_taken() -> None:
    assert all(measure.now for measure in shape.measures())
