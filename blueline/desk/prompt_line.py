"""A project in a word, for the prompt of a shell: from the index alone, in the time that a prompt has."""

import os

from blueline.journal.index_tally import tally
from blueline.kernel import project_folder

TYPE_CHECKING = False  # as in `hook`: what is not needed is not loaded
if TYPE_CHECKING:
    from collections.abc import Mapping


def prompt_line(start: str, environ: "Mapping[str, str]") -> str:
    """How many changes are undecided, `+` if more was recorded since, `*` if an agent is at work.

    Nothing outside a project, or where nothing is to be said.
    """
    settings = {os.fsencode(name): os.fsencode(value) for name, value in environ.items()}
    home = project_folder.state_home(settings)
    found = project_folder.find_project(os.fsencode(os.path.abspath(start)), home)
    if found is None:
        return ""
    state = os.fsdecode(found[1])
    counted = tally(f"{state}/index.sqlite")
    if counted is None:
        return ""
    hunks, running, cursor = counted
    try:
        is_more = os.stat(f"{state}/journal").st_size > cursor
    except OSError:
        is_more = False
    number = str(hunks) if hunks or is_more else ""
    return f"{number}{'+' if is_more else ''}{'*' if running else ''}"
