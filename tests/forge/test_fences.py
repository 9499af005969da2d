"""Text in fences that it cannot leave."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from blueline.forge.blocks import block
from blueline.forge.fences import fenced
from tests.forge.offering import suggestion


def test_fences_survive_backticks_inside() -> None:
    text = block(suggestion("a\n", "```` inside\n"))
    assert "`````diff\n@@ -1 +1 @@\n- a\n+ ```` inside\n`````" in text


@given(st.text(alphabet="`~ab\n", max_size=40))
def test_a_fenced_text_comes_out_as_it_went_in(text: str) -> None:
    lines = fenced(text, "diff").split("\n")
    closing = re.compile(rf" {{0,3}}`{{{lines[0].index('d')},}} *")
    end = next(n for n in range(1, len(lines)) if closing.fullmatch(lines[n]))
    assert end == len(lines) - 1
    assert "\n".join(lines[1:end]) == text.removesuffix("\n") or text == ""
