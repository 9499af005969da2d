"""A damaged index may show only when it is read: then it is made anew, and the verb answered all the same.

A verb that only reads is run again. One that writes is run again only as long as nothing of it was written
down; afterwards its answer is what the ledger says of it.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

from blueline.desk.open_project import OpenProject
from blueline.journal.index import IndexDamaged
from blueline.model.fact import Fact

Verb = TypeVar("Verb", bound=Callable[..., Any])

Told = Callable[[Any, Sequence[Fact]], Any]
"""Who was asked, and the facts written down, to the answer; None if the verb's own are not among them."""


class Rebuildable(Protocol):
    """Whoever offers verbs over a project."""

    _project: OpenProject


def rebuilding(verb: Verb) -> Verb:
    """A verb that only reads."""

    @wraps(verb)
    def tried(self: Rebuildable, *args: Any, **options: Any) -> Any:
        try:
            return verb(self, *args, **options)
        except IndexDamaged:
            self._project.renew()
            return verb(self, *args, **options)

    return cast(Verb, tried)


def writing_once(told: Told) -> Callable[[Verb], Verb]:
    """A verb that writes, and what it says when the index fails after that."""

    def decorated(verb: Verb) -> Verb:
        @wraps(verb)
        def tried(self: Rebuildable, *args: Any, **options: Any) -> Any:
            with self._project.store.watched() as written:
                try:
                    return verb(self, *args, **options)
                except IndexDamaged:
                    facts = [*written]
                    self._project.renew()
            answer = told(self, facts)
            return verb(self, *args, **options) if answer is None else answer

        return cast(Verb, tried)

    return decorated
