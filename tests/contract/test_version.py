"""Whoever changes the shape of what the index keeps raises the version: old indexes are then made anew."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Any, get_type_hints

from blueline.contract import VERSION
from blueline.contract.actors import ActorDocument
from blueline.contract.cells import HunkCellDocument
from blueline.contract.hunks import HunkDocument
from blueline.contract.stored import StoredCall, StoredDecision, StoredNote, StoredSubagent, StoredTurn
from blueline.journal.index import _SCHEMA
from tests.support.project import POEM, Project

KEPT = {21: "194d45a16534e9cf"}
"""For the version of today, the digest of the shapes that it stands for."""


def test_another_shape_of_what_the_index_keeps_is_another_version(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.hunks()
    with closing(sqlite3.connect(p.index)) as index:
        ((file,),) = index.execute("select doc from files").fetchall()
    documents: list[Any] = [HunkDocument, HunkCellDocument, ActorDocument]
    documents += [StoredTurn, StoredSubagent, StoredCall, StoredDecision, StoredNote]
    shapes = [(one.__name__, sorted(map(str, get_type_hints(one).items()))) for one in documents]
    digest = blake2b(repr((_SCHEMA, shapes, sorted(json.loads(file)))).encode(), digest_size=8).hexdigest()
    assert {VERSION: digest} == KEPT, "raise blueline.contract.VERSION, and put the digest here"
