"""The usual words of the command line, read without argparse: it takes longer to load than a list to print.

Only what can mean one thing is read here: a command without selectors, and options that are spelled out. All
else, mistakes and questions for help among it, is argparse's, and so is every message.
"""

from __future__ import annotations

from types import SimpleNamespace

from blueline.surfaces.cli.command_table import COMMANDS, EVERYWHERE, Argument, OneOf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

START = {"directory": ".", "json": False, "color": "auto"}
"""What holds where nothing is said about it."""

KNOWN = {"action", "default", "dest", "metavar", "choices", "nargs"}
FLAGS = {"store_true": True, "store_false": False}


def plain_words(words: Sequence[str]) -> SimpleNamespace | None:
    """What the words mean; None if argparse has to be asked."""
    found: dict[str, object] = {}
    everywhere = {name: one for one in EVERYWHERE for name in one.names}
    rest = _options(words, everywhere, found)
    if not rest or rest[0] not in COMMANDS:
        return None
    own: dict[str, Argument] = {}
    for one in COMMANDS[rest[0]].takes:
        if isinstance(one, OneOf) or not _is_plain(one):
            return None
        own |= dict.fromkeys(one.names, one)
    usual = {_dest(one): _default(one) for one in own.values()}
    if _options(rest[1:], {**everywhere, **own}, found):
        return None
    return SimpleNamespace(**{**START, **usual, **found, "command": rest[0]})


def _is_plain(one: Argument) -> bool:
    """Whether it may be left out, and means what it says."""
    if not one.is_option:
        return one.settings.get("nargs") == "*" and one.settings.keys() <= KNOWN
    return one.settings.keys() <= KNOWN - {"nargs"} and one.settings.get("action") in (None, *FLAGS)


def _options(words: Sequence[str], named: Mapping[str, Argument], found: dict[str, object]) -> Sequence[str]:
    """Read the options that the words begin with; says the words that are left."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        one = named.get(words[at])
        action = None if one is None else one.settings.get("action")
        if one is None or action not in (None, *FLAGS):
            break
        if action in FLAGS:
            found[_dest(one)] = FLAGS[action]
        else:
            value = words[at + 1] if at + 1 < len(words) else "-"
            if value.startswith("-") or (one.choices and value not in one.choices):
                break
            found[_dest(one)] = value
            at += 1
        at += 1
    return words[at:]


def _dest(one: Argument) -> str:
    return str(one.settings.get("dest") or one.names[-1].lstrip("-").replace("-", "_"))


def _default(one: Argument) -> object:
    if one.is_option:
        action = one.settings.get("action")
        return not FLAGS[action] if action in FLAGS else one.settings.get("default")
    return one.settings.get("default", [])
