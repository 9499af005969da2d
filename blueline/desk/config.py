"""The project's config, made ready for the hook, which has no time to read TOML.

An agent can write the config too. What it wrote there counts only when somebody has accepted it: until then
the config is what was agreed before.
"""

import marshal
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from blueline.kernel import counting_rules, disk
from blueline.kernel.plain_file import NotPlain, read_plain
from blueline.review.ledger import Ledger

PATH = ".blueline/config.toml"
SMALLEST_LIMIT = 1024


class ConfigUnusable(ValueError):
    """What is wrong with the config."""


def refresh(root: Path, state: Path, ledger: Ledger, look: Callable[[], None]) -> str:
    """Compile the config if it has changed; a warning if it cannot be used, and then nothing is changed.

    `look` looks at the tree once more by the rules that counted until now.
    """
    try:
        text = agreed(root, ledger)
        digest = disk.blob_id(text)
        if counting_rules.digest_of_config(os.fsencode(state)) == digest:
            return ""
        compiled_rules = read(text)
    except ConfigUnusable as error:
        return f"{PATH} was not taken up: {error}"
    data = marshal.dumps((*compiled_rules, digest))
    former = counting_rules.read_rules(os.fsencode(state))
    is_other = former != counting_rules.CountingRules(*compiled_rules)
    if is_other and (state / "tree").exists():
        look()
    disk.put_in_place(os.fsencode(state / "capture"), data, os.fsencode(state) + b"/blobs/tmp")
    if is_other:
        # Which folders are counted is decided when they come: so all of them come anew.
        (state / "tree").unlink(missing_ok=True)
    return ""


def agreed(root: Path, ledger: Ledger) -> bytes:
    """The config as agreed; `ConfigUnusable` if something else stands there."""
    file = ledger.file_at(PATH)
    if file is not None and file.is_open:
        return (file.baseline.text or "").encode()
    try:
        return read_plain(root / PATH)
    except NotPlain as error:
        raise ConfigUnusable("it is not a plain file") from error
    except OSError:
        return b""


def accepts_commits(root: Path, ledger: Ledger) -> bool:
    """Whether what a person commits is accepted by that (rule D3)."""
    said = _document(agreed(root, ledger)).get("on_commit", "")
    if said not in ("", "accept"):
        raise ConfigUnusable('on_commit can only be "accept"')
    return bool(said)


def folds_history(root: Path, ledger: Ledger) -> bool:
    """Whether what was decided long ago becomes part of the baseline."""
    text = agreed(root, ledger)
    said = _document(text).get("fold_history", True) if b"fold_history" in text else True
    if not isinstance(said, bool):
        raise ConfigUnusable("fold_history can only be true or false")
    return said


def _document(text: bytes) -> dict[str, Any]:
    import tomllib  # takes longer than most commands, and the config hardly ever changes

    try:
        return tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigUnusable(f"it is not valid TOML ({error})") from error


def read(text: bytes) -> tuple[tuple[bytes, ...], tuple[bytes, ...], int]:
    """Folders that are counted, those that are if git ignores them, and the size of files."""
    capture = _document(text).get("capture", {})
    if not isinstance(capture, dict):
        raise ConfigUnusable("[capture] must be a table")
    unknown = capture.keys() - {"counted", "counted_if_ignored", "largest", "formatted"}
    if unknown:
        raise ConfigUnusable(f"[capture] has no {sorted(unknown)[0]!r}")
    largest = capture.get("largest", counting_rules.LARGEST)
    if not isinstance(largest, int) or isinstance(largest, bool) or largest < SMALLEST_LIMIT:
        raise ConfigUnusable(f"largest must be a number of bytes, {SMALLEST_LIMIT} or more")
    _see_patterns(capture)
    return (
        _names(capture, "counted", counting_rules.DEPENDENCIES),
        _names(capture, "counted_if_ignored", counting_rules.BUILDS),
        largest,
    )


def _see_patterns(capture: dict[str, Any]) -> None:
    """Formatters are known by what they do (rule D2). What was needed for it once may still stand there."""
    patterns = capture.get("formatted", [])
    if not isinstance(patterns, list) or not all(isinstance(one, str) and one for one in patterns):
        raise ConfigUnusable('formatted must be a list of patterns such as "*.py"')


def _names(capture: dict[str, Any], key: str, usual: tuple[bytes, ...]) -> tuple[bytes, ...]:
    names = capture.get(key)
    if names is None:
        return usual
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        raise ConfigUnusable(f"{key} must be a list of names")
    for name in names:
        if "/" in name or name in (".", ".."):
            raise ConfigUnusable(f"{key} has {name!r}, which is a path; it wants names of folders")
    return tuple(os.fsencode(name) for name in names)
