"""Which parts mutants are made of, and how one gets into the place of what it is made of."""

from __future__ import annotations

import pytest

from blueline.model import ids
from tools import mutants
from tools.mutant_tests import Fault, _put_in


@pytest.mark.parametrize("part", mutants.PARTS.values(), ids=mutants.PARTS)
def test_what_is_named_is_there(part: mutants.Part) -> None:
    for path in (*part.sources, *part.tests):
        assert (mutants.ROOT / path).exists(), path


def test_a_fault_is_there_for_whoever_has_the_function_already(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "blueline/model/ids.py"
    text = (mutants.ROOT / source).read_text()
    function = ids.hunk_id
    monkeypatch.setattr(function, "__code__", function.__code__)
    wrong = f"{text}\n\ndef hunk_id(salt, number): return 'wrong'\n"
    _put_in(Fault(source, ("hunk_id",), 1, range(1), range(1), "", lambda: wrong))
    assert function(1, 1) == "wrong"
