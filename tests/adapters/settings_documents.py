"""Settings as somebody may have written them, in any layout."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from blueline.adapters import claude_code, cursor

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
hook: st.SearchStrategy[Any] = (
    st.fixed_dictionaries({"type": st.just("command"), "command": st.text()}) | values
)
entry: st.SearchStrategy[Any] = hook | st.fixed_dictionaries(
    {"hooks": st.lists(hook, max_size=2)}, optional={"matcher": st.text()}
)
hooks: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    st.sampled_from([*claude_code.SETTINGS.events, *cursor.SETTINGS.events, "PreCompact"]),
    st.lists(entry, max_size=2),
    max_size=4,
) | st.just({})
documents = st.builds(
    lambda first, found, last: {**first, **found, **last},
    st.dictionaries(st.text().filter(lambda name: name != "hooks"), values, max_size=3),
    st.just({}) | st.fixed_dictionaries({"hooks": hooks}),
    st.dictionaries(st.text().filter(lambda name: name != "hooks"), values, max_size=2),
)
layouts = st.fixed_dictionaries(
    {"indent": st.sampled_from([None, 0, 1, 2, 4, "\t"]), "ensure_ascii": st.booleans()},
    optional={"separators": st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")])},
)


def spelled(document: object, layout: dict[str, Any]) -> str:
    text = json.dumps(document, **layout)
    # Half a character can be in settings, but only as an escape.
    return text if not any("\ud800" <= char <= "\udfff" for char in text) else json.dumps(document)
