"""Members of JSON documents that come and go, and no other byte."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given

from blueline.model import json_text
from tests.adapters.settings_documents import documents, layouts, spelled


@given(documents, layouts)
def test_a_document_with_one_more_member_and_without_it_again_is_the_same(
    document: dict[str, Any], layout: dict[str, Any]
) -> None:
    text = spelled({**document, "last": 1}, layout)
    more = json_text.append(text, json_text.top(text), {"a": [1, {"b": []}]}, key="added")
    assert json.loads(more) == {**json.loads(text), "added": {"a": [1, {"b": []}]}}
    held = json_text.members(more, json_text.top(more))
    assert json_text.remove(more, held, held[-1]) == text


def test_the_first_member_can_go_too() -> None:
    text = '{ "a" : 1 , "b": [1, 2] }'
    held = json_text.members(text, 0)
    assert json_text.remove(text, held, held[0]) == '{ "b": [1, 2] }'
    assert (
        json_text.remove(
            '{ "a": 1 }', json_text.members('{ "a": 1 }', 0), json_text.members('{ "a": 1 }', 0)[0]
        )
        == "{}"
    )
