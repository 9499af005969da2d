"""A damaged index may show only when it is read: then it is made anew, and the verb tried again."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

from blueline.desk.project_store import Store
from blueline.journal.index import IndexDamaged

Verb = TypeVar("Verb", bound=Callable[..., Any])


class Rebuildable(Protocol):
    """Whoever offers verbs over a store."""

    _store: Store

    def _take_in(self) -> None: ...


def rebuilding(verb: Verb) -> Verb:
    """The verb, tried again with a new index if the old one turns out to be damaged."""

    @wraps(verb)
    def tried(self: Rebuildable, *args: Any, **options: Any) -> Any:
        try:
            return verb(self, *args, **options)
        except IndexDamaged:
            self._store.rebuild()
            self._take_in()
            return verb(self, *args, **options)

    return cast(Verb, tried)
