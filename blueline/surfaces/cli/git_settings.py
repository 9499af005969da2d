"""What a person told git about their terminal, which holds here as well: pager, editor, single keys.

Only the person's own settings are read. Those of a repository may come from anybody, and a pager is a
command.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pygit2

TRUE = ("true", "yes", "on", "1", "")


def setting(name: str, environ: Mapping[str, str]) -> str | None:
    """A setting such as `core.pager`, from the person's config or the machine's; None if there is none."""
    for config in _configs(environ):
        if name in config:
            return str(config[name] or "")  # without a value it says yes
    return None


def is_set(name: str, environ: Mapping[str, str]) -> bool:
    """Whether a setting says yes."""
    value = setting(name, environ)
    return value is not None and value.lower() in TRUE


def _configs(environ: Mapping[str, str]) -> Iterator[pygit2.Config]:
    """The person's configs and the machine's, those that count first in front. None of a repository."""
    import pygit2  # it takes longer to load than most commands need

    own = environ.get("GIT_CONFIG_GLOBAL")
    home = environ.get("HOME", "")
    xdg = environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    places = [own] if own is not None else [os.path.join(home, ".gitconfig"), os.path.join(xdg, "git/config")]
    if environ.get("GIT_CONFIG_NOSYSTEM", "").lower() not in TRUE[:-1]:
        places.append(environ.get("GIT_CONFIG_SYSTEM", "/etc/gitconfig"))
    for place in places:
        if os.path.isfile(place):
            try:
                yield pygit2.Config(place)
            except (OSError, pygit2.GitError):
                continue  # git says itself what is wrong with it
